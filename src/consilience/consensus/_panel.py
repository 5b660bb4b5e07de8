"""Supra and Concord: several consensus functions on one ensemble, the best of their results."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar, NamedTuple

import numpy as np
from sklearn.base import clone

from consilience._utils._declare import Choice, Declaration, Integer, Optional, Seed
from consilience._utils._progress import progress
from consilience._utils._types import Array
from consilience.consensus._base import Capabilities, ConsensusFunction, Outcome
from consilience.consensus._catalogue import catalogue, function_named
from consilience.consensus._criteria import CRITERIA
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


# Linear in the number of objects, and without optional packages.
DEFAULT_FUNCTIONS = ("IPC", "KMCF", "HBGF", "LWGP", "MCLA")


class Supra(Panel):
    """Run several consensus functions and keep the result that fits the members best.

    No consensus function is best for all data, but how well a result fits the ensemble can be measured
    without known classes: by the share of the votes that the objects' base clusters give to the
    objects' own clusters, or by the mean normalised mutual information with the members.

    Maximises the criterion among the results with the largest number of clusters.

    Parameters
    ----------
    n_clusters : int, default 8
        Number of clusters, K; passed to every function.
    functions : list of names or estimators, optional
        Consensus functions to run; default IPC, KMCF, HBGF, LWGP and MCLA, which are linear in the
        number of objects.
    criterion : {"combined", "confidence", "information", "anmi"}, default "combined"
        How results are compared: `consilience.metrics.confidence`,
        `consilience.metrics.vote_information`, or both, confidence^4 times information; or
        `consilience.metrics.anmi`, the criterion of the literature, which prefers clusters of equal
        size.
    random_state : int, generator or None
        Seed; every function that uses random numbers gets a seed derived from it.

    Attributes
    ----------
    function_
    table_ : list of (function, score, n_clusters, labels)
        All results, best first; the labels are those of the distinct rows of the ensemble.
    objective_ : float
        The criterion of the consensus.

    See Also
    --------
    Concord : The same with the functions that did best on real data.
    consilience.metrics.confidence, consilience.metrics.anmi : The criteria.

    Notes
    -----
    The running time is the sum of those of the functions, plus O(n r K) per result. Accepts the input
    that all of its functions accept. Warnings of the single functions are suppressed; warnings about
    the final result are given. Ties: the function named first.

    References
    ----------
    [strehl2002]_; [fern2004]_, section 6.2

    Examples
    --------
    >>> from consilience.consensus import Supra
    >>> members = [[0, 0, 0, 1, 1], [1, 1, 1, 0, 0], [0, 0, 1, 1, 1]]
    >>> fitted = Supra(n_clusters=2, functions=["IPC", "KMCF"], random_state=0).fit(members)
    >>> fitted.function_, fitted.labels_.tolist()
    ('IPC', [0, 0, 0, 1, 1])
    """

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        functions: Sequence[str | ConsensusFunction] | None = None,
        criterion: str = "combined",
        random_state: object = None,
        verbose: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.functions = functions
        self.criterion = criterion
        self.random_state = random_state
        self.verbose = verbose

    def panel(self, n_clusters: int) -> tuple[str, ...]:  # noqa: ARG002
        """Return the names of the default functions."""
        return DEFAULT_FUNCTIONS


# All are linear in the number of objects and need no optional package; they make different errors.
PANEL = ("LWCL", "LWGP", "MCLA", "CBGF")


class Concord(Panel):
    """Run several consensus functions and keep the result that the members support most.

    No consensus function is best everywhere. Concord runs four functions that make different errors:
    linkage and spectral clustering of objects, and two functions that group base clusters. It keeps
    the result for which the votes of the base clusters have a high confidence and contain much
    information about the clusters of the objects. It is the default of ConsensusClustering, because it
    is at least as good as every single function in the benchmarks of this library.

    Maximises the criterion among the results with the largest number of clusters.

    Parameters
    ----------
    n_clusters : int, default 8
        Number of clusters, K; passed to every function.
    functions : list of names or estimators, optional
        Consensus functions to run; default LWCL, LWGP, MCLA and CBGF for any number of objects. For
        more than 200 clusters the default is LWCL and KMCF, since the others need as many eigenvectors
        as clusters.
    criterion : {"combined", "confidence", "information", "anmi"}, default "combined"
        How results are compared: `consilience.metrics.confidence`,
        `consilience.metrics.vote_information`, or both, confidence^4 times information; or
        `consilience.metrics.anmi`, the criterion of the literature, which prefers clusters of equal
        size.
    random_state : int, generator or None
        Seed; every function that uses random numbers gets a seed derived from it.

    Attributes
    ----------
    function_
    table_ : list of (function, score, n_clusters, labels)
        All results, best first; the labels are those of the distinct rows of the ensemble.
    objective_ : float
        The criterion of the consensus.

    See Also
    --------
    Supra : The same with other functions.
    consilience.metrics.confidence : The criterion.

    Notes
    -----
    The running time is the sum of those of the functions and linear in n. The overlaps of base
    clusters and their certainties are computed once for all functions. Ties: the function named first.
    Warnings of the single functions are suppressed; warnings about the final result are given.

    References
    ----------
    [strehl2002]_; [fern2004]_, section 6.2; [huang2018]_

    Examples
    --------
    >>> from consilience.consensus import Concord
    >>> members = [[0, 0, 0, 1, 1], [1, 1, 1, 0, 0], [0, 0, 1, 1, 1]]
    >>> Concord(n_clusters=2, random_state=0).fit_predict(members).tolist()
    [0, 0, 0, 1, 1]
    """

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        functions: Sequence[str | ConsensusFunction] | None = None,
        criterion: str = "combined",
        random_state: object = None,
        verbose: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.functions = functions
        self.criterion = criterion
        self.random_state = random_state
        self.verbose = verbose

    def panel(self, n_clusters: int) -> tuple[str, ...]:
        """Return the names of the default functions."""
        return without_eigenvectors(PANEL, n_clusters)
