"""Settings of all tests."""

import multiprocessing
import os

from hypothesis import settings

# One seed, no clock: a failure on one machine is a failure on all.
settings.register_profile("project", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("project")

# `make elsewhere`: processes start as on Windows and macOS, with nothing inherited.
if method := os.environ.get("CONSILIENCE_START_METHOD"):
    multiprocessing.set_start_method(method, force=True)
