"""Lloyd's iteration on features that are computed by sweeps over H and never stored."""

from collections.abc import Callable
from typing import Protocol

import numpy as np

from consilience._utils._blas import one_blas_thread
from consilience._utils._types import Array
from consilience.incidence import Assigned, Incidence
from consilience.partition._plus_plus import DrawnFrom, few_rows, plus_plus
from consilience.partition._random_rows import random_rows
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
