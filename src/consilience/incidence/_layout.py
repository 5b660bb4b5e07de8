"""Which base cluster belongs to which member."""

from collections.abc import Sequence
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


class Layout:
    """The columns of H: member-major, inside a member by first appearance.

    Parameters
    ----------
    n_clusters : sequence of int
        Clusters K_j of every member; 0 for a member that labels nothing.

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
        """Add up the rows (or columns) of every member: (t, ...) becomes (r, ...)."""
        return self._by_member(np.add, table, axis)

    def max_by_member(self, table: Array, axis: int = 0) -> Array:
        """Take the largest entry of every member; 0 where a member has no clusters."""
        return self._by_member(np.maximum, table, axis)

    def _by_member(self, operation: np.ufunc, table: Array, axis: int) -> Array:
        # reduceat gives a wrong entry, not an empty sum, for a member without clusters.
        present = self._present
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
