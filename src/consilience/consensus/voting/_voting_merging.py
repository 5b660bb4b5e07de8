"""Voting and merging: members are matched one after the other, then clusters are merged."""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
from scipy.optimize import linear_sum_assignment

from consilience._utils._declare import Declaration, Integer
from consilience._utils._types import Array
from consilience.consensus._base import Capabilities, ConsensusFunction, Outcome
from consilience.ensemble import Ensemble
from consilience.incidence import StepResult
from consilience.incidence.internals import TIE_TOLERANCE


class VotingMerging(ConsensusFunction):
    """Match member after member to the votes of those before, then merge clusters that share objects.

    Voting: the first member gives the clusters. The clusters of every further member are matched one to
    one with the clusters so far, so that their overlap with the votes is largest; what is left becomes
    a new cluster. The memberships D of an object are the shares of its votes: the running mean of the
    matched members.

    Merging: the neighbourhood n_kl of two clusters is the mean membership in l of the objects whose
    largest membership is k. The two groups of clusters with the largest mean neighbourhood, over their
    clusters and both directions, are merged until K are left, and their memberships are added. Every
    object gets the group of its largest membership.

    So members may have more clusters than K, and a cluster of the consensus may consist of several
    clusters of the members: long or bent clusters, which k-means divides, are put together again.

    Parameters
    ----------
    n_clusters : int, default 8
        Clusters of the consensus, K.

    Attributes
    ----------
    merged_ : array (k,)
        The consensus cluster of every cluster of the voting, of which there are k before merging.
    neighbourhoods_ : array (k, k)
        n_kl of the clusters before merging; row k has the mean memberships of the objects of k.

    See Also
    --------
    PluralityVoting : Members with K clusters, matched to a reference.
    CBGF : Groups base clusters by their overlap.

    Notes
    -----
    O(n r^2) once for the overlaps of base clusters, O(r k^3) for the matchings, then two sweeps,
    O(n r k). Members count in their order, so another order may give another result; clusters that
    are equally good matches are taken in the order of their first objects. A member that does not label
    an object does not vote for it. Ties in D: the first cluster.

    The first paper matches clusters by the largest share of common objects; the second minimises the
    sum of squares to the running mean over all matchings, which is done here. The first also stops
    merging by itself; K is given here. The paper merges by neighbourhoods; their mean over all clusters
    of two groups is ours.

    References
    ----------
    [dimitriadou2001]_; [dimitriadou2002]_

    Examples
    --------
    Three members divide the same two groups at different places.

    >>> from consilience.consensus import VotingMerging
    >>> votes = [[0, 0, 1, 2, 2, 2], [0, 1, 1, 2, 2, 2], [0, 0, 1, 2, 2, 2]]
    >>> VotingMerging(n_clusters=2).fit_predict(votes).tolist()
    [0, 0, 0, 1, 1, 1]
    """

    parameters: ClassVar[Mapping[str, Declaration]] = {"n_clusters": Integer(1)}
    capabilities: ClassVar[Capabilities] = Capabilities()

    def __init__(self, n_clusters: int = 8) -> None:
        self.n_clusters = n_clusters

    def _consensus(
        self,
        ensemble: Ensemble,
        n_clusters: int,
        rng: np.random.Generator,  # noqa: ARG002 - nothing is drawn
    ) -> Outcome:
        H = ensemble.incidence
        votes = match_in_sequence(ensemble, H.gram())
        observed = H.observed(ensemble.weights)
        weight = np.ones(H.n_rows) if H.row_weight is None else H.row_weight.astype(np.float64)
        sums, sizes = H.sweep(votes, neighbour_step, (observed, weight)).sums
        merged = merge(sums, sizes, n_clusters)
        table = votes @ (merged[:, None] == np.arange(merged.max() + 1))
        neighbourhoods = sums / np.where(sizes > 0, sizes, 1)[:, None]
        return Outcome(
            H.argmax(table).labels,
            attributes={"merged_": merged, "neighbourhoods_": neighbourhoods},
        )


def match_in_sequence(ensemble: Ensemble, overlaps: Array) -> Array:
    """Return the (t, k) votes: the weight of its member where a base cluster means a cluster."""
    layout, member_weights = ensemble.layout, ensemble.weights
    votes = np.zeros((layout.n_columns, int(ensemble.n_clusters.max(initial=0))))
    for j in range(ensemble.n_members):
        own = layout.columns(j)
        # k is the largest number of clusters of a member, so every cluster finds a partner.
        rows, columns = linear_sum_assignment(overlaps[own] @ votes, maximize=True)
        votes[own.start + rows, columns] = member_weights[j]
    return votes


def neighbour_step(votes: Array, observed: Array, weight: Array) -> StepResult:
    """Add up, for every cluster, the memberships of the objects whose largest membership it is."""
    memberships = votes / observed[:, None]
    largest = memberships.max(axis=1, keepdims=True)
    labels = (memberships >= largest - TIE_TOLERANCE).argmax(axis=1)
    n_clusters = votes.shape[1]
    inside = (labels[:, None] == np.arange(n_clusters)) * weight[:, None]
    return StepResult(sums=(inside.T @ memberships, inside.sum(axis=0)))


def merge(sums: Array, sizes: Array, n_clusters: int) -> Array:
    """Merge the groups of clusters with the largest mean neighbourhood until K are left.

    Returns the number of every cluster after merging, in the order of their first clusters.
    """
    used = np.flatnonzero(sizes > 0)
    shares = sums[np.ix_(used, used)] / sizes[used][:, None]
    # Sums over the pairs of clusters of two groups; the mean is by the number of these pairs.
    near, count = (shares + shares.T) / 2, np.ones(len(used))
    group, active = np.arange(len(used)), np.ones(len(used), dtype=bool)
    while active.sum() > n_clusters:
        mean = np.where(np.outer(active, active), near / np.outer(count, count), -1.0)
        mean[np.tril_indices(len(used))] = -1.0
        best = int(np.argmax(mean >= mean.max() - TIE_TOLERANCE))
        kept, gone = divmod(best, len(used))
        near[kept] += near[gone]
        near[:, kept] += near[:, gone]
        count[kept] += count[gone]
        active[gone] = False
        group[group == gone] = kept
    merged = np.full(len(sizes), -1)
    merged[used] = np.searchsorted(np.flatnonzero(active), group)
    # A cluster that is the largest membership of no object joins the group with most of its votes.
    by_group = (merged == np.arange(merged.max() + 1)[:, None]).astype(np.float64) @ sums
    return np.where(merged < 0, by_group.argmax(axis=0), merged)
