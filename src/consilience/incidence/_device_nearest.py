"""k-means on gathered rows on the GPU."""

from typing import Any, NamedTuple

import numpy as np

from consilience._utils._types import Array
from consilience.incidence._device_rows import DeviceRows
from consilience.incidence._device_vector import DeviceVector, label_dtype
from consilience.incidence._points import NearestCentres
from consilience.incidence._prepared import Prepared
from consilience.incidence._sweep import Swept
from consilience.incidence._whole_weights import power_within

# Maximum number of dimensions for points in the registers of a thread.
_MOST_DIMENSIONS = 64
# Limit for integer tables, so that sums stay below 2^31.
_LARGEST_SUM = 2.0**31 - 4_096


class _Table(NamedTuple):
    """A table in the format of the kernel: its kind, its cells, and the value of one unit."""

    kind: str
    cells: Array
    unit: float


def can_find(step: NearestCentres) -> bool:
    """Whether the kernel supports a step."""
    return step.adds_up and step.centres.shape[2] <= _MOST_DIMENSIONS


def nearest_centres(
    rows: DeviceRows, prepared: Prepared, step: NearestCentres, scale: Any, weight: Array | None
) -> Swept:
    """Find the nearest centre of every row, for as many restarts at a time as fit."""
    n_restarts = len(step.centres)
    table, together = _fitting(rows, prepared, step)
    bounds = _Bounds.of(rows, prepared, step, scale, weight)
    parts = [
        _launch(rows, prepared, step, table, bounds, scale, weight, slice(low, low + together))
        for low in range(0, n_restarts, together)
    ]
    sums, sizes, squares = (np.concatenate([part[place] for part in parts]) for place in range(3))
    if step.wanted == "labels":
        return Swept(labels=parts[0][3], sums=(squares,))
    return Swept(sums=(sums, sizes, squares))


class _Bounds(NamedTuple):
    """Powers of two that scale floats to integers whose sums do not overflow."""

    points: float
    squares: float
    weights: float

    @classmethod
    def of(
        cls,
        rows: DeviceRows,
        prepared: Prepared,
        step: NearestCentres,
        scale: Any,
        weight: Array | None,
    ) -> "_Bounds":
        total = float(rows.n_rows if weight is None else weight.sum())
        largest = 1.0
        if not step.unit:
            factor = 1.0 if scale is None else float(np.abs(scale).max(initial=0.0))
            largest = factor * float(_largest_sums(prepared).max(initial=0.0))
        length = np.sqrt(step.centres.shape[2]) * max(largest, float(np.abs(step.centres).max()))
        is_whole = weight is None or np.issubdtype(weight.dtype, np.integer)
        return cls(
            power_within(total * largest),
            power_within(total * 4 * length**2),
            1.0 if is_whole else power_within(total),
        )


def _largest_sums(prepared: Prepared) -> Array:
    """Return an upper bound of the gathered values for every column."""
    by_member = prepared.blocks.layout.max_by_member(np.abs(prepared.table))
    return np.asarray(by_member.sum(axis=0) + np.abs(prepared.bias))


def _fitting(rows: DeviceRows, prepared: Prepared, step: NearestCentres) -> tuple[_Table, int]:
    """Return the most exact table that leaves memory for most restarts, and their number."""
    from consilience._kernels import _device
    from consilience._kernels._device_sweep import pitch_of

    n_restarts, n_clusters, width = step.centres.shape
    laid_out = np.zeros((rows.n_places, pitch_of(width)))
    laid_out[:, :width] = rows.padded(prepared.table)
    padded = laid_out.reshape(-1)
    per_restart = 8 * (n_clusters * (2 * width + 2) + rows.codes.threads)
    room = _device.SHARED_BYTES - 4 * rows.codes.tile_words

    def together(n_bytes: int) -> int:
        return int(min(n_restarts, (room - n_bytes) // per_restart))

    exact, small = together(8 * padded.size), together(4 * padded.size)
    if exact >= 1 and -(-n_restarts // exact) <= -(-n_restarts // max(1, small)):
        return _Table("float64", padded, 1.0), exact
    if small >= 1:
        unit = float(_largest_sums(prepared).max()) / _LARGEST_SUM
        unit = unit if unit > 0 else 1.0
        return _Table("int32", np.rint(padded / unit).astype(np.int32), unit), small
    return _Table("large", padded, 1.0), max(1, together(0))


def _launch(
    rows: DeviceRows,
    prepared: Prepared,
    step: NearestCentres,
    table: _Table,
    bounds: _Bounds,
    scale: Any,
    weight: Array | None,
    restarts: slice,
) -> tuple[Array, Array, Array, Any]:
    from consilience._kernels import _device
    from consilience._kernels._device_points import nearest_kernel

    centres = np.ascontiguousarray(step.centres[restarts])
    n_restarts, n_clusters, width = centres.shape
    sums = _device.zeros(n_restarts * n_clusters * (width + 1), np.int64)
    squares = _device.zeros(n_restarts, np.int64)
    wants_labels = step.wanted == "labels"
    labels = _device.empty(rows.n_rows if wants_labels else 0, label_dtype(n_clusters))
    shared = 8 * (centres.size + n_restarts * (n_clusters + rows.codes.threads) + sums.size)
    shared += 0 if table.kind == "large" else table.cells.nbytes
    nearest_kernel(rows.codes.form, width, table.kind)[rows.codes.grid(rows.n_rows, shared=shared)](
        *rows.codes.arguments,
        rows.offsets_there,
        _device.upload(table.cells),
        table.unit,
        _device.upload(prepared.bias),
        step.unit,
        _device.upload(np.empty(0) if scale is None else np.asarray(scale, dtype=np.float64)),
        _device.upload(centres.reshape(-1)),
        _device.upload(np.square(centres).sum(axis=2).reshape(-1)),
        n_restarts,
        _device.upload(np.empty(0) if weight is None else weight.astype(np.float64)),
        bounds.points,
        bounds.squares,
        bounds.weights,
        sums,
        squares,
        labels,
    )
    found = _device.download(sums).reshape(n_restarts, n_clusters, width + 1).astype(np.float64)
    return (
        found[..., :width] / bounds.points,
        found[..., width] / bounds.weights,
        _device.download(squares) / bounds.squares,
        DeviceVector(labels, n_clusters) if wants_labels else None,
    )
