"""Shared code of CBGF and MCLA: the graph of base clusters."""

from typing import Any

import numpy as np

from consilience.ensemble import Ensemble
from consilience.incidence import on_cells

Array = np.ndarray[Any, Any]


def jaccard(ensemble: Ensemble) -> Any:
    """Jaccard similarity of all base clusters, (t, t), from the overlaps N = H' H.

    Clusters of members that label different objects are compared on all of their objects; objects
    labelled by only one of the two members reduce the similarity. Sparse if most base clusters share
    no object.
    """
    H = ensemble.incidence
    return on_cells(H.overlaps().astype(np.float64), _share_of_union, H.sizes)


def _share_of_union(overlaps: Array, sizes: Array, other_sizes: Array) -> Array:
    union = sizes + other_sizes - overlaps
    share: Array = overlaps / np.where(union > 0, union, 1.0)
    return share
