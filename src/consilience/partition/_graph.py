"""Graph partitioners by the name of their engine, for consensus functions to call."""

from typing import Any

import numpy as np
from scipy.sparse import issparse

from consilience._utils._memory import require_memory
from consilience.incidence import Incidence
from consilience.partition._balanced_bipartite import balanced_bipartite, inside_weight
from consilience.partition._balanced_dense import balanced_dense, cut_weight
from consilience.partition._balanced_hypergraph import balanced_hypergraph, broken_weight
from consilience.partition._hypergraph import kahypar_hypergraph
from consilience.partition._metis import metis_bipartite, metis_dense
from consilience.partition._partition import Partition

Array = np.ndarray[Any, Any]


def partition_bipartite(
    H: Incidence,
    column_weight: Array,
    n_clusters: int,
    *,
    engine: str = "balanced",
    imbalance: float = 0.0,
    n_init: int = 10,
    max_iter: int = 20,
    rng: np.random.Generator,
) -> Partition:
    """Cut the graph of objects and base clusters into K parts with equally many objects.

    Objective, maximised: the weight of the links inside the parts. Engines: "balanced", "metis".
    Every row of H counts once.
    """
    if engine == "balanced":
        return balanced_bipartite(
            H,
            column_weight,
            n_clusters,
            imbalance=imbalance,
            n_init=n_init,
            max_iter=max_iter,
            rng=rng,
        )
    labels = metis_bipartite(
        H, column_weight, n_clusters, imbalance=imbalance, n_init=n_init, rng=rng
    )
    objective = inside_weight(Incidence(H.source, H.blocks), column_weight, labels, n_clusters)
    return Partition(labels, objective, [objective])


def partition_dense_graph(
    affinity: Any,
    vertex_weight: Array,
    n_clusters: int,
    *,
    engine: str = "balanced",
    imbalance: float = 0.05,
    n_init: int = 10,
    max_iter: int = 100,
    rng: np.random.Generator,
) -> Partition:
    """Cut a small graph into K parts of about equal summed vertex weight.

    Objective, minimised: the weight of the edges between parts. Engines: "balanced", "metis". The
    diagonal of the affinity is not looked at. A sparse affinity is written down first.
    """
    if issparse(affinity):
        require_memory(
            # once here, once without its diagonal, once for what is cut
            24 * affinity.shape[0] ** 2,
            f"The graph of {affinity.shape[0]} base clusters",
            "partitioner='spectral' does not need it written down.",
        )
        affinity = affinity.toarray()
    if engine == "balanced":
        return balanced_dense(
            affinity,
            vertex_weight,
            n_clusters,
            imbalance=imbalance,
            n_init=n_init,
            max_iter=max_iter,
            rng=rng,
        )
    labels = metis_dense(
        affinity, vertex_weight, n_clusters, imbalance=imbalance, n_init=n_init, rng=rng
    )
    objective = cut_weight(affinity, labels)
    return Partition(labels, objective, [objective])


def partition_hypergraph(
    H: Incidence,
    edge_weight: Array,
    n_clusters: int,
    *,
    engine: str = "balanced",
    imbalance: float = 0.05,
    n_init: int = 10,
    rng: np.random.Generator,
) -> Partition:
    """Put objects into K parts of about equal size so that few base clusters are broken.

    Objective, minimised: the weight of the broken base clusters. Engines: "balanced", "hypergraph".
    """
    if engine == "balanced":
        return balanced_hypergraph(
            H, edge_weight, n_clusters, imbalance=imbalance, n_init=n_init, rng=rng
        )
    labels = kahypar_hypergraph(H, edge_weight, n_clusters, imbalance=imbalance, rng=rng)
    objective = broken_weight(Incidence(H.source, H.blocks), edge_weight, labels, n_clusters)
    return Partition(labels, objective, [objective])
