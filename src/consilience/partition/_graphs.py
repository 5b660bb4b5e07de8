"""The graphs that partitioners cut; only small ones are stored as matrices."""

from functools import partial
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array, issparse

from consilience._utils._memory import require_memory
from consilience._utils._types import Array
from consilience.incidence import HardBlocks, Incidence, on_cells
from consilience.partition._spectral import ScaledIncidence


class ObjectGraph(NamedTuple):
    """Objects, linked by S = H diag(column_weight) H' / total.

    With T_k the sums of the rows of H diag(sqrt column_weight) in part k, the weight of the links
    between parts is (1' S 1 - sum_k |T_k|^2 / total) / 2.

    start  (n,) parts without balance, from which a balanced search may begin; None = not known
    """

    H: Incidence
    column_weight: Array
    total: float
    start: Array | None = None

    def cut_of_squares(self, squares: float) -> float:
        """Return the weight of the links between parts from sum_k |T_k|^2."""
        everything = float(self.column_weight @ np.square(self.H.sizes.astype(np.float64)))
        return (everything - squares) / (2 * self.total)

    def cut_of_labels(self, labels: Array, n_clusters: int) -> float:
        """Return the weight of the links between the parts of a partition."""
        counts = self.H.count(labels, n_clusters).astype(np.float64)
        return self.cut_of_squares(float(self.column_weight @ np.square(counts).sum(axis=1)))


class BipartiteGraph(NamedTuple):
    """Objects and base clusters; an object is linked with the base clusters in which it lies.

    H              the links
    column_weight  (t,) weight of the links of every base cluster
    row_sums       (n,) summed weight of the links of every object, or one number if all are equal
    """

    H: Incidence
    column_weight: Array
    row_sums: Any

    def column_sizes(self) -> Array:
        """Return the size of every base cluster; 1 for an empty one, which has no links."""
        return np.where(self.H.sizes > 0, self.H.sizes, 1)

    def normalised(self) -> ScaledIncidence:
        """Return D1^(-1/2) H W D2^(-1/2), D1 and D2 the sums of the links of both sides."""
        by_column = np.sqrt(self.column_weight / self.column_sizes())
        return ScaledIncidence(self.H, 1 / np.sqrt(self.row_sums), by_column)

    def inside_weight(self, labels: Array, n_clusters: int) -> float:
        """Return the weight of the links inside parts; every base cluster goes to its best part."""
        H = Incidence(self.H.source, self.H.blocks)  # without object weights
        return float(self.column_weight @ H.count(labels, n_clusters).max(axis=1))


class ClusterGraph(NamedTuple):
    """Base clusters, linked by their similarity: a small matrix, dense or sparse.

    affinity       (t, t) symmetric
    vertex_weight  (t,) weight of every base cluster in the balance of parts
    """

    affinity: Any
    vertex_weight: Array

    def dense_affinity(self) -> Array:
        """Return the affinities as a dense matrix, for partitioners that need it."""
        if not issparse(self.affinity):
            return np.asarray(self.affinity)
        require_memory(
            # the matrix, a copy without diagonal, and one copy in the partitioner
            24 * self.affinity.shape[0] ** 2,
            f"The graph of {self.affinity.shape[0]} base clusters",
            "partitioner='spectral' does not need the dense matrix.",
        )
        return np.asarray(self.affinity.toarray())

    def cut_of_labels(self, labels: Array) -> float:
        """Return the weight of the links between the parts of a partition."""
        return float(self.dense_affinity()[labels[:, None] != labels].sum() / 2)


class Hypergraph(NamedTuple):
    """Objects as vertices, and base clusters as hyperedges.

    edge_weight  (t,) cost of putting the objects of a base cluster into several parts
    """

    H: Incidence
    edge_weight: Array

    def broken_weight(self, labels: Array, n_clusters: int) -> float:
        """Return the weight of the base clusters with objects in more than one part."""
        H = Incidence(self.H.source, self.H.blocks)  # without object weights
        return float(self.edge_weight @ ((H.count(labels, n_clusters) > 0).sum(axis=1) > 1))


def sparse_rows(H: Incidence, dtype: Any = np.float64) -> Any:
    """Return H as a sparse matrix; row weights are ignored, because balance counts objects."""
    rows = H.source.read(0, H.n_rows)
    if isinstance(H.blocks, HardBlocks):
        return H.blocks.sparse(rows, dtype)
    require_memory(
        # positions and values, and a copy in the partitioner
        32 * H.shape[0] * H.shape[1],
        f"The links of {H.shape[0]} objects and {H.shape[1]} base clusters",
        "partitioner='spectral' does not store them.",
    )
    return csr_array(rows.astype(np.float64))


def member_gram(H: Incidence, sample_weight: Array | None = None) -> Array:
    """Return G, (r, r): G_jl = <M_j, M_l>, the summed squares of the overlaps of their clusters.

    M_j marks the pairs of objects that member j puts together; pairs count by the weights of both.
    """
    layout = H.layout
    squares = on_cells(H.overlaps(sample_weight), partial(np.square, dtype=np.float64))
    return layout.sum_by_member(layout.sum_by_member(squares, axis=1))


def vote_table(metacluster: Array, weights: Array, n_clusters: int) -> Array:
    """Return the (t, K) table of votes, in which every base cluster votes for its metacluster."""
    votes = np.zeros((len(metacluster), n_clusters))
    votes[np.arange(len(metacluster)), metacluster] = weights
    return votes
