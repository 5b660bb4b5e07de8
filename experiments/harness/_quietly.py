"""Runs without advice."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from consilience.exceptions import ConsilienceWarning


@contextmanager
def quietly() -> Iterator[None]:
    """Silence the library's warnings: protocols repeat doubtful settings on purpose, and score them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConsilienceWarning)
        yield
