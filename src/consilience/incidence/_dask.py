"""Rows in a dask collection, and an executor on the workers that hold them.

Chunks of any size are rechunked once into the stripes of the grid; every task works on one stripe.
Vectors with an entry per row stay in the calling process, and their slices are sent with the tasks.
Tables are sent once per verb, and their sums are returned by groups of stripes. The task graph
contains all inputs, so that tasks of a lost worker are computed again with the same result.
"""

import logging
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from importlib import import_module
from itertools import pairwise
from types import ModuleType
from typing import Any
from uuid import uuid4

import numpy as np

from consilience._utils._blas import one_blas_thread
from consilience._utils._memory import memory_limit
from consilience._utils._optional import require
from consilience._utils._types import Array
from consilience.exceptions import InvalidParameterError
from consilience.incidence._block_source import ArraySource, BlockSource
from consilience.incidence._collect import Collector, is_narrow
from consilience.incidence._executor import Job, threaded
from consilience.incidence._grid import stripe_rows

Rows = tuple[int, int]

# Maximum share of the free memory of the workers for stripes; if it is not sufficient, stripes are
# computed again for every verb, which is slower but does not spill to disk.
_KEEP_SHARE = 0.4
# Number of submitted tasks per thread of the cluster, so that workers are never idle.
_TASKS_PER_THREAD = 2
_CONNECT_SECONDS = 10


def is_chunked(data: Any) -> bool:
    """Whether an object is a dask collection; does not import dask."""
    return hasattr(data, "__dask_graph__")


def connect(address: str) -> Any:
    """Return a client of a running cluster ("tcp://host:port"), or of one started here ("local").

    Use it inside `with client.as_current()`. It is not set as the default client, because a client
    without a scheduler would remain the default.
    """
    distributed = require("distributed", extra="dask", owner=f"dask={address!r}")
    if address == "local":
        cluster = distributed.LocalCluster(
            threads_per_worker=1, dashboard_address=":0", silence_logs=logging.CRITICAL
        )
        return distributed.Client(cluster, set_as_default=False)
    try:
        return distributed.Client(address, timeout=_CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise InvalidParameterError(
            f"There is no Dask scheduler at {address!r} ({error}); give tcp://host:port of a running "
            'scheduler, or "local" to start workers on this machine.'
        ) from None


def current_client() -> Any:
    """Return the current client, or None; does not import dask.distributed."""
    import sys

    distributed = sys.modules.get("distributed")
    if distributed is None:
        return None
    try:
        return distributed.get_client()
    except ValueError:
        return None


def on_pieces(function: Callable[..., Any], data: Any, *shared: Any) -> list[Any]:
    """Return function(piece, position, *shared) of every chunk or partition, in row order."""
    dask = _dask()
    task = dask.delayed(function, pure=False)
    shared = tuple(dask.delayed(value, traverse=False) for value in shared)
    work = [task(piece, position, *shared) for position, piece in enumerate(_pieces(data))]
    return list(dask.compute(*work))


def column_names(data: Any) -> tuple[str, ...] | None:
    """Return the columns of a frame, None for an array."""
    columns = getattr(data, "columns", None)
    return None if columns is None else tuple(str(name) for name in columns)


def row_chunks(data: Any) -> tuple[int, ...] | None:
    """Return the rows of every chunk of an array; None if they are not known before it is read."""
    chunks = getattr(data, "chunks", None)
    if chunks is None or any(np.isnan(size) for size in chunks[0]):
        return None
    return tuple(int(size) for size in chunks[0])


def stripes_of(
    data: Any,
    function: Callable[..., Array],
    *shared: Any,
    lengths: Sequence[int],
    width: int,
    dtype: Any,
) -> BlockSource:
    """Return function(piece, position, *shared) of all pieces, cut into the stripes of the grid.

    `lengths` are the numbers of rows of the pieces; `width` and `dtype` describe the results of the
    function.
    """
    dask, da = _dask(), _dask_array()
    task = dask.delayed(function, pure=False)
    shared = tuple(dask.delayed(value, traverse=False) for value in shared)
    blocks = [
        da.from_delayed(task(piece, position, *shared), shape=(length, width), dtype=dtype)
        for position, (piece, length) in enumerate(zip(_pieces(data), lengths, strict=True))
        if length
    ]
    return keep(da.concatenate(blocks, axis=0))


def on_ranges(function: Callable[[Rows], Any], ranges: Sequence[Rows]) -> Iterable[Any]:
    """Return function(rows) of every range, computed by workers if there are any, else by threads."""
    if current_client() is None:
        return threaded(function, ranges)
    dask = _dask()
    task = dask.delayed(function, pure=False)
    return list(dask.compute(*(task(rows) for rows in ranges)))


def from_ranges(
    function: Callable[[Rows], Array], ranges: Sequence[Rows], *, width: int, dtype: Any
) -> Any:
    """Return a dask array of function(rows) of every range, for files that the workers read."""
    dask, da = _dask(), _dask_array()
    task = dask.delayed(function, pure=False)
    blocks = [
        da.from_delayed(task(rows), shape=(rows[1] - rows[0], width), dtype=dtype)
        for rows in ranges
    ]
    return da.concatenate(blocks, axis=0)


def keep(array: Any, client: Any = None) -> BlockSource:
    """Cut an array into stripes and persist them if they fit the memory; default: the current client."""
    array = array.rechunk({0: stripe_rows(array.shape[1]), 1: -1})
    client = current_client() if client is None else client
    if client is None:
        fits = array.nbytes <= memory_limit() // 2
        return ArraySource(array.compute()) if fits else DaskSource(array, None)
    if array.nbytes <= _KEEP_SHARE * client.run_on_scheduler(_free_memory):
        array = client.persist(array)
    return DaskSource(array, client)


def map_rows(function: Callable[[Any], Array], data: Any, *, width: int | None, dtype: Any) -> Any:
    """Return a lazy dask array of function(chunk) of every chunk.

    `width` is the number of columns of the result, None for a vector.
    """
    data = as_array(data)
    function = partial(_on_rows, function=function, width=width, dtype=dtype)
    if width is None:
        return data.map_blocks(function, dtype=dtype, drop_axis=1, meta=np.empty(0, dtype))
    return data.map_blocks(
        function, dtype=dtype, chunks=(data.chunks[0], (width,)), meta=np.empty((0, 0), dtype)
    )


def as_array(data: Any) -> Any:
    """Return a dask array with known chunks and whole rows of an array or a frame."""
    if not hasattr(data, "rechunk"):
        return data.to_dask_array(lengths=True)
    if row_chunks(data) is None:
        data = data.compute_chunk_sizes()
    return data.rechunk({1: -1}) if data.ndim == 2 else data


def rows_at(data: Any, rows: Array) -> Array:
    """Read some rows of an array or a frame into memory, in ascending order."""
    array: Array = as_array(data)[rows].compute()
    return array


def wrap(values: Array, chunks: Sequence[int]) -> Any:
    """Return a vector as a dask array with given chunks; narrow labels become int32 chunk by chunk."""
    da = _dask_array()
    ends = np.cumsum([0, *chunks])
    name = f"consilience-{uuid4().hex}"
    # One task per chunk, so that a part of the vector can be computed without sending all of it.
    graph = {(name, i): values[low:high] for i, (low, high) in enumerate(pairwise(ends))}
    array = da.Array(graph, name, chunks=(tuple(chunks),), dtype=values.dtype)
    return array.astype(np.int32) if is_narrow(values) else array


class DaskSource:
    """The stripes of a dask array.

    Parameters
    ----------
    array : dask array (n, r), chunked by stripes
        Codes.
    client : distributed.Client or None
        Client whose workers run the tasks; None: threads of this process, which compute one stripe
        each at a time.
    """

    by_stripe = True

    def __init__(self, array: Any, client: Any) -> None:
        self.array = array
        self.client = client
        self.stripe_rows = stripe_rows(array.shape[1])
        self._stripes = list(array.to_delayed()[:, 0])
        # Futures in the graph, if the array is persisted on the workers.
        held = {} if client is None else dict(array.__dask_graph__())
        self._held = [held.get(stripe.key) for stripe in self._stripes]

    @property
    def executor(self) -> "DaskExecutor | None":
        """Return the executor of the workers that hold the stripes."""
        return None if self.client is None else DaskExecutor(self.client)

    @property
    def n_rows(self) -> int:
        """Return the number of rows."""
        return int(self.array.shape[0])

    def stripe(self, position: int) -> Any:
        """Return the future of a stripe: a persisted one, or a new one."""
        held = self._held[position]
        if not hasattr(held, "result"):
            held = self.client.compute(self._stripes[position], optimize_graph=False)
        return held

    def read(self, start: int, stop: int) -> Array:
        """Read rows into this process."""
        dask = _dask()

        if self.client is None:
            with dask.config.set(scheduler="synchronous"):
                return np.ascontiguousarray(self.array[start:stop].compute())
        return np.ascontiguousarray(self.client.compute(self.array[start:stop], sync=True))

    def take(self, rows: Array) -> BlockSource:
        """Return some rows, cut into stripes again."""
        return keep(self.array[rows], self.client)

    def select(self, columns: Array) -> BlockSource:
        """Return some columns."""
        return keep(self.array[:, columns], self.client)


class DaskExecutor:
    """Executor on the workers of a Dask cluster."""

    def __init__(self, client: Any) -> None:
        self._client = client

    def run(
        self,
        job: Job,
        source: DaskSource,
        vectors: Sequence[Array | None],
        collector: Collector,  # noqa: ARG002 - parts are computed by other processes
    ) -> Iterator[tuple[Rows, Any]]:
        """Run a job on every stripe; sums of tables are returned by groups."""
        dask = _dask()

        # Slices of row vectors are part of the tasks, so that no data are lost with a worker.
        with dask.config.set({"distributed.admin.large-graph-warning-threshold": "1TB"}):
            yield from self._in_order(job, source, vectors)

    def _in_order(
        self, job: Job, source: DaskSource, vectors: Sequence[Array | None]
    ) -> Iterator[tuple[Rows, Any]]:
        client = self._client
        most = _TASKS_PER_THREAD * max(1, client.run_on_scheduler(_threads_of_workers))
        shared = client.submit(_itself, job, pure=False)
        waiting: deque[tuple[Rows, Any, int]] = deque()
        n_waiting = 0
        for group in job.grid.groups(source.n_rows):
            stripes = job.grid.stripes(*group)
            futures = []
            for rows in stripes:
                stripe = source.stripe(rows[0] // source.stripe_rows)
                slices = [None if vector is None else vector[slice(*rows)] for vector in vectors]
                futures.append(client.submit(_on_stripe, stripe, shared, rows, slices, pure=False))
            if job.adds_tables and len(stripes) > 1:
                total = client.submit(_add_up, shared, stripes, futures, pure=False)
                waiting.append((group, total, len(stripes)))
            else:
                waiting.extend((rows, part, 1) for rows, part in zip(stripes, futures, strict=True))
            n_waiting += len(stripes)
            while n_waiting > most:
                rows, part, count = waiting.popleft()
                n_waiting -= count
                yield rows, part.result()
        while waiting:
            rows, part, _ = waiting.popleft()
            yield rows, part.result()


# --- functions that run on workers; at module level, so that they can be pickled -----------------------


def _itself(value: Any) -> Any:
    return value


def _on_rows(
    chunk: Array, *, function: Callable[[Any], Array], width: int | None, dtype: Any
) -> Array:
    # A chunk or partition may be empty; it is handled here.
    return function(chunk) if len(chunk) else np.empty(0 if width is None else (0, width), dtype)


def _on_stripe(array: Array, job: Job, rows: Rows, vectors: Sequence[Array | None]) -> Any:
    with one_blas_thread():
        return job.on_stripe(array, rows, vectors)


def _add_up(job: Job, stripes: Sequence[Rows], parts: Sequence[Any]) -> Any:
    collector: Collector = job.parts(stripes[0][0], stripes[-1][1])
    for rows, part in zip(stripes, parts, strict=True):
        collector.add(rows, part)
    return collector.result()


def _free_memory(dask_scheduler: Any) -> float:
    workers = dask_scheduler.workers.values()
    if not all(worker.memory_limit for worker in workers):
        return float("inf")
    return float(sum(worker.memory_limit - worker.metrics["memory"] for worker in workers))


def _threads_of_workers(dask_scheduler: Any) -> int:
    return sum(worker.nthreads for worker in dask_scheduler.workers.values())


def _dask() -> ModuleType:
    return require("dask", extra="dask", owner="A dask collection")


def _dask_array() -> ModuleType:
    _dask()
    return import_module("dask.array")


def _pieces(data: Any) -> list[Any]:
    """Return the chunks of an array, rows whole, or the partitions of a frame."""
    if hasattr(data, "rechunk"):
        data = data if len(data.chunks[1]) == 1 else data.rechunk({1: -1})
        return list(data.to_delayed()[:, 0])
    return list(data.to_delayed())
