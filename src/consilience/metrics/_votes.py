"""How certain base clusters are, and their votes for the labels of a partition."""

from functools import partial
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from consilience._utils._declare import Real
from consilience._utils._types import Array
from consilience.ensemble import Ensemble
from consilience.exceptions import InvalidInputError, InvalidParameterError
from consilience.incidence import StepResult, is_chunked
from consilience.metrics._members import label_codes
from consilience.metrics._two_labellings import xlogx

# Default theta of the certainty of a base cluster, as in LWEA and LWGP.
THETA = 0.4
# Smaller values lead to votes that underflow.
_THETA = Real(0.01)
# Number of random permutations of the labels for the chance level of `vote_information`.
_ORDERS = 5
# Minimum shares of the distance from the chance level to 1 for little and for some evidence.
_NO_EVIDENCE, _LITTLE_EVIDENCE = 1 / 3, 1 / 2

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
        entropy: Array = _information(ensemble) @ ensemble.column_weights
        _known[ensemble] = np.abs(entropy)  # no negative zero
    return _known[ensemble]


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


class CertainVotes(NamedTuple):
    """Statistics of the votes for a labelling.

    shares      (K,) share of the labelled objects in every cluster, q
    confidence  mean share of the votes that an object gives to its own cluster
    entropy     mean entropy of the votes of an object, in nats
    """

    shares: Array
    confidence: float
    entropy: float

    @property
    def adjusted_confidence(self) -> float:
        """Return the confidence, corrected for that of votes by the sizes of the clusters alone."""
        chance = float(np.square(self.shares).sum())
        return 1.0 if chance >= 1 else (self.confidence - chance) / (1 - chance)

    @property
    def size_entropy(self) -> float:
        """Return the entropy of the sizes of the clusters, H(q), in nats."""
        return float(abs(xlogx(self.shares).sum()))

    @property
    def information(self) -> float:
        """Return the entropy of the sizes minus the mean entropy of the votes of an object, in nats."""
        return self.size_entropy - self.entropy


def read_labels(labels: Any, ensemble: Ensemble) -> Array:
    """Return one code per object, 0 = no label; some object that counts must have a label."""
    # Labels of a fit on chunked data are chunked.
    codes = label_codes(np.asarray(labels) if is_chunked(labels) else labels, ensemble)
    counted = codes > 0
    if ensemble.sample_weight is not None:
        counted &= ensemble.sample_weight > 0
    if not counted.any():
        raise InvalidInputError("No object has a label, so nothing can be compared.")
    return codes


def certainties(ensemble: Ensemble, theta: float) -> Array:
    """Return the weight of the vote of every base cluster: member weight times certainty, (t,)."""
    return ensemble.column_weights * ensemble_cluster_index(ensemble, theta)


def vote_table(counts: Array, certainty: Array) -> Array:
    """Return the votes of every base cluster for its objects, (t, K): w_c P_ck."""
    sizes = counts.sum(axis=1, keepdims=True)
    table: Array = certainty[:, None] * (counts / np.where(sizes > 0, sizes, 1))
    return table


def certainties_of_part(ensemble: Ensemble, by_member: Array, asked: Array, theta: float) -> Array:
    """Return the same if only a part of the members is asked; 0 for the base clusters of the others.

    by_member  (t, r) `uncertainty_by_member` of the ensemble, all members of which have labels
    asked      (r,) which members are asked
    """
    weights = ensemble.weights * asked
    index = np.exp(-(by_member @ weights) / (theta * float(weights.sum())))
    certainty: Array = ensemble.column_weights * asked[ensemble.layout.member_of] * index
    return certainty


def certain_votes(
    codes: Array, ensemble: Ensemble, theta: float, certainty: Array | None = None
) -> CertainVotes:
    """Count the votes of all objects in one sweep, without an (n, K) array.

    codes      (n,) labels from 1 on, 0 = no label
    certainty  (t,) weight of the vote of every base cluster, if it is known
    """
    H = ensemble.incidence
    counts = H.count(codes, int(codes.max()) + 1)[:, 1:]
    weight = np.ones(len(codes)) if H.row_weight is None else H.row_weight.astype(np.float64)
    weight = np.where(codes > 0, weight, 0.0)
    sizes = np.bincount(codes, weights=weight)[1:]
    shares = sizes / sizes.sum()
    if certainty is None:
        certainty = certainties(ensemble, theta)
    # The last column adds up the certainties of an object's base clusters that have any votes.
    voting = certainty * (counts.sum(axis=1) > 0)
    table = np.column_stack([vote_table(counts, certainty), voting])
    own = np.maximum(codes - 1, 0)
    step = partial(vote_step, shares=shares)
    swept = H.sweep(table, step, (own, weight))
    confidence, entropy, total = (float(part) for part in swept.sums[0])
    return CertainVotes(shares, confidence / total, entropy / total)


def vote_step(scores: Array, own: Array, weight: Array, *, shares: Array) -> StepResult:
    """Add up, over rows, the share of the own label, the entropy of the votes, and the weight.

    An object that no member labels has votes equal to the shares of the clusters.
    """
    total = scores[:, -1:]
    votes = np.where(total > 0, scores[:, :-1] / np.where(total > 0, total, 1.0), shares)
    mine = np.take_along_axis(votes, own[:, None].astype(np.int64), axis=1)[:, 0]
    entropy = np.abs(xlogx(votes).sum(axis=1))  # no negative zero
    sums = np.array([weight @ mine, weight @ entropy, weight.sum()])
    return StepResult(sums=(sums,))


def confidence(
    labels: Any, ensemble: Any, *, theta: float = THETA, adjusted: bool = False
) -> float:
    """Mean share of the votes that the objects' base clusters give to the objects' own labels.

    A base cluster c votes for label k by P_ck, the share of its objects that have label k. The votes of
    an object are the mean of the votes of its base clusters, each counted by its certainty
    w_c = exp(-E_c / (theta r)), E_c its entropy with respect to the ensemble, in bits
    (`cluster_uncertainty`). The confidence is the mean over the objects of their votes for their own
    label. It is from 0 to 1; 1 means that no base cluster is cut.

    Parameters
    ----------
    labels : vector of n labels
        Objects without a label are left out.
    ensemble : Ensemble or any input that Ensemble accepts
        Missing labels do not vote; soft members vote by their memberships; members count by their
        weights, objects by theirs.
    theta : float, default 0.4
        Larger values make the certainty decrease more slowly with the entropy; for very large values
        all base clusters count the same.
    adjusted : bool, default False
        Correct for chance: (c - e) / (1 - e), e the sum of squares of the shares of the clusters,
        which is the confidence of votes by the sizes alone. 1 for a single cluster.

    See Also
    --------
    vote_information : For labels of different ensembles, where one giant cluster has a high confidence.
    anmi : The criterion of the literature, which prefers clusters of equal size.

    Notes
    -----
    O(n r K): one count table and one sweep, and the overlaps of base clusters for their certainties.
    It compares labellings of the same objects against the same ensemble. It decreases with the number
    of clusters, so it cannot be used to choose this number.

    Examples
    --------
    >>> import numpy as np
    >>> members = np.array([[0, 0], [0, 0], [1, 1], [1, 0]])
    >>> round(confidence([0, 0, 1, 1], members), 3)
    0.872
    >>> round(confidence([0, 0, 1, 1], members, adjusted=True), 3)
    0.745
    """
    _check_theta(theta)
    ensemble = Ensemble.from_labels(ensemble)
    votes = certain_votes(read_labels(labels, ensemble), ensemble, theta)
    return votes.adjusted_confidence if adjusted else votes.confidence


def _check_theta(theta: float) -> None:
    if not _THETA.accepts(theta):
        raise InvalidParameterError(f"theta must be {_THETA}; got {theta!r}.")


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
    _check_theta(theta)
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


def _random_orders(codes: Array) -> list[Array]:
    """Return permuted labels; objects without a label are not permuted."""
    labelled = codes > 0
    orders = []
    for stream in np.random.default_rng(0).spawn(_ORDERS):
        order = codes.copy()
        order[labelled] = stream.permutation(codes[labelled])
        orders.append(order)
    return orders


def evidence(confidence: float, chance: float) -> str:
    """Return "none", "little" or "some": the evidence of clusters in a mean confidence.

    "none" up to a third of the way from the chance level to 1, "little" up to a half.

    Parameters
    ----------
    confidence : float
        The mean share of votes for an object's own cluster.
    chance : float
        The same if there are no clusters, or members agree by chance; NaN if unknown.

    Examples
    --------
    >>> from consilience.metrics import evidence
    >>> evidence(0.94, 0.93), evidence(0.94, 0.9), evidence(0.94, 0.8)
    ('none', 'little', 'some')
    """
    beyond, most = confidence - chance, 1 - chance
    if beyond <= _NO_EVIDENCE * most:
        return "none"
    return "little" if beyond <= _LITTLE_EVIDENCE * most else "some"
