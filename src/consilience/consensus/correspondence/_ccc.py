"""CCC: constrained cluster correspondence."""

from collections.abc import Mapping
from functools import partial
from typing import ClassVar

import numpy as np
from scipy.optimize import linear_sum_assignment

from consilience._utils._declare import Declaration, Integer
from consilience._utils._types import Array
from consilience.consensus._base import ConsensusFunction
from consilience.consensus._capabilities import Capabilities
from consilience.consensus._outcome import Outcome
from consilience.consensus.correspondence._metaclusters import gather_in_metaclusters
from consilience.ensemble import Ensemble
from consilience.incidence import Layout, argmax_step

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
