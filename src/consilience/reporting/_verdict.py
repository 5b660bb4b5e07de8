"""The verdict of a report in words, and the reasons to doubt it."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from consilience._utils._words import listed, plural
from consilience.answer import ConsensusClustering
from consilience.answer.internals import headline, strength
from consilience.consensus import Doubt
from consilience.consensus.internals import (
    BROKEN_CONSTRAINTS,
    BY_CHANCE,
    NO_SIGNAL,
    broken_constraints,
    doubts_about,
    doubts_about_chance,
    doubts_about_clusters,
    listed_doubts,
)
from consilience.metrics import evidence
from consilience.reporting._result import Result
from consilience.reporting._words import count, number, percent, rounded

# Mean confidence and the share of undecided objects for a consensus to be called clear, or fair.
_CLEAR, _FAIR = (0.9, 0.02), (0.7, 0.15)
# The grade of a model by the strength of the evidence.
_GRADES = {"strong": "clear", "fair": "fair", "weak": "weak", "none": "unsupported"}
# With more clusters, only the largest and the smallest size are said.
_SIZES_LISTED = 8
# What is shown as 1.00 needs no remark.
CERTAIN = 0.995
# What the mean confidence is compared with.
WITHOUT_CLUSTERS = "members whose labels are in a random order"
# The evidence of clusters from the agreement of members, in words.
_EVIDENCE = {
    "none": ": less than a third of the way from there to 100 % is no evidence of clusters",
    "little": ": less than half of the way from there to 100 % is little evidence of clusters",
    "some": "",
}


def find_doubts(result: Result, id_of: Callable[[int], str]) -> list[Doubt]:
    """Return what should be known before the result is used.

    Parameters
    ----------
    result : Result
        What the report is about.
    id_of : function
        From the position of an object to its name.
    """
    model = result.estimator
    if isinstance(model, ConsensusClustering):
        return list(_named(model.doubts_, result, id_of))
    found = doubts_about(result.labels, result.ensemble) if model is None else model.doubts_
    found = list(_named(found, result, id_of))
    if result.n_clusters > 1 and np.isfinite(result.mean_confidence):
        found += doubts_about_chance(
            result.mean_confidence,
            result.chance_confidence,
            WITHOUT_CLUSTERS,
            separated=None,
        )
    return [*found, *doubts_about_clusters(result.sizes, result.stability, result.names)]


def _named(doubts: list[Doubt], result: Result, id_of: Callable[[int], str]) -> Iterator[Doubt]:
    """Call objects by the names that the report knows, which the fit need not have known."""
    for doubt in doubts:
        if doubt.code == BROKEN_CONSTRAINTS:
            name = type(result.function).__name__
            yield from broken_constraints(name, result.function.constraints_, id_of)
        else:
            yield doubt


def verdict(result: Result, doubts: Sequence[Doubt]) -> dict[str, Any]:
    """Return a grade, a headline, sentences, and the figures behind them.

    A model says itself what it found, in the words of its `verdict_`.
    """
    if isinstance(result.estimator, ConsensusClustering):
        return _of_model(result.estimator, result, doubts)
    one = result.n_clusters == 1
    codes = {doubt.code for doubt in doubts}
    grade = "one" if one else _grade(result, codes)
    named = _named_doubts(grade, result, doubts)
    return {
        "grade": grade,
        "headline": _headline(result, grade, codes),
        "doubts": named,
        "sentences": [*([named] if named else []), *_sentences(result)],
        "n_samples": result.n_samples,
        "n_members": result.ensemble.n_members,
        "n_clusters": result.n_clusters,
        "mean_confidence": None if one else rounded(result.mean_confidence),
        "chance_confidence": None if one else rounded(result.chance_confidence),
        "undecided": None if one else result.undecided,
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
        "undecided": None if one else result.undecided,
    }


def _grade(result: Result, codes: set[str]) -> str:
    mean, undecided = result.mean_confidence, result.undecided_share
    if mean >= _CLEAR[0] and undecided <= _CLEAR[1] and not codes:
        return "clear"
    if codes & {NO_SIGNAL, BY_CHANCE}:
        return "unsupported"
    return "fair" if mean >= _FAIR[0] and undecided <= _FAIR[1] else "weak"


def _named_doubts(grade: str, result: Result, doubts: Sequence[Doubt]) -> str:
    """List in one sentence what keeps the verdict from being clear; "" if there is nothing."""
    mean, undecided = result.mean_confidence, result.undecided_share
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


def _headline(result: Result, grade: str, codes: set[str]) -> str:
    if grade == "one":
        return _headline_of_one(result)
    by_chance = "supported hardly more than by chance"
    words = {
        "clear": "the clusterings agree",
        "fair": "usable, with doubts",
        "weak": "weakly supported by the clusterings",
        "unsupported": by_chance if BY_CHANCE in codes else "do not rely on them",
    }
    return f"{result.n_clusters} clusters: {words[grade]}"


def _headline_of_one(result: Result) -> str:
    """Say whether one cluster was requested."""
    asked = getattr(result.function, "n_clusters", None)
    if asked is not None and asked > 1:
        return f"One cluster, though {asked} were requested"
    if asked is None and result.function is not None:
        return f"One cluster, found by {type(result.function).__name__}"
    return "One cluster, as asked" if result.estimator is not None else "One cluster, as given"


def _sentences(result: Result) -> list[str]:
    n_samples, undecided = result.n_samples, result.undecided
    if result.n_clusters == 1:
        together = f"All {count(n_samples)} objects stay together."
        return ["There is 1 object." if n_samples == 1 else together, _about_given_k(result)]
    mean, half = percent(result.mean_confidence), "no object has less than half."
    if undecided:
        verb = "has" if undecided == 1 else "have"
        share = percent(result.undecided_share)
        half = f"{plural(undecided, 'object')} ({share}) {verb} less than half."
    return [
        f"{plural(n_samples, 'object')} fall into {result.n_clusters} clusters{_of_sizes(result)}.",
        f"On average {mean} of the votes of the members go to an object's own cluster; {half}",
        _about_chance(result),
        _weakest(result),
        _about_given_k(result),
    ]


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
    if stability[weakest] >= CERTAIN:
        return "The members agree about every cluster."
    return (
        f"The least stable cluster is {result.names[weakest]}, with a mean confidence of "
        f"{number(float(stability[weakest]))}."
    )


def _about_chance(result: Result) -> str:
    """Compare the mean confidence with the one that chance gives."""
    found = evidence(result.mean_confidence, result.chance_confidence)
    level = percent(result.chance_confidence)
    return f"With {WITHOUT_CLUSTERS} it would be up to {level}{_EVIDENCE[found]}."


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
