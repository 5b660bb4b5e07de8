"""Arrays on the GPU, and how kernels are compiled and launched.

Kernels are Python compiled by numba-cuda. Numba's simulator runs the same source without a GPU
(NUMBA_ENABLE_CUDASIM=1), which is how they are tested everywhere.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numba import cuda
from numba.core import config

from consilience._utils._types import Array
from consilience.incidence import cut

_SIMULATED = bool(config.ENABLE_CUDASIM)
# Threads per block, a row each; the simulator starts a Python thread for each.
THREADS = 8 if _SIMULATED else 128
# Threads per multiprocessor; many threads hide the latency of memory.
_THREADS_PER_PROCESSOR = 2_048
# Shared memory that a kernel may use without a special setting of the driver.
SHARED_BYTES = 48 * 1024
# Number of codes that are sent at a time, because they are there twice until they are transposed.
_SENT_CODES = 1 << 28


def jit(function: Callable[..., Any]) -> Any:
    """Compile a kernel, and keep the machine code on disk where possible."""
    try:
        return cuda.jit(cache=True)(function)
    except RuntimeError:
        # Neither the package folder nor the user's cache folder can be written.
        return cuda.jit(function)


def launch(n_rows: int, *, deep: int = 1, shared: int = 0) -> tuple[Any, ...]:
    """Return the launch configuration of a kernel for some rows, with `shared` bytes per block."""
    return (_n_blocks(n_rows), deep), THREADS, 0, shared


def _n_blocks(n_rows: int) -> int:
    tiles = -(-n_rows // THREADS)
    if _SIMULATED:
        return max(1, min(tiles, 2))
    # Blocks without rows are cheap, and Numba warns if there are fewer than two per multiprocessor.
    return min(max(2 * _processors(), tiles), _THREADS_PER_PROCESSOR // THREADS * _processors())


@cache
def _processors() -> int:
    return int(cuda.get_current_device().MULTIPROCESSOR_COUNT)


def upload(array: Array) -> Any:
    """Copy an array to the GPU."""
    return cuda.to_device(np.ascontiguousarray(array))


def download(array: Any) -> Array:
    """Copy an array from the GPU."""
    host: Array = array.copy_to_host() if array.size else np.empty(array.shape, array.dtype)
    return host


def empty(n_numbers: int, dtype: Any) -> Any:
    """Return a vector on the GPU with any content."""
    return cuda.device_array(n_numbers, dtype)


def send_codes(codes: Array) -> Any:
    """Copy codes (n, r) to the GPU, transposed: neighbouring threads read neighbouring numbers."""
    n_rows, width = codes.shape
    columns = cuda.device_array((width, n_rows), codes.dtype)
    for low, high in cut(0, n_rows, max(1, _SENT_CODES // max(1, width))):
        _transpose[launch(high - low)](upload(codes[low:high]), low, columns)
    return columns


@jit
def _transpose(codes, start, columns):  # type: ignore[no-untyped-def]
    """Write the codes of the rows from `start` on."""
    for i in range(cuda.grid(1), codes.shape[0], cuda.gridsize(1)):
        for j in range(codes.shape[1]):
            columns[j, start + i] = codes[i, j]
