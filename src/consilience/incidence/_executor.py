"""A verb as a job, and the executors that run it on all blocks of rows, with results in row order."""

import os
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache, partial
from typing import Any, NamedTuple, Protocol, TypeVar

from consilience._utils._blas import one_blas_thread
from consilience._utils._config import thread_count
from consilience._utils._types import Array
from consilience.incidence._block_source import ArraySource, BlockSource
from consilience.incidence._collect import Collector, TableSum, widened_rows
from consilience.incidence._grid import Grid

Result = TypeVar("Result")
Rows = tuple[int, int]
Vectors = Sequence[Array | None]
# Creates the collector of the results of some rows, from their start and stop.
Parts = Callable[[int, int], Collector]


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

    @property
    def adds_tables(self) -> bool:
        """Whether the results are tables, which may be added before they are sent."""
        return isinstance(self.parts, partial) and self.parts.func is TableSum

    def on_block(self, source: BlockSource, rows: Rows, vectors: Vectors) -> Any:
        """Run the task on one block of a source; vectors hold all rows of the source."""
        slices = (
            None if vector is None else widened_rows(vector[slice(*rows)]) for vector in vectors
        )
        return self.task(source, *self.fixed, rows, *slices)

    def on_stripe(self, array: Array, stripe: Rows, vectors: Vectors) -> Any:
        """Run the task on the blocks of a stripe that is in memory, and combine the results."""
        source, start = ArraySource(array), stripe[0]
        collector = self.parts(*stripe)
        for low, high in self.grid.blocks(*stripe):
            part = self.on_block(source, (low - start, high - start), vectors)
            collector.add((low, high), part)
        return collector.result()


class Executor(Protocol):
    """Interface of objects that run the jobs of a verb."""

    def run(
        self, job: Job, source: BlockSource, vectors: Vectors, collector: Collector
    ) -> Iterator[tuple[Rows, Any]]:
        """Yield (rows, part) in row order; parts are those of blocks, stripes or groups of stripes.

        Threads that compute parts may store values of rows in the collector themselves.
        """
        ...


_inside_worker = threading.local()
# Maximum number of joined blocks, and minimum number of ranges per thread.
_MOST_TOGETHER = 32
_SHARES = 2


class ThreadExecutor:
    """The thread pool of this process."""

    def run(
        self, job: Job, source: BlockSource, vectors: Vectors, collector: Collector
    ) -> Iterator[tuple[Rows, Any]]:
        """Run a job on every block, or on stripes if reading is expensive."""

        def on_stripe(rows: Rows) -> Any:
            slices = [None if vector is None else vector[slice(*rows)] for vector in vectors]
            return collector.store(rows, job.on_stripe(source.read(*rows), rows, slices))

        def on_block(rows: Rows) -> Any:
            return collector.store(rows, job.on_block(source, rows, vectors))

        cut = job.grid.stripes if source.by_stripe else job.grid.blocks
        ranges = cut(0, source.n_rows)
        if job.exact and not source.by_stripe:
            ranges = _joined(ranges, thread_count())
        results = self.map(on_stripe if source.by_stripe else on_block, ranges)
        yield from zip(ranges, results, strict=True)

    def map(self, function: Callable[[Rows], Result], ranges: Sequence[Rows]) -> Iterator[Result]:
        """Yield function(range) for every range, in order.

        At most two results per thread are buffered, so memory is bounded. BLAS is limited to one
        thread meanwhile, because blocks already run in parallel and results must not depend on BLAS
        threads.
        """
        if getattr(_inside_worker, "yes", False):
            yield from map(function, ranges)
            return
        n_threads = min(thread_count(), len(ranges))
        with one_blas_thread():
            if n_threads <= 1:
                yield from map(function, ranges)
            else:
                yield from _in_order(_pool(thread_count()), function, ranges, 2 * n_threads)


# Executors of rows in memory, by the name of the setting `engine`; others may be added to them.
ENGINES: dict[str, Executor] = {"cpu": ThreadExecutor()}


def _joined(blocks: Sequence[Rows], n_threads: int) -> list[Rows]:
    """Join neighbouring blocks to reduce overhead, as long as every thread gets several."""
    together = max(1, min(_MOST_TOGETHER, len(blocks) // (_SHARES * n_threads)))
    return [
        (blocks[low][0], blocks[min(low + together, len(blocks)) - 1][1])
        for low in range(0, len(blocks), together)
    ]


def threaded(function: Callable[[Rows], Result], ranges: Sequence[Rows]) -> Iterator[Result]:
    """Yield function(range) for every range, in order, computed by the threads of this process."""
    return ThreadExecutor().map(function, ranges)


def _in_order(
    pool: ThreadPoolExecutor,
    function: Callable[[Rows], Result],
    ranges: Sequence[Rows],
    n_waiting: int,
) -> Iterator[Result]:
    waiting: deque[Future[Result]] = deque()
    try:
        for rows in ranges:
            waiting.append(pool.submit(function, rows))
            if len(waiting) >= n_waiting:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()


def _mark_worker() -> None:
    _inside_worker.yes = True


@cache
def _pool(n_threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(n_threads, "consilience", initializer=_mark_worker)


# Threads do not survive a fork; the child process creates its own pool.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.cache_clear)
