"""Local search on the consensus Rand distance [gionis2007]_."""

import numpy as np

from consilience._utils._types import Array
from consilience.ensemble import Ensemble, canonical_labels


def local_search(ensemble: Ensemble, labels: Array, max_iter: int) -> Array:
    """Move objects one at a time while the consensus Rand distance falls; K is kept.

    A pair that a member puts together and the consensus apart, or the reverse, costs that member's
    weight over the number of pairs it observes.
    """
    # Identical objects are moved together.
    profiles = ensemble.profiles()
    H = profiles.ensemble.incidence
    labels = canonical_labels(labels)[0]
    n_labels = int(labels.max()) + 1
    of_profile = np.empty(H.n_rows, dtype=np.int32)
    of_profile[profiles.inverse] = labels
    observed = ensemble.layout.sum_by_member(H.sizes).astype(np.float64)
    cost = ensemble.weights / np.maximum(observed * (observed - 1), 1.0)
    # Only the ratios matter; the largest is 1, so that the tolerance has a known scale.
    cost = cost / cost.max()
    for _ in range(max_iter):
        of_profile, moved = H.relocate(of_profile, n_labels, cost)
        if not moved:
            break
    refined: Array = of_profile[profiles.inverse]
    return refined
