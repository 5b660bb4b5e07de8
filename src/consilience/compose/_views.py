"""Several views of the data, and the one whose clusters are best supported and most agreed on.

A view is a scaling of the columns and a kind of members. Every view is tried on a sample of the rows
with a few members, which several consensus functions combine. The chosen answer has the largest
product of two figures: how far its own members support it, and how well it agrees with the answers of
the other views. Support alone prefers one giant cluster and a few outliers; agreement alone does not see
how clear the clusters are.
"""

import time
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse.linalg import ArpackError

from consilience._utils._progress import progress
from consilience._utils._types import Array
from consilience.compose._kept_answer import KeptAnswer
from consilience.compose._parts import make_generator
from consilience.consensus import ConsensusFunction
from consilience.consensus.internals import solve
from consilience.ensemble import Ensemble
from consilience.exceptions import ConsilienceWarning
from consilience.generate import EnsembleGenerator
from consilience.generate.internals import Kind, Rows, kinds_to_try
from consilience.metrics import pairwise_nmi
from consilience.metrics.internals import THETA, certain_votes, read_labels

# Rows and members on which views are tried.
TRIED_ROWS = 1_000
TRIED_MEMBERS = 10
# Functions that combine the members of a view: linkage, a spectral cut, groups of base clusters.
PANEL = ("LWCL", "LWGP", "MCLA")
# The power of support in the product with agreement.
_SUPPORT_POWER = 2


class View(NamedTuple):
    """One way of looking at the data.

    scaling      how the columns are scaled
    kind         kind of members
    n_members    members it was tried with
    function     consensus function that gave its best answer; "" if there is none
    confidence   share of the votes for an object's own cluster (`consilience.metrics.confidence`)
    support      the same, corrected for chance
    information  what the votes tell about the clusters (`consilience.metrics.vote_information`)
    agreement    mean NMI of its answer with the answers of the other views; NaN if there are none
    seconds      time it took
    chosen       whether it was chosen
    note         why it was left out; "" if it was not
    """

    scaling: str
    kind: str
    n_members: int
    function: str = ""
    confidence: float = float("nan")
    support: float = float("nan")
    information: float = float("nan")
    agreement: float = float("nan")
    seconds: float = 0.0
    chosen: bool = False
    note: str = ""

    @property
    def words(self) -> str:
        """Describe the view."""
        return f"{self.kind}, {SCALING_WORDS[self.scaling]}"


SCALING_WORDS: Mapping[str, str] = {
    "standard": "columns divided by their standard deviations",
    "common": "columns on one common scale",
    "max": "columns divided by their largest values",
    "counts": "logarithms of counts, weighted by how rare their columns are",
    "log-counts": "logarithms of counts",
    "none": "columns as given",
}


@dataclass(frozen=True)
class ViewChoice:
    """The views that were tried, and which one was chosen.

    Attributes
    ----------
    table : tuple of View
        Every view.
    n_rows : int
        Rows on which they were tried.
    by_k : bool
        Whether the clusters are those by which their number was chosen.
    """

    table: tuple[View, ...]
    n_rows: int
    by_k: bool = False

    @property
    def chosen(self) -> View:
        """Return the view that was chosen."""
        return next(view for view in self.table if view.chosen)

    @property
    def n_compared(self) -> int:
        """Return how many views gave an answer."""
        return sum(not view.note for view in self.table)

    @property
    def sentence(self) -> str:
        """Say which view was chosen, and why."""
        view = self.chosen
        if self.by_k:
            return (
                "The clusters are those that several ways to look at the data ended with when their "
                f"number was chosen; the members are {view.words}."
            )
        if self.n_compared < 2:
            return f"The data were clustered in one way: {view.words}."
        return (
            f"The data were clustered in {self.n_compared} ways. One of them was chosen ({view.words}), "
            f"because its clusters do best in support by its own members ({view.support:.2f}) and "
            f"agreement with the other views (mean NMI {view.agreement:.2f}) together."
        )

    def __str__(self) -> str:
        head = f"{'scaling':<10}{'kind':<20}{'function':<9}{'support':>8}{'agreement':>10}{'seconds':>8}"
        lines = [head]
        for view in self.table:
            mark = f"  {view.note}" if view.note else "  <" if view.chosen else ""
            lines.append(
                f"{view.scaling:<10}{view.kind:<20}{view.function:<9}{view.support:>8.3f}"
                f"{view.agreement:>10.3f}{view.seconds:>8.2f}{mark}"
            )
        return "\n".join([*lines, self.sentence])


class _Answer(NamedTuple):
    """The labels that one function found in one view."""

    view: int
    function: str
    labels: Array
    confidence: float
    support: float
    information: float


class Tried(NamedTuple):
    """What was tried: the places of the rows, and the answers of all views for them."""

    choice: ViewChoice
    places: Array
    answers: list[_Answer]

    def at(self, places: Any) -> "Tried":
        """Return the same for rows that are some of all: `places` says where among all."""
        return self if isinstance(places, slice) else self._replace(places=places[self.places])

    def best_function(
        self,
        functions: Sequence[str | ConsensusFunction],
        ensemble: Ensemble,
        n_clusters: int,
        random_state: int,
    ) -> str | ConsensusFunction:
        """Return whose answer for all rows is best: supported, and in agreement with the other views.

        A function that is best on some rows and few members may not be best on all, so all functions
        are run again, and the best answer of the trial is a candidate too.
        """
        chosen = self.choice.table.index(self.choice.chosen)
        kept = next(
            answer
            for answer in self.answers
            if (answer.view, answer.function) == (chosen, self.choice.chosen.function)
        )
        candidates = [
            *functions,
            KeptAnswer(n_clusters, places=self.places, labels=kept.labels),
        ]
        found = answers_of(candidates, ensemble, n_clusters, random_state, view=chosen)
        tried = [answer.labels for answer in self.answers]
        scores = []
        for answer in found:
            together = pairwise_nmi(Ensemble([answer.labels[self.places], *tried]))
            agreement = _mean_by_view(together[0, 1:], self.answers, without=chosen)
            scores.append(_score(answer.support, agreement))
        most = max(len(np.unique(answer.labels)) for answer in found)
        full = [len(np.unique(answer.labels)) == most for answer in found]
        return candidates[int(np.argmax(np.where(full, scores, -1.0)))]


class Looking(NamedTuple):
    """What is tried: data, clusters wanted, functions, a kind given by the user, and settings."""

    X: Any
    n_clusters: int
    functions: Sequence[str | ConsensusFunction]
    generator: str | EnsembleGenerator | None
    n_members: int
    settings: Mapping[str, Any]


def look(
    looking: Looking,
    scalings: Sequence[str | None],
    random_state: int,
    verbose: int | None = 0,
) -> Tried:
    """Try every view on a sample of the rows, and choose one.

    A view that cannot be made is left out with a note; if none can be made, the first error is raised.
    """
    rng = np.random.default_rng(random_state)
    places = np.arange(looking.X.shape[0])
    if len(places) > TRIED_ROWS:
        places = np.sort(rng.choice(len(places), TRIED_ROWS, replace=False))
    tried = looking.X[places]
    table: list[View] = []
    answers: list[_Answer] = []
    errors: list[Exception] = []
    kinds = [kinds_to_try(looking.generator, first=name == scalings[0]) for name in scalings]
    with progress("Looking at the data in several ways", sum(map(len, kinds)), verbose) as advance:
        for scaling, tried_kinds in zip(scalings, kinds, strict=True):
            scaled = Rows(scaling, looking.X)
            rows = scaled(tried)
            for kind in tried_kinds:
                view = View(scaled.name, kind.name, min(looking.n_members, TRIED_MEMBERS))
                start = time.perf_counter()
                try:
                    answers += _answers(
                        looking, kind, rows, view.n_members, random_state, len(table)
                    )
                except (ValueError, ArpackError) as error:
                    errors.append(error)
                    view = view._replace(note=_first_sentence(error))
                table.append(view._replace(seconds=time.perf_counter() - start))
                advance(1)
    if not answers:
        raise errors[0]
    return Tried(ViewChoice(tuple(_choose(table, answers)), len(places)), places, answers)


def _answers(
    looking: Looking, kind: Kind, rows: Any, n_members: int, random_state: int, view: int
) -> list[_Answer]:
    generator = make_generator(
        kind,
        n_members=n_members,
        n_clusters=looking.n_clusters,
        shape=rows.shape,
        common={**looking.settings, "random_state": random_state, "verbose": 0},
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConsilienceWarning)
        ensemble = generator.fit(rows).ensemble_
    return answers_of(looking.functions, ensemble, looking.n_clusters, random_state, view)


def answers_of(
    functions: Sequence[str | ConsensusFunction],
    ensemble: Ensemble,
    n_clusters: int,
    random_state: int,
    view: int,
) -> list[_Answer]:
    """Let every function combine an ensemble, and count the votes for its answer."""
    found = []
    for function in functions:
        solved = solve(function, ensemble, n_clusters, np.random.default_rng(random_state))
        votes = certain_votes(read_labels(solved.labels, ensemble), ensemble, THETA)
        found.append(
            _Answer(
                view,
                solved.function,
                solved.labels,
                votes.confidence,
                votes.adjusted_confidence,
                votes.information,
            )
        )
    return found


def _choose(table: list[View], answers: list[_Answer]) -> list[View]:
    """Fill in the best answer of every view, and mark the view with the best of all."""
    agreement = _agreement(answers)
    n_clusters = np.array([len(np.unique(answer.labels)) for answer in answers])
    # A single view cannot be compared with others; its answers are judged by their information.
    alone = len({answer.view for answer in answers}) == 1
    second = [answer.information for answer in answers] if alone else agreement
    score = np.array(
        [_score(answer.support, figure) for answer, figure in zip(answers, second, strict=True)]
    )
    # An answer with fewer clusters than the others does not have the requested number.
    score = np.where(n_clusters == n_clusters.max(), score, -1.0)
    winner = int(np.argmax(score))
    filled = []
    for place, view in enumerate(table):
        own = [i for i, answer in enumerate(answers) if answer.view == place]
        if own:
            best = max(own, key=lambda i: score[i])
            answer = answers[best]
            view = view._replace(  # noqa: PLW2901
                function=answer.function,
                confidence=answer.confidence,
                support=answer.support,
                information=answer.information,
                agreement=float("nan") if alone else float(agreement[best]),
                chosen=answers[winner].view == place,
            )
        filled.append(view)
    return filled


def _score(support: float, agreement: float) -> float:
    return float(max(support, 0.0) ** _SUPPORT_POWER * agreement)


def _agreement(answers: list[_Answer]) -> list[float]:
    """Return the mean NMI of every answer with those of other views."""
    similarity = pairwise_nmi(Ensemble([answer.labels for answer in answers]))
    return [
        _mean_by_view(row, answers, without=answer.view)
        for row, answer in zip(similarity, answers, strict=True)
    ]


def _mean_by_view(values: Array, answers: list[_Answer], without: int | None = None) -> float:
    """Return the mean of values of answers, in which every view counts the same."""
    views = sorted({answer.view for answer in answers} - {without})
    means = [
        np.mean(
            [value for value, answer in zip(values, answers, strict=True) if answer.view == view]
        )
        for view in views
    ]
    return float(np.mean(means)) if means else 0.0


def _first_sentence(error: Exception) -> str:
    text = str(error).strip().split("\n")[0]
    return text or type(error).__name__
