"""A dendrogram, and methods to cut it."""

from typing import NamedTuple, Self

import numpy as np

from consilience._utils._types import Array
from consilience.ensemble import canonical_labels
from consilience.incidence.internals import TIE_TOLERANCE


class Dendrogram(NamedTuple):
    """Merges of q leaves, lowest first, in the format of SciPy.

    merges  (q - 1, 4): the two clusters, the smaller number first, the height of the merge, and the
            summed size of the leaves below. Leaves are 0 .. q - 1; merge s makes the cluster q + s.

    Heights never decrease. Heights, and lifetimes, that differ by less than 1e-9 count as equal: they
    are ratios of integers.
    """

    merges: Array

    @classmethod
    def of_pairs(cls, pairs: Array, heights: Array, sizes: Array) -> Self:
        """Number the merges of clusters that are named by one of their leaves.

        Parameters
        ----------
        pairs : array (q - 1, 2)
            A leaf of either side.
        heights : array (q - 1,)
            Height of every merge, not below the heights of the merges it builds upon.
        sizes : array (q,)
            Sizes of the leaves.
        """
        n_leaves = len(sizes)
        parent = np.arange(2 * n_leaves - 1)
        size = np.concatenate([sizes.astype(np.float64), np.zeros(n_leaves - 1)])
        merges = np.empty((n_leaves - 1, 4))
        # Stable, so that a merge stays after the merges of equal height that it builds upon; rounded,
        # so that the order of equal heights does not depend on rounding errors.
        order = np.argsort(heights.round(9), kind="stable")
        ascending = np.maximum.accumulate(heights[order])
        for step, place in enumerate(order):
            first, second = sorted(_root(parent, int(leaf)) for leaf in pairs[place])
            made = n_leaves + step
            parent[first] = parent[second] = made
            size[made] = size[first] + size[second]
            merges[step] = first, second, ascending[step], size[made]
        return cls(merges)

    @property
    def n_leaves(self) -> int:
        """Return q."""
        return len(self.merges) + 1

    @property
    def heights(self) -> Array:
        """Return the heights of the merges, h_1 <= ... <= h_(q-1)."""
        heights: Array = self.merges[:, 2]
        return heights

    def counting_leaves(self) -> Array:
        """Return the merges with the number of leaves, not their summed size, in the last column.

        SciPy's functions do not accept clusters that are larger than the number of leaves.
        """
        merges = self.merges.copy()
        counts = np.ones(2 * self.n_leaves - 1)
        for step, (first, second) in enumerate(merges[:, :2].astype(np.int64)):
            counts[self.n_leaves + step] = counts[first] + counts[second]
        merges[:, 3] = counts[self.n_leaves :]
        return merges

    def cut_into(self, n_clusters: int) -> Array:
        """Label the leaves by undoing the last merges, until there are `n_clusters` (at most q)."""
        return self._after(max(0, self.n_leaves - n_clusters))

    def cut_at(self, height: float) -> Array:
        """Label the leaves by the merges below a height."""
        return self._after(int(np.count_nonzero(self.heights < height - TIE_TOLERANCE)))

    def lifetimes(self, *, include_one: bool = False, include_all: bool = True) -> dict[int, float]:
        """Return for every number of clusters the length of the interval of heights that give it.

        The interval of k clusters is from h_(q-k) to h_(q-k+1). For k = q, unless it is excluded, it
        starts at 0. k = 1 is included only on request (or if there is no other number); its interval
        ends at 1, the height of similarity 0.
        """
        levels = np.concatenate([[0.0], self.heights, [1.0]])
        spans = np.diff(levels)[::-1]
        first = 1 if include_one or self.n_leaves == 1 else 2
        last = self.n_leaves if include_all or self.n_leaves <= first else self.n_leaves - 1
        return {k: float(spans[k - 1]) for k in range(first, last + 1)}

    def longest_lived(self, *, include_one: bool = False, include_all: bool = True) -> int:
        """Return the number of clusters with the longest lifetime; ties: the smallest."""
        lifetimes = self.lifetimes(include_one=include_one, include_all=include_all)
        longest = max(lifetimes.values())
        return min(k for k, span in lifetimes.items() if span >= longest - TIE_TOLERANCE)

    def _after(self, n_merges: int) -> Array:
        n_leaves = self.n_leaves
        root = np.arange(n_leaves + n_merges)
        children = self.merges[:n_merges, :2].astype(np.int64)
        # From the last merge down, every cluster passes its root to its two parts.
        for step in range(n_merges - 1, -1, -1):
            root[children[step]] = root[n_leaves + step]
        return canonical_labels(root[:n_leaves])[0]


def _root(parent: Array, node: int) -> int:
    """Return the root of a node, with path compression."""
    while parent[node] != node:
        parent[node] = parent[parent[node]]
        node = int(parent[node])
    return node
