"""An undirected graph as arrays, read from graphs of other packages, matrices and lists of edges."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from consilience._utils._types import Array
from consilience._utils._words import plural
from consilience.exceptions import InvalidInputError, UnsupportedInputError

_ALLOWED = (
    "a graph of networkx or igraph, a symmetric sparse adjacency matrix, or a list of edges (u, v) or "
    "(u, v, weight)"
)


@dataclass(frozen=True, eq=False)
class Graph:
    """Nodes and edges, every edge once and without loops.

    Attributes
    ----------
    nodes : array (n,)
        Names of the nodes, as given.
    edges : array (m, 2) of int64
        Positions of the two ends of every edge, the smaller one first, in ascending order.
    weights : array (m,) or None
        Weights of the edges; None if every edge counts once.
    """

    nodes: Array
    edges: Array
    weights: Array | None = None

    @property
    def n_nodes(self) -> int:
        """Return n."""
        return len(self.nodes)

    @property
    def n_edges(self) -> int:
        """Return m."""
        return len(self.edges)

    @property
    def ids(self) -> Array | None:
        """Return names of the nodes that an Ensemble can hold: numbers or text; None if 0, 1, ..."""
        if self.nodes.dtype.kind not in "iu":
            return np.array([str(name) for name in self.nodes.tolist()], dtype=object)
        return None if np.array_equal(self.nodes, np.arange(self.n_nodes)) else self.nodes

    def adjacency(self) -> Any:
        """Return the symmetric sparse matrix (n, n) of the weights."""
        weights = np.ones(self.n_edges) if self.weights is None else self.weights
        first, second = self.edges.T
        ends = (np.concatenate([first, second]), np.concatenate([second, first]))
        cells = (np.concatenate([weights, weights]), ends)
        return sparse.csr_array(sparse.coo_array(cells, shape=(self.n_nodes, self.n_nodes)))

    def with_weights(self, weights: Array | None) -> "Graph":
        """Return the same edges with other weights."""
        return Graph(self.nodes, self.edges, weights)

    def induced(self, kept: Array) -> "Graph":
        """Return the graph of some nodes, given by position in ascending order, and their edges."""
        place = np.full(self.n_nodes, -1)
        place[kept] = np.arange(len(kept))
        ends = place[self.edges]
        inside = np.all(ends >= 0, axis=1)
        weights = None if self.weights is None else self.weights[inside]
        return Graph(self.nodes[kept], ends[inside], weights)

    def __repr__(self) -> str:
        kind = "" if self.weights is None else ", weighted"
        return f"Graph({plural(self.n_nodes, 'node')}, {plural(self.n_edges, 'edge')}{kind})"


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
    if weight is None:
        weighted = ((*edge, 1.0) for edge in graph.edges())
    else:
        weighted = graph.edges(data=weight, default=1.0)
    found = [(place[one], place[other], number) for one, other, number in weighted]
    edges = np.array([edge[:2] for edge in found], dtype=np.int64).reshape(-1, 2)
    return merged_graph(_names(names), edges, _numbers([edge[2] for edge in found]))


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
    pairs = [edge[:2] for edge in listed if edge]
    weights = _numbers([edge[2] for edge in listed if edge]) if sizes == {3} else None
    if all(isinstance(end, int) for pair in pairs for end in pair):
        nodes, place = np.unique(np.array(pairs), return_inverse=True)
    else:
        numbers: dict[Any, int] = {}
        place = np.array(
            [[numbers.setdefault(end, len(numbers)) for end in pair] for pair in pairs]
        )
        nodes = _names(list(numbers))
    return merged_graph(nodes, place.reshape(-1, 2), weights)


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


def merged_graph(nodes: Array, edges: Array, weights: Array | None) -> Graph:
    """Order the ends of every edge, add up parallel edges, and remove loops."""
    edges = np.sort(np.asarray(edges, dtype=np.int64).reshape(-1, 2), axis=1)
    proper = edges[:, 0] != edges[:, 1]
    edges = edges[proper]
    weights = None if weights is None else np.asarray(weights, dtype=np.float64)[proper]
    keys = edges[:, 0] * len(nodes) + edges[:, 1]
    kept, place, times = np.unique(keys, return_inverse=True, return_counts=True)
    if weights is not None or np.any(times > 1):
        weights = np.bincount(place, weights=weights, minlength=len(kept)).astype(np.float64)
        # An edge of weight 0 is removed.
        kept, weights = kept[weights > 0], weights[weights > 0]
    ends = np.column_stack(np.divmod(kept, max(1, len(nodes))))
    return Graph(nodes, ends, None if weights is None or np.all(weights == 1) else weights)
