"""Reasons to doubt a result, each with a code, numbers and a sentence; they also give the warnings."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, NamedTuple

from consilience import exceptions
from consilience._utils._words import plural
from consilience.exceptions import ConsilienceWarning, warn

# Doubts about the members and the consensus function.
NO_DIVERSITY = "no-diversity"
NO_SIGNAL = "no-signal"
WORSE_THAN_MEMBER = "worse-than-member"
UNKNOWN_OBJECTS = "unknown-objects"
KNOWN_TO_ONE_MEMBER = "known-to-one-member"
FEWER_CLUSTERS = "fewer-clusters"
NOT_CONVERGED = "not-converged"
BROKEN_CONSTRAINTS = "broken-constraints"
COLLAPSED_WEIGHTS = "collapsed-weights"
UNEQUAL_CLUSTERS = "unequal-clusters"
KNOWN_CLASSES = "known-classes"
# Doubts about the clusters and their confidence.
BY_CHANCE = "agreement-by-chance"
NEAR_CHANCE = "agreement-near-chance"
SMALL_CLUSTERS = "small-clusters"
NO_MAJORITY = "no-majority"
DIVIDED_VOTES = "divided-votes"
NO_EVIDENCE = "no-evidence"
# Doubts about the clustered data.
FEW_MEMBERS = "few-members"
# Doubts about the choice of the number of clusters.
K_AT_THE_EDGE = "k-at-the-edge"
K_IS_A_GUESS = "k-is-a-guess"


class _Kind(NamedTuple):
    """Title of a kind of doubt, and the class of its warning (None = no warning)."""

    title: str
    warning: type[ConsilienceWarning] | None = None


# Title and warning class of every code.
_KINDS: Mapping[str, _Kind] = {
    NO_DIVERSITY: _Kind("No diversity", exceptions.NoDiversityWarning),
    NO_SIGNAL: _Kind("No signal", exceptions.NoSignalWarning),
    WORSE_THAN_MEMBER: _Kind("A member does better", exceptions.WorseThanMemberWarning),
    UNKNOWN_OBJECTS: _Kind("Objects without a label", exceptions.UnlabelledObjectsWarning),
    KNOWN_TO_ONE_MEMBER: _Kind("Objects labelled by one member only"),
    FEWER_CLUSTERS: _Kind("Fewer clusters than requested", exceptions.FewerClustersWarning),
    NOT_CONVERGED: _Kind("Not converged", exceptions.NotConvergedWarning),
    BROKEN_CONSTRAINTS: _Kind("Violated constraints", exceptions.BrokenConstraintsWarning),
    COLLAPSED_WEIGHTS: _Kind("One member decides", exceptions.CollapsedWeightsWarning),
    UNEQUAL_CLUSTERS: _Kind("Clusters of unequal size", exceptions.UnequalClustersWarning),
    KNOWN_CLASSES: _Kind("Chosen by known classes"),
    BY_CHANCE: _Kind("Agreement not above chance"),
    NEAR_CHANCE: _Kind("Agreement little above chance"),
    SMALL_CLUSTERS: _Kind("Very small clusters"),
    NO_MAJORITY: _Kind("Clusters without a majority"),
    DIVIDED_VOTES: _Kind("Divided votes"),
    NO_EVIDENCE: _Kind("No evidence of clusters"),
    FEW_MEMBERS: _Kind("Few members"),
    K_AT_THE_EDGE: _Kind(
        "Number of clusters at the edge of the range", exceptions.EdgeOfRangeWarning
    ),
    K_IS_A_GUESS: _Kind("The number of clusters is a guess", exceptions.UncertainNumberWarning),
}


@dataclass(frozen=True)
class Doubt:
    """A reason to doubt a result.

    Attributes
    ----------
    code : str
        The kind of doubt; stable across versions.
    figures : dict of str -> number
        The numbers behind it.
    sentence : str
        The doubt in full.
    clause : str
        A short form, for a sentence that lists several doubts.
    title : str
        The name of the kind.
    parameter : str or None
        The parameter that the sentence is about, if there is one.

    Examples
    --------
    >>> from consilience.consensus import BEST
    >>> import warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     model = BEST().fit([[0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 1, 1]])
    >>> [(doubt.code, doubt.figures) for doubt in model.doubts_]
    [('no-diversity', {'mean_ari': 1.0})]
    """

    code: str
    figures: Mapping[str, float]
    sentence: str
    clause: str

    @property
    def title(self) -> str:
        """Return the name of the kind."""
        return _KINDS[self.code].title

    @property
    def parameter(self) -> str | None:
        """Return the parameter that the sentence is about; None if there is none."""
        warning = _KINDS[self.code].warning
        return None if warning is None else warning.parameter

    def as_dict(self) -> dict[str, Any]:
        """Return text and numbers only, for JSON; None for a number that is not finite."""
        return {
            "code": self.code,
            "title": self.title,
            "clause": self.clause,
            "sentence": self.sentence,
            "parameter": self.parameter,
            "figures": {name: _plain(value) for name, value in self.figures.items()},
        }

    def __str__(self) -> str:
        return self.sentence


_told: ContextVar[bool] = ContextVar("told", default=True)


@contextmanager
def untold() -> Iterator[None]:
    """Suppress the warnings of functions that are fitted inside the context; `doubts_` is still set.

    For callers that choose which doubts to report. The warning filters of the process are not changed.
    """
    before = _told.set(False)
    try:
        yield
    finally:
        _told.reset(before)


def warn_of(doubts: Iterable[Doubt]) -> None:
    """Warn about the doubts that have a warning class, unless warnings are suppressed."""
    if not _told.get():
        return
    for doubt in doubts:
        category = _KINDS[doubt.code].warning
        if category is not None:
            warn(doubt.sentence, category)


def listed_doubts(clauses: Sequence[str]) -> str:
    """List doubts in one sentence; "" if there are none.

    Examples
    --------
    >>> listed_doubts(["there are only 2 members", "1 cluster has fewer than 5 objects"])
    'The 2 doubts: there are only 2 members; 1 cluster has fewer than 5 objects.'
    """
    if not clauses:
        return ""
    word = "The doubt" if len(clauses) == 1 else f"The {len(clauses)} doubts"
    return f"{word}: {'; '.join(clauses)}."


def _plain(value: float) -> float | None:
    if isinstance(value, int):
        return value
    return round(float(value), 6) if math.isfinite(value) else None


def fewer_clusters(name: str, found: int, asked: int | None, n_distinct: int) -> list[Doubt]:
    """Return a doubt if fewer clusters than requested were found, with the reason.

    Parameters
    ----------
    name : str
        The consensus function.
    found, asked : int
        Number of clusters found and requested; None = not specified.
    n_distinct : int
        Distinct rows of labels.
    """
    if asked is None or found >= asked:
        return []
    reason = (
        f"the members give only {plural(n_distinct, 'distinct row')} of labels, and "
        "objects with the same labels cannot be told apart"
        if n_distinct < asked
        else "the others became empty or were never needed"
    )
    return [
        Doubt(
            FEWER_CLUSTERS,
            {"clusters": found, "asked": int(asked)},
            f"{name} returned {found} of {asked} clusters: {reason}.",
            f"only {found} of {asked} clusters were found",
        )
    ]


def not_converged(name: str, n_iter: int | None, *, converged: bool) -> list[Doubt]:
    """Return a doubt if the iteration stopped at max_iter."""
    if converged:
        return []
    return [
        Doubt(
            NOT_CONVERGED,
            {} if n_iter is None else {"rounds": int(n_iter)},
            f"{name} stopped after max_iter={n_iter} iterations without convergence; increase max_iter.",
            f"{name} did not converge",
        )
    ]
