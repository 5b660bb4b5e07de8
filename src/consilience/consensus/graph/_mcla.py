"""MCLA: meta-clustering algorithm."""

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from consilience._utils._declare import Choice, Declaration, Integer, Real, Seed
from consilience.consensus._base import ConsensusFunction, Outcome
from consilience.consensus._capabilities import Capabilities
from consilience.consensus.graph._meta_clusters import jaccard
from consilience.ensemble import Ensemble
from consilience.partition import njw_dense, partition_dense_graph, vote_table

Array = np.ndarray[Any, Any]


class MCLA(ConsensusFunction):
    """Meta-clustering algorithm: group the base clusters, then average their votes.

    Base clusters are the vertices of a meta-graph, linked by their Jaccard similarity. The meta-graph
    is cut into K meta-clusters. An object is associated with a meta-cluster by the MEAN of its
    memberships in the base clusters grouped there, and joins the one it is most associated with.

    Parameters
    ----------
    partitioner : {"spectral", "balanced", "metis"}, default "spectral"
        How the meta-graph is cut: spectrally, or into parts of equal summed cluster sizes by our own
        local search or by METIS, as the paper did.
    imbalance : float, default 0.05
        How far a part may exceed its share in the balanced forms.
    n_init : int, default 10
        Starts of the partitioner.
    max_iter : int, default 300
        Most rounds of k-means.

    Attributes
    ----------
    meta_clusters_
    n_iter_ : int
        Rounds of k-means, or passes of the local search.

    See Also
    --------
    CBGF : Adds votes instead of averaging them.

    Notes
    -----
    O(n r^2) for the overlaps, O(t^3) for the partition, O(n r K) for the votes. A missing label is a
    vote less. A group that wins no object leaves fewer than K clusters. Ties go to the first group.

    References
    ----------
    [strehl2002]_

    Examples
    --------
    >>> from consilience.consensus import MCLA
    >>> members = [[0, 0, 0, 1, 1], [1, 1, 1, 0, 0], [0, 0, 1, 1, 1]]
    >>> MCLA(n_clusters=2, random_state=0).fit_predict(members).tolist()
    [0, 0, 0, 1, 1]
    """

    parameters: ClassVar[Mapping[str, Declaration]] = {
        "n_clusters": Integer(1),
        "partitioner": Choice("spectral", "balanced", "metis"),
        "imbalance": Real(0),
        "n_init": Integer(1),
        "max_iter": Integer(1),
        "random_state": Seed(),
    }
    capabilities: ClassVar[Capabilities] = Capabilities()

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        partitioner: str = "spectral",
        imbalance: float = 0.05,
        n_init: int = 10,
        max_iter: int = 300,
        random_state: object = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.partitioner = partitioner
        self.imbalance = imbalance
        self.n_init = n_init
        self.max_iter = max_iter
        self.random_state = random_state

    def _consensus(self, ensemble: Ensemble, n_clusters: int, rng: np.random.Generator) -> Outcome:
        n_groups = min(n_clusters, ensemble.n_base_clusters)
        groups, n_iter, converged = self._group(ensemble, n_groups, rng)
        self.meta_clusters_ = groups
        weights = ensemble.weights[ensemble.layout.member_of]
        table = vote_table(groups, weights, n_clusters)
        # The mean over the base clusters of a group, each counted with the weight of its member.
        total = table.sum(axis=0)
        association = table / np.where(total > 0, total, 1.0)
        return Outcome(
            ensemble.incidence.argmax(association).labels, n_iter=n_iter, converged=converged
        )

    def _group(
        self, ensemble: Ensemble, n_groups: int, rng: np.random.Generator
    ) -> tuple[Array, int, bool]:
        """Return the group of every base cluster, the rounds, and whether the search came to rest."""
        similarity = jaccard(ensemble)
        if self.partitioner == "spectral":
            found = njw_dense(
                similarity, n_groups, n_init=self.n_init, max_iter=self.max_iter, rng=rng
            )
            return found.labels, found.n_iter, found.converged
        parts = partition_dense_graph(
            similarity,
            ensemble.incidence.sizes,
            n_groups,
            engine=self.partitioner,
            imbalance=self.imbalance,
            n_init=self.n_init,
            rng=rng,
        )
        return parts.labels, max(1, parts.n_iter), parts.converged
