"""The verdict of a report in words."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from consilience.answer import ConsensusClustering
from consilience.answer.internals import headline, strength
from consilience.consensus import Doubt
from consilience.consensus.internals import (
    BY_CHANCE,
    NO_SIGNAL,
    listed_doubts,
)
from consilience.reporting._chance import about_chance
from consilience.reporting._result import Result
from consilience.reporting._words import count, listed, number, percent, plural

# Mean confidence and the share of undecided objects for a consensus to be called clear, or fair.
_CLEAR, _FAIR = (0.9, 0.02), (0.7, 0.15)
_UNDECIDED = 0.5
# The grade of a model by the strength of the evidence.
_GRADES = {"strong": "clear", "fair": "fair", "weak": "weak", "none": "unsupported"}
# With more clusters, only the largest and the smallest size are said.
_SIZES_LISTED = 8
# What is shown as 1.00 needs no remark.
_CERTAIN = 0.995


def verdict(result: Result, doubts: Sequence[Doubt]) -> dict[str, Any]:
    """Return a grade, a headline, sentences, and the figures behind them.

    A model says itself what it found, in the words of its `verdict_`.
    """
    if isinstance(result.estimator, ConsensusClustering):
        return _of_model(result.estimator, result, doubts)
    mean = result.mean_confidence
    undecided = int(np.count_nonzero(result.confidence < _UNDECIDED))
    share = undecided / max(1, int(np.count_nonzero(~result.unknown)))
    one = result.n_clusters == 1
    grade = _grade(mean, share, doubts, one=one)
    named = _named_doubts(grade, mean, share, doubts)
    sentences = _sentences(result, mean, undecided, share)
    return {
        "grade": grade,
        "headline": _headline(result, grade, doubts),
        "doubts": named,
        "sentences": [*([named] if named else []), *sentences],
        "n_samples": result.n_samples,
        "n_members": result.ensemble.n_members,
        "n_clusters": result.n_clusters,
        "mean_confidence": None if one or not np.isfinite(mean) else round(mean, 6),
        "chance_confidence": None if one else round(result.chance_confidence, 6),
        "undecided": None if one else undecided,
    }


def _of_model(
    model: ConsensusClustering, result: Result, doubts: Sequence[Doubt]
) -> dict[str, Any]:
    one = result.n_clusters == 1
    said = [] if one and model.answer_ == "given" else [strength(model.probability_)]
    named = listed_doubts([doubt.clause for doubt in doubts])
    mean = result.mean_confidence
    return {
        "grade": "one" if one else _GRADES[strength(model.probability_)],
        "headline": ": evidence of clusters ".join(
            [headline(model.answer_, result.n_clusters), *said]
        ),
        "doubts": named,
        "sentences": [*([named] if named else []), model.verdict_],
        "n_samples": result.n_samples,
        "n_members": result.ensemble.n_members,
        "n_clusters": result.n_clusters,
        "mean_confidence": None if one or not np.isfinite(mean) else round(mean, 6),
        "probability": round(model.probability_, 6),
        "undecided": None if one else int(np.count_nonzero(result.confidence < _UNDECIDED)),
    }


def _grade(mean: float, undecided: float, doubts: Sequence[Doubt], *, one: bool) -> str:
    if one:
        return "one"
    if mean >= _CLEAR[0] and undecided <= _CLEAR[1] and not doubts:
        return "clear"
    if _nothing_there(doubts):
        return "unsupported"
    return "fair" if mean >= _FAIR[0] and undecided <= _FAIR[1] else "weak"


def _nothing_there(doubts: Sequence[Doubt]) -> bool:
    """Say whether members agree by chance."""
    return any(doubt.code in (NO_SIGNAL, BY_CHANCE) for doubt in doubts)


def _named_doubts(grade: str, mean: float, undecided: float, doubts: Sequence[Doubt]) -> str:
    """List in one sentence what keeps the verdict from being clear; "" if there is nothing."""
    clauses = [doubt.clause for doubt in doubts]
    if grade in ("fair", "weak", "unsupported"):
        if not np.isfinite(mean):
            clauses.append("no object has a confidence")
        elif mean < _CLEAR[0]:
            clauses.append(
                f"on average only {percent(mean)} of the votes go to an object's own cluster "
                f"({100 * _CLEAR[0]:.0f}\xa0% or more would be clear)"
            )
        if undecided > _CLEAR[1]:
            clauses.append(
                f"{percent(undecided)} of the objects get less than half of the votes for their own "
                "cluster"
            )
    return listed_doubts(clauses)


def _headline(result: Result, grade: str, doubts: Sequence[Doubt]) -> str:
    n_clusters = result.n_clusters
    if grade == "one":
        return _headline_of_one(result)
    codes = {doubt.code for doubt in doubts}
    words = {
        "clear": "the clusterings agree",
        "fair": "usable, with doubts",
        "weak": "weakly supported by the clusterings",
        "unsupported": "supported hardly more than by chance"
        if BY_CHANCE in codes
        else "do not rely on them",
    }
    return f"{n_clusters} clusters: {words[grade]}"


def _headline_of_one(result: Result) -> str:
    """Say whether one cluster was requested."""
    asked = getattr(result.function, "n_clusters", None)
    if asked is not None and asked > 1:
        return f"One cluster, though {asked} were requested"
    if asked is None and result.function is not None:
        return f"One cluster, found by {type(result.function).__name__}"
    return "One cluster, as asked" if result.estimator is not None else "One cluster, as given"


def _sentences(result: Result, mean: float, undecided: int, share: float) -> list[str]:
    n_samples, n_clusters = result.n_samples, result.n_clusters
    if n_clusters == 1:
        found = [
            "There is 1 object."
            if n_samples == 1
            else f"All {count(n_samples)} objects stay together."
        ]
    else:
        found = [
            f"{plural(n_samples, 'object')} fall into {n_clusters} clusters{_of_sizes(result)}.",
            f"On average {percent(mean)} of the votes of the members go to an object's own cluster; "
            + (
                "no object has less than half."
                if undecided == 0
                else f"{plural(undecided, 'object')} ({percent(share)}) "
                f"{'has' if undecided == 1 else 'have'} less than half."
            ),
            about_chance(result),
            _weakest(result),
        ]
    return [*found, _about_given_k(result)]


def _of_sizes(result: Result) -> str:
    sizes = sorted(result.sizes.tolist(), reverse=True)
    if len(sizes) <= _SIZES_LISTED:
        return f" of {listed([count(size) for size in sizes])}"
    if sizes[0] == sizes[-1]:
        return f" of {count(sizes[0])} each"
    return f", the largest of {count(sizes[0])} and the smallest of {count(sizes[-1])}"


def _weakest(result: Result) -> str:
    stability = result.stability
    if np.all(np.isnan(stability)):
        return "No member knows any object, so that no cluster has a confidence."
    weakest = int(np.nanargmin(stability))
    if stability[weakest] >= _CERTAIN:
        return "The members agree about every cluster."
    return (
        f"The least stable cluster is {result.names[weakest]}, with a mean confidence of "
        f"{number(float(stability[weakest]))}."
    )


def _about_given_k(result: Result) -> str:
    if result.estimator is None:
        return "The clusters were given; how they and their number were found is not known here."
    function = result.function
    asked = getattr(function, "n_clusters", None)
    if asked is not None and asked != result.n_clusters:
        return f"{asked} clusters were requested, and {result.n_clusters} were found."
    if function is not None and asked is None:
        return _about_found_k(function)
    return (
        "The number of clusters was given, not chosen; whether it is the right one was not tested."
    )


def _about_found_k(function: Any) -> str:
    """Describe how a consensus function found the number of clusters."""
    name = type(function).__name__
    threshold = getattr(function, "distance_threshold", None)
    if threshold is not None:
        return (
            f"The number of clusters follows from the distance below which {name} merges clusters, "
            f"{threshold:g}, which was given: nothing here says that it is the right one."
        )
    return (
        f"{name} found the number of clusters by its own rule, from the members alone: nothing here "
        "tests whether it is the right one."
    )
