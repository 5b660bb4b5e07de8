"""k-means on the rows of H, from count tables: O(n r K) a round, however many columns H has."""

from typing import Any, NamedTuple

import numpy as np

from consilience._utils._blas import one_blas_thread
from consilience.incidence import Assigned, Incidence
from consilience.partition._plus_plus import few_rows, plus_plus

Array = np.ndarray[Any, Any]


# Restarts that draw their centres together: a gather of four columns costs as much as one of one.
_TOGETHER = 4


class KMeansResult(NamedTuple):
    """Where one start ended."""

    labels: Array
    objective: float
    history: list[float]
    n_iter: int
    converged: bool


class CentredColumns:
    """Features f_i = scale (h_i - p): columns of H minus their mean, times a scale.

    A member that does not know an object contributes zeros, as if it had the mean there. Everything
    k-means needs of the n x t matrix of features follows from gathers and count tables.
    """

    def __init__(self, H: Incidence, member_weights: Array, *, unit_variance: bool) -> None:
        self.H = H
        layout = H.layout
        observed = layout.sum_by_member(H.sizes)[layout.member_of]
        self.means = H.sizes / np.maximum(observed, 1e-300)
        self.scale = np.sqrt(member_weights)[layout.member_of]
        if unit_variance:
            spread = np.sqrt(self.means * (1 - self.means))
            self.scale = np.divide(
                self.scale, spread, out=np.zeros_like(self.scale), where=spread > 0
            )
        self._square = self.scale**2
        self._centring = self._minus_mean(
            -2 * self._square * self.means, -self._square * self.means**2
        )
        # The squared lengths of all rows, added up column by column.
        self.total = float(H.square_sizes @ self._square + H.sizes @ self._centring)

    def squares(self, H: Incidence) -> Array:
        """Return the squared lengths of the features of all rows, or of those of another incidence."""
        squares = H.row_squares(self._square)
        squares += H @ self._centring
        return squares

    def rows(self, H: Incidence, rows: Array) -> Array:
        """Return the features of a few rows as columns, (t, m)."""
        layout = self.H.layout
        dense = H.dense_rows(rows.tolist()).T
        known = layout.sum_by_member(dense)[layout.member_of] > 0.5
        return self.scale[:, None] * (dense - known * self.means[:, None])

    def centres(self, counts: Array, sizes: Array) -> Array:
        """Return the mean features of every cluster as columns, (t, K); zeros for an empty one."""
        layout = self.H.layout
        known = layout.sum_by_member(counts)[layout.member_of]
        sums = self.scale[:, None] * (counts - self.means[:, None] * known)
        return sums / np.maximum(sizes, 1e-300)

    def table(self, centres: Array) -> Array:
        """Return the table whose gather is the inner product of every row with every centre."""
        products = self.scale[:, None] * centres
        return self._minus_mean(products, self.means[:, None] * products)

    def _minus_mean(self, table: Array, mean_part: Array) -> Array:
        """Subtract from every row of a member the sum of its mean part: rows of H sum to one there."""
        layout = self.H.layout
        shifted: Array = table - layout.sum_by_member(mean_part)[layout.member_of]
        return shifted


def incidence_kmeans(
    H: Incidence,
    n_clusters: int,
    *,
    member_weights: Array,
    unit_variance: bool,
    n_init: int,
    max_iter: int,
    rng: np.random.Generator,
) -> list[KMeansResult]:
    """Run Lloyd's iteration from every k-means++ start."""
    features = CentredColumns(H, member_weights, unit_variance=unit_variance)
    streams = rng.spawn(n_init)
    drawn = few_rows(H, n_clusters, rng)
    squares = features.squares(drawn.H)[:, None]

    def distances(rows: Array) -> Array:
        centres = features.rows(drawn.H, rows)
        distance = drawn.H @ (-2 * features.table(centres))
        distance += squares
        distance += np.square(centres).sum(axis=0)
        # Rounding must not leave a chance to the copies of a chosen row.
        distance[distance < 1e-9] = 0.0
        return distance

    results = []
    with one_blas_thread():  # once, not in every one of many small sweeps
        for low in range(0, n_init, _TOGETHER):
            together = streams[low : low + _TOGETHER]
            starts = plus_plus(drawn.weight, n_clusters, together, distances)
            results += [_lloyd(features, features.rows(drawn.H, rows), max_iter) for rows in starts]
    return results


def _lloyd(features: CentredColumns, centres: Array, max_iter: int) -> KMeansResult:
    history: list[float] = []
    state = _assign(features, centres, None)
    while True:
        centres = features.centres(state.counts, state.sizes)
        between = float(np.sum(state.sizes * np.square(centres).sum(axis=0)))
        history.append(features.total - between)
        if not state.moved or len(history) == max_iter:
            return KMeansResult(
                state.labels, history[-1], history, len(history), converged=not state.moved
            )
        state = _assign(features, centres, state)


def _assign(features: CentredColumns, centres: Array, current: Assigned | None) -> Assigned:
    """Assign rows to the nearest centre; an empty cluster starts again at the furthest row."""
    H = features.H

    def nearest(*, want_best: bool) -> Assigned:
        bias = -np.square(centres).sum(axis=0)
        return H.argmax(2 * features.table(centres), current, bias=bias, want_best=want_best)

    assigned = nearest(want_best=False)
    for _ in range(centres.shape[1]):
        empty = np.flatnonzero(assigned.sizes == 0)
        if not len(empty):
            break
        distance = features.squares(H) - nearest(want_best=True).best
        furthest = int(np.argmax(distance))
        if distance[furthest] <= 1e-9:
            break  # fewer distinct rows than clusters
        centres = centres.copy()
        centres[:, empty[0]] = features.rows(H, np.array([furthest]))[:, 0]
        assigned = nearest(want_best=False)
    return assigned
