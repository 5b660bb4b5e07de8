"""How often objects of two clusters go together, over all of them."""

import numpy as np

from consilience._utils._types import Array
from consilience.ensemble import Ensemble


def block_means(ensemble: Ensemble, labels: Array, n_clusters: int) -> Array:
    """Return the share of members that join two objects, pooled over the pairs of two clusters, (K, K).

    Exact from the count table, O(t K^2): members that join the two / members that know both, both
    summed over the pairs; NaN where no member labels a pair. Soft members count by their most likely
    labels, and every object once.
    """
    if ensemble.is_soft:
        ensemble = Ensemble(ensemble.labels, weights=ensemble.weights)
    ensemble = ensemble.with_sample_weight(None)
    counts = ensemble.incidence.count(labels, n_clusters).astype(np.float64)
    seen = ensemble.layout.sum_by_member(counts)
    by_cluster = ensemble.column_weights[:, None] * counts
    by_member = ensemble.weights[:, None] * seen
    # An object is no pair with itself.
    alone = np.diag(by_member.sum(axis=0))
    joined, known = counts.T @ by_cluster - alone, seen.T @ by_member - alone
    means = np.full_like(known, np.nan)
    np.divide(joined, known, out=means, where=known > 0)
    return np.asarray(means)
