"""From an incidence, an affinity or a graph to k groups."""

from consilience.partition._balanced_low_rank import balanced_low_rank
from consilience.partition._dendrogram import Dendrogram
from consilience.partition._graph import (
    partition_bipartite,
    partition_dense_graph,
    partition_hypergraph,
)
from consilience.partition._kmeans import KMeansResult, incidence_kmeans
from consilience.partition._linkage import incidence_linkage
from consilience.partition._member_gram import member_gram
from consilience.partition._membership_linkage import membership_linkage
from consilience.partition._metis import metis_low_rank
from consilience.partition._njw import njw_dense, njw_embedding, njw_incidence, written_rows
from consilience.partition._pair_similarity import PairSimilarity
from consilience.partition._partition import SizeBounds
from consilience.partition._row_kmeans import EmbeddedRows, RowClusters, row_kmeans
from consilience.partition._simplex import minimise_on_simplex, project_to_simplex
from consilience.partition._spectral import (
    ScaledIncidence,
    leading_eigenvectors,
    leading_vectors,
    zero_diagonal_vectors,
)
from consilience.partition._symmetric_operator import (
    SymmetricOperator,
    operator_kmeans,
    operator_linkage,
    spectral_rows,
)
from consilience.partition._vote_table import vote_table
from consilience.partition._yu_shi import yu_shi

__all__ = [
    "Dendrogram",
    "EmbeddedRows",
    "KMeansResult",
    "PairSimilarity",
    "RowClusters",
    "ScaledIncidence",
    "SizeBounds",
    "SymmetricOperator",
    "balanced_low_rank",
    "incidence_kmeans",
    "incidence_linkage",
    "leading_eigenvectors",
    "leading_vectors",
    "member_gram",
    "membership_linkage",
    "metis_low_rank",
    "minimise_on_simplex",
    "njw_dense",
    "njw_embedding",
    "njw_incidence",
    "operator_kmeans",
    "operator_linkage",
    "partition_bipartite",
    "partition_dense_graph",
    "partition_hypergraph",
    "project_to_simplex",
    "row_kmeans",
    "spectral_rows",
    "vote_table",
    "written_rows",
    "yu_shi",
    "zero_diagonal_vectors",
]
