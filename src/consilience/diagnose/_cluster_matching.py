"""The clusters of one partition found again in another."""

from typing import NamedTuple

import numpy as np
from scipy.optimize import linear_sum_assignment

from consilience._utils._types import Array


class ClusterMatching(NamedTuple):
    """How well the K clusters of a partition are recovered in another one.

    jaccard  (K,) largest Jaccard coefficient of every cluster with a cluster of the other partition, on
             the objects that both label; NaN if the other knows none of its objects
    stayed   (n,) whether an object is in the partner of its cluster, under the best one-to-one matching
    known    (n,) whether both partitions know the object
    """

    jaccard: Array
    stayed: Array
    known: Array


def match_clusters(labels: Array, others: Array, n_clusters: int) -> ClusterMatching:
    """Look for the clusters of `labels`, 0 .. K-1, in another partition; -1 = not known."""
    known = (labels >= 0) & (others >= 0)
    n_others = int(others.max(initial=0)) + 1
    cells = labels[known].astype(np.int64) * n_others + others[known]
    table = np.bincount(cells, minlength=n_clusters * n_others).reshape(n_clusters, n_others)
    sizes, other_sizes = table.sum(axis=1), table.sum(axis=0)
    union = sizes[:, None] + other_sizes - table
    jaccard = table / np.where(union > 0, union, 1)
    rows, columns = linear_sum_assignment(jaccard, maximize=True)
    partner = np.full(n_clusters, -1)
    partner[rows] = columns
    stayed = known & (others == partner[np.maximum(labels, 0)])
    return ClusterMatching(np.where(sizes > 0, jaccard.max(axis=1), np.nan), stayed, known)
