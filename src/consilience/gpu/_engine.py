"""The engine: whether there is a GPU that works, what runs on it, and what happens when it fails."""

from collections.abc import Iterator, Sequence
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from consilience._utils._config import set_config
from consilience.exceptions import EngineWarning, warn
from consilience.incidence import ArraySource, BlockSource, HardBlocks
from consilience.incidence.internals import Collector, Job, ThreadExecutor

Rows = tuple[int, int]

# Below this number of labels, threads are done before a kernel is launched.
_LEAST_LABELS = 1 << 20
# Messages of drivers and compilers may have many lines.
_MOST_LETTERS = 200
# What is on the GPU, for as long as the labels are in memory.
_SENT: WeakKeyDictionary[BlockSource, Any] = WeakKeyDictionary()


def problem() -> str | None:
    """Return the reason why the GPU cannot be used, after a small kernel has run there; None if it can.

    A driver, a compiler or a package that does not fit the others may raise any exception.
    """
    codes = np.arange(6, dtype=np.uint8).reshape(3, 2)
    try:
        from consilience.gpu._device import download, send_codes

        found = download(send_codes(codes))
    except Exception as error:  # noqa: BLE001
        return _sentence(error)
    return None if np.array_equal(found, codes.T) else "a kernel returned wrong numbers"


class CudaExecutor:
    """Runs a verb on all rows at once, or on threads where the GPU cannot."""

    def run(
        self, job: Job, source: BlockSource, vectors: Sequence[Any], collector: Collector
    ) -> Iterator[tuple[Rows, Any]]:
        """Yield the result of all rows, or what threads yield."""
        part = _computed(job, source, vectors)
        if part is None:
            yield from ThreadExecutor().run(job, source, vectors, collector)
        else:
            yield (0, source.n_rows), part


def _computed(job: Job, source: BlockSource, vectors: Sequence[Any]) -> Any:
    """Return the result of a verb, or None: it is not for the GPU, or the GPU failed."""
    blocks = job.fixed[0]
    if not (isinstance(source, ArraySource) and isinstance(blocks, HardBlocks)):
        return None
    if source.array.size < _LEAST_LABELS:
        return None
    try:
        from consilience.gpu._verbs import DeviceRows, verb_of

        verb = verb_of(job, vectors)
        if verb is None:
            return None
        if source not in _SENT:
            _SENT[source] = DeviceRows(source.array, blocks)
        return verb(_SENT[source], job, vectors)
    except Exception as error:  # noqa: BLE001 - as in `problem`; threads compute the verb again
        _SENT.clear()
        set_config(engine="cpu")
        warn(
            f"The GPU failed ({_sentence(error)}); this step and all others run on threads, with the "
            'same labels. set_config(engine="cuda") tries it again.',
            EngineWarning,
        )
        return None


def _sentence(error: Exception) -> str:
    words = " ".join(str(error).split())
    return f"{type(error).__name__}: {words[:_MOST_LETTERS]}" if words else type(error).__name__
