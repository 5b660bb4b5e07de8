"""The GPU engine: runs verbs on an NVIDIA GPU.

A verb with a GPU kernel runs on all rows at once if they fit the memory of the GPU, otherwise on
stripes; other verbs run on CPU threads. Label vectors stay on the GPU between verbs. Counts are whole
numbers, and sums of floats are added as whole numbers of a small unit, so that results are bitwise
reproducible for any order of the GPU threads.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from importlib.util import find_spec
from typing import Any

import numpy as np

from consilience._utils._config import get_config
from consilience._utils._types import Array
from consilience.exceptions import MissingExtraError, UnsupportedInputError
from consilience.incidence._block_source import ArraySource, BlockSource
from consilience.incidence._collect import Collector
from consilience.incidence._device_rows import DeviceRows
from consilience.incidence._device_vector import DeviceVector, label_dtype
from consilience.incidence._executor import Executor, ThreadExecutor
from consilience.incidence._grid import cut
from consilience.incidence._hard import HardBlocks
from consilience.incidence._job import Job
from consilience.incidence._layout import Layout

Rows = tuple[int, int]

# Minimum number of labels for which "auto" selects the GPU.
_WORTH_IT = 1 << 24
# Additional bytes per row that a verb needs, and the share of the free memory that may be used.
_BYTES_PER_ROW = 12
_SHARE = 0.9
# Number of labels that are copied to the host at a time.
_BROUGHT_ROWS = 1 << 26


def is_on_device(data: Any) -> bool:
    """Whether an object is an array on a GPU; imports nothing."""
    if hasattr(data, "__cuda_array_interface__"):
        return True
    device = getattr(data, "__dlpack_device__", None)
    if device is None or isinstance(data, np.ndarray):
        return False
    try:
        return _is_cuda(device())
    except (
        TypeError
    ):  # pyarrow 16 does not answer for arrays with missing values, which are not there
        return False


def _is_cuda(device: tuple[Any, Any]) -> bool:
    # 2 and 13 of the DLPack standard: memory of a CUDA device, and managed memory.
    return int(device[0]) in (2, 13)


@cache
def _problem() -> str | None:
    """Return the reason why no GPU can be used; None if one can."""
    if find_spec("numba.cuda") is None:
        return "the package numba-cuda is not installed"
    from consilience._kernels._device import problem

    return problem()


def require_device(owner: str) -> None:
    """Raise an error if there is no GPU."""
    reason = _problem()
    if reason is not None:
        raise MissingExtraError(
            f"{owner} needs an NVIDIA GPU and the extra cuda (pip install consilience[cuda]), but "
            f'{reason}; consilience.set_config(engine="cpu") works without one.'
        )


def executor_of(source: BlockSource, blocks: Any) -> Executor:
    """Return the executor for rows in memory: threads or the GPU."""
    engine = get_config().engine
    is_hard = isinstance(source, ArraySource) and isinstance(blocks, HardBlocks)
    if engine == "cpu" or not is_hard:
        return ThreadExecutor()
    if engine == "cuda":
        require_device('set_config(engine="cuda")')
        return CudaExecutor()
    array: Array = source.array  # type: ignore[attr-defined]
    return CudaExecutor() if array.size >= _WORTH_IT and _problem() is None else ThreadExecutor()


def refuse_soft() -> None:
    """Raise an error if the GPU was requested for soft memberships."""
    if get_config().engine == "cuda":
        raise UnsupportedInputError(
            'The GPU engine does not support soft memberships; use set_config(engine="cpu") or "auto", '
            "or hard labels."
        )


class DeviceSource:
    """Labels stored on the GPU, as they were given.

    Parameters
    ----------
    rows : DeviceRows
        The labels, and their mapping to base clusters.
    """

    by_stripe = True

    def __init__(self, rows: DeviceRows) -> None:
        self.rows = rows
        self.executor = CudaExecutor(rows)

    @property
    def n_rows(self) -> int:
        """Return the number of rows."""
        return self.rows.n_rows

    def read(self, start: int, stop: int) -> Array:
        """Copy codes of rows to the host."""
        return self.rows.read(start, stop)

    def pick(self, chosen: Array) -> Array:
        """Copy codes of a few rows, given by position, to the host."""
        return self.rows.pick(chosen)

    def take(self, chosen: Array) -> "DeviceSource":
        """Return a copy of some rows on the GPU; positions must be ascending."""
        return DeviceSource(self.rows.take(chosen))

    def select(self, columns: Array) -> "DeviceSource":
        """Return a copy of some members on the GPU."""
        return DeviceSource(self.rows.select(columns))


class CudaExecutor:
    """Runs verbs on the GPU.

    Parameters
    ----------
    rows : DeviceRows, optional
        The rows if they are on the GPU; an array is copied to the GPU when the first verb runs.
    """

    def __init__(self, rows: DeviceRows | None = None) -> None:
        self._rows = rows

    def __reduce__(self) -> tuple[Any, ...]:
        # Data on the GPU are not pickled; they are created again when needed.
        return CudaExecutor, ()

    def run(
        self, job: Job, source: BlockSource, vectors: Sequence[Any], collector: Collector
    ) -> Iterator[tuple[Rows, Any]]:
        """Run a job on all rows at once, or on stripes that fit; on threads if there is no kernel."""
        from consilience.incidence._device_verbs import verb_of

        verb = verb_of(job)
        if verb is None or not source.n_rows or not self._are_narrow(source):
            here = [np.asarray(v) if isinstance(v, DeviceVector) else v for v in vectors]
            yield from ThreadExecutor().run(job, source, here, collector)
            return
        layout = job.fixed[0].layout
        if self._rows is None and _fits(source):
            self._rows = DeviceRows.of_codes(source.read(0, source.n_rows), layout)
        if self._rows is not None:
            yield (0, source.n_rows), verb(self._rows, job, vectors)
            return
        for stripe in cut(0, source.n_rows, _stripe_rows(source, layout, job)):
            rows = DeviceRows.of_codes(source.read(*stripe), layout)
            slices = [None if v is None else np.asarray(v)[slice(*stripe)] for v in vectors]
            yield stripe, _brought_here(verb(rows, job, slices))

    def unknown_leads(self, source: BlockSource) -> Any:
        """Return a vector for `Leads` on the GPU, all -inf; None unless all rows are there."""
        if self._rows is None or not self._are_narrow(source):
            return None
        from consilience._kernels import _device

        leads = _device.empty(source.n_rows, np.float32)
        grid = _device.n_blocks(max(1, source.n_rows)), _device.THREADS
        _device.fill[grid](leads, np.float32(-np.inf))
        return leads

    def _are_narrow(self, source: BlockSource) -> bool:
        """Whether a tile of rows fits the shared memory of the GPU."""
        if self._rows is not None:
            return self._rows.codes.threads > 0
        from consilience._kernels._device_codes import fits_tile

        return fits_tile(source.read(0, 1))


def _fits(source: BlockSource) -> bool:
    from consilience._kernels._device import free_bytes

    row = source.read(0, 1).nbytes + _BYTES_PER_ROW
    return source.n_rows * row <= _SHARE * free_bytes()


def _stripe_rows(source: BlockSource, layout: Layout, job: Job) -> int:  # noqa: ARG001
    from consilience._kernels._device import free_bytes

    row = source.read(0, 1).nbytes + 2 * _BYTES_PER_ROW
    stripe = job.grid.stripe_rows
    return stripe * max(1, int(_SHARE * free_bytes() / 2 / row) // stripe)


def _brought_here(part: Any) -> Any:
    if isinstance(part, DeviceVector):
        return np.asarray(part)
    if hasattr(part, "_replace") and isinstance(part.labels, DeviceVector):
        return part._replace(labels=np.asarray(part.labels))
    return part


# --- label vectors ------------------------------------------------------------------------------------


def downloaded(labels: DeviceVector) -> Iterator[tuple[int, Array]]:
    """Yield (first row, labels) on the host in their type; the buffer is reused."""
    from consilience._kernels import _device

    buffer = _device.pinned(min(len(labels), _BROUGHT_ROWS), labels.data.dtype)
    for start, stop in cut(0, len(labels), _BROUGHT_ROWS):
        part = buffer[: stop - start]
        _device.download(labels.data[start:stop], part)
        yield start, part


def values_at(labels: DeviceVector, rows: Array) -> Array:
    """Copy the labels of a few rows to the host."""
    from consilience._kernels import _device
    from consilience._kernels._device_rows import take_values

    rows = np.where(rows < 0, rows + len(labels), rows).astype(np.int64)
    out = _device.empty(len(rows), labels.data.dtype)
    if len(rows):
        grid = _device.n_blocks(len(rows)), _device.THREADS
        take_values[grid](labels.data, _device.upload(rows), out)
    return _device.download(out).astype(np.int32)


def sizes_on_device(labels: DeviceVector, n_labels: int) -> Array:
    """Return the number of rows of every label."""
    from consilience._kernels import _device
    from consilience._kernels._device_rows import sizes_kernel

    if 8 * n_labels > _device.SHARED_BYTES:
        return np.bincount(np.asarray(labels), minlength=n_labels)
    sizes = _device.zeros(n_labels, np.int64)
    none = _device.empty(0 if _device.SIMULATED else 1, np.int64)
    grid = _device.n_blocks(max(1, len(labels))), _device.THREADS, 0, 8 * n_labels
    sizes_kernel(weighted=False)[grid](labels.data, none, sizes)
    return _device.download(sizes)


def n_different_on_device(labels: DeviceVector, other: DeviceVector) -> int:
    """Return the number of rows with different labels."""
    from consilience._kernels import _device
    from consilience._kernels._device_rows import count_different

    found = _device.zeros(1, np.int64)
    grid = _device.n_blocks(max(1, len(labels))), _device.THREADS
    count_different[grid](labels.data, other.data, found)
    return int(_device.download(found)[0])


def digest_on_device(labels: DeviceVector) -> bytes:
    """Return a digest of 16 bytes; equal label vectors have equal digests."""
    from consilience._kernels import _device
    from consilience._kernels._device_rows import digest_labels

    total = _device.zeros(2, np.uint64)
    grid = _device.n_blocks(max(1, len(labels))), _device.THREADS
    digest_labels[grid](labels.data, total)
    return _device.download(total).tobytes()


def relabelled_on_device(labels: DeviceVector, new: Array) -> DeviceVector:
    """Return new[label] of every row."""
    from consilience._kernels import _device
    from consilience._kernels._device_rows import look_up

    n_labels = int(new.max(initial=0)) + 1
    dtype = label_dtype(n_labels)
    out = _device.empty(len(labels), dtype)
    grid = _device.n_blocks(max(1, len(labels))), _device.THREADS
    look_up[grid](_device.upload(new.astype(dtype)), labels.data, out)
    return DeviceVector(out, n_labels)


def first_rows_on_device(labels: DeviceVector, n_labels: int) -> Array:
    """Return the first row of every label, n where it does not occur."""
    from consilience._kernels import _device
    from consilience._kernels._device_rows import first_places

    first = _device.upload(np.full(n_labels, len(labels), dtype=np.int64))
    grid = _device.n_blocks(max(1, len(labels))), _device.THREADS
    first_places[grid](labels.data, first)
    return _device.download(first)
