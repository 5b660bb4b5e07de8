"""k-means on features of the rows of H that are computed by sweeps and never stored."""

from collections.abc import Callable
from typing import Protocol

import numpy as np

from consilience._utils._blas import one_blas_thread
from consilience._utils._types import Array
from consilience.incidence import Assigned, Incidence
from consilience.partition._plus_plus import DrawnFrom, few_rows, plus_plus, random_rows
from consilience.partition._solution import Solution

# Starting centres: far from each other, or uniformly drawn rows.
PLUS_PLUS, RANDOM_ROWS = "k-means++", "random_rows"

# Number of restarts that draw centres together: a gather of four columns costs as much as one column.
_TOGETHER = 4
# Squared distances below this are rounding errors.
_SMALLEST_DISTANCE = 1e-9


class SweptFeatures(Protocol):
    """Interface of features of the rows of H for k-means; the features are not stored.

    H  the incidence, with row weights
    """

    H: Incidence

    def rows(self, H: Incidence, rows: Array) -> Array:
        """Return the features of a few rows of an incidence as columns, (d, m)."""
        ...

    def distances(self, H: Incidence) -> Callable[[Array], Array]:
        """Return a function: from some rows, the squared distances of all rows of H to them, (n, m)."""
        ...

    def first_chances(self, drawn: DrawnFrom) -> Array:
        """Return the weights of some rows for drawing the first centre."""
        ...

    def nearest(self, centres: Array, current: Assigned | None, *, want_best: bool) -> Assigned:
        """Assign every row to the nearest centre."""
        ...

    def distance_to_own(self, assigned: Assigned) -> Array:
        """Return the squared distance of every row to its centre; needs `want_best`."""
        ...

    def centres(self, assigned: Assigned) -> Array:
        """Return the mean features of every cluster as columns, (d, K)."""
        ...

    def spread(self, assigned: Assigned, centres: Array) -> float:
        """Return the sum of squares about the centres."""
        ...


def lloyd_from_all_starts(
    features: SweptFeatures,
    n_clusters: int,
    *,
    n_init: int,
    max_iter: int,
    rng: np.random.Generator,
    init: str = PLUS_PLUS,
) -> list[Solution]:
    """Run Lloyd's iteration from `n_init` starts: k-means++ or random rows."""
    streams = rng.spawn(n_init)
    drawn = few_rows(features.H, n_clusters, rng)

    to_rows = features.distances(drawn.H)

    def distances(rows: Array) -> Array:
        distance = to_rows(rows)
        # Rounding must not give rows identical to a chosen one a positive probability.
        distance[distance < _SMALLEST_DISTANCE] = 0.0
        return distance

    first = features.first_chances(drawn)
    found = []
    with one_blas_thread():  # once for all of the small sweeps
        for low in range(0, n_init, _TOGETHER):
            together = streams[low : low + _TOGETHER]
            if init == RANDOM_ROWS:
                rows_of = [random_rows(drawn.H, first, n_clusters, stream) for stream in together]
                # A centre that is repeated is left without rows, and is restarted at a far one.
                starts = np.array([np.resize(rows, n_clusters) for rows in rows_of])
            else:
                starts = plus_plus(drawn.weight, n_clusters, together, distances, first)
            found += [lloyd(features, features.rows(drawn.H, rows), max_iter) for rows in starts]
    return found


def lloyd(features: SweptFeatures, centres: Array, max_iter: int) -> Solution:
    """Move centres to the means of their rows until no row changes its cluster."""
    history: list[float] = []
    assigned = _assign(features, centres, None)
    while True:
        centres = features.centres(assigned)
        history.append(features.spread(assigned, centres))
        if not assigned.moved or len(history) == max_iter:
            return Solution.minimised(
                assigned.labels,
                history[-1],
                len(history),
                converged=not assigned.moved,
                history=history,
            )
        assigned = _assign(features, centres, assigned)


def _assign(features: SweptFeatures, centres: Array, current: Assigned | None) -> Assigned:
    """Assign rows to the nearest centre; an empty cluster is restarted at the furthest row."""
    assigned = features.nearest(centres, current, want_best=False)
    for _ in range(centres.shape[1]):
        empty = np.flatnonzero(assigned.sizes == 0)
        if not len(empty):
            break
        distance = features.distance_to_own(features.nearest(centres, current, want_best=True))
        furthest = int(np.argmax(distance))
        if distance[furthest] <= _SMALLEST_DISTANCE:
            break  # fewer distinct rows than clusters
        centres = centres.copy()
        centres[:, empty[0]] = features.rows(features.H, np.array([furthest]))[:, 0]
        assigned = features.nearest(centres, current, want_best=False)
    return assigned


class CentredColumns:
    """Features f_i = scale (h_i - p): columns of H minus their mean, times a scale.

    A member that does not label an object contributes zeros, which is the mean. k-means is computed by
    gathers and count tables, without the n x t matrix of features.
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

    def distances(self, H: Incidence) -> Callable[[Array], Array]:
        """Return a function: from some rows of H, the squared distances of all its rows to them."""
        squares = self.squares(H)[:, None]

        def to_rows(rows: Array) -> Array:
            centres = self.rows(H, rows)
            distance = H @ (-2 * self.table(centres))
            distance += squares
            distance += np.square(centres).sum(axis=0)
            return distance

        return to_rows

    def first_chances(self, drawn: DrawnFrom) -> Array:
        """Return the weights of the rows for the first draw."""
        return drawn.weight

    def nearest(self, centres: Array, current: Assigned | None, *, want_best: bool) -> Assigned:
        """Assign every row to the nearest centre."""
        bias = -np.square(centres).sum(axis=0)
        return self.H.argmax(2 * self.table(centres), current, bias=bias, want_best=want_best)

    def distance_to_own(self, assigned: Assigned) -> Array:
        """Return the squared distance of every row to its nearest centre."""
        return np.asarray(self.squares(self.H) - assigned.best)

    def centres(self, assigned: Assigned) -> Array:
        """Return the mean features of every cluster as columns, (t, K); zeros for an empty one."""
        layout = self.H.layout
        known = layout.sum_by_member(assigned.counts)[layout.member_of]
        sums = self.scale[:, None] * (assigned.counts - self.means[:, None] * known)
        return sums / np.maximum(assigned.sizes, 1e-300)

    def spread(self, assigned: Assigned, centres: Array) -> float:
        """Return the sum of squares about the centres."""
        between = float(np.sum(assigned.sizes * np.square(centres).sum(axis=0)))
        return self.total - between

    def table(self, centres: Array) -> Array:
        """Return the table whose gather is the inner product of every row with every centre."""
        products = self.scale[:, None] * centres
        return self._minus_mean(products, self.means[:, None] * products)

    def _minus_mean(self, table: Array, mean_part: Array) -> Array:
        """Subtract the inner product with the mean; rows of H sum to one within a member."""
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
) -> list[Solution]:
    """Run Lloyd's iteration from every k-means++ start."""
    features = CentredColumns(H, member_weights, unit_variance=unit_variance)
    return lloyd_from_all_starts(features, n_clusters, n_init=n_init, max_iter=max_iter, rng=rng)
