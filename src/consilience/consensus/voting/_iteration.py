"""What IVC, IPVC and IPC share: starts from members, rounds, the choice among restarts."""

import hashlib
from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple

import numpy as np

from consilience._utils._declare import Choice, Declaration, Flag, Integer, Seed
from consilience.consensus._base import ConsensusFunction, Outcome
from consilience.consensus._capabilities import Capabilities
from consilience.consensus._solution import Solution, distinct_solutions
from consilience.consensus.voting._local_search import local_search
from consilience.ensemble import Ensemble, start_from_member
from consilience.incidence import Assigned
from consilience.metrics._member_tables import mean_nmi, mean_rand

Array = np.ndarray[Any, Any]


class _Run(NamedTuple):
    labels: Array
    counts: Array
    history: list[float]
    converged: bool


class IterativeVoting(ConsensusFunction):
    """Template: a subclass says how objects choose their cluster, and what it counts as progress."""

    parameters: ClassVar[Mapping[str, Declaration]] = {
        "n_clusters": Integer(1),
        "n_init": Integer(1),
        "max_iter": Integer(1),
        "criterion": Choice("rand", "anmi", "objective"),
        "refine": Flag(),
        "random_state": Seed(),
    }
    capabilities: ClassVar[Capabilities] = Capabilities()
    n_init: int
    max_iter: int
    criterion: str
    refine: bool
    # Whether a larger objective is a better one.
    _maximises: ClassVar[bool] = False

    @abstractmethod
    def _choose(self, ensemble: Ensemble, state: Assigned) -> Assigned:
        """Let every object choose anew, all from the same count table."""

    @abstractmethod
    def _objective(self, ensemble: Ensemble, state: Assigned) -> float:
        """Return the quantity that `history_` shows, from the count table."""

    def _consensus(self, ensemble: Ensemble, n_clusters: int, rng: np.random.Generator) -> Outcome:
        runs = [self._run(ensemble, start) for start in self._starts(ensemble, n_clusters, rng)]
        ranks = [self._rank(ensemble, run) for run in runs]
        best = runs[int(np.argmin(ranks))]
        labels = best.labels
        if self.refine:
            labels = local_search(ensemble, labels, self.max_iter)
        return Outcome(
            labels=labels,
            objective=best.history[-1],
            history=best.history,
            n_iter=len(best.history) - 1,
            converged=best.converged,
            solutions=distinct_solutions(
                Solution(run.labels, rank, run.history[-1], len(run.history) - 1)
                for rank, run in zip(ranks, runs, strict=True)
            ),
        )

    def _starts(self, ensemble: Ensemble, n_clusters: int, rng: np.random.Generator) -> list[Array]:
        """Return distinct starts: members drawn without repetition, every one if n_init >= r."""
        members = np.flatnonzero(ensemble.n_clusters)
        if self.n_init < len(members):
            members = np.sort(rng.choice(members, self.n_init, replace=False))
        starts: dict[bytes, Array] = {}
        for member in members:
            start = start_from_member(ensemble, int(member), n_clusters)
            starts.setdefault(_digest(start), start)
        return list(starts.values())

    def _run(self, ensemble: Ensemble, start: Array) -> _Run:
        """Repeat the choice until nothing changes; return to the best state if it goes in circles."""
        state = _state(ensemble, start)
        history = [self._objective(ensemble, state)]
        best = self._visited(ensemble, state)
        seen = {_digest(state.labels)}
        for _ in range(self.max_iter):
            following = _without_empty(self._choose(ensemble, state))
            history.append(self._objective(ensemble, following))
            if np.array_equal(following.labels, state.labels):
                return _Run(state.labels, state.counts, history, converged=True)
            state = following
            best = min(best, self._visited(ensemble, state), key=lambda visited: visited[0])
            digest = _digest(state.labels)
            if digest in seen:
                _, labels, counts = best
                return _Run(labels, counts, history, converged=True)
            seen.add(digest)
        return _Run(state.labels, state.counts, history, converged=False)

    def _visited(self, ensemble: Ensemble, state: Assigned) -> tuple[float, Array, Array]:
        rand = mean_rand(state.counts, ensemble.layout, ensemble.weights)
        return rand, state.labels, state.counts

    def _rank(self, ensemble: Ensemble, run: _Run) -> float:
        """Return the criterion of a run; lower is better."""
        if self.criterion == "objective":
            return -run.history[-1] if self._maximises else run.history[-1]
        if self.criterion == "anmi":
            return -mean_nmi(run.counts, ensemble.layout, ensemble.weights)
        return mean_rand(run.counts, ensemble.layout, ensemble.weights)


def _state(ensemble: Ensemble, labels: Array) -> Assigned:
    H = ensemble.incidence
    n_labels = int(labels.max()) + 1
    sizes = np.bincount(labels, weights=H.row_weight, minlength=n_labels)
    return Assigned(labels, H.count(labels, n_labels), sizes, np.empty(0))


def _without_empty(state: Assigned) -> Assigned:
    """Drop clusters that nobody chose."""
    alive = np.bincount(state.labels, minlength=len(state.sizes)) > 0
    if alive.all():
        return state
    rank = (np.cumsum(alive) - 1).astype(np.int32)
    return Assigned(rank[state.labels], state.counts[:, alive], state.sizes[alive], state.best)


def _digest(labels: Array) -> bytes:
    return hashlib.blake2b(labels.tobytes(), digest_size=16).digest()
