"""What CBGF and MCLA share: the graph of base clusters."""

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
    sizes = ensemble.incidence.sizes
    union = sizes[:, None] + sizes[None, :] - overlaps
    similarity: Array = overlaps / np.where(union > 0, union, 1.0)
    return similarity
