"""The verbs that run on the GPU: functions of the rows there, the job and its row vectors."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from consilience._utils._types import Array
from consilience.gpu import _kernels as kernels
from consilience.gpu._device import (
    SHARED_BYTES,
    THREADS,
    download,
    empty,
    launch,
    send_codes,
    upload,
)
from consilience.incidence import HardBlocks, NearestCentres, Swept, responsibilities_step
from consilience.incidence.internals import (
    TIE_TOLERANCE,
    Job,
    Prepared,
    largest_sum,
    power_within,
    tasks,
    whole_weights,
)

# Maximum number of columns whose sums a thread keeps.
_MOST_COLUMNS = 128
# Maximum number of cells of a table, so that places fit 32 bits.
_MOST_CELLS = 1 << 31


class DeviceRows:
    """Codes on the GPU, (r, n).

    Parameters
    ----------
    codes : array (n, r)
        The codes of a source in memory.
    blocks : HardBlocks
        The layout of padded tables, which is the same on the GPU.
    """

    def __init__(self, codes: Array, blocks: HardBlocks) -> None:
        self.n_rows = len(codes)
        self.sizes = blocks.layout.n_clusters + 1
        self.codes = send_codes(codes)
        self.offsets = np.concatenate([[0], np.cumsum(self.sizes)])
        self.offsets_there = upload(self.offsets)
        # The last weights, because most verbs use the same ones.
        self._weight: tuple[Array, Any, float | None] | None = None

    def whole_weight(self, weight: Array) -> tuple[Any, float | None]:
        """Return weights as int64 on the GPU, and the value of one unit; None if they were integers."""
        if self._weight is None or self._weight[0] is not weight:
            whole, unit = whole_weights(weight)
            self._weight = (weight, upload(np.asarray(whole, dtype=np.int64)), unit)
        return self._weight[1:]


Verb = Callable[[DeviceRows, Job, Sequence[Any]], Any]


def verb_of(job: Job, vectors: Sequence[Any]) -> Verb | None:
    """Return the GPU function of a job; None if it must run on threads."""
    if job.task in _ON_TABLES:
        return _ON_TABLES[job.task]
    if job.task not in (tasks.argmax, tasks.sweep):
        return None
    blocks, prepared, options = job.fixed
    n_cells = blocks.n_padded * kernels.pitch_of(prepared.width)
    if prepared.width > _MOST_COLUMNS or n_cells >= _MOST_CELLS:
        return None
    return _argmax if job.task is tasks.argmax else _verb_of_step(prepared, options, vectors)


def _verb_of_step(prepared: Prepared, options: Any, vectors: Sequence[Any]) -> Verb | None:
    step = options.step
    if options.n_labels is not None:
        return None
    if isinstance(step, NearestCentres) and step.adds_up:
        return _nearest if _fitting(prepared.blocks.n_padded, step)[0] else None
    if step is responsibilities_step and vectors[1] is vectors[0] and _is_finite(prepared):
        return _soften
    return None


# --- counts ---------------------------------------------------------------------------------------


def _count(rows: DeviceRows, job: Job, vectors: Sequence[Any]) -> Array:
    _, n_labels, dtype = job.fixed
    labels, weight = vectors
    labels = np.zeros(rows.n_rows, dtype=np.int32) if labels is None else labels
    return _counted(rows, upload(labels), None, weight, n_labels, dtype)


def _gram(rows: DeviceRows, job: Job, vectors: Sequence[Any]) -> Array:
    """Count, for every member, the later ones by its own codes: the upper triangle."""
    blocks, dtype = job.fixed
    table = np.zeros((blocks.n_padded, blocks.n_padded), dtype=dtype)
    for member, size in enumerate(rows.sizes.tolist()):
        begin = int(rows.offsets[member])
        counts = _counted(rows, rows.codes[member], None, vectors[0], size, dtype, member)
        table[begin : begin + size, begin:] = counts[begin:].T
    return table


_ON_TABLES: dict[Callable[..., Any], Verb] = {tasks.count: _count, tasks.gram: _gram}


def _counted(
    rows: DeviceRows,
    labels: Any,
    before: Any,
    weight: Array | None,
    n_labels: int,
    dtype: Any,
    first_member: int = 0,
) -> Array:
    """Return the padded count table of labels that are on the GPU, (padded rows, K)."""
    weighted = weight is not None
    there, unit = _nothing(np.int64), None
    if weight is not None:
        there, unit = rows.whole_weight(weight)
    cell = 8 if weighted else 4
    groups = _groups(rows.sizes, first_member, SHARED_BYTES // (cell * n_labels))
    in_shared = groups is not None
    if groups is None:
        groups = [first_member, len(rows.sizes)]
    most_places = int(np.diff(rows.offsets[groups]).max())
    counts = upload(np.zeros(int(rows.offsets[-1]) * n_labels, dtype=np.int64))
    shared = cell * most_places * n_labels if in_shared else 0
    grid = launch(rows.n_rows, deep=len(groups) - 1, shared=shared)
    kernels.count_kernel(weighted=weighted, in_shared=in_shared)[grid](
        rows.codes,
        rows.offsets_there,
        upload(np.array(groups)),
        labels,
        _nothing(np.int32) if before is None else before,
        there,
        n_labels,
        counts,
    )
    table = download(counts).reshape(-1, n_labels)
    return (table if unit is None else table * unit).astype(dtype, copy=False)


def _groups(sizes: Array, first: int, most_places: int) -> list[int] | None:
    """Split members into groups whose places fit the shared memory; None if one member does not."""
    if sizes[first:].max() > most_places:
        return None
    groups, total = [first], 0
    for member in range(first, len(sizes)):
        if total + sizes[member] > most_places:
            groups.append(member)
            total = 0
        total += sizes[member]
    return [*groups, len(sizes)]


# --- sweeps ---------------------------------------------------------------------------------------


def _argmax(rows: DeviceRows, job: Job, vectors: Sequence[Any]) -> Swept:
    _, prepared, options = job.fixed
    current, weight = vectors
    table = _laid_out(prepared)
    in_shared = table.nbytes <= SHARED_BYTES
    before = _nothing(np.int32) if current is None else upload(current)
    labels = empty(rows.n_rows, np.int32)
    best = empty(rows.n_rows, np.float64) if options.want_best else _nothing(np.float64)
    grid = launch(rows.n_rows, shared=table.nbytes if in_shared else 0)
    kernels.choose_kernel(prepared.width, in_shared=in_shared)[grid](
        rows.codes,
        rows.offsets_there,
        upload(table),
        upload(prepared.bias),
        TIE_TOLERANCE,
        before,
        labels,
        best,
    )
    only_moved = before if options.changes_only else None
    counts = _counted(rows, labels, only_moved, weight, options.n_labels, options.count_dtype)
    return Swept(
        labels=download(labels),
        counts=counts,
        sizes=_by_first_member(rows, counts),
        best=download(best) if options.want_best else None,
    )


def _soften(rows: DeviceRows, job: Job, vectors: Sequence[Any]) -> Swept:
    blocks, prepared, _ = job.fixed
    width, weight = prepared.width, vectors[0]
    total = float(rows.n_rows if weight is None else weight.sum())
    largest = largest_sum(prepared.table, prepared.bias, blocks.layout) + np.log(width)
    grain, log_grain = power_within(total), power_within(total * largest)
    memberships = np.zeros(blocks.n_padded * width, dtype=np.int64)
    in_shared = memberships.nbytes <= SHARED_BYTES
    there, log_likelihood = upload(memberships), upload(np.zeros(1, dtype=np.int64))
    grid = launch(rows.n_rows, shared=memberships.nbytes if in_shared else 0)
    kernels.soften_kernel(width, in_shared=in_shared)[grid](
        rows.codes,
        rows.offsets_there,
        upload(_laid_out(prepared)),
        upload(prepared.bias),
        _floats(weight),
        grain,
        log_grain,
        there,
        log_likelihood,
    )
    added = download(there).reshape(-1, width) / grain
    logs = np.array(download(log_likelihood)[0] / log_grain)
    return Swept(memberships=added, sums=(logs, _by_first_member(rows, added)))


def _nearest(rows: DeviceRows, job: Job, vectors: Sequence[Any]) -> Swept:
    """Find the nearest centre of every row, for as many restarts at a time as fit."""
    _, prepared, options = job.fixed
    _, scale, weight = vectors
    step = options.step
    together, in_shared = _fitting(prepared.blocks.n_padded, step)
    grains = _grains(rows, prepared, step, scale, weight)
    table = _laid_out(prepared)
    width, n_clusters = prepared.width, step.centres.shape[1]
    labels = empty(rows.n_rows, np.int32) if step.wanted == "labels" else _nothing(np.int32)
    given = [upload(table), upload(prepared.bias), step.unit, _floats(scale)]
    weight_there, grains_there = _floats(weight), upload(grains)
    found = []
    for low in range(0, len(step.centres), together):
        centres = np.ascontiguousarray(step.centres[low : low + together])
        n_restarts = len(centres)
        sums = upload(np.zeros(n_restarts * n_clusters * (width + 1), dtype=np.int64))
        squares = upload(np.zeros(n_restarts, dtype=np.int64))
        shared = n_restarts * _bytes_per_restart(step) + (table.nbytes if in_shared else 0)
        kernels.nearest_kernel(width, in_shared=in_shared)[launch(rows.n_rows, shared=shared)](
            rows.codes,
            rows.offsets_there,
            *given,
            upload(centres.reshape(-1)),
            upload(np.square(centres).sum(axis=2).reshape(-1)),
            n_restarts,
            weight_there,
            grains_there,
            sums,
            squares,
            labels,
        )
        shape = n_restarts, n_clusters, width + 1
        found.append((download(sums).reshape(shape), download(squares)))
    sums, squares = (np.concatenate(parts) for parts in zip(*found, strict=True))
    squares = squares / grains[1]
    if step.wanted == "labels":
        return Swept(labels=download(labels), sums=(squares,))
    return Swept(sums=(sums[..., :width] / grains[0], sums[..., width] / grains[2], squares))


def _bytes_per_restart(step: NearestCentres) -> int:
    """Return the shared memory of centres, their lengths, sums with weights, and sums of squares."""
    _, n_clusters, width = step.centres.shape
    return int(8 * (n_clusters * (2 * width + 2) + THREADS))


def _fitting(n_padded: int, step: NearestCentres) -> tuple[int, bool]:
    """Return how many restarts fit the shared memory, 0 if none, and whether the table does too."""
    n_restarts, _, width = step.centres.shape
    table = 8 * n_padded * kernels.pitch_of(width)
    for in_shared in (True, False):
        room = SHARED_BYTES - (table if in_shared else 0)
        together = max(0, room) // _bytes_per_restart(step)
        if together:
            return min(n_restarts, together), in_shared
    return 0, False


def _grains(
    rows: DeviceRows,
    prepared: Prepared,
    step: NearestCentres,
    scale: Array | None,
    weight: Array | None,
) -> Array:
    """Return units of sums that do not overflow: of points, of squared distances, of weights."""
    total = float(rows.n_rows if weight is None else weight.sum())
    largest = 1.0
    if not step.unit:
        factor = 1.0 if scale is None else float(np.abs(scale).max(initial=0.0))
        largest = factor * largest_sum(prepared.table, prepared.bias, prepared.blocks.layout)
    length = np.sqrt(prepared.width) * max(largest, float(np.abs(step.centres).max()))
    is_whole = weight is None or np.issubdtype(weight.dtype, np.integer)
    return np.array(
        [
            power_within(total * largest),
            power_within(total * 4 * length**2),
            1.0 if is_whole else power_within(total),
        ]
    )


def _laid_out(prepared: Prepared) -> Array:
    """Return the table as kernels read it, flat; rows of missing labels are zeros."""
    blocks = prepared.blocks
    table = np.zeros((blocks.n_padded, kernels.pitch_of(prepared.width)))
    table[blocks.padded_rows, : prepared.width] = prepared.table
    return table.reshape(-1)


def _by_first_member(rows: DeviceRows, table: Array) -> Array:
    """Add up a padded table of all rows over the places of one member, missing labels among them."""
    total: Array = table[: rows.sizes[0]].sum(axis=0)
    return total


def _is_finite(prepared: Prepared) -> bool:
    return bool(np.isfinite(prepared.table).all() and np.isfinite(prepared.bias).all())


def _nothing(dtype: Any) -> Any:
    return upload(np.empty(0, dtype=dtype))


def _floats(vector: Array | None) -> Any:
    return _nothing(np.float64) if vector is None else upload(vector.astype(np.float64))
