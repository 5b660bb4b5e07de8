"""The GPU: whether there is one, arrays on it, and how kernels are launched.

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

SIMULATED = bool(config.ENABLE_CUDASIM)
# Threads per block, one row each; the simulator starts a Python thread for each.
THREADS = 8 if SIMULATED else 128
# Threads per multiprocessor; many threads hide the latency of memory.
_THREADS_PER_PROCESSOR = 2_048
# Shared memory that a kernel may use without a special setting of the driver.
SHARED_BYTES = 48 * 1024
_SIMULATED_MEMORY = 1 << 30
_LARGE = 1 << 26


def jit(function: Callable[..., Any]) -> Any:
    """Compile a kernel, and keep the machine code on disk where possible."""
    try:
        return cuda.jit(cache=True)(function)
    except RuntimeError:
        # Neither the package folder nor the user's cache folder can be written.
        return cuda.jit(function)


def device_function(function: Callable[..., Any]) -> Any:
    """Compile a function that kernels call."""
    return cuda.jit(device=True)(function)


def problem() -> str | None:
    """Return the reason why no GPU can be used; None if one can."""
    if SIMULATED:
        return None
    try:
        usable = cuda.is_available()
    except (OSError, RuntimeError) as error:
        return str(error).splitlines()[0]
    return None if usable else "no CUDA driver or no NVIDIA GPU was found"


@cache
def _processors() -> int:
    return 1 if SIMULATED else int(cuda.get_current_device().MULTIPROCESSOR_COUNT)


def n_blocks(n_rows: int, threads: int = THREADS) -> int:
    """Return the number of blocks for some rows; blocks process tiles of rows in a strided loop."""
    tiles = -(-n_rows // threads)
    if SIMULATED:
        return max(1, min(tiles, 2))
    # Blocks without rows are cheap, and Numba warns if there are fewer than two per multiprocessor.
    most = _THREADS_PER_PROCESSOR // threads
    return min(max(2 * _processors(), tiles), most * _processors())


def free_bytes() -> int:
    """Return the free memory of the GPU."""
    if SIMULATED:
        return _SIMULATED_MEMORY
    return int(cuda.current_context().get_memory_info()[0])


def upload(array: Array) -> Any:
    """Copy an array to the GPU."""
    return cuda.to_device(np.ascontiguousarray(array))


def download(array: Any, out: Array | None = None) -> Array:
    """Copy an array from the GPU."""
    if not array.size:
        return np.empty(array.shape, array.dtype) if out is None else out
    host: Array = array.copy_to_host() if out is None else array.copy_to_host(out)
    return host


def pinned(n_numbers: int, dtype: Any) -> Any:
    """Return pinned host memory, to which the GPU copies fast."""
    return cuda.pinned_array(n_numbers, dtype)


def empty(shape: Any, dtype: Any) -> Any:
    """Return an array on the GPU with any content."""
    if not SIMULATED and np.prod(shape) * np.dtype(dtype).itemsize > _LARGE:
        # Numba frees memory late; large arrays must be freed before new ones are allocated.
        cuda.current_context().deallocations.clear()
    return cuda.device_array(shape, dtype)


def zeros(shape: Any, dtype: Any) -> Any:
    """Return an array of zeros on the GPU."""
    flat = cuda.device_array(int(np.prod(shape)), dtype)
    fill[n_blocks(max(1, flat.size)), THREADS](flat, np.dtype(dtype).type(0))
    return flat.reshape(shape)


def wrap(array: Any) -> Any:
    """Return a view of an array of another library on the GPU."""
    if SIMULATED:
        return array if hasattr(array, "copy_to_host") else cuda.to_device(array)
    return cuda.as_cuda_array(array)


def address(array: Any) -> int:
    """Return the address of an array."""
    return 0 if SIMULATED else int(array.__cuda_array_interface__["data"][0])


def wait() -> None:
    """Wait for everything that was launched."""
    cuda.synchronize()


@jit
def fill(values, value):  # type: ignore[no-untyped-def]
    """Write one value everywhere."""
    for i in range(cuda.grid(1), values.shape[0], cuda.gridsize(1)):
        values[i] = value


@jit
def copy(values, out):  # type: ignore[no-untyped-def]
    """Copy a flat array."""
    for i in range(cuda.grid(1), values.shape[0], cuda.gridsize(1)):
        out[i] = values[i]
