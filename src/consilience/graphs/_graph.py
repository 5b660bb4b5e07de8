"""An undirected graph as arrays: what every function of this package works on."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import coo_array, csr_array

from consilience._utils._types import Array
from consilience._utils._words import plural


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
    def is_numbered(self) -> bool:
        """Say whether nodes are called 0, 1, ..., so that names say nothing."""
        return self.nodes.dtype.kind in "iu" and np.array_equal(self.nodes, np.arange(self.n_nodes))

    @property
    def ids(self) -> Array | None:
        """Return the names of the nodes for an Ensemble; None if they are numbers in order."""
        return None if self.is_numbered else self.nodes

    def adjacency(self) -> Any:
        """Return the symmetric sparse matrix (n, n) of the weights."""
        weights = np.ones(self.n_edges) if self.weights is None else self.weights
        first, second = self.edges.T
        ends = (np.concatenate([first, second]), np.concatenate([second, first]))
        cells = (np.concatenate([weights, weights]), ends)
        return csr_array(coo_array(cells, shape=(self.n_nodes, self.n_nodes)))

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
