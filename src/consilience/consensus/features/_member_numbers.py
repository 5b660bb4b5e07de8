"""One number for every base cluster: features (n, r) that are never written down, and their k-means."""

from typing import Any

import numpy as np

from consilience.incidence import Assigned, Incidence
from consilience.partition import KMeansResult
from consilience.partition._plus_plus import few_rows, plus_plus

Array = np.ndarray[Any, Any]

# Restarts that draw their centres together: a gather of four columns costs as much as one of one.
_TOGETHER = 4
# Distances below this are none; numbers are scaled to a mean square of 1.
_NOTHING = 1e-9


class MemberNumbers:
    """Objects as rows of numbers y_ij, the number of the base cluster that member j puts i into.

    The squared distance of object i to a point c is sum_j w_j (y_ij - c_j)^2 over the members that
    know i, times W / W_i: the weight of all members by the weight of those. It is a gather from a
    (t, 1) table, because every term depends on a base cluster alone. A soft member contributes its
    expected term, which is the term of the expected number plus a constant.
    """

    def __init__(self, H: Incidence, numbers: Array, member_weights: Array) -> None:
        known = H.observed(member_weights)
        self.factor = member_weights.sum() / known
        weight = H.row_weight
        if np.any(self.factor != 1):
            weight = self.factor if weight is None else self.factor * weight
        self.H = Incidence(H.source, H.blocks, weight)
        self.layout = H.layout
        self.weights = member_weights[self.layout.member_of, None]
        # k-means ignores shifts and scales; ties do not.
        sizes = self.H.sizes
        means = self._average(sizes[:, None], numbers)
        centred = numbers - means[self.layout.member_of, 0]
        total = float(np.sum(sizes * self.weights[:, 0] * centred**2))
        self.unit = np.sqrt(total / max(float(sizes.sum()), 1e-300)) if total > 0 else 1.0
        self.numbers = centred / self.unit

    def table(self, centres: Array) -> Array:
        """Return the table whose gather is the squared distance to every centre, (t, K) of (r, K)."""
        gaps = self.numbers[:, None] - centres[self.layout.member_of]
        return np.asarray(self.weights * gaps**2)

    def rows(self, H: Incidence, rows: Array) -> Array:
        """Return some rows as centres, (r, m); the mean stands for what is not known."""
        return self._average(H.dense_rows(rows.tolist()).T, self.numbers)

    def centres(self, counts: Array) -> Array:
        """Return the centres of clusters from their count table, (r, K) of (t, K)."""
        return self._average(counts, self.numbers)

    def spread(self, counts: Array, centres: Array) -> float:
        """Return the sum of squares about the centres, in the unit of the numbers as given."""
        return float(np.sum(counts * self.table(centres))) * float(self.unit) ** 2

    def _average(self, counts: Array, numbers: Array) -> Array:
        known = self.layout.sum_by_member(counts)
        sums = self.layout.sum_by_member(counts * numbers[:, None])
        return np.divide(sums, known, out=np.zeros_like(sums), where=known > 0)


def member_kmeans(
    features: MemberNumbers,
    n_clusters: int,
    *,
    n_init: int,
    max_iter: int,
    rng: np.random.Generator,
) -> list[KMeansResult]:
    """Run Lloyd's iteration from every k-means++ start."""
    streams = rng.spawn(n_init)
    drawn = few_rows(features.H, n_clusters, rng)
    # The first centre by how often a row counts, however few members know it.
    first = drawn.weight / features.factor[drawn.rows]

    def distances(rows: Array) -> Array:
        distance = drawn.H @ features.table(features.rows(drawn.H, rows))
        distance[distance < _NOTHING] = 0.0
        return distance

    results = []
    for low in range(0, n_init, _TOGETHER):
        together = streams[low : low + _TOGETHER]
        starts = plus_plus(drawn.weight, n_clusters, together, distances, first)
        results += [_lloyd(features, features.rows(drawn.H, rows), max_iter) for rows in starts]
    return results


def _lloyd(features: MemberNumbers, centres: Array, max_iter: int) -> KMeansResult:
    history: list[float] = []
    state = _assign(features, centres, None)
    while True:
        centres = features.centres(state.counts)
        history.append(features.spread(state.counts, centres))
        if not state.moved or len(history) == max_iter:
            return KMeansResult(
                state.labels, history[-1], history, len(history), converged=not state.moved
            )
        state = _assign(features, centres, state)


def _assign(features: MemberNumbers, centres: Array, current: Assigned | None) -> Assigned:
    """Assign rows to the nearest centre; an empty cluster starts again at the furthest row."""

    def nearest(*, want_best: bool) -> Assigned:
        return features.H.argmax(-features.table(centres), current, want_best=want_best)

    assigned = nearest(want_best=False)
    for _ in range(centres.shape[1]):
        empty = np.flatnonzero(assigned.sizes == 0)
        if not len(empty):
            break
        distance = -features.factor * nearest(want_best=True).best
        furthest = int(np.argmax(distance))
        if distance[furthest] <= _NOTHING:
            break  # fewer distinct rows than clusters
        centres = centres.copy()
        centres[:, empty[0]] = features.rows(features.H, np.array([furthest]))[:, 0]
        assigned = nearest(want_best=False)
    return assigned
