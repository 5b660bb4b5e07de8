"""Base class of IVC, IPVC and IPC: iterations from several starts, and the choice among them."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

import numpy as np

from consilience._utils._declare import Declaration, Flag, Integer, Seed
from consilience._utils._types import Array
from consilience.consensus._capabilities import Capabilities
from consilience.consensus._criteria import Criterion
from consilience.consensus._judged import Judge, JudgedFunction
from consilience.consensus._outcome import Outcome
from consilience.consensus._problem import Problem
from consilience.consensus._start_labels import StartLabels, start_of_rows
from consilience.consensus.voting._local_search import local_search
from consilience.consensus.voting._starts import (
    RANDOM_PARTITION,
    STARTS,
    completed,
    distinct_starts,
)
from consilience.ensemble import Ensemble
from consilience.incidence import Assigned, label_digest, label_sizes, n_different, relabelled
from consilience.metrics.internals import mean_nmi, mean_rand
from consilience.partition import Solution


class IterativeVoting(JudgedFunction):
    """Template: a subclass defines how objects are assigned to clusters, and the objective."""

    parameters: ClassVar[Mapping[str, Declaration]] = {
        "n_clusters": Integer(1),
        "init": StartLabels(*STARTS),
        "n_init": Integer(1),
        "max_iter": Integer(1),
        "criterion": Criterion("rand", "anmi", "objective"),
        "refine": Flag(),
        "random_state": Seed(),
    }
    capabilities: ClassVar[Capabilities] = Capabilities()
    object_parameters: ClassVar[tuple[str, ...]] = ("init", "criterion")
    init: str | Array
    n_init: int
    max_iter: int
    refine: bool
    # Whether a larger objective is a better one.
    _maximises: ClassVar[bool] = False

    def active_capabilities(self) -> Capabilities:
        """Identical objects that may start apart are not merged."""
        if not isinstance(self.init, str) or self.init == RANDOM_PARTITION:
            return replace(self.capabilities, profile_exact=False)
        return self.capabilities

    @abstractmethod
    def _choose(self, ensemble: Ensemble, state: Assigned) -> Assigned:
        """Assign every object again, all from the same count table."""

    @abstractmethod
    def _objective(self, ensemble: Ensemble, state: Assigned) -> float:
        """Return the quantity that `history_` shows, from the count table."""

    def _consensus(  # type: ignore[override]
        self, ensemble: Ensemble, n_clusters: int, rng: np.random.Generator, judge: Judge
    ) -> Outcome:
        init = str(self.init)
        starts = distinct_starts(ensemble, n_clusters, rng, init=init, n_init=self.n_init)
        return self._best_run(ensemble, starts, judge)

    def _combine(
        self, problem: Problem, n_clusters: int | None, rng: np.random.Generator
    ) -> Outcome:
        if isinstance(self.init, str):
            return super()._combine(problem, n_clusters, rng)
        assert n_clusters is not None  # noqa: S101 - a declared parameter
        labels = start_of_rows(problem, self, self.init, n_clusters)
        start = completed(problem.ensemble, labels, n_clusters)
        return self._judged(problem, lambda judge: self._best_run(problem.ensemble, [start], judge))

    def _best_run(self, ensemble: Ensemble, starts: list[Array], judge: Judge) -> Outcome:
        runs = [self._run(ensemble, start, judge) for start in starts]
        outcome = Outcome.of_all(runs)
        if self.refine:
            outcome.labels = local_search(ensemble, outcome.labels, self.max_iter)
        return outcome

    def _run(self, ensemble: Ensemble, start: Array, judge: Judge) -> Solution:
        """Repeat the assignment until nothing changes; return the best state if it cycles."""
        # Of random rows that differ only in missing labels, one may have no objects.
        state = _without_empty(_state(ensemble, start))
        history = [self._objective(ensemble, state)]

        def found(state: Assigned, objective: float, *, converged: bool) -> Solution:
            criterion = self._criterion(ensemble, state, objective, judge)
            # The first entry of the history is the start.
            n_iter = len(history) - 1
            return Solution(state.labels, criterion, objective, n_iter, converged, history)

        best, least = state, _rand(ensemble, state)
        seen = {label_digest(state.labels)}
        for _ in range(self.max_iter):
            following = _without_empty(self._choose(ensemble, state))
            history.append(self._objective(ensemble, following))
            if not n_different(following.labels, state.labels):
                return found(state, history[-1], converged=True)
            state = following
            distance = _rand(ensemble, state)
            if distance < least:
                best, least = state, distance
            digest = label_digest(state.labels)
            if digest in seen:
                return found(best, self._objective(ensemble, best), converged=True)
            seen.add(digest)
        return found(state, history[-1], converged=False)

    def _criterion(
        self, ensemble: Ensemble, state: Assigned, objective: float, judge: Judge
    ) -> float:
        """Return the value by which runs are ranked; lower is better."""
        if self.criterion == "objective":
            return -objective if self._maximises else objective
        if self.criterion == "anmi":
            return -mean_nmi(state.counts, ensemble.layout, ensemble.weights)
        if self.criterion == "rand":
            return _rand(ensemble, state)
        return -judge(state.labels)


def _rand(ensemble: Ensemble, state: Assigned) -> float:
    return mean_rand(state.counts, ensemble.layout, ensemble.weights)


def _state(ensemble: Ensemble, labels: Array) -> Assigned:
    H = ensemble.incidence
    n_labels = int(labels.max()) + 1
    sizes = label_sizes(labels, n_labels, H.row_weight)
    return Assigned(labels, H.count(labels, n_labels), sizes, np.empty(0))


def _without_empty(state: Assigned) -> Assigned:
    """Drop empty clusters."""
    alive = label_sizes(state.labels, len(state.sizes)) > 0
    if alive.all():
        return state
    rank = (np.cumsum(alive) - 1).astype(np.int32)
    return state._replace(
        labels=relabelled(state.labels, rank),
        counts=state.counts[:, alive],
        sizes=state.sizes[alive],
    )
