"""From an incidence, an affinity or a graph to k groups."""

from consilience.partition._graph import (
    partition_bipartite,
    partition_dense_graph,
    partition_hypergraph,
)
from consilience.partition._kmeans import KMeansResult, incidence_kmeans
from consilience.partition._njw import njw_dense, njw_embedding, njw_incidence, written_rows
from consilience.partition._row_kmeans import EmbeddedRows, RowClusters, row_kmeans
from consilience.partition._simplex import minimise_on_simplex, project_to_simplex
from consilience.partition._spectral import (
    ScaledIncidence,
    leading_eigenvectors,
    leading_vectors,
    zero_diagonal_vectors,
)
from consilience.partition._yu_shi import yu_shi

__all__ = [
    "EmbeddedRows",
    "KMeansResult",
    "RowClusters",
    "ScaledIncidence",
    "incidence_kmeans",
    "leading_eigenvectors",
    "leading_vectors",
    "minimise_on_simplex",
    "njw_dense",
    "njw_embedding",
    "njw_incidence",
    "partition_bipartite",
    "partition_dense_graph",
    "partition_hypergraph",
    "project_to_simplex",
    "row_kmeans",
    "written_rows",
    "yu_shi",
    "zero_diagonal_vectors",
]
