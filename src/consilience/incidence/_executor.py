"""Runs block functions on threads and returns the results in row order."""

import os
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from typing import Any, Protocol, TypeVar

import numpy as np

from consilience._utils._blas import one_blas_thread
from consilience._utils._config import thread_count
from consilience.incidence._block_source import BlockSource
from consilience.incidence._collect import Collector
from consilience.incidence._job import Job

Result = TypeVar("Result")
Rows = tuple[int, int]
Vectors = Sequence[np.ndarray[Any, Any] | None]


class Executor(Protocol):
    """Interface of objects that run the tasks of a verb."""

    def run(
        self, job: Job, source: BlockSource, vectors: Vectors, collector: Collector
    ) -> Iterator[tuple[Rows, Any]]:
        """Yield (rows, part) in row order; parts are those of blocks, stripes or groups of stripes.

        Threads that compute parts may store values of rows in the collector themselves.
        """
        ...

    def unknown_leads(self, source: BlockSource) -> Any:
        """Return a vector for `Leads`, all -inf; None if rows are not in the memory of this engine."""
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

    def unknown_leads(self, source: BlockSource) -> Any:
        """Return a vector for `Leads`, all -inf; None if rows are read from elsewhere."""
        return None if source.by_stripe else np.full(source.n_rows, -np.inf, dtype=np.float32)

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
