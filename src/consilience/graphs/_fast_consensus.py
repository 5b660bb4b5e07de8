"""Fast consensus: members are made again on weights that the last ones agreed on, until all agree."""

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
from consilience.exceptions import NotConvergedWarning, warn
from consilience.graphs._consensus import GraphConsensus
from consilience.graphs._detect import ALGORITHMS, LIBRARIES, Detection
from consilience.graphs._ecg import agreement_of
from consilience.graphs._graph import Graph, merged_graph
from consilience.graphs._members import detect, draw_tasks, ids_of
from consilience.graphs._read import read_graph

_DECLARED: dict[str, Declaration] = {
    "algorithm": Choice(*ALGORITHMS),
    "library": Choice(*LIBRARIES),
    "n_members": Integer(2),
    "threshold": Share(proper=True),
    "tolerance": Real(0),
    "n_triples": Optional(Integer(0)),
    "max_iter": Integer(1),
    "resolution": Real(0),
    "random_state": Seed(),
    "n_jobs": Optional(Jobs()),
}


def fast_consensus(  # noqa: PLR0913 - every parameter has a name and a default
    graph: Any,
    *,
    algorithm: str = "louvain",
    library: str = "igraph",
    n_members: int = 20,
    threshold: float = 0.2,
    tolerance: float = 0.02,
    n_triples: int | None = None,
    max_iter: int = 30,
    resolution: float = 1.0,
    weight: str | None = "weight",
    random_state: RandomState = None,
    n_jobs: int | None = None,
) -> GraphConsensus:
    """Find communities by repeated consensus on the edges (fast consensus).

    Every round makes members, weighs every edge by the share of the members that put its ends together,
    drops edges below the threshold, and closes random triples: two neighbours of a node that no edge
    joins get one, weighed in the same way. It ends when nearly all edges have the weight 0 or 1.

    Parameters
    ----------
    graph : networkx graph, igraph graph, sparse matrix (n, n), or edges
        See `read_graph`.
    algorithm : {"louvain", "leiden", "label_propagation"}, default "louvain"
        What makes the members.
    library : {"igraph", "leidenalg", "networkx"}, default "igraph"
        Package of the algorithm.
    n_members : int, default 20
        Members of every round.
    threshold : float, default 0.2
        Edges of less weight are dropped; the authors use 0.2 for Louvain, 0.5 for label propagation.
    tolerance : float, default 0.02
        Share of edges whose weight may be neither 0 nor 1 at the end.
    n_triples : int or None, default None
        Random triples of every round; None: as many as the graph has edges.
    max_iter : int, default 30
        Most rounds.
    resolution : float, default 1.0
        Larger numbers give more communities; label propagation has none.
    weight : str or None, default "weight"
        Attribute of edges that holds their weight; used in the first round.
    random_state : int, generator or None
        Seed of all random numbers.
    n_jobs : int or None
        Processes that make members.

    Returns
    -------
    GraphConsensus
        Its ensemble holds the members of the first round, made on the graph as it was given.

    References
    ----------
    [tandon2019]_

    Examples
    --------
    >>> import networkx as nx
    >>> from consilience.graphs import fast_consensus
    >>> graph = nx.planted_partition_graph(3, 20, 0.5, 0.02, seed=0)
    >>> fast_consensus(graph, random_state=0).n_clusters
    3
    """
    given = {
        "algorithm": algorithm,
        "library": library,
        "n_members": n_members,
        "threshold": threshold,
        "tolerance": tolerance,
        "n_triples": n_triples,
        "max_iter": max_iter,
        "resolution": resolution,
        "random_state": random_state,
        "n_jobs": n_jobs,
    }
    check_parameters("fast_consensus", _DECLARED, given)
    detection = Detection(algorithm, library)
    detection.check("fast_consensus")
    read = read_graph(graph, weight=weight)
    n_triples = read.n_edges if n_triples is None else n_triples
    streams = [
        np.random.default_rng(child) for child in seed_sequence(random_state).spawn(max_iter + 1)
    ]
    current, first = read, None
    doubtful = float("nan")
    for n_iter, rng in enumerate(streams[:-1], start=1):  # noqa: B007 - read after the loop
        members = _members(current, detection, (n_members, resolution, n_jobs), rng)
        first = members if first is None else first
        shares = agreement_of(current, members)
        doubtful = float(np.mean((shares > 0) & (shares < 1))) if len(shares) else 0.0
        agreed = doubtful <= tolerance
        # Random triples are for the next round. The answer is read from edges that the members judged.
        current = _next_graph(current, shares, threshold, members, 0 if agreed else n_triples, rng)
        if agreed:
            break
    else:
        warn(
            f"fast_consensus stopped after max_iter={max_iter} rounds while {doubtful:.0%} of the edges "
            "were in doubt; raise max_iter or n_members.",
            NotConvergedWarning,
        )
    labels = _members(current, detection, (1, resolution, None), streams[-1]).labels[:, 0]
    assert first is not None  # noqa: S101 - there is at least one round
    return GraphConsensus(
        canonical_labels(labels)[0],
        current,
        agreement_of(read, first),
        first,
        "fast_consensus",
        n_iter,
    )


def _members(
    graph: Graph,
    detection: Detection,
    wanted: tuple[int, float, int | None],
    rng: np.random.Generator,
) -> Ensemble:
    n_members, resolution, n_jobs = wanted
    tasks = draw_tasks(graph, [float(resolution)] * n_members, None, rng)
    labels = detect(graph, detection, tasks, n_jobs)
    names = [f"{detection.algorithm}_{j}" for j in range(n_members)]
    return Ensemble(labels, names=names, ids=ids_of(graph))


def _next_graph(
    graph: Graph,
    shares: Array,
    threshold: float,
    members: Ensemble,
    n_triples: int,
    rng: np.random.Generator,
) -> Graph:
    """Drop weak edges, close triples, and tie nodes that lost all edges to their strongest neighbour."""
    kept = shares >= threshold
    strong = Graph(graph.nodes, graph.edges[kept], shares[kept])
    added = _closing_pairs(strong, n_triples, rng)
    weights = members.incidence.edges(added, members.weights).shares(unknown=0.0)
    added, weights = added[weights > 0], weights[weights > 0]
    ties, tie_weights = _ties(graph, shares, kept)
    return merged_graph(
        graph.nodes,
        np.concatenate([strong.edges, added, ties]),
        np.concatenate([shares[kept], weights, tie_weights]),
    )


def _closing_pairs(graph: Graph, n_triples: int, rng: np.random.Generator) -> Array:
    """Draw nodes and two neighbours of each; return the pairs that no edge joins, each once."""
    adjacency = graph.adjacency()
    starts, neighbours = adjacency.indptr, adjacency.indices
    degrees = np.diff(starts)
    centres = rng.integers(0, graph.n_nodes, n_triples)
    centres = centres[degrees[centres] >= 2]
    n_beside = degrees[centres]
    one = rng.integers(0, n_beside)
    other = (one + rng.integers(1, n_beside)) % n_beside
    pairs = np.column_stack(
        [neighbours[starts[centres] + one], neighbours[starts[centres] + other]]
    )
    pairs = np.sort(pairs.astype(np.int64), axis=1)
    keys = np.unique(pairs[:, 0] * graph.n_nodes + pairs[:, 1])
    known = graph.edges[:, 0] * graph.n_nodes + graph.edges[:, 1]
    return np.column_stack(np.divmod(np.setdiff1d(keys, known), graph.n_nodes))


def _ties(graph: Graph, shares: Array, kept: Array) -> tuple[Array, Array]:
    """Return for every node that has lost all its edges the strongest of them."""
    degrees = np.bincount(graph.edges[kept].ravel(), minlength=graph.n_nodes)
    ends = np.concatenate([graph.edges, graph.edges[:, ::-1]])
    strength = np.concatenate([shares, shares])
    lost = degrees[ends[:, 0]] == 0
    ends, strength = ends[lost], strength[lost]
    order = np.lexsort((ends[:, 1], -strength, ends[:, 0]))
    ends, strength = ends[order], strength[order]
    first = np.unique(ends[:, 0], return_index=True)[1]
    # Two lost nodes may choose the same edge; parallel edges would be added up.
    pairs, index = np.unique(np.sort(ends[first], axis=1), axis=0, return_index=True)
    return pairs.reshape(-1, 2), np.maximum(strength[first][index], np.finfo(np.float64).tiny)
