"""One number for every base cluster: features (n, r) that are never stored, and their k-means."""

from collections.abc import Callable

import numpy as np

from consilience._utils._types import Array
from consilience.incidence import Assigned, Incidence
from consilience.partition import DrawnFrom


class MemberNumbers:
    """Objects as rows of numbers y_ij, the number of the base cluster that member j puts i into.

    The squared distance of object i to a point c is sum_j w_j (y_ij - c_j)^2 over the members that
    label i, times W / W_i: the weight of all members divided by the weight of those. It is a gather
    from a (t, 1) table, because every term depends on a base cluster alone. A soft member contributes
    its expected term, which is the term of the expected number plus a constant.
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
        # Shifts and scales do not change k-means, but rounding can change ties.
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
        """Return some rows as centres, (r, m); missing labels are replaced by the mean."""
        return self._average(H.dense_rows(rows.tolist()).T, self.numbers)

    def distances(self, H: Incidence) -> Callable[[Array], Array]:
        """Return a function: from some rows of H, the squared distances of all its rows to them."""
        return lambda rows: H @ self.table(self.rows(H, rows))

    def first_chances(self, drawn: DrawnFrom) -> Array:
        """Return the weights of the rows for the first draw, not scaled up for missing labels."""
        return np.asarray(drawn.weight / self.factor[drawn.rows])

    def nearest(self, centres: Array, current: Assigned | None, *, want_best: bool) -> Assigned:
        """Assign every row to the nearest centre."""
        return self.H.argmax(-self.table(centres), current, want_best=want_best)

    def distance_to_own(self, assigned: Assigned) -> Array:
        """Return the squared distance of every row to its nearest centre."""
        return np.asarray(-self.factor * assigned.best)

    def centres(self, assigned: Assigned) -> Array:
        """Return the centres of clusters from their count table, (r, K) of (t, K)."""
        return self._average(assigned.counts, self.numbers)

    def spread(self, assigned: Assigned, centres: Array) -> float:
        """Return the sum of squares about the centres, in the unit of the numbers as given."""
        return float(np.sum(assigned.counts * self.table(centres))) * float(self.unit) ** 2

    def _average(self, counts: Array, numbers: Array) -> Array:
        known = self.layout.sum_by_member(counts)
        sums = self.layout.sum_by_member(counts * numbers[:, None])
        return np.divide(sums, known, out=np.zeros_like(sums), where=known > 0)
