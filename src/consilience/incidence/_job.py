"""A verb as a job for an executor: a task, a collector of its results, and the grid of rows."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from consilience._utils._types import Array
from consilience.incidence._block_source import ArraySource, BlockSource
from consilience.incidence._collect import Parts
from consilience.incidence._grid import Grid
from consilience.incidence._narrow import widened_rows

Rows = tuple[int, int]


class Job(NamedTuple):
    """task(source, *fixed, rows, *slices of row vectors) on every block; picklable.

    task   a function of `_tasks`
    fixed  arguments that are the same for every block: block functions, tables, options
    parts  creates the collector of the results
    grid   boundaries of blocks, stripes and groups
    exact  whether the result does not depend on the grid: values of rows, or sums of integers
    """

    task: Callable[..., Any]
    fixed: tuple[Any, ...]
    parts: Parts
    grid: Grid
    exact: bool = False

    def on_block(self, source: BlockSource, rows: Rows, vectors: Sequence[Array | None]) -> Any:
        """Run the task on one block of a source; vectors hold all rows of the source."""
        slices = (
            None if vector is None else widened_rows(vector[slice(*rows)]) for vector in vectors
        )
        return self.task(source, *self.fixed, rows, *slices)

    def on_stripe(self, array: Array, stripe: Rows, vectors: Sequence[Array | None]) -> Any:
        """Run the task on the blocks of a stripe that is in memory, and combine the results."""
        source, start = ArraySource(array), stripe[0]
        collector = self.parts(*stripe)
        for low, high in self.grid.blocks(*stripe):
            part = self.on_block(source, (low - start, high - start), vectors)
            collector.add((low, high), part)
        return collector.result()
