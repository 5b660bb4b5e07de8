"""Reasons to doubt a result, as data: a code, figures and a sentence each; warnings are made of them."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, NamedTuple

from consilience import exceptions
from consilience.exceptions import ConsilienceWarning, warn

# Of the members and the function that combined them.
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
# Of the clusters and their confidence.
BY_CHANCE = "agreement-by-chance"
NEAR_CHANCE = "agreement-near-chance"
SMALL_CLUSTERS = "small-clusters"
NO_MAJORITY = "no-majority"
# Of data that were clustered here.
FEW_MEMBERS = "few-members"
NOT_SEPARATED = "not-separated"
NOT_TESTED = "separation-not-tested"
OTHER_VIEWS = "other-views"
# Of the choice of the number of clusters.
K_AT_THE_EDGE = "k-at-the-edge"
K_IS_A_GUESS = "k-is-a-guess"
SAMPLES_DISAGREE = "samples-disagree"
NULL_AS_WELL = "null-does-as-well"


class _Kind(NamedTuple):
    """The title of a kind of doubt, and the warning that a fit gives; None = it gives none."""

    title: str
    warning: type[ConsilienceWarning] | None = None


# The one place where codes meet titles and classes of warnings.
_KINDS: Mapping[str, _Kind] = {
    NO_DIVERSITY: _Kind("No diversity", exceptions.NoDiversityWarning),
    NO_SIGNAL: _Kind("No signal", exceptions.NoSignalWarning),
    WORSE_THAN_MEMBER: _Kind("A member does better", exceptions.WorseThanMemberWarning),
    UNKNOWN_OBJECTS: _Kind("Objects that no member knows", exceptions.UnlabelledObjectsWarning),
    KNOWN_TO_ONE_MEMBER: _Kind("Objects that one member alone knows"),
    FEWER_CLUSTERS: _Kind("Fewer clusters than asked for", exceptions.FewerClustersWarning),
    NOT_CONVERGED: _Kind("Stopped too early", exceptions.NotConvergedWarning),
    BROKEN_CONSTRAINTS: _Kind("Constraints that do not hold", exceptions.BrokenConstraintsWarning),
    COLLAPSED_WEIGHTS: _Kind("One member decides", exceptions.CollapsedWeightsWarning),
    UNEQUAL_CLUSTERS: _Kind("Clusters of unequal size", exceptions.UnequalClustersWarning),
    BY_CHANCE: _Kind("Agreement that chance gives too"),
    NEAR_CHANCE: _Kind("Agreement little above chance"),
    SMALL_CLUSTERS: _Kind("Very small clusters"),
    NO_MAJORITY: _Kind("Clusters without a majority"),
    FEW_MEMBERS: _Kind("Few members"),
    NOT_SEPARATED: _Kind("Clusters that are not separated"),
    NOT_TESTED: _Kind("Separation that was not tested"),
    OTHER_VIEWS: _Kind("Other views see other clusters"),
    K_AT_THE_EDGE: _Kind(
        "Number of clusters at the edge of the range", exceptions.EdgeOfRangeWarning
    ),
    K_IS_A_GUESS: _Kind("The number of clusters is a guess", exceptions.UncertainNumberWarning),
    SAMPLES_DISAGREE: _Kind(
        "A second sample gave another answer", exceptions.UncertainNumberWarning
    ),
    NULL_AS_WELL: _Kind("Data without clusters do as well", exceptions.NullModelWarning),
}


@dataclass(frozen=True)
class Doubt:
    """A reason to doubt a result.

    Attributes
    ----------
    code : str
        What kind of doubt it is; short, and the same in every version.
    figures : dict of str -> number
        The numbers behind it.
    sentence : str
        The doubt in full.
    clause : str
        The doubt in a few words, for a sentence that lists several.
    title : str
        The name of the kind.

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

    def as_dict(self) -> dict[str, Any]:
        """Return text and numbers only, for JSON; None for a number that is not finite."""
        return {
            "code": self.code,
            "title": self.title,
            "clause": self.clause,
            "sentence": self.sentence,
            "figures": {name: _plain(value) for name, value in self.figures.items()},
        }

    def __str__(self) -> str:
        return self.sentence


_told: ContextVar[bool] = ContextVar("told", default=True)


@contextmanager
def untold() -> Iterator[None]:
    """Let functions that are fitted inside keep their doubts to themselves, in `doubts_`.

    For a caller that decides itself which of them matter. Filters of warnings, which belong to the
    whole process, are left alone.
    """
    before = _told.set(False)
    try:
        yield
    finally:
        _told.reset(before)


def warn_of(doubts: Iterable[Doubt]) -> None:
    """Warn of the doubts that have a warning, unless the caller looks at them itself."""
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
