"""Which base cluster belongs to which member."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.sparse import csr_array, issparse

from consilience._utils._types import Array

# Number of columns above which one table row of every member does not fit the L1 cache.
_MANY_COLUMNS = 128


class Layout:
    """The columns of H: member-major, inside a member by first appearance.

    Parameters
    ----------
    n_clusters : sequence of int
        Number of clusters K_j of every member; 0 for a member without labels.

    Attributes
    ----------
    n_members, n_columns : int
        r and t = K_1 + ... + K_r.
    starts : array (r + 1,)
        Member j owns the columns starts[j] .. starts[j + 1] - 1.
    member_of : array (t,)
        The member that owns a column, mem(c).
    """

    def __init__(self, n_clusters: Sequence[int] | Array) -> None:
        self.n_clusters = np.array(n_clusters, dtype=np.int64)
        self.starts = np.concatenate([[0], np.cumsum(self.n_clusters)])
        self.member_of = np.repeat(np.arange(len(self.n_clusters)), self.n_clusters)
        self._present = np.flatnonzero(self.n_clusters)
        for array in (self.n_clusters, self.starts, self.member_of):
            array.setflags(write=False)

    @property
    def n_members(self) -> int:
        """Return r."""
        return len(self.n_clusters)

    @property
    def n_columns(self) -> int:
        """Return t."""
        return int(self.starts[-1])

    def columns(self, member: int) -> slice:
        """Return the columns of one member."""
        return slice(int(self.starts[member]), int(self.starts[member + 1]))

    def sum_by_member(self, table: Array, axis: int = 0) -> Array:
        """Add up the rows (or columns) of every member: (t, ...) becomes (r, ...).

        The columns of a sparse table can be added up too; the sums are a plain array.
        """
        if issparse(table):
            assert axis == 1  # noqa: S101 - rows of sparse tables are never added up
            return self._sparse_sums(table)
        return self._by_member(np.add, table, axis)

    def max_by_member(self, table: Array, axis: int = 0) -> Array:
        """Take the largest entry of every member; 0 where a member has no clusters."""
        return self._by_member(np.maximum, table, axis)

    def _sparse_sums(self, table: Any) -> Array:
        ones, rows = np.ones(self.n_columns, dtype=table.dtype), np.arange(self.n_columns + 1)
        owner = csr_array((ones, self.member_of, rows), shape=(self.n_columns, self.n_members))
        sums: Array = (table @ owner).toarray()
        return sums

    def _by_member(self, operation: np.ufunc, table: Array, axis: int) -> Array:
        present = self._present
        is_exact = operation is np.maximum or np.issubdtype(table.dtype, np.integer)
        if axis == 0 and is_exact and table.ndim == 2 and table.shape[1] > _MANY_COLUMNS:
            # reduceat works column by column; row by row is as exact and much faster.
            whole = np.zeros((self.n_members, table.shape[1]), dtype=table.dtype)
            for member in present.tolist():
                operation.reduce(table[self.columns(member)], axis=0, out=whole[member])
            return whole
        # reduceat gives a wrong entry instead of 0 for a member without clusters.
        if len(present) == self.n_members > 0:
            reduced: Array = operation.reduceat(table, self.starts[:-1], axis=axis)
            return reduced
        shape = list(table.shape)
        shape[axis] = self.n_members
        result = np.zeros(shape, dtype=table.dtype)
        if len(present):
            index: list[Any] = [slice(None)] * table.ndim
            index[axis] = present
            result[tuple(index)] = operation.reduceat(table, self.starts[present], axis=axis)
        return result
