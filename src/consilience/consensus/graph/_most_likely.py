"""Composition of consensus clusters, counted by the most likely base clusters of their objects.

Posteriors of LAC are flat: every object has a small membership in every base cluster. Summed over many
objects these memberships hide the differences, so every object is counted in one base cluster per
member.
"""

import numpy as np

from consilience._utils._types import Array
from consilience.ensemble import Ensemble
from consilience.incidence import ArraySource, HardBlocks, Incidence


def vote_shares(ensemble: Ensemble, labels: Array, n_clusters: int, soft_shares: Array) -> Array:
    """Return P(consensus cluster | base cluster), (t, K).

    The share of the consensus cluster among the objects whose most likely cluster it is;
    `soft_shares` for a base cluster that is not the most likely one of any object.
    """
    counts = count_most_likely(ensemble, labels, n_clusters)
    sizes = counts.sum(axis=1, keepdims=True)
    shares: Array = np.where(sizes > 0, counts / np.where(sizes > 0, sizes, 1), soft_shares)
    return shares


def count_most_likely(ensemble: Ensemble, labels: Array, n_clusters: int) -> Array:
    """Count table (t, K) of the most likely labels; objects count by their weights."""
    if not ensemble.is_soft:
        return ensemble.incidence.count(labels, n_clusters)
    largest = int(ensemble.n_clusters.max(initial=0))
    codes = (ensemble.labels + 1).astype(np.min_scalar_type(largest))
    H = Incidence(ArraySource(codes), HardBlocks(ensemble.layout), ensemble.sample_weight)
    return H.count(labels, n_clusters)
