"""The graphs that partitioners cut; only small ones are stored as matrices."""

from typing import Any, NamedTuple

import numpy as np

from consilience._utils._types import Array
from consilience.incidence import Incidence
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


class Hypergraph(NamedTuple):
    """Objects as vertices, and base clusters as hyperedges.

    edge_weight  (t,) cost of putting the objects of a base cluster into several parts
    """

    H: Incidence
    edge_weight: Array
