"""Consensus on graphs: ECG, one run on weights that many runs agreed on, and fast consensus.

Fast consensus makes members again on weights that the last ones agreed on, until all agree.
"""

from dataclasses import dataclass
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
from consilience._utils._words import plural
from consilience.ensemble import Ensemble, canonical_labels
from consilience.exceptions import NotConvergedWarning, warn
from consilience.graphs._agreement import agreement_of, check_objects
from consilience.graphs._communities import communities_of_labels
from consilience.graphs._detect import ALGORITHMS, LIBRARIES, Detection, Task
from consilience.graphs._graph import Graph, merged_graph, read_graph
from consilience.graphs._members import community_ensemble
from consilience.incidence import two_core

_ECG: dict[str, Declaration] = {
    "n_members": Integer(1),
    "min_weight": Share(proper=True),
    "final": Choice("louvain", "leiden"),
    "library": Choice("igraph", "networkx"),
    "resolution": Real(0),
    "random_state": Seed(),
    "n_jobs": Optional(Jobs()),
}
_FAST_CONSENSUS: dict[str, Declaration] = {
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


@dataclass(frozen=True, eq=False)
class GraphConsensus:
    """Communities on which many runs agree.

    Attributes
    ----------
    labels : array (n,) of int32
        Community of every node, 0, 1, ... by first appearance.
    graph : Graph
        The graph; its weights are those with which the last run was made.
    agreement : array (m,)
        Share of the members that put the ends of every edge of the given graph together.
    ensemble : Ensemble
        The members, for every other consensus function.
    method : str
        "ecg" or "fast_consensus".
    n_iter : int
        Rounds.
    """

    labels: Array
    graph: Graph
    agreement: Array
    ensemble: Ensemble
    method: str
    n_iter: int = 1

    @property
    def n_clusters(self) -> int:
        """Return the number of communities."""
        return int(self.labels.max(initial=-1)) + 1

    @property
    def communities(self) -> list[list[Any]]:
        """Return lists of nodes, the largest community first."""
        return communities_of_labels(self.labels, self.graph)

    @property
    def strength(self) -> float:
        """Return 1 - 2 mean(min(a, 1 - a)) over the edges: 1 if members agree on all edges, else less.

        The community strength index of Poulin and Théberge, with shares of members as they are.
        """
        if not len(self.agreement):
            return float("nan")
        doubt = np.minimum(self.agreement, 1 - self.agreement)
        return float(1 - 2 * np.mean(doubt))

    @property
    def sentence(self) -> str:
        """Say what was found."""
        sizes = np.sort(np.bincount(self.labels))[::-1]
        shown = ", ".join(f"{size:,}" for size in sizes[:8]) + (", ..." if len(sizes) > 8 else "")
        word = "community" if self.n_clusters == 1 else "communities"
        found = f"{self.n_clusters:,} {word} of {shown} nodes"
        if not len(self.agreement):
            return f"{found}; the graph has no edges, on which runs could agree."
        return (
            f"{found}; {plural(self.ensemble.n_members, 'run')} agree on the edges with a strength of "
            f"{self.strength:.2f} (1: all runs say the same)."
        )


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
    check_parameters("ecg", _ECG, locals())
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
    labels = last_run.run(weighted, [task])[:, 0]
    return GraphConsensus(canonical_labels(labels)[0], weighted, agreement, members, "ecg")


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
    check_parameters("fast_consensus", _FAST_CONSENSUS, locals())
    Detection(algorithm, library).check("fast_consensus")
    made_by: dict[str, Any] = {"algorithm": algorithm, "library": library, "resolution": resolution}
    read = read_graph(graph, weight=weight)
    n_triples = read.n_edges if n_triples is None else n_triples
    streams = [
        np.random.default_rng(child) for child in seed_sequence(random_state).spawn(max_iter + 1)
    ]
    current, first = read, None
    doubtful = float("nan")
    for n_iter, rng in enumerate(streams[:-1], start=1):  # noqa: B007 - read after the loop
        members = community_ensemble(
            current, **made_by, n_members=n_members, random_state=rng, n_jobs=n_jobs
        )
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
    last = community_ensemble(current, **made_by, n_members=1, random_state=streams[-1])
    assert first is not None  # noqa: S101 - there is at least one round
    return GraphConsensus(
        canonical_labels(last.labels[:, 0])[0],
        current,
        agreement_of(read, first),
        first,
        "fast_consensus",
        n_iter,
    )


def ecg_weights(graph: Graph, agreement: Array, min_weight: float) -> Array:
    """Return w + (1 - w) a for edges inside the 2-core, w for others."""
    core = two_core(graph.edges, graph.n_nodes)
    inside = core[graph.edges].all(axis=1)
    weights: Array = np.where(inside, min_weight + (1 - min_weight) * agreement, min_weight)
    return weights


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
