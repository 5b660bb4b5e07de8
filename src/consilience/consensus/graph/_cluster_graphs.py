"""CBGF and MCLA: a graph of base clusters, whose groups vote for the objects."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from consilience._utils._declare import Choice, Declaration, Flag, Integer, Seed
from consilience._utils._random import row_draws
from consilience._utils._types import Array
from consilience.consensus._base import Capabilities, ConsensusFunction, Outcome
from consilience.consensus.graph._graph_function import GraphFunction
from consilience.ensemble import Ensemble
from consilience.incidence import on_cells, random_argmax_step
from consilience.partition import (
    Balanced,
    ClusterGraph,
    Metis,
    Partitioner,
    PartitionerChoice,
    Spectral,
    best_of,
    njw_dense,
    vote_table,
)

TIES = Choice("first", "random")


def jaccard(ensemble: Ensemble) -> Any:
    """Jaccard similarity of all base clusters, (t, t), from the overlaps N = H' H.

    Clusters of members that label different objects are compared on all of their objects; objects
    labelled by only one of the two members reduce the similarity. Sparse if most base clusters share
    no object.
    """
    H = ensemble.incidence
    return on_cells(H.overlaps().astype(np.float64), _share_of_union, H.sizes)


def _share_of_union(overlaps: Array, sizes: Array, other_sizes: Array) -> Array:
    union = sizes + other_sizes - overlaps
    share: Array = overlaps / np.where(union > 0, union, 1.0)
    return share


def join_groups(ensemble: Ensemble, votes: Array, ties: str, rng: np.random.Generator) -> Array:
    """Return the group of every object with most votes, from the table of votes (t, K)."""
    H = ensemble.incidence
    if ties == "first":
        return H.argmax(votes).labels
    draws = row_draws(int(rng.integers(2**63)), 0, H.n_rows)
    labels: Array = H.sweep(votes, random_argmax_step, (draws,)).labels
    return labels


class CBGF(ConsensusFunction):
    """Cluster-based graph formulation: group the base clusters, then let them vote.

    Base clusters are vertices; the weight of an edge is the Jaccard similarity of its ends. Spectral
    clustering groups them into K meta-clusters. Every object joins the meta-cluster that holds most of
    its base clusters.

    Parameters
    ----------
    keep_diagonal : bool, default False
        Keep the similarity of every base cluster with itself; the algorithm sets it to zero.
    ties : {"first", "random"}, default "first"
        What an object joins for which several groups have most votes: the first of them, or one at
        random. Identical objects may then be separated.
    n_init : int, default 10
        k-means starts of the spectral step.
    max_iter : int, default 300
        Maximum number of iterations of k-means.

    Attributes
    ----------
    meta_clusters_
    n_iter_ : int
        Rounds of k-means.

    See Also
    --------
    MCLA : Averages instead of adding, and weighs base clusters by their size.
    HBGF : Groups objects and base clusters together.

    Notes
    -----
    O(n r^2) for the overlaps, O(t^3) for the eigenvectors, O(n r K) for the votes. A missing label is
    one vote less. If a group gets no object, the result has fewer than K clusters. The paper
    breaks ties at random (`ties`).

    References
    ----------
    [fern2004]_, section 4.1.2

    Examples
    --------
    >>> from consilience.consensus import CBGF
    >>> members = [[0, 0, 0, 1, 1], [1, 1, 1, 0, 0], [0, 0, 1, 1, 1]]
    >>> CBGF(n_clusters=2, random_state=0).fit_predict(members).tolist()
    [0, 0, 0, 1, 1]
    """

    parameters: ClassVar[Mapping[str, Declaration]] = {
        "n_clusters": Integer(1),
        "keep_diagonal": Flag(),
        "ties": TIES,
        "n_init": Integer(1),
        "max_iter": Integer(1),
        "random_state": Seed(),
    }
    capabilities: ClassVar[Capabilities] = Capabilities()

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        keep_diagonal: bool = False,
        ties: str = "first",
        n_init: int = 10,
        max_iter: int = 300,
        random_state: object = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.keep_diagonal = keep_diagonal
        self.ties = ties
        self.n_init = n_init
        self.max_iter = max_iter
        self.random_state = random_state

    def active_capabilities(self) -> Capabilities:
        """Random ties may separate identical objects, which are then not merged."""
        active = super().active_capabilities()
        return active if self.ties == "first" else replace(active, profile_exact=False)

    def _consensus(self, ensemble: Ensemble, n_clusters: int, rng: np.random.Generator) -> Outcome:
        groups = njw_dense(
            jaccard(ensemble),
            min(n_clusters, ensemble.n_base_clusters),
            keep_diagonal=self.keep_diagonal,
            n_init=self.n_init,
            max_iter=self.max_iter,
            rng=rng,
        )
        table = vote_table(groups.labels, ensemble.column_weights, n_clusters)
        return Outcome(
            join_groups(ensemble, table, self.ties, rng),
            n_iter=groups.n_iter,
            converged=groups.converged,
            attributes={"meta_clusters_": groups.labels},
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
