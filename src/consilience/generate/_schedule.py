"""Members side by side: workers, thread limits, progress and checkpoints.

A worker makes a batch of neighbouring members and saves each as soon as it is finished. BLAS and
OpenMP run on one thread inside members, also when there is one worker: otherwise the labels
would depend on the order in which their threads add numbers.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from consilience._utils._progress import progress
from consilience._utils._types import Array
from consilience.generate._checkpoint import Checkpoint
from consilience.generate._member import Member
from consilience.generate._one_thread import one_thread

if TYPE_CHECKING:
    from consilience.generate._base import EnsembleGenerator


class Schedule:
    """How the members of one fit are made."""

    def __init__(self, n_jobs: int | None, prefers: str, verbose: int | None, title: str) -> None:
        self.n_jobs = n_jobs
        self.prefers = prefers
        self.verbose = verbose
        self.title = title

    def make(
        self,
        generator: "EnsembleGenerator",
        X: Any,
        shared_seed: np.random.SeedSequence,
        seeds: Sequence[np.random.SeedSequence],
        store: Checkpoint | None,
    ) -> list[Member]:
        """Return all members; those in the store are not made again."""
        members = [None if store is None else store.load(j) for j in range(len(seeds))]
        n_finished = sum(member is not None for member in members)
        with one_thread(), progress(self.title, len(seeds), self.verbose) as advance:
            # Also when nothing is left to do: it sets what new rows need.
            shared = generator._prepare(X, np.random.default_rng(shared_seed))  # noqa: SLF001
            advance(n_finished)
            tasks = []
            for batch in _batches(len(seeds), generator.batch_size):
                todo = {j: seeds[j] for j in batch if members[j] is None}
                if todo:
                    tasks.append((generator, shared, batch, todo, store))
            # A member that starts from the one before waits for it.
            made = (
                (_make_batch(*task, members) for task in tasks)
                if generator.in_sequence
                else self._parallel(_make_batch, tasks)
            )
            for batch_of_members in made:
                for j, member in batch_of_members:
                    members[j] = member
                advance(len(batch_of_members))
        return [member for member in members if member is not None]

    def predict(
        self, generator: "EnsembleGenerator", members: Sequence[Member], rows: Any
    ) -> list[Array]:
        """Label rows with every member."""
        batches = _batches(len(members), generator.batch_size)
        tasks = [(generator, rows, batch, members[batch.start : batch.stop]) for batch in batches]
        with one_thread():
            return [labels for batch in self._parallel(_label_batch, tasks) for labels in batch]

    def _parallel(self, function: Callable[..., Any], tasks: list[Any]) -> Iterator[Any]:
        from joblib import Parallel, delayed

        workers = Parallel(n_jobs=self.n_jobs, prefer=self.prefers, return_as="generator")
        yield from workers(delayed(function)(*task) for task in tasks)


def _make_batch(
    generator: "EnsembleGenerator",
    shared: Any,
    batch: range,
    todo: dict[int, np.random.SeedSequence],
    store: Checkpoint | None,
    chain: Sequence[Member | None] = (),
) -> list[tuple[int, Member]]:
    """Make the members of a batch that are not finished; `chain` are the members before them."""
    made = []
    with one_thread():
        ready = generator._prepare_batch(shared, batch)  # noqa: SLF001
        for j, seed in todo.items():
            previous = chain[j - 1] if chain and j > 0 else None
            member = generator._member(ready, j, np.random.default_rng(seed), previous)  # noqa: SLF001
            if store is not None:
                store.save(j, member)
            made.append((j, member))
    return made


def _label_batch(
    generator: "EnsembleGenerator", rows: Any, batch: range, members: Sequence[Member]
) -> list[Array]:
    with one_thread():
        ready = generator._prepare_batch(rows, batch)  # noqa: SLF001
        return [generator._predict(member, ready) for member in members]  # noqa: SLF001


def _batches(count: int, size: int) -> list[range]:
    return [range(start, min(start + size, count)) for start in range(0, count, size)]
