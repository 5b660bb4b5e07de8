"""METIS through pymetis: the partitioner used in the papers, for graphs with an explicit list of edges.

Recursive bisection with tight balance, as in the toolbox of the papers: integer weights with a total
of about 1e8, without the diagonal. A single cut may be poor, so METIS makes `n_init` cuts and keeps
the best. METIS sometimes returns empty parts; they are repaired.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from scipy.sparse import block_array, csr_array

from consilience._utils._declare import Integer, Real
from consilience._utils._memory import require_memory
from consilience._utils._optional import require
from consilience._utils._types import Array
from consilience.exceptions import UnsupportedInputError
from consilience.incidence import SoftBlocks
from consilience.partition._graphs import BipartiteGraph, ClusterGraph, ObjectGraph, sparse_rows
from consilience.partition._partitioner import Partitioner
from consilience.partition._solution import Solution

_TOTAL_WEIGHT = 1e8
# Positions and weights of both directions of an edge, once as SciPy and once as METIS holds them.
_BYTES_PER_EDGE = 64


@dataclass(frozen=True)
class Metis(Partitioner):
    """Cut into parts of equal size by METIS, as the papers did; needs ``consilience[metis]``.

    Parameters
    ----------
    imbalance : float, default 0
        How far parts may exceed equal sizes.
    n_init : int, default 10
        Number of cuts by METIS; the best one is kept.
    max_edges : int, default 20_000_000
        Graphs of objects with more edges raise an error, since METIS needs an explicit list of edges.
    """

    imbalance: float = 0.0
    n_init: int = 10
    max_edges: int = 20_000_000

    equal_parts: ClassVar[bool] = True
    parameters: ClassVar = {"imbalance": Real(0), "n_init": Integer(1), "max_edges": Integer(1)}

    def cut_objects(
        self, graph: ObjectGraph, n_clusters: int, rng: np.random.Generator
    ) -> list[Solution]:
        """Minimise the weight of the links between parts."""
        H = graph.H
        n_rows = H.n_rows
        n_edges = n_rows * (n_rows - 1) // 2
        if not isinstance(H.blocks, SoftBlocks):
            sizes = H.sizes.astype(np.float64)
            n_edges = int(min(n_edges, (sizes * (sizes - 1) / 2).sum()))
        if n_edges > self.max_edges:
            raise UnsupportedInputError(
                f"METIS needs a list of all edges of the graph: {n_rows} objects have up to "
                f"{n_edges} ({n_edges * _BYTES_PER_EDGE / 2**30:.1f} GiB), more than "
                f"max_edges={self.max_edges}; partitioner='balanced' and 'spectral' need none."
            )
        require_memory(
            n_edges * _BYTES_PER_EDGE,
            f"The graph of {n_rows} objects for METIS",
            "partitioner='balanced' and 'spectral' need no edges.",
        )
        B = sparse_rows(H)
        edges = csr_array((B * graph.column_weight) @ B.T)
        labels = self._cut(edges, np.ones(n_rows), n_clusters, rng)
        return [Solution.minimised(labels, graph.cut_of_labels(labels, n_clusters))]

    def cut_bipartite(
        self, graph: BipartiteGraph, n_clusters: int, rng: np.random.Generator
    ) -> list[Solution]:
        """Maximise the weight of the links inside parts; base clusters have weight 0 in the balance."""
        n_rows, n_columns = graph.H.shape
        links = csr_array(sparse_rows(graph.H) * graph.column_weight)
        both = block_array([[None, links], [links.T, None]], format="csr")
        both.sort_indices()
        weight = np.concatenate([np.ones(n_rows), np.zeros(n_columns)])
        labels = self._cut(both, weight, n_clusters, rng)[:n_rows]
        return [Solution.maximised(labels, graph.inside_weight(labels, n_clusters))]

    def cut_clusters(
        self, graph: ClusterGraph, n_clusters: int, rng: np.random.Generator
    ) -> list[Solution]:
        """Minimise the weight of the links between parts of about equal summed weight."""
        affinity = csr_array(graph.dense_affinity())
        labels = self._cut(affinity, np.asarray(graph.vertex_weight), n_clusters, rng)
        return [Solution.minimised(labels, graph.cut_of_labels(labels))]

    def _cut(
        self, graph: Any, vertex_weight: Array, n_clusters: int, rng: np.random.Generator
    ) -> Array:
        """Call METIS on a symmetric sparse matrix."""
        pymetis = require("pymetis", extra="metis", owner="partitioner='metis'")
        if n_clusters == 1:
            return np.zeros(graph.shape[0], dtype=np.int32)
        graph = _whole_weights(graph)
        dtype = pymetis.zero_copy_dtype()
        options = pymetis.Options(
            # The C library draws the same numbers for 0 and 1.
            seed=int(rng.integers(1, 2**31 - 1)),
            ncuts=self.n_init,
            # Per mille; the minimum of METIS is 1. Large values give empty parts, so they cannot be
            # used to disable balance.
            ufactor=max(1, round(1000 * self.imbalance)),
        )
        found = pymetis.part_graph(
            n_clusters,
            pymetis.CSRAdjacency(graph.indptr.astype(dtype), graph.indices.astype(dtype)),
            vweights=_whole_vertex_weights(vertex_weight).astype(dtype),
            eweights=graph.data.astype(dtype),
            recursive=True,
            options=options,
        )
        labels = np.array(found.vertex_part, dtype=np.int32)
        return _fill_empty_parts(graph, labels, vertex_weight > 0, n_clusters)


def _whole_weights(graph: Any) -> Any:
    """Drop the diagonal, scale the weights to a total of 1e8, round them, drop zeros."""
    coordinates = graph.tocoo()
    rows, columns = coordinates.coords
    apart = rows != columns
    rows, columns, weights = rows[apart], columns[apart], coordinates.data[apart]
    if len(weights):
        scaled = np.rint(weights * (_TOTAL_WEIGHT / weights.sum()))
        # If many light edges would be rounded to 0, those that are not negligible get weight 1.
        weights = scaled if scaled.max() >= 1 else np.rint(weights / weights.max())
    kept = weights > 0
    return csr_array(
        (weights[kept].astype(np.int64), (rows[kept], columns[kept])), shape=graph.shape
    )


def _whole_vertex_weights(weight: Array) -> Array:
    """Return integer weights unchanged and scale others to a total of about 1e8; 0 stays 0."""
    if np.all(weight == np.rint(weight)):
        return weight.astype(np.int64)
    scaled = np.rint(weight * (_TOTAL_WEIGHT / weight.sum()))
    return np.where(weight > 0, np.maximum(scaled, 1), 0).astype(np.int64)


def _fill_empty_parts(graph: Any, labels: Array, counted: Array, n_clusters: int) -> Array:
    """Move to every part without a counted vertex the vertex with the smallest loss."""
    while True:
        sizes = np.bincount(labels[counted], minlength=n_clusters)
        empty = np.flatnonzero(sizes == 0)
        if not len(empty):
            return labels
        rows = np.repeat(np.arange(len(labels)), np.diff(graph.indptr))
        inside = labels[rows] == labels[graph.indices]
        ties = np.bincount(rows[inside], weights=graph.data[inside], minlength=len(labels))
        movable = counted & (sizes[labels] > 1)
        labels[np.where(movable, ties, np.inf).argmin()] = empty[0]
