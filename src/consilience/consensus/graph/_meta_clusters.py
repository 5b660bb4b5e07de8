"""What CBGF and MCLA share: a graph of base clusters, and votes of objects for groups of them."""

from typing import Any

import numpy as np

from consilience.ensemble import Ensemble

Array = np.ndarray[Any, Any]


def jaccard(ensemble: Ensemble) -> Array:
    """Jaccard similarity of all base clusters, (t, t), from the overlaps N = H' H.

    Two clusters of members that know different objects are compared on all of their objects, so that
    what only one member knows counts against them.
    """
    overlaps = ensemble.incidence.gram().astype(np.float64)
    sizes = np.diagonal(overlaps) if not ensemble.is_soft else ensemble.incidence.sizes
    union = sizes[:, None] + sizes[None, :] - overlaps
    similarity: Array = overlaps / np.where(union > 0, union, 1.0)
    return similarity


def votes(ensemble: Ensemble, groups: Array, n_groups: int) -> Array:
    """Return the (t, K) table whose gather counts, per object, the weighted members in each group."""
    table = np.zeros((ensemble.n_base_clusters, n_groups))
    member = ensemble.layout.member_of
    table[np.arange(len(groups)), groups] = ensemble.weights[member]
    return table
