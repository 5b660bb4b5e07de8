"""Information of the votes of base clusters about a labelling."""

from typing import Any

import numpy as np

from consilience.ensemble import Ensemble
from consilience.metrics._certain_votes import THETA, certain_votes, check_theta, read_labels

# Number of random permutations of the labels for the chance level.
_ORDERS = 5


def vote_information(
    labels: Any, ensemble: Any, *, theta: float = THETA, adjusted: bool = False
) -> float:
    """Information of an object's votes about its label, in nats: entropy of the sizes less of the votes.

    H(q) - mean over the objects of H(V_i), q the shares of the clusters among the objects, V_i the
    certainty-weighted votes of object i (see `confidence`). It is zero for one cluster, and large only
    if there are many clusters and the votes have a low entropy. It can be used to compare results from
    different ensembles of the same objects.

    Parameters
    ----------
    labels : vector of n labels
        Objects without a label are left out.
    ensemble : Ensemble or any input that Ensemble accepts
        Missing labels do not vote; soft members vote by their memberships; members count by their
        weights, objects by theirs.
    theta : float, default 0.4
        Larger values make the certainty of a base cluster decrease more slowly with its entropy.
    adjusted : bool, default False
        Correct for chance: (i - e) / (H(q) - e), e the mean information of the same labels in five
        fixed random orders. 0 is the chance level, 1 the maximum; 0 for a single cluster.

    See Also
    --------
    confidence : The criterion for different results from the same ensemble.

    Notes
    -----
    O(n r K): one count table and one sweep, six of each if adjusted. The mean over the objects of the
    votes of an object is close to q, so this is close to the Jensen-Shannon divergence of the votes.

    Examples
    --------
    >>> import numpy as np
    >>> members = np.array([[0, 0], [0, 0], [1, 1], [1, 1]])
    >>> round(vote_information([0, 0, 1, 1], members), 3)
    0.693
    >>> vote_information([0, 0, 0, 0], members)
    0.0
    """
    check_theta(theta)
    ensemble = Ensemble.from_labels(ensemble)
    codes = read_labels(labels, ensemble)
    votes = certain_votes(codes, ensemble, theta)
    if not adjusted:
        return votes.information
    if votes.size_entropy == 0:
        return 0.0
    orders = _random_orders(codes)
    chance = float(np.mean([certain_votes(order, ensemble, theta).entropy for order in orders]))
    # The same as (i - e) / (H(q) - e), in terms of entropies.
    return 0.0 if chance == 0 else 1 - votes.entropy / chance


def _random_orders(codes: np.ndarray[Any, Any]) -> list[np.ndarray[Any, Any]]:
    """Return permuted labels; objects without a label are not permuted."""
    labelled = codes > 0
    orders = []
    for stream in np.random.default_rng(0).spawn(_ORDERS):
        order = codes.copy()
        order[labelled] = stream.permutation(codes[labelled])
        orders.append(order)
    return orders
