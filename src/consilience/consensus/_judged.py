"""Base class of consensus functions that choose among several results by a criterion."""

from abc import abstractmethod
from collections.abc import Callable
from typing import ClassVar

import numpy as np

from consilience._utils._types import Array
from consilience.consensus._base import ConsensusFunction
from consilience.consensus._criteria import CriterionFunction, uses_classes, value_of
from consilience.consensus._fit_doubts import known_classes
from consilience.consensus._outcome import Outcome
from consilience.consensus._problem import Problem
from consilience.ensemble import Ensemble

# From the labels of the reduced rows, the criterion; larger is better.
Judge = Callable[[Array], float]


class JudgedFunction(ConsensusFunction):
    """A consensus function with a parameter `criterion`, declared as a `Criterion`.

    A criterion is computed for the labels of all objects as they were given to `fit`, because it may
    compare them with other data about these objects. So a subclass writes `_consensus` with a judge as
    its last argument, which takes labels of the reduced rows.
    """

    criterion: str | CriterionFunction
    object_parameters: ClassVar[tuple[str, ...]] = ("criterion",)

    @abstractmethod
    def _consensus(  # type: ignore[override]
        self, ensemble: Ensemble, n_clusters: int, rng: np.random.Generator, judge: Judge
    ) -> Outcome:
        """Combine the members."""

    def _combine(
        self, problem: Problem, n_clusters: int | None, rng: np.random.Generator
    ) -> Outcome:
        def consensus(judge: Judge) -> Outcome:
            # None reaches only functions whose declared parameters allow it.
            return self._consensus(problem.ensemble, n_clusters, rng, judge)  # type: ignore[arg-type]

        return self._judged(problem, consensus)

    def _judged(self, problem: Problem, consensus: Callable[[Judge], Outcome]) -> Outcome:
        """Give a judge to a function that combines the members; say so if the judge knows classes."""
        name = type(self).__name__

        def judge(labels: Array) -> float:
            everywhere = np.asarray(problem.expand(labels))
            return value_of(self.criterion, everywhere, problem.whole, name)

        outcome = consensus(judge)
        used = uses_classes(self.criterion)
        outcome.attributes = {**outcome.attributes, "uses_classes_": used}
        if used:
            outcome.doubts = [*outcome.doubts, known_classes(name)]
        return outcome
