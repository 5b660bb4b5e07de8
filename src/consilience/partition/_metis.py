"""METIS through pymetis: the partitioner used in the papers, for graphs with an explicit list of edges.

Recursive bisection with tight balance, as in the toolbox of the papers: integer weights with a total
of about 1e8, without the diagonal. A single cut may be poor, so METIS makes `n_init` cuts and keeps
the best. METIS sometimes returns empty parts; they are repaired.
"""

from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from consilience._utils._memory import require_memory
from consilience._utils._optional import require
from consilience._utils._types import Array
from consilience.exceptions import UnsupportedInputError
from consilience.incidence import Incidence, SoftBlocks
from consilience.partition._rows import hard_blocks

MAX_EDGES = 20_000_000
_TOTAL_WEIGHT = 1e8
# Positions and weights of both directions of an edge, once as SciPy and once as METIS holds them.
_BYTES_PER_EDGE = 64


class _Options(NamedTuple):
    """Options for METIS."""

    imbalance: float
    n_init: int
    rng: np.random.Generator

    def for_metis(self, pymetis: Any) -> Any:
        """Translate."""
        return pymetis.Options(
            # The C library draws the same numbers for 0 and 1.
            seed=int(self.rng.integers(1, 2**31 - 1)),
            ncuts=self.n_init,
            # Per mille; the minimum of METIS is 1. Large values give empty parts, so they cannot be
            # used to disable balance.
            ufactor=max(1, round(1000 * self.imbalance)),
        )


def metis_low_rank(
    H: Incidence,
    column_weight: Array,
    n_clusters: int,
    *,
    imbalance: float,
    n_init: int,
    rng: np.random.Generator,
    max_edges: int = MAX_EDGES,
) -> Array:
    """Cut W = H diag(column_weight) H' into parts of equal size, with an explicit list of edges."""
    n_rows = H.n_rows
    n_edges = n_rows * (n_rows - 1) // 2
    if not isinstance(H.blocks, SoftBlocks):
        sizes = H.sizes.astype(np.float64)
        n_edges = int(min(n_edges, (sizes * (sizes - 1) / 2).sum()))
    if n_edges > max_edges:
        raise UnsupportedInputError(
            f"METIS needs a list of all edges of the graph: {n_rows} objects have up to "
            f"{n_edges} ({n_edges * _BYTES_PER_EDGE / 2**30:.1f} GiB), more than "
            f"max_edges={max_edges}; partitioner='balanced' and 'spectral' need none."
        )
    require_memory(
        n_edges * _BYTES_PER_EDGE,
        f"The graph of {n_rows} objects for METIS",
        "partitioner='balanced' and 'spectral' need no edges.",
    )
    B = sparse_rows(H)
    graph = csr_array((B * column_weight) @ B.T)
    return _metis(graph, np.ones(n_rows), n_clusters, _Options(imbalance, n_init, rng))


def metis_bipartite(
    H: Incidence,
    column_weight: Array,
    n_clusters: int,
    *,
    imbalance: float,
    n_init: int,
    rng: np.random.Generator,
) -> Array:
    """Cut the graph of objects and base clusters; base clusters have weight 0 in the balance."""
    n_rows, n_columns = H.shape
    links = csr_array(sparse_rows(H) * column_weight)
    down = links.T.tocsr()
    graph = csr_array(
        (
            np.concatenate([links.data, down.data]),
            np.concatenate([links.indices + n_rows, down.indices]),
            np.concatenate([links.indptr, down.indptr[1:] + links.nnz]),
        ),
        shape=(n_rows + n_columns, n_rows + n_columns),
    )
    weight = np.concatenate([np.ones(n_rows), np.zeros(n_columns)])
    return _metis(graph, weight, n_clusters, _Options(imbalance, n_init, rng))[:n_rows]


def metis_dense(
    affinity: Array,
    vertex_weight: Array,
    n_clusters: int,
    *,
    imbalance: float,
    n_init: int,
    rng: np.random.Generator,
) -> Array:
    """Cut a small graph into parts of about equal weight."""
    return _metis(
        csr_array(affinity), np.asarray(vertex_weight), n_clusters, _Options(imbalance, n_init, rng)
    )


def sparse_rows(H: Incidence) -> Any:
    """Return H as a sparse matrix."""
    if isinstance(H.blocks, SoftBlocks):
        require_memory(
            2 * H.shape[0] * H.shape[1] * _BYTES_PER_EDGE,
            f"The links of {H.shape[0]} objects and {H.shape[1]} base clusters for METIS",
            "partitioner='balanced' and 'spectral' need no edges.",
        )
        return csr_array(H.source.read(0, H.n_rows).astype(np.float64))
    return hard_blocks(H).sparse(H.source.read(0, H.n_rows), np.float64)


def _metis(
    graph: Any,
    vertex_weight: Array,
    n_clusters: int,
    options: "_Options",
) -> Array:
    """Call METIS on a symmetric sparse matrix."""
    pymetis = require("pymetis", extra="metis", owner="partitioner='metis'")
    if n_clusters == 1:
        return np.zeros(graph.shape[0], dtype=np.int32)
    graph = _whole_weights(graph)
    dtype = pymetis.zero_copy_dtype()
    found = pymetis.part_graph(
        n_clusters,
        pymetis.CSRAdjacency(graph.indptr.astype(dtype), graph.indices.astype(dtype)),
        vweights=_whole_vertex_weights(vertex_weight).astype(dtype),
        eweights=graph.data.astype(dtype),
        recursive=True,
        options=options.for_metis(pymetis),
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
