"""The incidence operator H and its verbs, written once over row blocks.

An engine is a set of block functions (`HardBlocks`, `SoftBlocks`) and an executor: that of
`set_config(engine=...)`, or workers of a cluster if the source is stored there. A verb is a task for
every block of rows and a rule to combine the results.
"""

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import Any

import numpy as np

from consilience._utils._config import get_config, thread_count
from consilience._utils._memory import require_memory
from consilience._utils._types import Array
from consilience.incidence import _tasks as tasks
from consilience.incidence._block_source import ArraySource, BlockSource
from consilience.incidence._collect import Joined, RowValues, SweptRows, TableSum
from consilience.incidence._edges import EdgeVotes, edge_votes
from consilience.incidence._executor import ENGINES, Executor, Job, Parts, ThreadExecutor
from consilience.incidence._grid import Grid
from consilience.incidence._hard import HardBlocks
from consilience.incidence._layout import Layout
from consilience.incidence._overlaps import added_cells, few_overlap, require_overlaps
from consilience.incidence._row_vectors import distinct, n_different, whole_weights
from consilience.incidence._soft import SoftBlocks
from consilience.incidence._sweep import Assigned, Step, Swept

# Maximum bytes of a cached overlap matrix, which several consensus functions may use.
_KEPT_OVERLAPS = 2**26
# Maximum share of moving rows for which updating the counts of old and new labels is faster than
# counting all rows.
_FEW_MOVED = 0.25


class Incidence:
    """H, the (n, t) incidence of objects and base clusters.

    Parameters
    ----------
    source : BlockSource
        Codes (hard labels) or memberships (soft ones), n rows.
    blocks : HardBlocks or SoftBlocks
        The block functions.
    row_weight : array (n,) of int64 or float64, optional
        Weight of every row in sums (profile multiplicities, sample weights). Integers keep
        count tables exact.
    executor : Executor, optional
        Runs the verbs; the default is that of the source, else that of `set_config(engine=...)`.

    Notes
    -----
    The verbs::

        H @ T                    gather, (n, K) from a (t, K) table
        H.T @ A                  scatter, (t, K); A is a label vector (counts) or an (n, K) matrix
        H.gram(sample_weight)    H' diag(w) H, (t, t)
        H.overlaps(...)          the same, sparse where most base clusters share no object
        H.argmax(T, current)     gather, winner of every row, count table of the winners
        H.sweep(T, step)         gather, a pure row function, and the sums of what it returns
        H.sizes, H.observed()    column sums; members seen per row
        H.row_squares(s)         the diagonal of H diag(s) H'
        H.quadratic(T)           the diagonal of H T H', T symmetric, (t, t)
        H.edges(pairs, weights)  members that put the two ends of every edge together
        H.relocate(labels, ...)  one pass of local search
        H.take(rows, weight)     a few rows, in memory
    """

    def __init__(
        self,
        source: BlockSource,
        blocks: HardBlocks | SoftBlocks,
        row_weight: Array | None = None,
        *,
        executor: Executor | None = None,
    ) -> None:
        self.source = source
        self.blocks = blocks
        self.row_weight = row_weight
        self._executor: Executor | None = executor or getattr(source, "executor", None)
        self._overlaps: Array | None = None

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
        return self.count(None, 1)[:, 0]

    @cached_property
    def square_sizes(self) -> Array:
        """Return the column sums of the squares: the sizes if labels are hard."""
        if isinstance(self.blocks, HardBlocks):
            return self.sizes
        total = self._table(tasks.square_sizes, vectors=(self.row_weight,), width=1)
        return np.zeros(self.layout.n_columns) if total is None else total

    # --- verbs -----------------------------------------------------------------------------------

    def __matmul__(self, table: Array) -> Array:
        """Gather: H @ T, (n, K) from (t, K), or (n,) from (t,)."""
        columns = table[:, None] if table.ndim == 1 else table
        prepared = self.blocks.prepare(columns, None)
        out = self._rows(tasks.gather, prepared, width=columns.shape[1])
        return out[:, 0] if table.ndim == 1 else out

    @property
    def T(self) -> "Transposed":  # noqa: N802 - as in NumPy
        """Return the transposed operator, for H.T @ A."""
        return Transposed(self)

    def count(self, labels: Array | None, n_labels: int) -> Array:
        """Count table of a label vector, H' Z: (t, K), exact integers if the row weights are.

        None means label 0 for all rows.
        """
        total = self._table(
            tasks.count,
            n_labels,
            self._count_dtype,
            vectors=(labels, self.row_weight),
            width=n_labels,
        )
        if total is None:
            total = self.blocks.zeros(n_labels, self._count_dtype)
        return self.blocks.trim(total)

    def scatter(self, values: Array) -> Array:
        """Scatter an (n, K) matrix: H' A, (t, K)."""
        width = values.shape[1]
        total = self._table(tasks.scatter, vectors=(values, self.row_weight), width=width)
        return self.blocks.trim(self.blocks.zeros(width, np.float64) if total is None else total)

    def gram(self, sample_weight: Array | None = None) -> Array:
        """Overlaps, H' diag(w) H, (t, t); `sample_weight` multiplies the weights of the rows.

        `sample_weight` may be one number for all rows. Without it a small result is kept, and is
        read-only.
        """
        if sample_weight is not None and np.ndim(sample_weight) == 0:
            return np.asarray(sample_weight * self.gram())
        if sample_weight is None and self._overlaps is not None:
            return self._overlaps
        gram = self._gram(sample_weight)
        if sample_weight is None and gram.nbytes <= _KEPT_OVERLAPS:
            gram.setflags(write=False)
            self._overlaps = gram
        return gram

    def _gram(self, sample_weight: Array | None) -> Array:
        weight = self.row_weight
        if sample_weight is not None:
            weight = sample_weight if weight is None else weight * sample_weight
        n_columns = self.layout.n_columns
        require_memory(
            # per thread one table in use and one in the queue
            (2 * thread_count() + 2) * 8 * n_columns**2,
            f"The overlap matrix of {n_columns} base clusters",
            "Use members with fewer clusters, or a method of the voting or mixture family, which does "
            "not need it.",
        )
        unit = None
        if isinstance(self.blocks, HardBlocks):
            weight, unit = whole_weights(weight)
        dtype = np.int64 if weight is None else weight.dtype
        total = self._table(tasks.gram, dtype, vectors=(weight,), width=n_columns)
        if total is None:
            return np.zeros((n_columns, n_columns), dtype=np.float64 if unit else dtype)
        gram = self.blocks.trim_gram(total)
        return gram if unit is None else gram * unit

    def overlaps(self, sample_weight: Array | None = None) -> Any:
        """Overlaps as `gram` gives them, but a sparse matrix where most are 0: by the shape of H."""
        layout = self.layout
        if not isinstance(self.blocks, HardBlocks) or not few_overlap(layout, self.n_rows):
            return self.gram(sample_weight)
        if sample_weight is not None and np.ndim(sample_weight) == 0:
            return self.overlaps() * sample_weight
        require_overlaps(layout, self.n_rows)
        weight = self.row_weight
        if sample_weight is not None:
            weight = sample_weight if weight is None else weight * sample_weight
        weight, unit = whole_weights(weight)
        cells = self._run(tasks.overlaps, (), Joined, (weight,), layout.n_columns)
        overlaps = added_cells(cells, layout)
        return overlaps if unit is None else overlaps * unit

    def argmax(
        self,
        table: Array,
        current: Array | Assigned | None = None,
        *,
        bias: Array | None = None,
        want_best: bool = False,
    ) -> Assigned:
        """Label every row by the largest entry of bias + H T, and count the labels.

        Ties: the current label, otherwise the first. If the tables of the current labels are given
        too, and few rows moved last time, only rows that move are counted; the tables are the same,
        because counts are integers.
        """
        n_labels = table.shape[1]
        state = current if isinstance(current, Assigned) else None
        labels = current.labels if isinstance(current, Assigned) else current
        few_move = state is not None and state.moved <= _FEW_MOVED and self._counts_are_whole
        prepared = self.blocks.prepare(table, bias)
        options = tasks.ArgmaxOptions(n_labels, self._count_dtype, want_best, few_move)
        vectors = (labels, self.row_weight)
        found = self._swept(
            tasks.argmax, prepared, options, vectors=vectors, width=n_labels
        ).assigned()
        if state is None:
            return found
        moved = n_different(found.labels, state.labels) / max(1, self.n_rows)
        if not few_move:
            return found._replace(moved=moved)
        return found._replace(
            counts=state.counts + found.counts, sizes=state.sizes + found.sizes, moved=moved
        )

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
            ``step(scores, *rows) -> StepResult``; no side effects, picklable.
        rows : sequence of arrays with n rows
            Vectors that are passed to the step with their rows.
        bias : array (K,), optional
            Added to every sum.
        n_labels : int, optional
            If given, the labels that the step returns are counted.
        """
        prepared = self.blocks.prepare(table, bias)
        options = tasks.SweepOptions(step, n_labels, self._count_dtype)
        vectors = (self.row_weight, *rows)
        return self._swept(tasks.sweep, prepared, options, vectors=vectors, width=table.shape[1])

    def observed(self, member_weights: Array | None = None) -> Array:
        """Return the number (or summed weight) of the members that label every row."""
        weights = np.ones(self.layout.n_members) if member_weights is None else member_weights
        return self._rows(tasks.observed, weights)

    def row_squares(self, table: Array) -> Array:
        """Return for every row the sum over the columns c of table[c] H[i, c]^2; H^2 = H if hard."""
        return self._rows(tasks.row_squares, table)

    def quadratic(self, table: Array) -> Array:
        """Return h' T h for every row h of H, T symmetric, (t, t)."""
        return self._rows(tasks.quadratic, table)

    def edges(self, edges: Array, member_weights: Array | None = None) -> EdgeVotes:
        """Return the agreement of the members on given pairs (i, j) of rows: entries of H diag(w) H'.

        Exact counts without weights; O(edges x members), no matrix of all pairs.
        """
        return edge_votes(self, edges, member_weights)

    def member_labels(self, member: int) -> Array:
        """Return the label of every row in one member, -1 = missing; the likeliest if soft."""
        return self._rows(tasks.member_labels, member, narrow=self._is_narrow)

    def known(self) -> Array:
        """Return a mask of the rows that at least one member labels, (n,)."""
        return self._rows(tasks.known)

    def stored_rows(self, chosen: Array) -> Array:
        """Return the rows that a mask (n,) marks, as the source stores them."""
        vectors = (np.asarray(chosen, dtype=bool),)
        rows: Array = self._run(tasks.stored_rows, (), Joined, vectors, 1)
        return rows

    def take(self, rows: Array, row_weight: Array | None) -> "Incidence":
        """Return some rows in memory, with new weights; positions must be ascending and distinct."""
        source = ArraySource(self.picked_rows(rows))
        return Incidence(source, self.blocks, row_weight, executor=ThreadExecutor())

    def picked_rows(self, rows: Array) -> Array:
        """Return some rows as the source stores them, given in ascending order, each once."""
        pick = getattr(self.source, "pick", None)
        if pick is not None:
            picked: Array = pick(rows)
            return picked
        chosen = np.zeros(self.n_rows, dtype=bool)
        chosen[rows] = True
        return self.stored_rows(chosen)

    def dense_rows(self, rows: Sequence[int]) -> Array:
        """Return a few rows of H as they are, (len(rows), t)."""
        return self.blocks.dense(np.vstack([self.source.read(row, row + 1) for row in rows]))

    def distinct_hashes(self, one_in: int) -> Array:
        """Return the distinct 64-bit hashes of the rows, or a fixed fraction of them."""
        hashes = self._run(tasks.distinct_hashes, (one_in,), Joined, (), 1)
        return distinct(hashes)

    def places(self, hashes: Array) -> Array:
        """Return the position of the hash of every row among sorted hashes."""
        return self._rows(tasks.places, hashes)

    def differing_rows(self, stored: Array, place: Array) -> int:
        """Count the rows that are not equal to stored[place]."""
        count = self._table(tasks.differing_rows, stored, vectors=(place,), width=1)
        return 0 if count is None else int(count[0])

    def digests(self) -> Array:
        """Return a digest of every block of rows."""
        digests: Array = self._run(tasks.digest, (), Joined, (), 1)
        return digests

    def relocate(self, labels: Array, n_labels: int, member_cost: Array) -> tuple[Array, int]:
        """Move the rows, one after the other, to the label of least cost; one pass.

        The cost of row u under label k is the sum over its members j of member_cost[j] times (weight
        that j observes in k, minus twice the weight of u's base cluster in k), u itself left out:
        the change of the consensus Rand distance. Rows depend on previous moves, so it runs in row
        order on one thread.

        Returns the new labels and how many rows moved.
        """
        labels = labels.copy()
        counts = self.count(labels, n_labels)
        state = self.blocks.walk_state(labels, n_labels, counts, member_cost)
        moved = 0
        for start, stop in self.grid(n_labels).stripes(0, self.n_rows):
            weight = None if self.row_weight is None else self.row_weight[start:stop]
            rows = self.source.read(start, stop)
            moved += self.blocks.relocate(rows, weight, labels[start:stop], state)
        return labels, moved

    # --- helpers of the verbs --------------------------------------------------------------------

    @property
    def _count_dtype(self) -> Any:
        return np.int64 if self.row_weight is None else self.row_weight.dtype

    @property
    def _is_narrow(self) -> bool:
        """Whether label vectors use the smallest type, which is so if rows are read in stripes."""
        return self.source.by_stripe

    @property
    def _counts_are_whole(self) -> bool:
        return isinstance(self.blocks, HardBlocks) and np.issubdtype(self._count_dtype, np.integer)

    def grid(self, width: int) -> Grid:
        """Return the grid for tables of a width."""
        return Grid.of(self.layout, width)

    def _table(
        self,
        task: Callable[..., Array],
        *fixed: object,
        vectors: Sequence[Array | None] = (),
        width: int,
    ) -> Array | None:
        """Add the tables that a task returns for the blocks; None if there are no rows."""
        parts = partial(TableSum, self.grid(width))
        table: Array | None = self._run(task, fixed, parts, vectors, width)
        return table

    def _rows(
        self,
        task: Callable[..., Array],
        *fixed: object,
        width: int = 1,
        narrow: bool = False,
    ) -> Array:
        """Concatenate the values that a task returns for the rows."""
        values = self._run(task, fixed, partial(RowValues, narrow=narrow), (), width, exact=True)
        if values is None:  # no rows: the task defines shape and type of an empty result
            values = task(self.source, self.blocks, *fixed, (0, 0))
        rows: Array = values
        return rows

    def _swept(
        self,
        task: Callable[..., Swept],
        *fixed: object,
        vectors: Sequence[Array | None],
        width: int,
    ) -> Swept:
        """Combine the results of a sweep."""
        parts = partial(SweptRows, self.grid(width), narrow=self._is_narrow)
        swept: Swept = self._run(task, fixed, parts, vectors, width)
        return swept._replace(
            counts=None if swept.counts is None else self.blocks.trim(swept.counts),
            memberships=None if swept.memberships is None else self.blocks.trim(swept.memberships),
        )

    def _run(
        self,
        task: Callable[..., Any],
        fixed: tuple[object, ...],
        parts: Parts,
        vectors: Sequence[Array | None],
        width: int,
        *,
        exact: bool = False,
    ) -> Any:
        exact = exact or self._is_exact(task)
        job = Job(task, (self.blocks, *fixed), parts, self.grid(width), exact)
        collector = parts(0, self.n_rows)
        executor = self._executor or ENGINES[get_config().engine]
        for rows, part in executor.run(job, self.source, vectors, collector):
            collector.add(rows, part)
        return collector.result()

    def _is_exact(self, task: Callable[..., Any]) -> bool:
        """Whether a task adds integers, so that the result does not depend on the blocks."""
        if task in (tasks.count, tasks.argmax):
            return self._counts_are_whole
        is_hard = isinstance(self.blocks, HardBlocks)
        return task is tasks.differing_rows or (task is tasks.gram and is_hard)


class Transposed:
    """The transpose H', for H.T @ A."""

    def __init__(self, incidence: Incidence) -> None:
        self._incidence = incidence

    def __matmul__(self, other: Array) -> Array:
        if other.ndim == 1 and np.issubdtype(other.dtype, np.integer):
            return self._incidence.count(other, int(other.max()) + 1 if len(other) else 0)
        if other.ndim == 1:
            return self._incidence.scatter(other[:, None])[:, 0]
        return self._incidence.scatter(other)
