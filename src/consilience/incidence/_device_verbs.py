"""GPU implementations of the verbs: functions of the rows, the job and its row vectors."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from consilience._utils._types import Array
from consilience.incidence import _tasks as tasks
from consilience.incidence._device_nearest import can_find, nearest_centres
from consilience.incidence._device_rows import DeviceRows
from consilience.incidence._device_vector import DeviceVector, label_dtype
from consilience.incidence._device_weights import weights_there
from consilience.incidence._hard import HardBlocks
from consilience.incidence._job import Job
from consilience.incidence._leads import Limits
from consilience.incidence._points import NearestCentres
from consilience.incidence._prepared import Prepared
from consilience.incidence._row_hashes import distinct
from consilience.incidence._screen import make_screen
from consilience.incidence._sweep import TIE_TOLERANCE, Swept

Verb = Callable[[DeviceRows, Job, Sequence[Any]], Any]

# Number of rows that are hashed or gathered at a time, to limit the memory of the results.
_HASHED_ROWS = 1 << 24
_GATHERED_NUMBERS = 1 << 25
# Maximum number of packed words whose sums stay in registers.
_MOST_WORDS = 16
# Half of the range of a lane: sums of lanes stay within twice this, plus rounding.
_LARGEST_SUM = 1 << 19


def verb_of(job: Job) -> Verb | None:
    """Return the GPU function of a job; None if it must run on CPU threads."""
    if not isinstance(job.fixed[0], HardBlocks):
        return None
    if job.task is tasks.sweep:
        options = job.fixed[2]
        known = isinstance(options.step, NearestCentres) and options.n_labels is None
        return _sweep if known and can_find(options.step) else None
    return _VERBS.get(job.task)


def _count(rows: DeviceRows, job: Job, vectors: Sequence[Any]) -> Array:
    blocks, n_labels, dtype = job.fixed
    labels, weight = vectors
    table, _ = _counted(rows, labels, None, weight, n_labels, dtype)
    return rows.in_blocks(table, blocks)


def _counted(
    rows: DeviceRows, labels: Any, before: Any, weight: Array | None, n_labels: int, dtype: Any
) -> tuple[Array, Array]:
    """Return the count table by places, and the sizes of the labels."""
    from consilience._kernels import _device
    from consilience._kernels._device_sweep import LIST_BYTES, count_kernel

    there, unit = weights_there(rows, weight)
    weighted = weight is not None
    room = _device.SHARED_BYTES - LIST_BYTES - 4 * rows.codes.tile_words
    cells = room // (8 if weighted else 4) - n_labels
    groups = member_groups(rows, cells // n_labels)
    in_shared = groups is not None
    groups = np.array([0, rows.width], dtype=np.int32) if groups is None else groups
    largest = int(np.diff(rows.offsets[groups]).max())
    counts = _device.zeros((rows.n_places + 1) * n_labels, np.int64)
    bytes_of_cells = (8 if weighted else 4) * (largest + 1) * n_labels if in_shared else 0
    grid = rows.codes.grid(rows.n_rows, deep=len(groups) - 1, shared=bytes_of_cells)
    count_kernel(rows.codes.form, weighted=weighted, in_shared=in_shared)[grid](
        *rows.codes.arguments,
        rows.offsets_there,
        _device.upload(groups),
        labels_there(labels),
        labels_there(before),
        there,
        n_labels,
        counts,
    )
    found = _device.download(counts).reshape(rows.n_places + 1, n_labels)
    if np.issubdtype(dtype, np.floating):
        found = found * unit
    found = found.astype(dtype, copy=False)
    return found[:-1], found[-1]


def member_groups(rows: DeviceRows, most_places: int) -> Array | None:
    """Split members into groups whose places fit the memory; None if one member does not fit."""
    sizes = np.diff(rows.offsets)
    if not len(sizes) or sizes.max() > most_places:
        return None
    groups, total = [0], 0
    for member, size in enumerate(sizes):
        if total + size > most_places:
            groups.append(member)
            total = 0
        total += size
    return np.array([*groups, len(sizes)], dtype=np.int32)


def labels_there(labels: Any) -> Any:
    """Return labels on the GPU; None becomes an empty vector."""
    from consilience._kernels import _device

    if labels is None:
        return _device.upload(np.empty(0, dtype=np.uint8))
    return labels.data if isinstance(labels, DeviceVector) else _device.upload(labels)


def _argmax(rows: DeviceRows, job: Job, vectors: Sequence[Any]) -> Swept:
    blocks, prepared, options = job.fixed
    current, weight, *leads = vectors
    bounds = (leads[0], options.limits) if leads else None
    labels, best = _chosen(rows, blocks, prepared, current, bounds, want_best=options.want_best)
    before = current if options.changes_only else None
    dtype = options.count_dtype
    table, sizes = _counted(rows, labels, before, weight, options.n_labels, dtype)
    return Swept(labels=labels, counts=rows.in_blocks(table, blocks), sizes=sizes, best=best)


def _chosen(
    rows: DeviceRows,
    blocks: HardBlocks,
    prepared: Prepared,
    current: Any,
    bounds: tuple[Any, Limits] | None,
    *,
    want_best: bool,
) -> tuple[DeviceVector, Array | None]:
    from consilience._kernels import _device
    from consilience._kernels._device_sweep import LIST_BYTES, choose_kernel

    n_labels = prepared.width
    packed, start, margin, unit = _packed(rows, blocks, prepared)
    n_words = len(start)
    tile = 4 * rows.codes.tile_words
    in_shared = packed.nbytes + tile + LIST_BYTES <= _device.SHARED_BYTES
    labels = _device.empty(rows.n_rows, label_dtype(n_labels))
    best = _device.empty(rows.n_rows if want_best else 0, np.float64)
    none = np.empty(0)
    leads, keep, spent = _device.upload(none.astype(np.float32)), none, none
    if bounds is not None:
        leads, (keep, spent, _) = bounds
    grid = rows.codes.grid(rows.n_rows, shared=packed.nbytes if in_shared else 0)
    kernel = choose_kernel(
        rows.codes.form, n_words, in_shared=in_shared, bounded=bounds is not None
    )
    kernel[grid](
        *rows.codes.arguments,
        rows.offsets_there,
        _device.upload(packed.reshape(-1)),
        _device.upload(start),
        margin,
        1.0 / unit,
        _device.upload(rows.padded(prepared.table)),
        _device.upload(prepared.bias),
        TIE_TOLERANCE,
        labels_there(current),
        leads,
        _device.upload(keep),
        _device.upload(spent),
        labels,
        best,
    )
    return DeviceVector(labels, n_labels), _device.download(best) if want_best else None


def _packed(
    rows: DeviceRows, blocks: HardBlocks, prepared: Prepared
) -> tuple[Array, Array, int, float]:
    """Return the table in lanes of 21 bits, the bias, the margin and the unit of the lanes.

    Table and bias are empty if lanes cannot be used.
    """
    from consilience._kernels._device_sweep import LANE_BITS, LANES, pitch_of

    nothing = np.empty((0, 0), dtype=np.int64), np.empty(0, dtype=np.int64), 0, 1.0
    n_words = -(-prepared.width // LANES)
    if n_words > _MOST_WORDS or not np.isfinite(prepared.bias).all():
        return nothing
    screen = make_screen(
        prepared.table, prepared.bias, blocks.layout, room=_LARGEST_SUM, dtype=np.int32
    )
    if screen is None:
        return nothing
    # A constant per row does not change the argmax, so the minimum of every row is set to 0.
    table = screen.table.astype(np.int64)
    table -= table.min(axis=1, initial=0 if not table.size else table.max(), keepdims=True)
    bias = screen.bias.astype(np.int64) - int(screen.bias.min())
    lanes = np.zeros((rows.n_places, n_words * LANES), dtype=np.int64)
    lanes[:, : prepared.width] = rows.padded(table)
    start = np.zeros((1, n_words * LANES), dtype=np.int64)
    start[0, : prepared.width] = bias
    powers = np.int64(1) << (LANE_BITS * np.arange(LANES, dtype=np.int64))
    packed = np.zeros((rows.n_places, pitch_of(n_words)), dtype=np.int64)
    packed[:, :n_words] = lanes.reshape(rows.n_places, n_words, LANES) @ powers
    return packed, (start.reshape(n_words, LANES) @ powers), screen.margin, screen.unit


def _gram(rows: DeviceRows, job: Job, vectors: Sequence[Any]) -> Array:
    from consilience._kernels import _device
    from consilience._kernels._device_gram import gram_kernel

    blocks, dtype = job.fixed
    weight = vectors[0]
    there, unit = weights_there(rows, weight)
    weighted = weight is not None
    cell = 8 if weighted else 4
    tile = 4 * rows.codes.tile_words
    side = int(np.sqrt((_device.SHARED_BYTES - tile) // cell))
    groups = member_groups(rows, side)
    in_shared = groups is not None
    groups = np.arange(rows.width + 1, dtype=np.int32) if groups is None else groups
    n_groups = len(groups) - 1
    pairs = np.array([(a, b) for a in range(n_groups) for b in range(a, n_groups)], dtype=np.int32)
    largest = int(np.diff(rows.offsets[groups]).max())
    table = _device.zeros(rows.n_places**2, np.int64)
    grid = rows.codes.grid(
        rows.n_rows, deep=len(pairs), shared=cell * largest**2 if in_shared else 0
    )
    gram_kernel(rows.codes.form, weighted=weighted, in_shared=in_shared)[grid](
        *rows.codes.arguments,
        rows.offsets_there,
        _device.upload(groups),
        _device.upload(pairs),
        there,
        table,
    )
    found = _device.download(table).reshape(rows.n_places, rows.n_places)[
        np.ix_(rows.places, rows.places)
    ]
    out = np.zeros((blocks.n_padded, blocks.n_padded), dtype=dtype)
    out[np.ix_(blocks.padded_rows, blocks.padded_rows)] = found * unit if unit != 1 else found
    return out


def _sweep(rows: DeviceRows, job: Job, vectors: Sequence[Any]) -> Swept:
    _, prepared, options = job.fixed
    _, scale, weight = vectors
    return nearest_centres(rows, prepared, options.step, scale, weight)


def _gathered(rows: DeviceRows, table: Array, bias: Array) -> Array:
    """Return bias + H T, (n, K), copied to the host piece by piece."""
    from consilience._kernels import _device
    from consilience._kernels._device_rows import gather_rows

    width = table.shape[1]
    out = np.empty((rows.n_rows, width))
    threads = rows.codes.threads
    piece = max(threads, _GATHERED_NUMBERS // max(1, width) // threads * threads)
    there, start_there = _device.upload(rows.padded(table)), _device.upload(bias)
    for start in range(0, rows.n_rows, piece):
        stop = min(start + piece, rows.n_rows)
        part = _device.empty((stop - start, width), np.float64)
        gather_rows[rows.codes.grid(stop - start)](
            *rows.codes.all_arguments, rows.offsets_there, there, start_there, start, stop, part
        )
        out[start:stop] = _device.download(part)
    return out


def _gather(rows: DeviceRows, job: Job, vectors: Sequence[Any]) -> Array:  # noqa: ARG001
    prepared = job.fixed[1]
    return _gathered(rows, prepared.table, prepared.bias)


def _row_squares(rows: DeviceRows, job: Job, vectors: Sequence[Any]) -> Array:  # noqa: ARG001
    table = np.asarray(job.fixed[1], dtype=np.float64)[:, None]
    return _gathered(rows, table, np.zeros(1))[:, 0]


def _observed(rows: DeviceRows, job: Job, vectors: Sequence[Any]) -> Array:  # noqa: ARG001
    blocks, weights = job.fixed
    table = np.asarray(weights, dtype=np.float64)[blocks.layout.member_of, None]
    return _gathered(rows, table, np.zeros(1))[:, 0]


def _known(rows: DeviceRows, job: Job, vectors: Sequence[Any]) -> Array:  # noqa: ARG001
    table = np.ones((job.fixed[0].layout.n_columns, 1))
    return np.asarray(_gathered(rows, table, np.zeros(1))[:, 0] > 0)


def _member_labels(rows: DeviceRows, job: Job, vectors: Sequence[Any]) -> Any:  # noqa: ARG001
    from consilience._kernels import _device
    from consilience._kernels._device_rows import member_labels

    member = job.fixed[1]
    own = slice(rows.offsets[member], rows.offsets[member + 1])
    if rows.place_sizes is None:
        rows.place_sizes = _counted(rows, None, None, None, 1, np.int64)[0][:, 0]
    is_complete = not rows.place_sizes[own][rows.canonical[own] == 0].any()
    n_labels = max(1, int(rows.canonical[own].max(initial=0)))
    out = _device.empty(rows.n_rows, label_dtype(n_labels) if is_complete else np.int32)
    member_labels[rows.codes.grid(rows.n_rows)](
        *rows.codes.all_arguments, rows.offsets_there, rows.canonical_there, member, out
    )
    return DeviceVector(out, n_labels) if is_complete else _device.download(out)


def _stored_rows(rows: DeviceRows, job: Job, vectors: Sequence[Any]) -> Array:  # noqa: ARG001
    return rows.pick(np.flatnonzero(vectors[0]))


def _hashes(rows: DeviceRows, start: int, stop: int) -> Any:
    from consilience._kernels import _device
    from consilience._kernels._device_rows import hash_rows

    out = _device.empty(stop - start, np.uint64)
    hash_rows[rows.codes.grid(stop - start)](
        *rows.codes.all_arguments, rows.offsets_there, rows.canonical_there, start, stop, out
    )
    return out


def _distinct_hashes(rows: DeviceRows, job: Job, vectors: Sequence[Any]) -> Array:  # noqa: ARG001
    from consilience._kernels import _device
    from consilience._kernels._device_rows import keep_multiples

    one_in = int(job.fixed[1])
    found = []
    for start in range(0, rows.n_rows, _HASHED_ROWS):
        hashes = _hashes(rows, start, min(start + _HASHED_ROWS, rows.n_rows))
        if one_in == 1:
            found.append(distinct(_device.download(hashes)))
            continue
        grid = _device.n_blocks(hashes.size), _device.THREADS
        n_kept = _device.zeros(1, np.int64)
        kept = _device.empty(hashes.size, np.uint64)
        keep_multiples[grid](hashes, np.uint64(one_in), n_kept, kept)
        found.append(distinct(_device.download(kept[: int(_device.download(n_kept)[0])])))
    return distinct(np.concatenate(found))


def _digest(rows: DeviceRows, job: Job, vectors: Sequence[Any]) -> Array:  # noqa: ARG001
    from consilience._kernels import _device
    from consilience._kernels._device_rows import digest_rows

    grid_of_rows = job.grid
    per_stripe = -(-grid_of_rows.stripe_rows // grid_of_rows.block_rows)
    sums = _device.zeros(2 * (-(-rows.n_rows // grid_of_rows.stripe_rows) * per_stripe), np.uint64)
    for start in range(0, rows.n_rows, _HASHED_ROWS):
        hashes = _hashes(rows, start, min(start + _HASHED_ROWS, rows.n_rows))
        grid = _device.n_blocks(hashes.size), _device.THREADS
        digest_rows[grid](
            hashes, start, grid_of_rows.stripe_rows, grid_of_rows.block_rows, per_stripe, sums
        )
    n_blocks = len(grid_of_rows.blocks(0, rows.n_rows))
    return _device.download(sums).reshape(-1, 2)[:n_blocks]


_VERBS: dict[Callable[..., Any], Verb] = {
    tasks.argmax: _argmax,
    tasks.count: _count,
    tasks.digest: _digest,
    tasks.distinct_hashes: _distinct_hashes,
    tasks.gather: _gather,
    tasks.gram: _gram,
    tasks.known: _known,
    tasks.member_labels: _member_labels,
    tasks.observed: _observed,
    tasks.row_squares: _row_squares,
    tasks.stored_rows: _stored_rows,
}
