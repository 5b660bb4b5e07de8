"""Criteria by which results are compared, and functions that choose among several results by one."""

from abc import abstractmethod
from collections.abc import Callable, Mapping
from typing import ClassVar

import numpy as np

from consilience._utils._declare import Real
from consilience._utils._types import Array
from consilience.consensus._base import ConsensusFunction, Outcome
from consilience.consensus._doubts import KNOWN_CLASSES, Doubt
from consilience.consensus._problem import Problem
from consilience.ensemble import Ensemble
from consilience.exceptions import InvalidParameterError
from consilience.metrics import anmi, confidence, vote_information
from consilience.metrics.internals import THETA, certain_votes, read_labels

CriterionFunction = Callable[[Array, Ensemble], float]

_FINITE = Real(-np.finfo(np.float64).max)
# Exponent of the confidence in the default criterion of panels.
_CONFIDENCE_POWER = 4


def combined(labels: Array, ensemble: Ensemble) -> float:
    """Return confidence^4 times the information of the votes.

    Confidence alone prefers one giant cluster and a few outliers, information alone clusters of equal
    size. The power was chosen on half of the labelled sets of the benchmarks.
    """
    votes = certain_votes(read_labels(labels, ensemble), ensemble, THETA)
    return votes.confidence**_CONFIDENCE_POWER * max(votes.information, 0.0)


# Criteria for labels given an ensemble; larger is better.
CRITERIA: Mapping[str, CriterionFunction] = {
    "combined": combined,
    "confidence": confidence,
    "information": vote_information,
    "anmi": anmi,
}


class Criterion:
    """A name of a criterion, or a function of labels and ensemble for which larger is better."""

    def __init__(self, *own: str) -> None:
        """Names that the function computes itself come first."""
        self.options = tuple(dict.fromkeys([*own, *CRITERIA]))

    def accepts(self, value: object) -> bool:
        """Names must be exact; whether a function returns a number is seen when it is called."""
        return value in self.options if isinstance(value, str) else callable(value)

    def __str__(self) -> str:
        names = ", ".join(repr(option) for option in self.options)
        return f"one of {names}, or a function criterion(labels, ensemble) -> float"


def value_of(
    criterion: str | CriterionFunction, labels: Array, ensemble: Ensemble, owner: str
) -> float:
    """Return the criterion of labels of all objects; larger is better."""
    function = CRITERIA[criterion] if isinstance(criterion, str) else criterion
    value = function(labels, ensemble)
    if not _FINITE.accepts(value):
        raise InvalidParameterError(
            f"{owner}: criterion must return a finite number, larger for better labels; "
            f"{criterion!r} returned {value!r}."
        )
    return float(value)


def uses_classes(criterion: object) -> bool:
    """Whether a criterion says that it compares labels with known classes."""
    return bool(getattr(criterion, "uses_classes", False))


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


def known_classes(name: str) -> Doubt:
    """Return the doubt about a result that was chosen by its agreement with known classes."""
    return Doubt(
        KNOWN_CLASSES,
        {},
        f"{name} chose its result by known classes, so its agreement with these classes says nothing "
        "about data without them.",
        "the result was chosen by known classes",
    )
