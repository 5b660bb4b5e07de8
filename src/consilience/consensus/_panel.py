"""Several consensus functions on one ensemble, and a criterion to compare their results."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar, NamedTuple

import numpy as np
from sklearn.base import clone

from consilience._utils._declare import Choice, Declaration, Integer, Optional, Seed
from consilience._utils._progress import progress
from consilience._utils._types import Array
from consilience.consensus._base import ConsensusFunction
from consilience.consensus._capabilities import Capabilities
from consilience.consensus._catalogue import catalogue, function_named
from consilience.consensus._criteria import CRITERIA
from consilience.consensus._outcome import Outcome
from consilience.ensemble import Ensemble
from consilience.exceptions import InvalidParameterError

# For more clusters than this only these functions are run.
MANY_CLUSTERS = 200
_FOR_MANY_CLUSTERS = ("LWCL", "KMCF")


class Answer(NamedTuple):
    """Result of one consensus function.

    function    its name
    score       the criterion for its labels
    n_clusters  clusters it returned
    labels      of the distinct rows of the ensemble
    """

    function: str
    score: float
    n_clusters: int
    labels: Array


def without_eigenvectors(functions: tuple[str, ...], n_clusters: int) -> tuple[str, ...]:
    """Return the functions to run for this number of clusters.

    Spectral functions need as many eigenvectors as clusters: for several hundred clusters this takes
    minutes.
    """
    return functions if n_clusters <= MANY_CLUSTERS else _FOR_MANY_CLUSTERS


class Functions:
    """Names of consensus functions, or estimators."""

    def accepts(self, value: object) -> bool:
        """Require at least one function, and only known ones."""
        if isinstance(value, str) or not isinstance(value, Sequence) or not value:
            return False
        return all(
            isinstance(f, ConsensusFunction)
            or (isinstance(f, str) and function_named(f) is not None)
            for f in value
        )

    def __str__(self) -> str:
        return "a list of consensus functions or of names among " + ", ".join(catalogue())


def ask_all(
    functions: Sequence[str | ConsensusFunction],
    ensemble: Ensemble,
    n_clusters: int,
    criterion: str,
    rng: np.random.Generator,
    verbose: int | None = 0,
) -> list[Answer]:
    """Run every function on the ensemble and sort the results by the criterion, best first.

    Results with fewer clusters come after results with more. Ties: the function named first.
    """
    answers = []
    with progress("Running consensus functions", len(functions), verbose) as advance:
        for function, stream in zip(functions, rng.spawn(len(functions)), strict=True):
            name, labels = solve(function, ensemble, n_clusters, stream)
            score = CRITERIA[criterion](labels, ensemble)
            answers.append(Answer(name, score, int(labels.max()) + 1, labels))
            advance(1)
    return sorted(answers, key=lambda answer: (-answer.n_clusters, -answer.score))


class Solved(NamedTuple):
    """The labels that a function found, without a score."""

    function: str
    labels: Array


def solve(
    function: str | ConsensusFunction,
    ensemble: Ensemble,
    n_clusters: int,
    stream: np.random.Generator,
) -> Solved:
    """Run one function on the ensemble without warnings."""
    if isinstance(function, str):
        kind = function_named(function)
        assert kind is not None  # noqa: S101 - checked with the parameters
        asked = kind()
    else:
        asked = clone(function)
        refuse_objects(asked)
    asked.set_params(n_clusters=n_clusters)
    if "random_state" in asked.parameters and asked.get_params()["random_state"] is None:
        asked.set_params(random_state=stream)
    if "verbose" in asked.parameters:
        asked.set_params(verbose=0)
    return Solved(type(asked).__name__, asked.labels_inside(ensemble))


def refuse_objects(function: ConsensusFunction) -> None:
    """Raise an error if a function has data of particular objects, which are merged in a panel."""
    names = function.parameters_of_objects()
    if names:
        name = type(function).__name__
        raise InvalidParameterError(
            f"{name}: {' and '.join(names)} cannot be used inside Supra or Concord, which merge "
            f"identical objects; leave it out there, or fit {name} alone."
        )


class Panel(ConsensusFunction):
    """Base class of Supra and Concord: run several functions, given by a subclass, and keep the best."""

    parameters: ClassVar[Mapping[str, Declaration]] = {
        "n_clusters": Integer(1),
        "functions": Optional(Functions()),
        "criterion": Choice(*CRITERIA),
        "random_state": Seed(),
        "verbose": Optional(Integer(0)),
    }
    capabilities: ClassVar[Capabilities] = Capabilities()
    functions: Sequence[str | ConsensusFunction] | None
    criterion: str
    verbose: int | None

    @abstractmethod
    def panel(self, n_clusters: int) -> tuple[str, ...]:
        """Return the names of the default functions."""

    def _consensus(self, ensemble: Ensemble, n_clusters: int, rng: np.random.Generator) -> Outcome:
        functions = self.panel(n_clusters) if self.functions is None else self.functions
        answers = ask_all(functions, ensemble, n_clusters, self.criterion, rng, self.verbose)
        best = answers[0]
        return Outcome(
            best.labels,
            objective=best.score,
            attributes={"table_": answers, "function_": best.function},
        )
