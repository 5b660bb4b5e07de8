"""Graphs of other packages, sparse matrices and lists of edges into one form."""

from typing import Any

import numpy as np
from scipy import sparse

from consilience._utils._types import Array
from consilience.exceptions import InvalidInputError, UnsupportedInputError
from consilience.graphs._graph import Graph, merged_graph

_ALLOWED = (
    "a graph of networkx or igraph, a symmetric sparse adjacency matrix, or a list of edges (u, v) or "
    "(u, v, weight)"
)


def read_graph(graph: Any, *, weight: str | None = "weight") -> Graph:
    """Read an undirected graph; parallel edges are added up, loops are left out.

    Parameters
    ----------
    graph : networkx graph, igraph graph, sparse matrix (n, n), or edges
        Edges are an array (m, 2) or (m, 3), or a list of pairs or triples; the third entry is a weight.
        Nodes of edges may have any names; only those that occur in an edge are known.
    weight : str or None, default "weight"
        Attribute of edges that holds their weight, in graphs of networkx and igraph; edges without it
        count once. None: every edge counts once, in every kind of input.

    Returns
    -------
    Graph
        Names of the nodes, ends and weights of the edges.

    Examples
    --------
    >>> from consilience.graphs import read_graph
    >>> graph = read_graph([("a", "b"), ("b", "c"), ("c", "a"), ("c", "d")])
    >>> graph
    Graph(4 nodes, 4 edges)
    >>> graph.nodes.tolist(), graph.edges.tolist()
    (['a', 'b', 'c', 'd'], [[0, 1], [0, 2], [1, 2], [2, 3]])
    """
    read = _read(graph, weight)
    if weight is None and read.weights is not None:
        read = read.with_weights(None)
    if not read.n_nodes:
        raise InvalidInputError("The graph has no nodes; at least one is needed.")
    return read


def _read(graph: Any, weight: str | None) -> Graph:
    if isinstance(graph, Graph):
        return graph
    if sparse.issparse(graph):
        return _of_matrix(graph)
    package = type(graph).__module__.partition(".")[0]
    if hasattr(graph, "get_edgelist") and hasattr(graph, "vs"):
        return _of_igraph(graph, weight)
    if package == "networkx" or (hasattr(graph, "nodes") and hasattr(graph, "is_directed")):
        return _of_networkx(graph, weight)
    return _of_edges(graph)


def _of_matrix(matrix: Any) -> Graph:
    if matrix.shape[0] != matrix.shape[1]:
        raise InvalidInputError(f"An adjacency matrix must be square; got shape {matrix.shape}.")
    matrix = sparse.csr_array(matrix).astype(np.float64)
    difference = abs(matrix - matrix.T)
    if difference.nnz and difference.max() > 1e-6 * max(1.0, abs(matrix).max()):
        raise UnsupportedInputError(
            "An adjacency matrix must be symmetric, since communities are looked for in undirected "
            "graphs; use (A + A.T) / 2 or A.maximum(A.T)."
        )
    upper = sparse.triu(matrix, k=1).tocoo()
    _check_weights(upper.data)
    edges = np.column_stack(upper.coords)
    return merged_graph(np.arange(matrix.shape[0]), edges, upper.data)


def _of_igraph(graph: Any, weight: str | None) -> Graph:
    if graph.is_directed():
        raise UnsupportedInputError(_directed("graph.as_undirected(combine_edges='sum')"))
    named = "name" in graph.vs.attributes()
    nodes = _names(graph.vs["name"]) if named else np.arange(graph.vcount())
    weights = None
    if weight is not None and weight in graph.es.attributes():
        weights = _numbers([1.0 if one is None else one for one in graph.es[weight]])
    edges = np.array(graph.get_edgelist(), dtype=np.int64).reshape(-1, 2)
    return merged_graph(nodes, edges, weights)


def _of_networkx(graph: Any, weight: str | None) -> Graph:
    if graph.is_directed():
        raise UnsupportedInputError(_directed("graph.to_undirected()"))
    names = list(graph.nodes)
    place = {name: i for i, name in enumerate(names)}
    # Without a weight of its own an edge counts once.
    triples = (
        graph.edges(data=weight, default=1.0) if weight is not None else graph.edges(data=None)
    )
    found = [(place[edge[0]], place[edge[1]], edge[2] if weight else 1.0) for edge in triples]
    edges = np.array([pair[:2] for pair in found], dtype=np.int64).reshape(-1, 2)
    return merged_graph(_names(names), edges, _numbers([triple[2] for triple in found]))


def _of_edges(given: Any) -> Graph:
    if isinstance(given, str | bytes) or not hasattr(given, "__iter__"):
        raise InvalidInputError(f"A graph must be {_ALLOWED}; got {type(given).__name__}.")
    if isinstance(given, np.ndarray) and _is_adjacency(given):
        raise InvalidInputError(
            f"A symmetric array of shape {given.shape} with zeros on its diagonal may be an adjacency "
            "matrix or a list of edges; give scipy.sparse.csr_array(matrix) or a list of pairs."
        )
    if isinstance(given, np.ndarray) and given.ndim == 2 and given.shape[1] in (2, 3):
        ends, weights = given[:, :2], given[:, 2] if given.shape[1] == 3 else None
        if ends.dtype.kind == "f" and np.array_equal(ends, np.round(ends)):
            ends = ends.astype(np.int64)
        nodes, place = np.unique(ends, return_inverse=True)
        return merged_graph(
            nodes, place.reshape(-1, 2), None if weights is None else _numbers(weights)
        )
    listed = [tuple(edge) if isinstance(edge, tuple | list) else None for edge in given]
    sizes = {0 if edge is None else len(edge) for edge in listed}
    if len(sizes) > 1 or not sizes <= {2, 3}:
        raise InvalidInputError(
            f"A graph must be {_ALLOWED}; got a {type(given).__name__} whose entries are not all pairs "
            "or all triples."
        )
    numbers: dict[Any, int] = {}
    ends_listed = [
        [numbers.setdefault(end, len(numbers)) for end in edge[:2]]
        for edge in listed
        if edge is not None
    ]
    weights = _numbers([edge[2] for edge in listed if edge]) if sizes == {3} else None
    names = list(numbers)
    if all(isinstance(name, int) for name in names):
        order = np.argsort(names)
        rank = np.empty(len(names), dtype=np.int64)
        rank[order] = np.arange(len(names))
        return merged_graph(np.array(names)[order], rank[np.array(ends_listed)], weights)
    return merged_graph(_names(names), np.array(ends_listed), weights)


def _is_adjacency(given: Array) -> bool:
    return (
        given.ndim == 2
        and given.shape[0] == given.shape[1]
        and given.dtype.kind in "biuf"
        and not np.any(np.diag(given))
        and np.array_equal(given, given.T)
    )


def _names(names: list[Any]) -> Array:
    if all(isinstance(name, int) and not isinstance(name, bool) for name in names):
        return np.array(names, dtype=np.int64)
    kept = np.empty(len(names), dtype=object)
    kept[:] = names
    return kept


def _numbers(weights: Any) -> Array:
    try:
        numbers = np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InvalidInputError(f"The weights of edges must be numbers: {error}.") from error
    _check_weights(numbers)
    return numbers


def _check_weights(weights: Array) -> None:
    """Refuse weights that are not finite, or negative, before edges of weight zero are left out."""
    if not np.all(np.isfinite(weights)):
        raise InvalidInputError("The weights of edges must be finite numbers; some are not.")
    if np.any(weights < 0):
        raise UnsupportedInputError(
            f"The weights of edges must not be negative; the smallest is {weights.min():g}."
        )


def _directed(remedy: str) -> str:
    return f"Communities are looked for in undirected graphs; this one is directed. Use {remedy}."
