"""How much the members disagree about a base cluster."""

from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from consilience._utils._types import Array
from consilience.ensemble import Ensemble

# Cached entropies of live ensembles, which several consensus functions use.
_known: "WeakKeyDictionary[Ensemble, Array]" = WeakKeyDictionary()


def cluster_uncertainty(ensemble: Any) -> Array:
    """Entropy of every base cluster with respect to the ensemble, in bits, (t,).

    E(c) = - sum over members j and their clusters d of w_j p log2 p, p the share of the objects of c
    that lie in d, among those that j labels [huang2018]_. 0 means that no member splits the cluster.

    Examples
    --------
    >>> import numpy as np
    >>> cluster_uncertainty(np.array([[0, 0], [0, 1], [1, 2]]))
    array([1., 0., 0., 0., 0.])
    """
    return uncertainty_of(Ensemble.from_labels(ensemble)).copy()


def uncertainty_of(ensemble: Ensemble) -> Array:
    """Compute the entropies once for every ensemble; the cache is cleared with the ensemble."""
    if ensemble not in _known:
        _known[ensemble] = _uncertainty(ensemble)
    return _known[ensemble]


def _uncertainty(ensemble: Ensemble) -> Array:
    entropy: Array = _information(ensemble) @ ensemble.column_weights
    return np.abs(entropy)  # no negative zero


def _information(ensemble: Ensemble) -> Array:
    """Return - p log2 p for every two base clusters, (t, t)."""
    layout = ensemble.layout
    overlaps = ensemble.incidence.gram().astype(np.float64)
    known = layout.sum_by_member(overlaps, axis=1)[:, layout.member_of]
    shares = overlaps / np.where(known > 0, known, 1.0)
    information: Array = -shares * np.log2(np.where(shares > 0, shares, 1.0))
    return information


def uncertainty_by_member(ensemble: Ensemble) -> Array:
    """Return the entropy of every base cluster in every member, in bits, (t, r).

    Of a part of the members, the entropies are the sums over their columns.
    """
    by_member: Array = ensemble.layout.sum_by_member(_information(ensemble), axis=1)
    return np.abs(by_member)  # no negative zero


def ensemble_cluster_index(ensemble: Ensemble, theta: float) -> Array:
    """ECI(c) = exp(-E(c) / (theta r)): from 0 to 1, larger for clusters on which members agree."""
    total = float(ensemble.weights[ensemble.n_observed > 0].sum())
    weight: Array = np.exp(-uncertainty_of(ensemble) / (theta * total))
    return weight
