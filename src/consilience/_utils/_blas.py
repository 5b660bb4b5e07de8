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
        # Setting a limit takes longer than a small step of this library; asking for it does not.
        if all(library.num_threads == 1 for library in _blas().lib_controllers):
            yield
            return
        with _blas().limit(limits=1):
            yield
    finally:
        _inside.yes = False


@cache
def _blas() -> ThreadpoolController:
    return ThreadpoolController().select(user_api="blas")
