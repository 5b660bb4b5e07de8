"""Settings of all tests."""

from hypothesis import settings

# One seed, no clock: a failure on one machine is a failure on all.
settings.register_profile("project", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("project")
