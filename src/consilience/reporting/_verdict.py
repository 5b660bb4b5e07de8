"""The answer in words."""

from typing import Any

import numpy as np

from consilience.diagnose._k_examination import ALPHA
from consilience.metrics import evidence
from consilience.reporting._chance import about_chance, chance_of
from consilience.reporting._doubts import NO_DIVERSITY
from consilience.reporting._result import Result
from consilience.reporting._words import count, listed, number, percent, plural, probability

# Mean confidence and the share of undecided objects for a consensus to be called clear, or fair.
_CLEAR, _FAIR = (0.9, 0.02), (0.7, 0.15)
_UNDECIDED = 0.5
# What is shown as 1.00 needs no remark.
_CERTAIN = 0.995


def verdict(result: Result, doubts: list[dict[str, str]]) -> dict[str, Any]:
    """Return a grade, a headline, sentences, and the figures behind them."""
    mean = float(result.confidence.mean())
    undecided = int(np.count_nonzero(result.confidence < _UNDECIDED))
    one = result.n_clusters == 1
    # Members that were made from data and all agree are no reason for doubt about the clusters.
    harmless = {NO_DIVERSITY} if result.view_choice is not None else set()
    doubtful = any(doubt["title"] not in harmless for doubt in doubts)
    chance = chance_of(result)
    doubtful = doubtful or (not one and evidence(mean, chance) != "some")
    grade = _grade(mean, undecided / result.n_samples, one=one, doubtful=doubtful)
    separated = result.separation is not None and result.separation <= ALPHA
    accidental = not one and not separated and evidence(mean, chance) == "none"
    grade = "weak" if accidental else grade
    return {
        "grade": grade,
        "headline": _headline(result, grade, accidental=accidental),
        "sentences": [*_sentences(result, mean, undecided, chance), *_about_doubts(doubts)],
        "n_samples": result.n_samples,
        "n_members": result.ensemble.n_members,
        "n_clusters": result.n_clusters,
        "mean_confidence": None if one else round(mean, 6),
        "chance_confidence": None if one else round(chance, 6),
        "undecided": None if one else undecided,
    }


def _grade(mean: float, undecided: float, *, one: bool, doubtful: bool) -> str:
    if one:
        return "one"
    if mean >= _CLEAR[0] and undecided <= _CLEAR[1] and not doubtful:
        return "clear"
    return "fair" if mean >= _FAIR[0] and undecided <= _FAIR[1] else "weak"


def _headline(result: Result, grade: str, *, accidental: bool) -> str:
    n_clusters = result.n_clusters
    if accidental:
        return f"{n_clusters} clusters: the clusterings agree no more than by chance"
    if grade == "one":
        if result.k_choice is None:
            return "One cluster, as asked"
        if result.k_choice.answer == "unsure":
            return "Too few objects to tell clusters"
        return "One cluster: no part is separated from the rest"
    words = {
        "clear": "the clusterings agree",
        "fair": "usable, with doubts",
        "weak": "the clusterings disagree",
    }
    return f"{n_clusters} clusters: {words[grade]}"


def _sentences(result: Result, mean: float, undecided: int, chance: float) -> list[str]:
    n_samples, n_clusters = result.n_samples, result.n_clusters
    sizes = [count(size) for size in sorted(result.sizes.tolist(), reverse=True)]
    if n_clusters == 1:
        found = [f"All {plural(n_samples, 'object')} stay together."]
    else:
        found = [
            f"{plural(n_samples, 'object')} fall into {n_clusters} clusters of {listed(sizes)}.",
            f"On average {percent(mean)} of the votes of the members go to an object's own cluster; "
            + (
                "no object has less than half."
                if undecided == 0
                else f"{plural(undecided, 'object')} ({percent(undecided / n_samples)}) "
                f"{'has' if undecided == 1 else 'have'} less than half."
            ),
            about_chance(result, mean, chance),
            _weakest(result),
        ]
    return [*found, *_about_view(result), _about_k(result)]


def _weakest(result: Result) -> str:
    stability = np.bincount(result.labels, weights=result.confidence) / result.sizes
    weakest = int(np.argmin(stability))
    if stability[weakest] >= _CERTAIN:
        return "Every cluster is stable."
    return (
        f"The least stable cluster is {result.names[weakest]}, with a mean confidence of "
        f"{number(float(stability[weakest]))}."
    )


def _about_view(result: Result) -> list[str]:
    choice = result.view_choice
    # With one cluster nothing was tried.
    return [] if choice is None or result.n_clusters == 1 else [choice.sentence]


def _about_k(result: Result) -> str:
    if result.k_choice is None:
        return _about_given_k(result)
    return (
        f"The number of clusters was chosen. {result.k_choice.sentence}{_about_separation(result)}"
    )


def _about_given_k(result: Result) -> str:
    asked = getattr(result.function, "n_clusters", None)
    if asked is not None and asked != result.n_clusters:
        return f"{asked} clusters were asked for, and {result.n_clusters} came out."
    text = (
        "The number of clusters was given, not chosen: nothing here says that it is the right one."
    )
    if result.separation is None:
        return text
    if result.separation <= ALPHA:
        return (
            f"{text} Every cluster is separated from the rest ({probability(result.separation)})."
        )
    return text


def _about_separation(result: Result) -> str:
    """Speak of the clusters that are returned, which need not be those of the choice."""
    if result.separation is None:
        return ""
    word = "Every" if result.separation <= ALPHA else "Not every"
    return (
        f" {word} cluster of this result is separated from the rest "
        f"({probability(result.separation)} for the weakest)."
    )


def _about_doubts(doubts: list[dict[str, str]]) -> list[str]:
    if not doubts:
        return []
    word = "warning" if len(doubts) == 1 else "warnings"
    return [f"There {'is' if len(doubts) == 1 else 'are'} {len(doubts)} {word}, below."]
