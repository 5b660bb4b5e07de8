"""Block functions for hard labels: Numba kernels on small unsigned codes."""

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from consilience.incidence._layout import Layout
from consilience.incidence._sweep import TIE_TOLERANCE

Array = np.ndarray[Any, Any]

_NONE = np.empty(0, dtype=np.int32)
_NO_SUMS = np.empty(0)


class Tiles(NamedTuple):
    """A padded table cut into tiles of four columns, and what every sum starts from."""

    tiles: Array
    bias: Array
    width: int


class WalkState(NamedTuple):
    """Costs and count tables of a local search."""

    member_cost: Array
    counts: Array
    totals: Array
    used: Array


class HardBlocks:
    """Codes: 0 = missing, c + 1 = base cluster c of that member.

    Tables are padded with a zero row in front of every member, where code 0 points, so kernels have no
    branch for missing labels; `trim` takes these rows out again.
    """

    def __init__(self, layout: Layout) -> None:
        self.layout = layout

    @cached_property
    def offsets(self) -> Array:
        """Return where member j begins in a padded table."""
        return (self.layout.starts[:-1] + np.arange(self.layout.n_members)).astype(np.uint32)

    @cached_property
    def padded_rows(self) -> Array:
        """Return the padded row of every base cluster."""
        return np.arange(self.layout.n_columns) + self.layout.member_of + 1

    @property
    def n_padded(self) -> int:
        """Return the rows of a padded table."""
        return self.layout.n_columns + self.layout.n_members

    def prepare(self, table: Array, bias: Array | None) -> Tiles:
        """Lay a (t, K) table out for the kernels; columns added to fill a tile can never win."""
        from consilience._kernels._gather import TILE

        width = table.shape[1]
        n_tiles = -(-width // TILE)
        padded = np.zeros((self.n_padded, n_tiles * TILE))
        padded[self.padded_rows, :width] = table
        start = np.full(n_tiles * TILE, -np.inf)
        start[:width] = 0.0 if bias is None else bias
        tiles = np.ascontiguousarray(padded.reshape(-1, n_tiles, TILE).transpose(1, 0, 2))
        return Tiles(tiles, start, width)

    def gather(self, block: Array, table: Tiles) -> Array:
        """Return the scores of every row."""
        from consilience._kernels._gather import gather_rows

        out = np.empty((len(block), len(table.bias)))
        gather_rows(block, self.offsets, table.tiles, table.bias, out)
        return out[:, : table.width]

    def argmax(
        self, block: Array, table: Tiles, current: Array | None, *, want_best: bool
    ) -> tuple[Array, Array | None]:
        """Return the winning label of every row, and its score if wanted."""
        from consilience._kernels._gather import argmax_rows

        labels = np.empty(len(block), dtype=np.int32)
        best = np.empty(len(block)) if want_best else _NO_SUMS
        argmax_rows(
            block,
            self.offsets,
            table.tiles,
            table.bias,
            _NONE if current is None else current,
            TIE_TOLERANCE,
            labels,
            best,
        )
        return labels, best if want_best else None

    def zeros(self, width: int, dtype: Any) -> Array:
        """Return an empty padded table."""
        return np.zeros((self.n_padded, width), dtype=dtype)

    def count(self, block: Array, labels: Array, weight: Array | None, out: Array) -> None:
        """Add the rows to the count table."""
        from consilience._kernels._scatter import count_labels

        count_labels(block, self.offsets, labels, weight, out)

    def scatter(self, block: Array, values: Array, weight: Array | None, out: Array) -> None:
        """Add the values of the rows to the table."""
        from consilience._kernels._scatter import scatter_rows

        scatter_rows(block, self.offsets, np.ascontiguousarray(values), weight, out)

    def gram(self, block: Array, weight: Array | None, out: Array) -> None:
        """Add the rows to the upper triangle of the overlap table."""
        from consilience._kernels._gram import overlaps

        overlaps(np.ascontiguousarray(block.T), self.offsets, weight, out)

    def observed(self, block: Array, member_weights: Array) -> Array:
        """Return the summed weights of the members that label each row."""
        from consilience._kernels._scatter import count_observed

        out = np.empty(len(block))
        count_observed(block, member_weights, out)
        return out

    def row_squares(self, block: Array, table: Array) -> Array:
        """Return the sum of the table over the clusters of each row: 0 and 1 are their own squares."""
        return self.gather(block, self.prepare(table[:, None], None))[:, 0]

    def quadratic(self, block: Array, table: Array) -> Array:
        """Return h' T h for each row h, T symmetric."""
        from consilience._kernels._pairs import quadratic_rows

        padded = np.zeros((self.n_padded, self.n_padded))
        padded[np.ix_(self.padded_rows, self.padded_rows)] = table
        out = np.empty(len(block))
        quadratic_rows(block, self.offsets.astype(np.int64), padded, out)
        return out

    def dense(self, block: Array) -> Array:
        """Return the rows of H."""
        padded = np.zeros((len(block), self.n_padded))
        padded[np.arange(len(block))[:, None], self.offsets + block.astype(np.int64)] = 1.0
        rows: Array = padded[:, self.padded_rows]
        return rows

    def walk_state(
        self, labels: Array, n_labels: int, counts: Array, member_cost: Array
    ) -> "WalkState":
        """Return what a walk keeps up to date."""
        padded = np.zeros((self.n_padded, n_labels), dtype=counts.dtype)
        padded[self.padded_rows] = counts
        used = np.bincount(labels, minlength=n_labels)
        return WalkState(member_cost, padded, self.layout.sum_by_member(counts), used)

    def relocate(
        self, block: Array, weight: Array | None, labels: Array, state: "WalkState"
    ) -> int:
        """Move the rows of a block; labels and state change in place."""
        from consilience._kernels._relocate import relocate_rows

        weight = np.ones(len(block), dtype=np.int64) if weight is None else weight
        offsets = self.offsets.astype(np.int64)
        return int(relocate_rows(block, offsets, weight, labels, *state))

    def trim(self, table: Array) -> Array:
        """Take the rows of the missing labels out of a table."""
        return table[self.padded_rows]

    def trim_gram(self, table: Array) -> Array:
        """Take the missing labels out of an overlap table and fill its lower triangle."""
        upper: Array = table[np.ix_(self.padded_rows, self.padded_rows)]
        member = self.layout.member_of
        np.copyto(upper, upper.T, where=member[:, None] > member[None, :])
        return upper
