"""k-means on the rows of H, from count tables: O(n r K) per iteration for any number of columns of H."""

from collections.abc import Callable

import numpy as np

from consilience._utils._types import Array
from consilience.incidence import Assigned, Incidence
from consilience.partition._lloyd import lloyd_from_all_starts
from consilience.partition._plus_plus import DrawnFrom
from consilience.partition._solution import Solution


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
