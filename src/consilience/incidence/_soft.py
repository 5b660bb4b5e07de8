"""Block functions for soft memberships: BLAS on a dense (rows, t) matrix of fractions."""

from typing import Any, NamedTuple

import numpy as np

from consilience._utils._types import Array
from consilience.exceptions import UnsupportedInputError
from consilience.incidence._layout import Layout

# Number of edges whose memberships are stored at a time.
_EDGE_ROWS = 4_096


class BiasedTable(NamedTuple):
    """A table and the bias of the sums; None is the identity table."""

    table: Array | None
    bias: Array


class SoftBlocks:
    """Row i of H holds the memberships of object i in every base cluster.

    The memberships of one member sum to one; a member that does not label the object has zeros.
    """

    def __init__(self, layout: Layout) -> None:
        self.layout = layout

    def prepare(self, table: Array, bias: Array | None) -> BiasedTable:
        """Prepare the table; the identity is recognised, so that stored rows need no product."""
        is_identity = len(table) == table.shape[1] and np.array_equal(table, np.eye(len(table)))
        start = np.zeros(table.shape[1]) if bias is None else bias
        return BiasedTable(None if is_identity else table, start)

    def gather(self, block: Array, table: BiasedTable) -> Array:
        """Return the scores of every row."""
        rows = block.astype(np.float64, copy=False)
        return (rows if table.table is None else rows @ table.table) + table.bias

    def zeros(self, width: int, dtype: Any) -> Array:  # noqa: ARG002 - fractions are never integers
        """Return an empty table."""
        return np.zeros((self.layout.n_columns, width))

    def count(self, block: Array, labels: Array, weight: Array | None, out: Array) -> None:
        """Add the memberships of the rows to the columns of their labels."""
        weighted = block if weight is None else block * weight[:, None]
        for label in np.unique(labels):
            out[:, label] += weighted[labels == label].sum(axis=0, dtype=np.float64)

    def scatter(self, block: Array, values: Array, weight: Array | None, out: Array) -> None:
        """Add the values of the rows, weighted by membership, to the table."""
        weighted = values if weight is None else values * weight[:, None]
        out += block.astype(np.float64, copy=False).T @ weighted

    def gram(self, block: Array, weight: Array | None, out: Array) -> None:
        """Add the rows to the overlap table."""
        block = block.astype(np.float64, copy=False)
        out += block.T @ (block if weight is None else block * weight[:, None])

    def observed(self, block: Array, member_weights: Array) -> Array:
        """Return the summed weights of the members that label each row."""
        known = self.layout.sum_by_member(block, axis=1) > 0.5
        return known @ member_weights

    def row_squares(self, block: Array, table: Array) -> Array:
        """Return the sum of table[c] times the squared membership over the columns of each row."""
        squares: Array = np.square(block, dtype=np.float64) @ table
        return squares

    def quadratic(self, block: Array, table: Array) -> Array:
        """Return h' T h for each row h, T symmetric."""
        rows = block.astype(np.float64, copy=False)
        forms: Array = np.einsum("ic,ic->i", rows @ table, rows)
        return forms

    edge_dtype = np.float64

    def edges(
        self,
        rows: Array,
        first: Array,
        second: Array,
        weights: Array | None,
        together: Array,
        known: Array,
    ) -> None:
        """Compute the agreement on edges: the products of the memberships of both ends."""
        given = np.ones(self.layout.n_members) if weights is None else weights
        for low in range(0, len(first), _EDGE_ROWS):
            inside = slice(low, low + _EDGE_ROWS)
            one = rows[first[inside]].astype(np.float64, copy=False)
            other = rows[second[inside]].astype(np.float64, copy=False)
            seen = self.layout.sum_by_member(one, axis=1) > 0.5
            seen &= self.layout.sum_by_member(other, axis=1) > 0.5
            known[inside] = seen @ given
            together[inside] = (one * other) @ given[self.layout.member_of]

    def member_labels(self, block: Array, member: int) -> Array:
        """Return the likeliest labels of one member, -1 = missing."""
        own = block[:, self.layout.columns(member)]
        if not own.shape[1]:
            return np.full(len(block), -1, dtype=np.int32)
        labels: Array = np.where(own.sum(axis=1) > 0, own.argmax(axis=1), -1).astype(np.int32)
        return labels

    def dense(self, block: Array) -> Array:
        """Return the rows of H."""
        return block.astype(np.float64)

    def walk_state(self, *_: object) -> Any:
        """Raise an error: local search is defined for hard labels only."""
        raise UnsupportedInputError(
            "Local search on the Rand distance needs hard labels; this ensemble is soft."
        )

    relocate = walk_state

    def trim(self, table: Array) -> Array:
        """Return the table unchanged: there are no rows for missing labels."""
        return table

    def trim_gram(self, table: Array) -> Array:
        """Return the overlap table made exactly symmetric, which BLAS does not guarantee."""
        return (table + table.T) / 2
