"""Average linkage of a few things: the order of the leaves, and the lines of the tree."""

from typing import NamedTuple

import numpy as np

from consilience._utils._types import Array


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
