"""The incidence operator H and its verbs, written once over row blocks.

An engine is a set of block functions (`HardBlocks`, `SoftBlocks`) and an executor. The verbs cut the
rows into blocks, let the executor run the block function on each, and add the results up in row order.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from typing import Any, TypeVar

import numpy as np

from consilience._utils._config import thread_count
from consilience._utils._memory import require_memory
from consilience.incidence import _tasks as tasks
from consilience.incidence._block_source import BlockSource
from consilience.incidence._executor import ThreadExecutor
from consilience.incidence._hard import HardBlocks
from consilience.incidence._layout import Layout
from consilience.incidence._soft import SoftBlocks
from consilience.incidence._sweep import Assigned, Step, Swept

Array = np.ndarray[Any, Any]
Rows = tuple[int, int]
Part = TypeVar("Part")

# Rows of one block: sums of floats are formed per block and added in row order, so the answer does not
# depend on threads or on how a source is chunked. Small enough that a hundred thousand rows keep several
# cores busy.
BLOCK_ROWS = 16_384


class Incidence:
    """H, the (n, t) incidence of objects and base clusters.

    Parameters
    ----------
    source : BlockSource
        Codes (hard labels) or memberships (soft ones), n rows.
    blocks : HardBlocks or SoftBlocks
        The block functions.
    row_weight : array (n,) of int64 or float64, optional
        How often every row counts in sums (profile multiplicities, sample weights). Integers keep
        count tables exact.

    Notes
    -----
    H @ T                    gather, (n, K) from a (t, K) table
    H.T @ A                  scatter, (t, K); A is a label vector (counts) or an (n, K) matrix
    H.gram(sample_weight)    H' diag(w) H, (t, t)
    H.argmax(T, current)     gather, winner of every row, count table of the winners
    H.sweep(T, step)         gather, a pure row function, and the sums of what it returns
    H.sizes, H.observed()    column sums; members seen per row
    H.row_squares(s)         the diagonal of H diag(s) H'
    H.quadratic(T)           the diagonal of H T H', T symmetric, (t, t)
    H.relocate(labels, ...)  one pass of local search
    """

    def __init__(
        self,
        source: BlockSource,
        blocks: HardBlocks | SoftBlocks,
        row_weight: Array | None = None,
    ) -> None:
        self.source = source
        self.blocks = blocks
        self.row_weight = row_weight
        self._executor = ThreadExecutor()

    @property
    def layout(self) -> Layout:
        """Return which base cluster belongs to which member."""
        return self.blocks.layout

    @property
    def shape(self) -> tuple[int, int]:
        """Return (n, t)."""
        return self.source.n_rows, self.layout.n_columns

    @property
    def n_rows(self) -> int:
        """Return n."""
        return self.source.n_rows

    @cached_property
    def sizes(self) -> Array:
        """Return the column sums, s_c."""
        ones = np.zeros(self.n_rows, dtype=np.int32)
        return self.count(ones, 1)[:, 0]

    # --- verbs -----------------------------------------------------------------------------------

    def __matmul__(self, table: Array) -> Array:
        """Gather: H @ T, (n, K) from (t, K), or (n,) from (t,)."""
        columns = table[:, None] if table.ndim == 1 else table
        prepared = self.blocks.prepare(columns, None)
        out = np.empty((self.n_rows, columns.shape[1]))
        task = partial(tasks.gather, self.source, self.blocks, prepared)
        for (start, stop), part in self._run(task, width=columns.shape[1]):
            out[start:stop] = part
        return out[:, 0] if table.ndim == 1 else out

    @property
    def T(self) -> "_Transposed":  # noqa: N802 - as in NumPy
        """Return the transposed operator, for H.T @ A."""
        return _Transposed(self)

    def count(self, labels: Array, n_labels: int) -> Array:
        """Count table of a label vector, H' Z: (t, K), exact integers if the row weights are."""
        task = partial(tasks.count, self.source, self.blocks, n_labels, self._count_dtype)
        vectors = (labels, self.row_weight)
        return self._add_up(self._run(task, vectors, n_labels), n_labels, self._count_dtype)

    def scatter(self, values: Array) -> Array:
        """Scatter an (n, K) matrix: H' A, (t, K)."""
        task = partial(tasks.scatter, self.source, self.blocks)
        vectors = (values, self.row_weight)
        return self._add_up(self._run(task, vectors, values.shape[1]), values.shape[1], np.float64)

    def gram(self, sample_weight: Array | None = None) -> Array:
        """Overlaps, H' diag(w) H, (t, t); `sample_weight` multiplies the weights of the rows."""
        weight = self.row_weight
        if sample_weight is not None:
            weight = sample_weight if weight is None else weight * sample_weight
        dtype = np.int64 if weight is None else weight.dtype
        n_columns = self.layout.n_columns
        require_memory(
            # every thread fills one table while another of its tables waits to be added
            (2 * thread_count() + 2) * 8 * n_columns**2,
            f"The overlap matrix of {n_columns} base clusters",
            "Use members with fewer clusters, or a method of the voting or mixture family, which does "
            "not need it.",
        )
        task = partial(tasks.gram, self.source, self.blocks, dtype)
        parts = self._run(task, (weight,), n_columns)
        total: Array | None = None
        for _, part in parts:
            total = part if total is None else np.add(total, part, out=total)
        if total is None:
            return np.zeros((n_columns, n_columns), dtype=dtype)
        return self.blocks.trim_gram(total)

    def argmax(
        self,
        table: Array,
        current: Array | None = None,
        *,
        bias: Array | None = None,
        want_best: bool = False,
    ) -> Assigned:
        """Label every row by the largest entry of bias + H T, and count the labels.

        Ties go to the current label, else to the first. The fused form of the plainest sweep.
        """
        n_labels = table.shape[1]
        prepared = self.blocks.prepare(table, bias)
        options = tasks.ArgmaxOptions(n_labels, self._count_dtype, want_best)
        task = partial(tasks.argmax, self.source, self.blocks, prepared, options)
        return self._assemble(self._run(task, (current, self.row_weight), n_labels)).assigned()

    def sweep(
        self,
        table: Array,
        step: Step,
        rows: Sequence[Array | None] = (),
        *,
        bias: Array | None = None,
        n_labels: int | None = None,
    ) -> Swept:
        """Per slice of rows: gather, apply a pure row function, add up what it returns.

        Parameters
        ----------
        table : array (t, K)
            The table to gather from.
        step : callable
            step(scores, *rows) -> StepResult; no side effects, picklable.
        rows : sequence of arrays with n rows
            Vectors that travel with their rows.
        bias : array (K,), optional
            What every sum starts from.
        n_labels : int, optional
            If given, the labels that the step returns are counted.
        """
        prepared = self.blocks.prepare(table, bias)
        options = tasks.SweepOptions(step, n_labels, self._count_dtype)
        task = partial(tasks.sweep, self.source, self.blocks, prepared, options)
        return self._assemble(self._run(task, (self.row_weight, *rows), table.shape[1]))

    def observed(self, member_weights: Array | None = None) -> Array:
        """Return the number (or summed weight) of the members that label every row."""
        weights = np.ones(self.layout.n_members) if member_weights is None else member_weights
        return self._per_row(partial(tasks.observed, self.source, self.blocks, weights))

    def row_squares(self, table: Array) -> Array:
        """Return for every row the sum over the columns c of table[c] H[i, c]^2; H^2 = H if hard."""
        return self._per_row(partial(tasks.row_squares, self.source, self.blocks, table))

    def quadratic(self, table: Array) -> Array:
        """Return h' T h for every row h of H, T symmetric, (t, t)."""
        return self._per_row(partial(tasks.quadratic, self.source, self.blocks, table))

    def dense_rows(self, rows: Sequence[int]) -> Array:
        """Return a few rows of H as they are, (len(rows), t)."""
        return np.vstack([self.blocks.dense(self.source.read(row, row + 1)) for row in rows])

    def relocate(self, labels: Array, n_labels: int, member_cost: Array) -> tuple[Array, int]:
        """Let the rows, one after the other, move to the label where they cost least; one pass.

        The cost of row u under label k is the sum over its members j of member_cost[j] times (weight
        that j observes in k, minus twice the weight of u's base cluster in k), u itself left out:
        the change of the consensus Rand distance. A walk, so it runs in row order on one thread.

        Returns the new labels and how many rows moved.
        """
        labels = labels.copy()
        counts = self.count(labels, n_labels)
        state = self.blocks.walk_state(labels, n_labels, counts, member_cost)
        moved = 0
        for start, stop in self._ranges(n_labels):
            weight = None if self.row_weight is None else self.row_weight[start:stop]
            moved += self.blocks.relocate(
                self.source.read(start, stop), weight, labels[start:stop], state
            )
        return labels, moved

    # --- the machinery behind them ---------------------------------------------------------------

    @property
    def _count_dtype(self) -> Any:
        return np.int64 if self.row_weight is None else self.row_weight.dtype

    def _run(
        self,
        task: Callable[..., Part],
        vectors: Sequence[Array | None] = (),
        width: int = 1,
    ) -> Iterator[tuple[Rows, Part]]:
        """Run task(rows, *slices of the vectors) on every block; yield in row order."""

        def on_block(rows: Rows) -> Part:
            start, stop = rows
            return task(rows, *(None if v is None else v[start:stop] for v in vectors))

        ranges = self._ranges(width)
        yield from zip(ranges, self._executor.map(on_block, ranges), strict=True)

    def _ranges(self, width: int) -> list[Rows]:
        """Cut the rows into blocks, by the shape of the problem alone.

        A block's partial table has t x width entries; blocks grow with it, so that clearing and adding
        tables never costs more than reading the rows.
        """
        n_members = max(1, self.layout.n_members)
        size = BLOCK_ROWS * -(-self.layout.n_columns * width // (BLOCK_ROWS * n_members))
        size = max(size, BLOCK_ROWS)
        return [(start, min(start + size, self.n_rows)) for start in range(0, self.n_rows, size)]

    def _per_row(self, task: Callable[..., Array]) -> Array:
        out = np.empty(self.n_rows)
        for (start, stop), part in self._run(task):
            out[start:stop] = part
        return out

    def _add_up(self, parts: Iterator[tuple[Rows, Array]], width: int, dtype: Any) -> Array:
        total = self.blocks.zeros(width, dtype)
        for _, part in parts:
            total += part
        return self.blocks.trim(total)

    def _assemble(self, parts: Iterator[tuple[Rows, Swept]]) -> Swept:
        """Add up what the blocks of a sweep returned."""
        labels = best = values = counts = memberships = sizes = None
        sums: tuple[Array, ...] = ()
        for (start, stop), part in parts:
            if part.labels is not None:
                labels = np.empty(self.n_rows, np.int32) if labels is None else labels
                labels[start:stop] = part.labels
            if part.best is not None:
                best = np.empty(self.n_rows) if best is None else best
                best[start:stop] = part.best
            if part.values is not None:
                shape = (self.n_rows, *part.values.shape[1:])
                values = np.empty(shape, part.values.dtype) if values is None else values
                values[start:stop] = part.values
            counts = tasks.added(counts, part.counts)
            memberships = tasks.added(memberships, part.memberships)
            sizes = tasks.added(sizes, part.sizes)
            sums = tasks.added_sums(sums, part.sums)
        return Swept(
            labels=labels,
            counts=None if counts is None else self.blocks.trim(counts),
            memberships=None if memberships is None else self.blocks.trim(memberships),
            sizes=sizes,
            sums=sums,
            best=best,
            values=values,
        )


class _Transposed:
    """H', so that H.T @ A reads like the formula."""

    def __init__(self, incidence: Incidence) -> None:
        self._incidence = incidence

    def __matmul__(self, other: Array) -> Array:
        if other.ndim == 1 and np.issubdtype(other.dtype, np.integer):
            return self._incidence.count(other, int(other.max(initial=-1)) + 1)
        if other.ndim == 1:
            return self._incidence.scatter(other[:, None])[:, 0]
        return self._incidence.scatter(other)
