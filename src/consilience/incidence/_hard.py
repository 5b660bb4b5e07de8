"""Block functions for hard labels: Numba kernels on small unsigned codes."""

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from consilience._utils._types import Array
from consilience.incidence._layout import Layout
from consilience.incidence._prepared import Prepared, Tiles, frozen, n_strips
from consilience.incidence._sweep import TIE_TOLERANCE, NearestCentres, Swept, best_columns

if TYPE_CHECKING:
    from consilience.incidence._tasks import ArgmaxOptions


_NONE = np.empty(0, dtype=np.int32)
_NONE.setflags(write=False)
# The usual type of weights, so that kernels are compiled only once.
_UNWEIGHTED = np.empty(0, dtype=np.int64)
_UNWEIGHTED.setflags(write=False)

# For fewer rows than this, sums in float64 are faster than preparing a screen.
_SCREEN_ROWS = 2_048
# Number of cells of a count table that does not fit the L1 and L2 caches.
_LARGE_TABLE = 2**16
# Rows whose overlaps are counted at a time; large enough that clearing a histogram is cheap.
_GRAM_ROWS = 16_384


class WalkState(NamedTuple):
    """Costs and count tables of a local search."""

    member_cost: Array
    counts: Array
    totals: Array
    used: Array


class HardBlocks:
    """Codes: 0 = missing, c + 1 = base cluster c of that member.

    Tables are padded with a zero row in front of every member, which code 0 refers to, so that kernels
    need no branch for missing labels; `trim` removes these rows.
    """

    def __init__(self, layout: Layout) -> None:
        self.layout = layout

    def __reduce__(self) -> tuple[Any, ...]:
        # Derived arrays are not pickled: they would become writable, which is another type for Numba.
        return HardBlocks, (self.layout,)

    @cached_property
    def offsets(self) -> Array:
        """Return the first row of every member in a padded table."""
        offsets = self.layout.starts[:-1] + np.arange(self.layout.n_members)
        return frozen(offsets.astype(np.uint32))

    @cached_property
    def padded_rows(self) -> Array:
        """Return the padded row of every base cluster."""
        return np.arange(self.layout.n_columns) + self.layout.member_of + 1

    @property
    def n_padded(self) -> int:
        """Return the number of rows of a padded table."""
        return self.layout.n_columns + self.layout.n_members

    def prepare(self, table: Array, bias: Array | None) -> Prepared:
        """Prepare a (t, K) table for the kernels."""
        return Prepared(self, table, np.zeros(table.shape[1]) if bias is None else bias)

    def gather(self, block: Array, table: Prepared) -> Array:
        """Return the scores of every row."""
        return self._scores(block, table)[:, : table.width]

    def label_and_count(
        self,
        block: Array,
        table: Prepared,
        current: Array | None,
        weight: Array | None,
        options: "ArgmaxOptions",
    ) -> Swept:
        """Label rows and count their labels in one call per step, without the interpreter."""
        if options.want_best:
            labels, best = best_columns(self._scores(block, table), current, want_best=True)
        else:
            labels, best = self.labels(block, table, current), None
        from consilience._kernels._label import add_sizes
        from consilience._kernels._scatter import count_changes, count_labels

        weight = None if weight is None else frozen(weight)
        # Half the size of the result, so that the cells stay in a faster cache. Negative differences
        # are stored modulo 2^32 and converted to signed integers below.
        dtype = np.uint32 if weight is None else options.count_dtype
        counts = np.zeros((options.n_labels, self.n_padded), dtype=dtype)
        sizes = np.zeros(options.n_labels, dtype=dtype)
        rows = (frozen(block), self.offsets)
        if options.changes_only and current is not None:
            count_changes(*rows, frozen(current), frozen(labels), weight, counts, sizes)
            if weight is None:
                counts, sizes = counts.view(np.int32), sizes.view(np.int32)
        else:
            count_labels(*rows, frozen(labels), weight, counts)
            add_sizes(frozen(labels), weight, sizes)
        return Swept(
            labels=labels,
            counts=counts.T.astype(options.count_dtype, order="C"),
            sizes=sizes.astype(options.count_dtype),
            best=best,
        )

    def labels(self, block: Array, table: Prepared, current: Array | None) -> Array:
        """Return the winning label of every row.

        Sums of int16 are three times as fast as sums of float64 and determine the label of most rows.
        The other rows are summed in float64. The labels do not depend on this.
        """
        from consilience._kernels._gather import label_rows

        worth_it = len(block) >= _SCREEN_ROWS and block.size >= table.table.size
        screen = table.screen if worth_it else None
        labels = np.empty(len(block), dtype=np.int32)
        label_rows(
            frozen(block),
            self.offsets,
            *(self._no_screen if screen is None else screen),
            *table.exact[:2],
            TIE_TOLERANCE,
            _NONE if current is None else frozen(current),
            labels,
        )
        return labels

    @cached_property
    def _no_screen(self) -> Tiles:
        """Return a screen of no tiles: every row is summed in float64."""
        from consilience._kernels._lanes import strip_zeros

        tiles = strip_zeros(0, self.n_padded, np.int16)
        return Tiles(tiles, np.empty((0, tiles.shape[2]), dtype=np.int16))

    def nearest(
        self,
        block: Array,
        table: Prepared,
        step: NearestCentres,
        scale: Array | None,
        weight: Array | None,
    ) -> Swept:
        """Run a step of k-means in one call."""
        from consilience._kernels._steps import nearest_of_block

        centres = step.centres
        n_restarts, n_clusters, width = centres.shape
        sums, sizes = np.zeros(centres.shape), np.zeros((n_restarts, n_clusters))
        squares = np.zeros(n_restarts)
        labels = np.empty(len(block) if step.wanted == "labels" else 0, dtype=np.int32)
        nearest_of_block(
            frozen(block),
            self.offsets,
            *table.exact[:2],
            width,
            step.unit,
            None if scale is None else frozen(scale),
            np.ascontiguousarray(centres.reshape(-1, width).T),
            np.square(centres).sum(axis=2),
            _UNWEIGHTED if weight is None else frozen(weight),
            sums,
            sizes,
            squares,
            labels,
        )
        if step.wanted == "labels":
            return Swept(labels=labels, sums=(squares,))
        return Swept(sums=(sums, sizes, squares))

    def _scores(self, block: Array, table: Prepared) -> Array:
        """Return the scores of every row, and -inf in the columns that fill the last tile."""
        from consilience._kernels._gather import gather_rows

        tiles, bias = table.exact[:2]
        out = np.empty((len(block) * bias.shape[0], bias.shape[1]))
        gather_rows(frozen(block), self.offsets, tiles, bias, out)
        return out.reshape(len(block), bias.size)

    def zeros(self, width: int, dtype: Any) -> Array:
        """Return an empty padded table."""
        return np.zeros((self.n_padded, width), dtype=dtype)

    def count(self, block: Array, labels: Array, weight: Array | None, out: Array) -> None:
        """Add the rows to the count table."""
        from consilience._kernels._scatter import count_labels

        rows = (frozen(block), self.offsets, frozen(labels))
        weight = None if weight is None else frozen(weight)
        if block.size < out.size > _LARGE_TABLE:
            # Clearing and adding a separate table would take longer than counting.
            count_labels(*rows, weight, out.T)
            return
        # Half the size of the result, so that the cells stay in a faster cache.
        dtype = np.uint32 if weight is None else out.dtype
        table = np.zeros((out.shape[1], self.n_padded), dtype=dtype)
        count_labels(*rows, weight, table)
        out += table.T

    def scatter(self, block: Array, values: Array, weight: Array | None, out: Array) -> None:
        """Add the values of the rows to the table."""
        from consilience._kernels._lanes import strip_zeros
        from consilience._kernels._scatter import add_tiles, scatter_rows

        n_rows, width = values.shape
        tiles = strip_zeros(n_strips(width, np.float64), self.n_padded, np.float64)
        n_tiles, _, lanes = tiles.shape
        strips = np.empty((n_rows, n_tiles * lanes))
        strips[:, width:] = 0.0
        np.multiply(values, 1.0 if weight is None else weight[:, None], out=strips[:, :width])
        scatter_rows(frozen(block), self.offsets, strips.reshape(-1, lanes), tiles)
        add_tiles(tiles, out)

    def gram(self, block: Array, weight: Array | None, out: Array) -> None:
        """Add the rows to the upper triangle of the overlap table."""
        from consilience._kernels._gram import MOST_JOINT, overlap_counts, overlaps
        from consilience._kernels._lanes import strip_zeros

        offsets, sizes = self.offsets.astype(np.int64), self.layout.n_clusters + 1
        for low in range(0, len(block), _GRAM_ROWS):
            columns = np.ascontiguousarray(block[low : low + _GRAM_ROWS].T)
            if weight is not None:
                overlaps(columns, offsets, frozen(weight[low : low + _GRAM_ROWS]), out)
                continue
            n_rows = columns.shape[1]
            left = np.empty(n_rows, dtype=np.uint32)
            strips = strip_zeros(1, MOST_JOINT + 2 + n_rows // 8, np.int16)[0]
            cells = strips[MOST_JOINT + 2 :].reshape(-1)
            overlap_counts(columns, offsets, sizes, left, strips, cells, out)

    def sparse(self, block: Array, dtype: Any) -> Any:
        """Return the rows of H as a sparse matrix."""
        column = np.full(self.n_padded, -1)
        column[self.padded_rows] = np.arange(self.layout.n_columns)
        columns = column[self.offsets + block.astype(np.int64)]
        known = columns >= 0
        pointers = np.concatenate([[0], np.cumsum(known.sum(axis=1))])
        cells = (np.ones(int(pointers[-1]), dtype=dtype), columns[known], pointers)
        return csr_array(cells, shape=(len(block), self.layout.n_columns))

    def overlaps(self, block: Array, weight: Array | None) -> Any:
        """Return the overlaps of the base clusters as a sparse matrix; sums are in row order."""
        rows = self.sparse(block, np.int64 if weight is None else weight.dtype)
        weighted = rows if weight is None else rows * weight[:, None]
        return weighted.T.tocsr() @ rows

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

    edge_dtype = np.int32

    def edges(
        self,
        rows: Array,
        first: Array,
        second: Array,
        weights: Array | None,
        together: Array,
        known: Array,
    ) -> None:
        """Compute the agreement of the members on edges between rows."""
        from consilience._kernels._pairs import count_together, weigh_together

        rows, first, second = frozen(rows), frozen(first), frozen(second)
        if weights is None:
            count_together(rows, first, second, together, known)
        else:
            weigh_together(rows, first, second, frozen(weights), together, known)

    def member_labels(self, block: Array, member: int) -> Array:
        """Return the labels of one member, -1 = missing."""
        return block[:, member].astype(np.int32) - 1

    def dense(self, block: Array) -> Array:
        """Return the rows of H."""
        padded = np.zeros((len(block), self.n_padded))
        padded[np.arange(len(block))[:, None], self.offsets + block.astype(np.int64)] = 1.0
        rows: Array = padded[:, self.padded_rows]
        return rows

    def walk_state(
        self, labels: Array, n_labels: int, counts: Array, member_cost: Array
    ) -> "WalkState":
        """Return the state of a local search."""
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
        """Remove the rows of the missing labels from a table."""
        return table[self.padded_rows]

    def trim_gram(self, table: Array) -> Array:
        """Remove the missing labels from an overlap table and fill its lower triangle."""
        gram = np.empty((self.layout.n_columns, self.layout.n_columns), dtype=table.dtype)
        for member in range(self.layout.n_members):
            own = self.layout.columns(member)
            behind = self.padded_rows[own.start :]
            gram[own, own.start :] = table[self.padded_rows[own]].take(behind, axis=1)
            gram[own.stop :, own] = gram[own, own.stop :].T
        return gram
