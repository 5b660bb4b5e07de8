"""Settings of all tests."""

import multiprocessing
import os

from hypothesis import settings

# One seed, no clock: a failure on one machine is a failure on all.
settings.register_profile(
    "quick", deadline=None, derandomize=True, print_blob=True, max_examples=25
)
# New examples in every run, as many as a test asks for: `ORACLE_EFFORT=1 make test`, once a week.
settings.register_profile("full", deadline=None, print_blob=True)
settings.load_profile("full" if int(os.environ.get("ORACLE_EFFORT", "0")) else "quick")

# `make elsewhere`: processes start as on Windows and macOS, with nothing inherited.
if method := os.environ.get("CONSILIENCE_START_METHOD"):
    multiprocessing.set_start_method(method, force=True)
