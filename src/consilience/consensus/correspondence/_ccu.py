"""CCU: unconstrained cluster correspondence."""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from consilience._utils._declare import Declaration, Integer
from consilience._utils._types import Array
from consilience.consensus._base import ConsensusFunction
from consilience.consensus._capabilities import Capabilities
from consilience.consensus._outcome import Outcome
from consilience.consensus.correspondence._metaclusters import gather_in_metaclusters
from consilience.ensemble import Ensemble
from consilience.incidence import argmax_step


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
