"""The decorator of every kernel."""

from collections.abc import Callable
from typing import Any

import numba


def jit(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile without the interpreter lock, and keep the machine code on disk where possible.

    Kernels never use Numba's own threads: the executor of `incidence` calls them on row blocks. This
    compiles in a quarter of the time and is safe with forks and with Dask's threads. Kernels are not
    called from C, so Numba need not compile a C entry point.
    """
    # The types of Numba do not list the last of these, so they are passed as a dictionary.
    settings: dict[str, Any] = {"nogil": True, "no_cfunc_wrapper": True}
    try:
        compiled: Callable[..., Any] = numba.njit(cache=True, **settings)(function)
    except RuntimeError:
        # Neither the package folder nor the user's cache folder can be written.
        compiled = numba.njit(**settings)(function)
    return compiled
