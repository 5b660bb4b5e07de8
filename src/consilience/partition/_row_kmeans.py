"""k-means on rows that are computed by sweeps; the n x d matrix is never stored."""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from consilience._utils._blas import one_blas_thread
from consilience._utils._types import Array
from consilience.incidence import (
    ArraySource,
    Incidence,
    Layout,
    NearestCentres,
    SoftBlocks,
    Step,
    StepResult,
    Swept,
    as_points,
    nearest_points,
    unit_rows,
)
from consilience.partition._plus_plus import few_rows, plus_plus
from consilience.partition._solution import Solution

# Relative decrease of the sum of squares in an iteration: restarts stop below the first tolerance; the
# best one continues to the second, which is the level of rounding errors.
_RACE_TOLERANCE = 1e-5
_FINAL_TOLERANCE = 1e-12


class EmbeddedRows(NamedTuple):
    """Rows diag(row_scale) H @ table, of length one if `unit`; and a few extra rows that are stored.

    The extra rows have weight 1, the rows of H their row weights.
    """

    H: Incidence
    table: Array
    unit: bool = True
    extra: Array | None = None
    row_scale: Array | None = None

    def sweep(self, step: Step, rows: Sequence[Array | None] = ()) -> Swept:
        """Sweep over the scaled rows, of length one if `unit`."""
        ready = partial(_on_points, step=step, unit=self.unit)
        return self.H.sweep(self.table, ready, (self.row_scale, *rows))

    def nearest(self, centres: Array, wanted: str) -> Swept:
        """Find the nearest centre of every row; see `NearestCentres`."""
        step = NearestCentres(centres, self.unit, wanted)
        return self.H.sweep(self.table, step, (self.row_scale, self.H.row_weight))

    def written(self) -> Array:
        """Return the scaled rows of H as an array, (n, d); only for few rows."""
        return self.sweep(_written_step).per_row()

    def all_extra(self) -> Array:
        """Return the scaled extra rows; an empty matrix if there are none."""
        if self.extra is None:
            return np.empty((0, self.table.shape[1]))
        return unit_rows(self.extra) if self.unit else self.extra


def written_rows(points: Array, row_weight: Array | None = None) -> EmbeddedRows:
    """Wrap an array of rows, so that the same sweeps can be used."""
    width = points.shape[1]
    blocks = SoftBlocks(Layout([width]))
    H = Incidence(ArraySource(np.ascontiguousarray(points)), blocks, row_weight)
    return EmbeddedRows(H, np.eye(width))


class _Points(NamedTuple):
    """Rows for the sweeps, and the scaled extra rows."""

    rows: EmbeddedRows
    extra: Array


def row_kmeans(
    rows: EmbeddedRows,
    n_clusters: int,
    *,
    n_init: int,
    max_iter: int,
    rng: np.random.Generator,
) -> Solution:
    """Run all restarts in parallel, with one sweep per iteration for all of them.

    All restarts run until they improve little; the best one then runs until convergence.
    """
    points = _Points(rows, rows.all_extra())
    centres = _starts(points, n_clusters, rng.spawn(n_init), rng)
    n_raced = 0
    if n_init > 1:
        race = _descend(points, centres, _RACE_TOLERANCE, max_iter)
        best = int(np.argmin(race.objective))
        centres, n_raced = race.centres[[best]], int(race.n_iter[best])
    end = _descend(points, centres, _FINAL_TOLERANCE, max_iter - n_raced)
    n_iter = n_raced + int(end.n_iter[0])
    swept = rows.nearest(end.centres, "labels")
    outside = NearestCentres(end.centres, rows.unit, "labels").of_points(points.extra, None)
    assert swept.labels is not None  # noqa: S101 - the step labels every row
    objective = float(swept.sums[0][0] + outside.sums[0][0])
    return Solution.minimised(swept.labels, objective, n_iter, converged=end.converged)


class _Descent(NamedTuple):
    """Centres of some restarts after Lloyd's iteration, (restarts, K, d)."""

    centres: Array
    objective: Array
    n_iter: Array
    converged: bool


def _descend(points: _Points, starts: Array, least_gain: float, max_iter: int) -> _Descent:
    """Improve every restart until the relative decrease of its sum of squares is below a tolerance."""
    centres = starts.copy()
    objective = np.full(len(starts), np.inf)
    n_iter = np.zeros(len(starts), dtype=np.int64)
    active = np.arange(len(starts))  # restarts that still improve
    while len(active) and n_iter[active[0]] < max_iter:
        n_iter[active] += 1
        sums, sizes, following = _round(points, centres[active])
        gaining = following < objective[active] * (1 - least_gain)
        objective[active] = np.minimum(objective[active], following)
        active = active[gaining]
        centres[active] = _refill(points, sums[gaining], sizes[gaining], centres[active])
    return _Descent(centres, objective, n_iter, not len(active))


def _starts(
    points: _Points,
    n_clusters: int,
    streams: list[np.random.Generator],
    rng: np.random.Generator,
) -> Array:
    """k-means++ for every restart, (n_init, K, d); each centre is drawn for all of them together."""
    rows = points.rows
    drawn = few_rows(rows.H, n_clusters, rng)
    scale = None if rows.row_scale is None else rows.row_scale[drawn.rows]
    # All rows are compared K times with a few sampled rows, which are stored for this.
    inside = rows._replace(H=drawn.H, row_scale=scale).written()
    written = np.vstack([inside, points.extra])
    weight = np.concatenate([drawn.weight, np.ones(len(points.extra))])

    def distances(places: Array) -> Array:
        return _closeness(written, written[places][:, None])

    with one_blas_thread():
        chosen = plus_plus(weight, n_clusters, streams, distances)
    starts: Array = written[chosen]
    return starts


def _row(points: _Points, place: int) -> Array:
    """Return one row; the extra ones follow those of H."""
    rows = points.rows
    beyond = place - rows.H.n_rows
    if beyond >= 0:
        return np.asarray(points.extra[beyond])
    row = rows.H.dense_rows([place]) @ rows.table
    if rows.row_scale is not None:
        row = row * rows.row_scale[place]
    return np.asarray((unit_rows(row) if rows.unit else row)[0])


def _distances(points: _Points, centres: Array) -> Array:
    """Squared distance of every row to its nearest centre, (n + extra, n_init)."""
    inside = points.rows.nearest(centres, "distances").per_row()
    return np.vstack([inside, nearest_points(points.extra, centres)[1]])


def _round(points: _Points, centres: Array) -> tuple[Array, Array, Array]:
    """Sums (n_init, K, d), sizes (n_init, K) and sums of squares (n_init,) of the nearest centres."""
    rows = points.rows
    inside = rows.nearest(centres, "sums").sums
    outside = NearestCentres(centres, rows.unit, "sums").of_points(points.extra, None).sums
    sums, sizes, squares = (a + b for a, b in zip(inside, outside, strict=True))
    return sums, sizes, squares


def _refill(points: _Points, sums: Array, sizes: Array, centres: Array) -> Array:
    """Return the means; an empty cluster is restarted at the row furthest from all centres."""
    means = np.where(sizes[..., None] > 0, sums / np.maximum(sizes, 1e-300)[..., None], centres)
    for restart, k in np.argwhere(sizes == 0):
        distance = _distances(points, means[[restart]])[:, 0]
        furthest = int(np.argmax(distance))
        if distance[furthest] > 1e-12:
            means[restart, k] = _row(points, furthest)
    return means


def _closeness(points: Array, centres: Array) -> Array:
    distance = nearest_points(points, centres)[1]
    # Rounding must not give rows identical to a chosen one a positive probability.
    return np.asarray(np.where(distance < 1e-12, 0.0, distance), dtype=np.float32)


def _on_points(
    scores: Array, scale: Array | None, *vectors: Array | None, step: Step, unit: bool
) -> StepResult:
    """Convert gathered scores to points."""
    return step(as_points(scores, scale, unit=unit), *vectors)


def _written_step(points: Array) -> StepResult:
    return StepResult(values=points)
