"""Limit BLAS to one thread where more threads would be slower.

This library runs row blocks in parallel, and small eigenproblems become a hundred times slower if the
threads of BLAS compete with other work for the same cores.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from threading import local

from threadpoolctl import ThreadpoolController

_inside = local()


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Limit BLAS to one thread inside a `with` block; nested blocks have no overhead."""
    if getattr(_inside, "yes", False):
        yield
        return
    _inside.yes = True
    try:
        with _controller().limit(limits=1, user_api="blas"):
            yield
    finally:
        _inside.yes = False


@cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()
