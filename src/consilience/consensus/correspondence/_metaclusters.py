"""CCC and CCU: base clusters are grouped into metaclusters by their overlap."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, ClassVar

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.sparse import csr_array, issparse

from consilience._utils._declare import Declaration, Integer
from consilience._utils._types import Array
from consilience.consensus._base import Capabilities, ConsensusFunction, Outcome
from consilience.ensemble import Ensemble, start_from_member
from consilience.incidence import Layout, argmax_step, on_cells
from consilience.metrics import best_member
from consilience.partition import vote_table

# (rewards (t, K), current metacluster of every base cluster or -1) -> the next metaclusters
Assign = Callable[[Array, Array], Array]


def gather_in_metaclusters(
    ensemble: Ensemble, n_clusters: int, assign: Assign, max_iter: int
) -> Outcome:
    """Alternate between rewards and assignments of base clusters until convergence, then vote (3.17)."""
    H = ensemble.incidence
    similarity = on_cells(H.overlaps(), _dice, H.sizes)
    weights = ensemble.column_weights
    rewards = _first_rewards(ensemble, n_clusters, similarity)
    current = np.full(len(weights), -1, dtype=np.int32)
    history: list[float] = []
    converged = False
    while not converged and len(history) < max_iter:
        following = assign(rewards, current)
        history.append(float(weights @ rewards[np.arange(len(rewards)), following]))
        converged = np.array_equal(following, current)
        current = following
        rewards = mean_similarity(similarity, vote_table(current, weights, n_clusters), rewards)
    labels = H.argmax(vote_table(current, weights, n_clusters)).labels
    return Outcome(
        labels,
        history[-1],
        history,
        len(history),
        converged,
        attributes={"meta_clusters_": current},
    )


def dice(overlaps: Array, sizes: Array, other_sizes: Array) -> Array:
    """Dice's coefficient, the F-measure of two clusters: twice the overlap over both sizes."""
    return _dice(overlaps, sizes[:, None], other_sizes)


def _dice(overlaps: Array, sizes: Array, other_sizes: Array) -> Array:
    both = sizes + other_sizes
    similarity: Array = np.divide(
        2.0 * overlaps, both, out=np.zeros(overlaps.shape), where=both > 0
    )
    return similarity


def mean_similarity(similarity: Any, votes: Array, former: Array) -> Array:
    """Return the reward R[c, k]: the mean similarity of base cluster c to those of metacluster k.

    An empty metacluster keeps its previous rewards.
    """
    weight = votes.sum(axis=0)
    # Every base cluster has one vote, so the votes are as sparse as the overlaps.
    sparse = issparse(similarity)
    sums = (similarity @ csr_array(votes)).toarray() if sparse else similarity @ votes
    rewards: Array = np.divide(sums, weight, out=former.copy(), where=weight > 0)
    return rewards


def _first_rewards(ensemble: Ensemble, n_clusters: int, similarity: Any) -> Array:
    """Return the similarity to the clusters of the best member with K clusters.

    Without one, the best of those with nearly K is merged or split to K clusters first.
    """
    H = ensemble.incidence
    gap = np.where(ensemble.n_clusters > 0, np.abs(ensemble.n_clusters - n_clusters), np.inf)
    member = best_member(ensemble, among=np.flatnonzero(gap == gap.min()))
    if ensemble.n_clusters[member] == n_clusters:
        own = similarity[:, ensemble.layout.columns(member)]
        rewards: Array = own.toarray() if issparse(own) else own
        return rewards
    start = start_from_member(ensemble, member, n_clusters)
    sizes = np.bincount(start, weights=H.row_weight, minlength=n_clusters)
    return dice(H.count(start, n_clusters), H.sizes, sizes)


# Bonus of the current assignment, so that ties keep it.
_STANDING = 1e-9


class CCC(ConsensusFunction):
    """Constrained cluster correspondence.

    Clusters of different members that share most of their objects correspond to each other. All base
    clusters are grouped into K metaclusters; the clusters of one member must go to different
    metaclusters. Then every object joins the metacluster that holds most of its base clusters.

    Maximises, one member after the other, the sum of the rewards R[c, k] of its clusters: R[c, k] is
    the mean over the base clusters d in metacluster k of the similarity 2 |c and d| / (|c| + |d|).

    Parameters
    ----------
    n_clusters : int, default 8
        Metaclusters, K.
    max_iter : int, default 100
        Maximum number of iterations.

    Attributes
    ----------
    meta_clusters_ : array (t,)
        The metacluster of every base cluster.
    objective_, history_ : float, list of float
        Summed reward of all base clusters, at the end and in every round. It may decrease, because the
        rewards change with the metaclusters.

    See Also
    --------
    CCU : The clusters of one member may share a metacluster.
    CCSVD : Compares base clusters in a space of few dimensions.
    PluralityVoting : Matches members with one reference instead of with all others.

    Notes
    -----
    O(n r^2) for the overlaps of all base clusters, then O(t^2 + r K^3) a round without the objects.
    Starts from the clusters of the member with K clusters that agrees best with all; without one, the
    best of those with nearly K is merged or split. The surplus of a member with more than K clusters
    goes where its reward is largest. A metacluster that becomes empty keeps its rewards. A missing label
    is one vote fewer. The paper does not specify the starts, ties and empty metaclusters; these rules
    were chosen here.

    References
    ----------
    [boulis2004]_; [nguyen2007]_, section 3.5

    Examples
    --------
    >>> from consilience.consensus import CCC
    >>> votes = [[0, 0, 0, 1, 1], [1, 1, 1, 0, 0], [0, 0, 1, 1, 1]]
    >>> CCC(n_clusters=2).fit_predict(votes).tolist()
    [0, 0, 0, 1, 1]
    """

    parameters: ClassVar[Mapping[str, Declaration]] = {
        "n_clusters": Integer(1),
        "max_iter": Integer(1),
    }
    capabilities: ClassVar[Capabilities] = Capabilities()

    def __init__(self, n_clusters: int = 8, *, max_iter: int = 100) -> None:
        self.n_clusters = n_clusters
        self.max_iter = max_iter

    def _consensus(
        self,
        ensemble: Ensemble,
        n_clusters: int,
        rng: np.random.Generator,  # noqa: ARG002
    ) -> Outcome:
        assign = partial(_one_to_one, layout=ensemble.layout)
        return gather_in_metaclusters(ensemble, n_clusters, assign, self.max_iter)


def _one_to_one(rewards: Array, current: Array, *, layout: Layout) -> Array:
    """Match the clusters of every member with metaclusters; the surplus goes to the largest reward."""
    standing = rewards + _STANDING * (current[:, None] == np.arange(rewards.shape[1]))
    following = argmax_step(rewards, current).labels
    assert following is not None  # noqa: S101 - the step labels every row
    for j in range(layout.n_members):
        own = layout.columns(j)
        clusters, metaclusters = linear_sum_assignment(standing[own], maximize=True)
        following[own.start + clusters] = metaclusters
    return following


class CCU(ConsensusFunction):
    """Unconstrained cluster correspondence.

    Clusters of different members that share most of their objects correspond to each other. Every base
    cluster joins the one of K metaclusters whose clusters it resembles most. Then every object joins
    the metacluster that holds most of its base clusters.

    Maximises for every base cluster c its reward R[c, k]: the mean over the base clusters d in
    metacluster k of the similarity 2 |c and d| / (|c| + |d|).

    Parameters
    ----------
    n_clusters : int, default 8
        Metaclusters, K.
    max_iter : int, default 100
        Maximum number of iterations.

    Attributes
    ----------
    meta_clusters_ : array (t,)
        The metacluster of every base cluster.
    objective_, history_ : float, list of float
        Summed reward of all base clusters, at the end and in every round. It may decrease, because the
        rewards change with the metaclusters.

    See Also
    --------
    CCC : The clusters of one member go to different metaclusters.
    CCSVD : Compares base clusters in a space of few dimensions.

    Notes
    -----
    O(n r^2) for the overlaps of all base clusters, then O(t^2) a round without the objects. Starts from
    the clusters of the member with K clusters that agrees best with all; without one, the best of those
    with nearly K is merged or split. A metacluster that becomes empty keeps its rewards, so base
    clusters may return to it; one that remains empty is missing from `labels_`. A missing label is one
    vote fewer. The paper does not specify the starts, ties and empty metaclusters; these rules were
    chosen here.

    References
    ----------
    [boulis2004]_; [nguyen2007]_, section 3.5

    Examples
    --------
    >>> from consilience.consensus import CCU
    >>> votes = [[0, 0, 0, 1, 1], [1, 1, 1, 0, 0], [0, 0, 1, 1, 1]]
    >>> CCU(n_clusters=2).fit_predict(votes).tolist()
    [0, 0, 0, 1, 1]
    """

    parameters: ClassVar[Mapping[str, Declaration]] = {
        "n_clusters": Integer(1),
        "max_iter": Integer(1),
    }
    capabilities: ClassVar[Capabilities] = Capabilities()

    def __init__(self, n_clusters: int = 8, *, max_iter: int = 100) -> None:
        self.n_clusters = n_clusters
        self.max_iter = max_iter

    def _consensus(
        self,
        ensemble: Ensemble,
        n_clusters: int,
        rng: np.random.Generator,  # noqa: ARG002
    ) -> Outcome:
        return gather_in_metaclusters(ensemble, n_clusters, _largest_reward, self.max_iter)


def _largest_reward(rewards: Array, current: Array) -> Array:
    labels = argmax_step(rewards, current).labels
    assert labels is not None  # noqa: S101 - the step labels every row
    return labels
