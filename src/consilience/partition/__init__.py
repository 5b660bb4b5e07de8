"""Partitioners: cluster an incidence, an affinity or a graph into K groups."""

from consilience.partition._balanced import Balanced
from consilience.partition._dendrogram import Dendrogram
from consilience.partition._graphs import (
    BipartiteGraph,
    ClusterGraph,
    Hypergraph,
    ObjectGraph,
    member_gram,
    vote_table,
)
from consilience.partition._linkage import Linkage, incidence_linkage
from consilience.partition._lloyd import (
    PLUS_PLUS,
    RANDOM_ROWS,
    CentredColumns,
    SweptFeatures,
    incidence_kmeans,
    lloyd,
    lloyd_from_all_starts,
)
from consilience.partition._metis import Metis
from consilience.partition._mtkahypar import MtKaHyPar
from consilience.partition._pair_similarity import PairSimilarity, known_to_members
from consilience.partition._partitioner import Partitioner, PartitionerChoice, SizeBounds
from consilience.partition._plus_plus import DrawnFrom, few_rows, plus_plus, random_rows
from consilience.partition._row_kmeans import EmbeddedRows, row_kmeans, written_rows
from consilience.partition._simplex import minimise_on_simplex, project_to_simplex
from consilience.partition._solution import Solution, best_of, distinct_solutions
from consilience.partition._spectral import (
    ScaledIncidence,
    leading_eigenvectors,
    leading_vectors,
    zero_diagonal_vectors,
)
from consilience.partition._spectral_partitioner import (
    Dhillon,
    Spectral,
    njw_dense,
    njw_embedding,
    njw_incidence,
)
from consilience.partition._symmetric_operator import (
    SymmetricOperator,
    operator_kmeans,
    operator_linkage,
    spectral_rows,
    unit_columns,
)
from consilience.partition._yu_shi import yu_shi

__all__ = [
    "PLUS_PLUS",
    "RANDOM_ROWS",
    "Balanced",
    "BipartiteGraph",
    "CentredColumns",
    "ClusterGraph",
    "Dendrogram",
    "Dhillon",
    "DrawnFrom",
    "EmbeddedRows",
    "Hypergraph",
    "Linkage",
    "Metis",
    "MtKaHyPar",
    "ObjectGraph",
    "PairSimilarity",
    "Partitioner",
    "PartitionerChoice",
    "ScaledIncidence",
    "SizeBounds",
    "Solution",
    "Spectral",
    "SweptFeatures",
    "SymmetricOperator",
    "best_of",
    "distinct_solutions",
    "few_rows",
    "incidence_kmeans",
    "incidence_linkage",
    "known_to_members",
    "leading_eigenvectors",
    "leading_vectors",
    "lloyd",
    "lloyd_from_all_starts",
    "member_gram",
    "minimise_on_simplex",
    "njw_dense",
    "njw_embedding",
    "njw_incidence",
    "operator_kmeans",
    "operator_linkage",
    "plus_plus",
    "project_to_simplex",
    "random_rows",
    "row_kmeans",
    "spectral_rows",
    "unit_columns",
    "vote_table",
    "written_rows",
    "yu_shi",
    "zero_diagonal_vectors",
]
