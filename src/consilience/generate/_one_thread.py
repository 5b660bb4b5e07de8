"""BLAS and OpenMP on one thread, entered by many workers at once."""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_lock = threading.Lock()


class _Limits:
    """State of the process: how many are inside, and what is to be undone when the last one leaves."""

    n_inside = 0
    blas: Any = None
    controller: Any = None
    n_modules = 0


@contextmanager
def one_thread() -> Iterator[None]:
    """Limit BLAS and OpenMP to one thread inside a `with` block.

    The limit of BLAS belongs to the process, so the first to enter sets it and the last to leave lifts
    it: if each thread restored what it found, one would lift the limit under the others. The limit of
    OpenMP belongs to the thread.
    """
    with _lock:
        if _Limits.n_inside == 0:
            _find_libraries()
            _Limits.blas = _Limits.controller.limit(limits=1, user_api="blas")
        _Limits.n_inside += 1
        openmp = _Limits.controller.limit(limits=1, user_api="openmp")
    try:
        with openmp:
            yield
    finally:
        with _lock:
            _Limits.n_inside -= 1
            if _Limits.n_inside == 0:
                _Limits.blas.restore_original_limits()


def _find_libraries() -> None:
    """Look for libraries with threads; that takes milliseconds, so only when modules were imported."""
    from threadpoolctl import ThreadpoolController

    if _Limits.controller is None or _Limits.n_modules != len(sys.modules):
        _Limits.controller = ThreadpoolController()
        _Limits.n_modules = len(sys.modules)
