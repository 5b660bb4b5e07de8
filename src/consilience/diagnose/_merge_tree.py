"""How an over-fine consensus was merged, step by step."""

import math
from dataclasses import dataclass

import numpy as np

from consilience._utils._declare import Integer
from consilience._utils._types import Array
from consilience._utils._words import plural
from consilience.diagnose._seams import Merge
from consilience.exceptions import InvalidParameterError


def joined(labels: Array, below: Array) -> tuple[int, int]:
    """Return the two clusters of a partition that are one in the next coarser one, `below`."""
    parent = np.zeros(int(labels.max()) + 1, dtype=np.int64)
    parent[labels] = below
    first, second = np.flatnonzero(parent == np.bincount(parent).argmax())
    return int(first), int(second)


@dataclass(frozen=True)
class MergeTree:
    """Merges of clusters, from many to one, with a test of separation at every step.

    Attributes
    ----------
    leaves : array (m,)
        Labels of the objects before the first merge.
    merges : tuple of Merge
        Every step: which cluster was merged with which, their sizes, and the p-value of a valley around
        the first one. A small p-value says that two separated clusters were merged.
    alpha : float
        Merging was meant to stop when all p-values are at most this; later steps complete the tree.

    Examples
    --------
    >>> from sklearn.datasets import make_blobs
    >>> from consilience.diagnose import choose_k
    >>> X, _ = make_blobs(300, centers=[[0, 0], [8, 0], [0, 8]], random_state=0)
    >>> tree = choose_k(X, random_state=0).tree
    >>> len(set(tree.labels_at(2).tolist()))
    2
    """

    leaves: Array
    merges: tuple[Merge, ...]
    alpha: float

    @property
    def n_leaves(self) -> int:
        """Return the number of clusters before the first merge."""
        return int(self.leaves.max()) + 1

    def sentences(self, n_clusters: int, most: int = 3) -> list[str]:
        """Say which clusters were merged last until so many were left, and the next step beyond."""
        steps = [step for step in self.merges if n_clusters <= step.n_clusters <= n_clusters + most]
        return [
            f"{step.n_clusters} to {step.n_clusters - 1} clusters: "
            f"{plural(step.sizes[0], 'object')} "
            f"{'would join' if step.n_clusters == n_clusters else 'joined'} {step.sizes[1]:,}"
            + ("" if math.isnan(step.p_value) else f" (p = {step.p_value:.2g} for a thin border)")
            + "."
            for step in steps
        ]

    def labels_at(self, n_clusters: int) -> Array:
        """Return the labels of the objects when so many clusters were left."""
        if not Integer(1, self.n_leaves).accepts(n_clusters):
            raise InvalidParameterError(
                f"MergeTree.labels_at: n_clusters must be an integer from 1 to {self.n_leaves}; "
                f"got {n_clusters!r}."
            )
        labels = self.leaves.copy()
        for merge in self.merges[: self.n_leaves - n_clusters]:
            labels[labels == merge.first] = merge.second
            labels[labels > merge.first] -= 1
        return labels
