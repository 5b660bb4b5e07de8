"""What pictures of the consensus show: means of clusters and objects, and all pairs of a few objects.

Displays and the report draw the same numbers. Means come from count tables, so no n x n matrix is made.
"""

from functools import partial
from typing import NamedTuple

import numpy as np

from consilience._utils._types import Array
from consilience.diagnose import ConsensusMatrix
from consilience.diagnose.internals import hard_view
from consilience.ensemble import Ensemble
from consilience.incidence import StepResult

# A pair whose consensus is between these two is ambiguous.
AMBIGUOUS = (0.1, 0.9)


class ClusterCounts:
    """How often members put objects of two clusters together.

    The consensus of a set of pairs is the number of times members join them, divided by the number of
    times members know both. Without missing labels that is the mean of the consensus matrix over the
    pairs; with them, a mean in which pairs count by the members that know both.

    Parameters
    ----------
    ensemble : Ensemble
        The members; soft ones by their most likely labels.
    labels : array (n,)
        Clusters 0 .. K - 1, -1 = not known.
    n_clusters : int
        K.
    """

    def __init__(self, ensemble: Ensemble, labels: Array, n_clusters: int) -> None:
        self._view = hard_view(ensemble).with_sample_weight(None)
        self._labels = np.where(labels >= 0, labels, n_clusters).astype(np.int32)
        self.n_clusters = n_clusters
        counts = self._view.incidence.count(self._labels, n_clusters + 1)
        # (t, K) objects of every base cluster in every cluster, and (r, K) objects that members know.
        self.counts: Array = counts[:, :n_clusters].astype(np.float64)
        self.known: Array = self._view.layout.sum_by_member(self.counts)

    def block_means(self) -> Array:
        """Return the mean consensus between all clusters, (K, K); NaN where no member labels a pair."""
        weights = self._view.weights
        by_column = weights[self._view.layout.member_of, None]
        itself = np.diag(weights @ self.known)
        together = self.counts.T @ (by_column * self.counts) - itself
        both = self.known.T @ (weights[:, None] * self.known) - itself
        return _ratio(together, both)

    def margins(self) -> Array:
        """Return for every object its consensus with its cluster minus that with the best other."""
        seen = self._view.incidence.observed(self._view.weights)
        step = partial(_margin_step, self.n_clusters)
        swept = self._view.incidence.sweep(self._table(), step, (self._labels, seen))
        return swept.per_row()

    def item_means(self, rows: Array) -> Array:
        """Return the mean consensus of some objects with every cluster, themselves left out, (m, K)."""
        seen = self._view.take(rows).incidence.observed(self._view.weights)
        scores = self._view.incidence.dense_rows([int(row) for row in rows]) @ self._table()
        return _item_means(scores, self._labels[rows], seen, self.n_clusters)

    def _table(self) -> Array:
        """Return the (t, 2K) table whose gathered rows are the two counts of every object."""
        member_of = self._view.layout.member_of
        both = self.known[member_of]
        table: Array = self._view.weights[member_of, None] * np.hstack([self.counts, both])
        return table


def _ratio(together: Array, both: Array) -> Array:
    found = np.full(both.shape, np.nan)
    np.divide(together, both, out=found, where=both > 1e-9)
    return found


def _item_means(scores: Array, labels: Array, seen: Array, n_clusters: int) -> Array:
    together, both = scores[:, :n_clusters].copy(), scores[:, n_clusters:].copy()
    inside = np.flatnonzero(labels < n_clusters)
    together[inside, labels[inside]] -= seen[inside]
    both[inside, labels[inside]] -= seen[inside]
    return _ratio(together, both)


def _margin_step(n_clusters: int, scores: Array, labels: Array, seen: Array) -> StepResult:
    means = _item_means(scores, labels, seen, n_clusters)
    margins = np.full(len(means), np.nan)
    inside = np.flatnonzero(labels < n_clusters)
    own = means[inside, labels[inside]]
    means[inside, labels[inside]] = -np.inf
    best = np.where(np.isnan(means[inside]), -np.inf, means[inside]).max(axis=1, initial=-np.inf)
    # With one cluster, or without other objects to compare with, there is no other cluster.
    margins[inside] = own - np.where(np.isfinite(best), best, 0.0)
    return StepResult(values=margins)


class Tree(NamedTuple):
    """A tree over q leaves.

    order   (q,) leaves from left to right
    merges  (q - 1, 4) as SciPy writes them; leaves are numbered as given
    """

    order: Array
    merges: Array

    def lines(self) -> Array:
        """Return the tree as (q - 1, 4, 2) brackets; leaves stand at 0, 1, ... in their order.

        SciPy's own function calls itself for every branch and fails on long chains.
        """
        n_leaves = len(self.order)
        place, height = np.zeros(2 * n_leaves - 1), np.zeros(2 * n_leaves - 1)
        place[self.order] = np.arange(n_leaves)
        brackets = np.empty((n_leaves - 1, 4, 2))
        for step, (first, second, level) in enumerate(self.merges[:, :3]):
            left, right = int(first), int(second)
            brackets[step] = [
                (place[left], height[left]),
                (place[left], level),
                (place[right], level),
                (place[right], height[right]),
            ]
            place[n_leaves + step] = (place[left] + place[right]) / 2
            height[n_leaves + step] = level
        return brackets


def average_tree(distances: Array) -> Tree:
    """Link things by their condensed distances."""
    from scipy.cluster.hierarchy import leaves_list, linkage

    if not len(distances):
        return Tree(np.zeros(1, dtype=np.int64), np.empty((0, 4)))
    merges = linkage(distances, "average")
    return Tree(np.asarray(leaves_list(merges), dtype=np.int64), merges)


def consensus_of_rows(ensemble: Ensemble, rows: Array) -> tuple[Array, Tree]:
    """Return the consensus of some objects, (q, q), in the order given, and their tree."""
    from scipy.spatial.distance import squareform

    pairs = ConsensusMatrix(hard_view(ensemble.take(rows))).pairs
    matrix: Array = squareform(pairs)
    # An object goes with itself.
    np.fill_diagonal(matrix, 1.0)
    return matrix, average_tree(np.maximum(1.0 - pairs, 0.0))
