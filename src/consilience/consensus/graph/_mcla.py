"""MCLA: meta-clustering algorithm."""

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

import numpy as np

from consilience._utils._declare import Declaration, Integer, Seed
from consilience.consensus._capabilities import Capabilities
from consilience.consensus._outcome import Outcome
from consilience.consensus.graph._graph_function import GraphFunction
from consilience.consensus.graph._meta_clusters import TIES, jaccard, join_groups
from consilience.ensemble import Ensemble
from consilience.partition import (
    Balanced,
    ClusterGraph,
    Metis,
    Partitioner,
    PartitionerChoice,
    Spectral,
    best_of,
    vote_table,
)


class MCLA(GraphFunction):
    """Meta-clustering algorithm: group the base clusters, then average their votes.

    Base clusters are the vertices of a meta-graph, linked by their Jaccard similarity. The meta-graph
    is cut into K meta-clusters. An object is associated with a meta-cluster by the MEAN of its
    memberships in the base clusters grouped there, and joins the one it is most associated with.

    Parameters
    ----------
    partitioner : {"spectral", "balanced", "metis"} or Partitioner, default "spectral"
        How the meta-graph is cut: spectrally, or into parts of equal summed cluster sizes by a local
        search or by METIS, as the paper did. A name selects the partitioner with its default
        parameters (an imbalance of 0.05); pass an object of `consilience.partition` for others.
    ties : {"first", "random"}, default "first"
        What an object joins for which several groups have most votes: the first of them, or one at
        random. Identical objects may then be separated.

    Attributes
    ----------
    meta_clusters_
    n_iter_ : int
        Rounds of k-means, or passes of the local search; not set by METIS.

    See Also
    --------
    CBGF : Adds votes instead of averaging them.

    Notes
    -----
    O(n r^2) for the overlaps, O(t^3) for the partition, O(n r K) for the votes. A missing label is one
    vote less. If a group gets no object, the result has fewer than K clusters. The authors' program
    breaks ties at random (`ties`).

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
        "partitioner": PartitionerChoice(
            "clusters",
            spectral=Spectral(),
            balanced=Balanced(imbalance=0.05),
            metis=Metis(imbalance=0.05),
        ),
        "ties": TIES,
        "random_state": Seed(),
    }
    capabilities: ClassVar[Capabilities] = Capabilities()

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        partitioner: str | Partitioner = "spectral",
        ties: str = "first",
        random_state: object = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.partitioner = partitioner
        self.ties = ties
        self.random_state = random_state

    def active_capabilities(self) -> Capabilities:
        """Random ties may separate identical objects, which are then not merged."""
        active = super().active_capabilities()
        return active if self.ties == "first" else replace(active, profile_exact=False)

    def _consensus(self, ensemble: Ensemble, n_clusters: int, rng: np.random.Generator) -> Outcome:
        n_groups = min(n_clusters, ensemble.n_base_clusters)
        graph = ClusterGraph(jaccard(ensemble), ensemble.incidence.sizes)
        groups = best_of(self._partitioner().cut_clusters(graph, n_groups, rng))
        table = vote_table(groups.labels, ensemble.column_weights, n_clusters)
        # The mean over the base clusters of a group, each counted with the weight of its member.
        total = table.sum(axis=0)
        association = table / np.where(total > 0, total, 1.0)
        return Outcome(
            join_groups(ensemble, association, self.ties, rng),
            n_iter=groups.n_iter,
            converged=groups.converged,
            attributes={"meta_clusters_": groups.labels},
        )
