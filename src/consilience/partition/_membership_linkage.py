"""Average linkage of rows of fractions by their weighted products."""

import numpy as np

from consilience._utils._blas import one_blas_thread
from consilience._utils._memory import require_memory
from consilience._utils._types import Array
from consilience.incidence import Incidence
from consilience.partition._dendrogram import Dendrogram
from consilience.partition._greedy_merging import greedy_merges


def membership_linkage(H: Incidence, column_weight: Array, total: float) -> Dendrogram:
    """Merge the two clusters with the largest mean of H diag(column_weight) H' / total.

    Stores a sum of rows per cluster, O(n t) memory and O(n^2 t) time; ties as in `incidence_linkage`.
    """
    n_rows, n_columns = H.shape
    require_memory(
        # the sums, and a copy of those in one comparison
        16 * n_rows * n_columns,
        f"Average linkage of n = {n_rows} objects in {n_columns} base clusters",
        "partitioner='spectral' does not need it.",
    )
    rows = H.blocks.dense(H.source.read(0, n_rows)) * np.sqrt(column_weight / total)
    with one_blas_thread():
        leaves, heights = greedy_merges(RowSums(rows), n_rows)
    return Dendrogram.of_pairs(leaves, heights, np.ones(n_rows))


class RowSums:
    """Sums of the rows of every cluster: their products are the sums of similarities."""

    def __init__(self, rows: Array) -> None:
        self._sums = np.array(rows, dtype=np.float64)
        self._sizes = np.ones(len(rows))

    def means(self, others: Array, slot: int) -> Array:
        """Product of the sums over the product of the sizes."""
        products = self._sums[others] @ self._sums[slot]
        return np.asarray(products / (self._sizes[slot] * self._sizes[others]))

    def merge(self, others: Array, kept: int, gone: int) -> None:  # noqa: ARG002 - part of the protocol
        """Add up sums and sizes."""
        self._sums[kept] += self._sums[gone]
        self._sizes[kept] += self._sizes[gone]
