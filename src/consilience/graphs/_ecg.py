"""Ensemble clustering for graphs: one run on weights that many runs agreed on."""

from typing import Any

import numpy as np

from consilience._utils._declare import (
    Choice,
    Declaration,
    Integer,
    Jobs,
    Optional,
    Real,
    Seed,
    Share,
    check_parameters,
)
from consilience._utils._random import RandomState, seed_sequence
from consilience._utils._types import Array
from consilience.ensemble import Ensemble, canonical_labels
from consilience.graphs._agreement import check_objects
from consilience.graphs._consensus import GraphConsensus
from consilience.graphs._detect import Detection, Task
from consilience.graphs._graph import Graph
from consilience.graphs._members import community_ensemble, detect
from consilience.graphs._read import read_graph
from consilience.incidence import two_core

_DECLARED: dict[str, Declaration] = {
    "n_members": Integer(1),
    "min_weight": Share(proper=True),
    "final": Choice("louvain", "leiden"),
    "library": Choice("igraph", "networkx"),
    "resolution": Real(0),
    "random_state": Seed(),
    "n_jobs": Optional(Jobs()),
}


def ecg(  # noqa: PLR0913 - every parameter has a name and a default
    graph: Any,
    ensemble: Any = None,
    *,
    n_members: int = 32,
    min_weight: float = 0.05,
    final: str = "leiden",
    library: str = "igraph",
    resolution: float = 1.0,
    weight: str | None = "weight",
    random_state: RandomState = None,
    n_jobs: int | None = None,
) -> GraphConsensus:
    """Find communities on which many weak runs agree (ensemble clustering for graphs).

    Every member is the first level of a run of Louvain. An edge inside the 2-core of the graph gets the
    weight w + (1 - w) a, a the share of the members that put its ends together and w `min_weight`; all
    other edges get w. The answer is one run of Leiden or Louvain on these weights.

    Parameters
    ----------
    graph : networkx graph, igraph graph, sparse matrix (n, n), or edges
        See `read_graph`.
    ensemble : Ensemble or array-like of labels, optional
        Members to use instead: any clusterings of the nodes. Missing labels and weights of members
        are taken into account.
    n_members : int, default 32
        Runs, if no ensemble is given.
    min_weight : float, default 0.05
        w, the weight of edges that no member keeps.
    final : {"leiden", "louvain"}, default "leiden"
        The last run.
    library : {"igraph", "networkx"}, default "igraph"
        Package of Louvain and Leiden; networkx has only Louvain.
    resolution : float, default 1.0
        Of the last run; larger numbers give more communities.
    weight : str or None, default "weight"
        Attribute of edges that holds their weight; used by the members.
    random_state : int, generator or None
        Seed of all random numbers.
    n_jobs : int or None
        Processes that make members.

    Returns
    -------
    GraphConsensus
        Labels, communities, agreement and weights of edges, and the members.

    References
    ----------
    [poulin2019]_

    Examples
    --------
    >>> import networkx as nx
    >>> from consilience.graphs import ecg
    >>> found = ecg(nx.planted_partition_graph(3, 20, 0.5, 0.02, seed=0), random_state=0)
    >>> found.n_clusters, [len(community) for community in found.communities]
    (3, [20, 20, 20])
    """
    given = {
        "n_members": n_members,
        "min_weight": min_weight,
        "final": final,
        "library": library,
        "resolution": resolution,
        "random_state": random_state,
        "n_jobs": n_jobs,
    }
    check_parameters("ecg", _DECLARED, given)
    last_run = Detection(final, library, n_iterations=-1)
    last_run.check("ecg")
    read = read_graph(graph, weight=weight)
    making, last = seed_sequence(random_state).spawn(2)
    if ensemble is None:
        members = community_ensemble(
            read,
            algorithm="louvain",
            library=library,
            n_members=n_members,
            first_level=True,
            random_state=np.random.default_rng(making),
            n_jobs=n_jobs,
        )
    else:
        members = Ensemble.from_labels(ensemble)
        check_objects(read, members)
    agreement = agreement_of(read, members)
    weighted = read.with_weights(ecg_weights(read, agreement, min_weight))
    task = Task(float(resolution), int(last.generate_state(1)[0] % (2**31 - 1)))
    labels = detect(weighted, last_run, [task], None)[:, 0]
    return GraphConsensus(canonical_labels(labels)[0], weighted, agreement, members, "ecg")


def agreement_of(graph: Graph, ensemble: Ensemble) -> Array:
    """Return the share of members on every edge; 0 where no member labels both ends."""
    return ensemble.incidence.edges(graph.edges, ensemble.weights).shares(unknown=0.0)


def ecg_weights(graph: Graph, agreement: Array, min_weight: float) -> Array:
    """Return w + (1 - w) a for edges inside the 2-core, w for others."""
    core = two_core(graph.edges, graph.n_nodes)
    inside = core[graph.edges].all(axis=1)
    weights: Array = np.where(inside, min_weight + (1 - min_weight) * agreement, min_weight)
    return weights
