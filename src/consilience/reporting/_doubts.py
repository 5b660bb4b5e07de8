"""Reasons to distrust a result, found again from what it carries."""

import warnings

import numpy as np

from consilience.compose import ConsensusClustering
from consilience.consensus._trust import warn_if_doubtful
from consilience.diagnose._k_examination import ALPHA
from consilience.exceptions import (
    ConsilienceWarning,
    NoDiversityWarning,
    NoSignalWarning,
    WorseThanMemberWarning,
)
from consilience.metrics import evidence
from consilience.reporting._chance import without_clusters
from consilience.reporting._result import Result
from consilience.reporting._words import count, listed, plural, probability

BY_CHANCE = "Agreement that chance gives too"
NO_SIGNAL = "No signal"
NOT_SEPARATED = "Clusters that are not separated"
NULL_AS_WELL = "Data without clusters do as well"
OTHER_VIEWS = "Other views see other clusters"
_TITLES: dict[type[Warning], tuple[str, str]] = {
    NoDiversityWarning: ("No diversity", "the members are nearly identical"),
    NoSignalWarning: (NO_SIGNAL, "the members agree no better than chance"),
    WorseThanMemberWarning: (
        "A member does better",
        "one member agrees with the others better than the consensus does",
    ),
}
# With fewer members than this, agreement among them says little.
_FEW_MEMBERS = 5
# Below so many objects the figures of a cluster mean little.
_FEW = 5
# Other views that agree less than this with the chosen one, by mean NMI, see other clusters.
_AGREEMENT = 0.5


def find_doubts(result: Result) -> list[dict[str, str]]:
    """Return what should be known before the result is used: a title, a clause and a text each."""
    return [
        *_of_k(result),
        *_of_views(result),
        *_of_members(result),
        *_of_chance(result),
        *_of_clusters(result),
        *_of_objects(result),
    ]


def _doubt(title: str, clause: str, text: str) -> dict[str, str]:
    """Return a doubt; the clause is what a sentence that lists doubts says of it."""
    return {"title": title, "clause": clause, "text": text}


def _of_k(result: Result) -> list[dict[str, str]]:
    choice = result.k_choice
    found = []
    if choice is not None and choice.at_the_edge:
        text = f"k = {choice.n_clusters} is the largest number that was tried; there may be more."
        clause = "the number of clusters is the largest that was tried"
        found.append(_doubt("Number of clusters at the edge of the range", clause, text))
    if choice is not None and choice.answer == "unsure":
        text = f"{choice.headline}: {choice.reason}."
        clause = "the number of clusters is a guess"
        found.append(_doubt("The number of clusters is a guess", clause, text))
    if choice is not None and choice.second is not None and choice.samples_disagree:
        text = (
            f"The number was chosen on {plural(len(choice.rows), 'object')}: {choice.headline}. On a "
            f"second sample of {count(len(choice.second.rows))} the answer is: {choice.second.headline}."
        )
        clause = "a second sample of the objects gave another answer about the number of clusters"
        found.append(_doubt("A second sample gave another answer", clause, text))
    if choice is not None and choice.null_does_as_well:
        text = (
            f"At k = {choice.n_clusters} the views agree as well on data of the same covariance "
            "without clusters: the clusters may be accidental."
        )
        clause = "the views agree as well on data without clusters"
        found.append(_doubt(NULL_AS_WELL, clause, text))
    if result.separation is not None and result.separation > ALPHA:
        text = (
            "Not every cluster has a border that is thinner than a cut through a cluster "
            f"({probability(result.separation)} for the weakest; p at most {ALPHA:g} would be needed). "
            "The clusters may overlap, or they may be parts of one group that was cut."
        )
        clause = "not every cluster is separated from the rest"
        found.append(_doubt(NOT_SEPARATED, clause, text))
    asked = getattr(result.function, "n_clusters", None)
    if asked is not None and result.n_clusters < asked:
        text = (
            f"{result.n_clusters} of {asked} clusters came out: the others could not be told apart."
        )
        clause = f"only {result.n_clusters} of {asked} clusters came out"
        found.append(_doubt("Fewer clusters than asked for", clause, text))
    return found


def _of_views(result: Result) -> list[dict[str, str]]:
    choice = result.view_choice
    if choice is None or choice.n_compared < 2 or result.n_clusters == 1:
        return []
    agreement = choice.chosen.agreement
    if agreement >= _AGREEMENT:
        return []
    others = "other way" if choice.n_compared == 2 else f"{choice.n_compared - 1} other ways"
    text = (
        f"The {others} to look at the data found other clusters: the mean NMI with the clusters of the "
        f"chosen view is {agreement:.2f} ({_AGREEMENT:g} or more would be agreement). What is found "
        "depends on how the data are looked at."
    )
    clause = "other ways to look at the data show other clusters"
    return [_doubt(OTHER_VIEWS, clause, text)]


def _of_members(result: Result) -> list[dict[str, str]]:
    if result.n_clusters == 1 and isinstance(result.estimator, ConsensusClustering):
        return []  # nothing was combined
    few = []
    made_here = isinstance(result.estimator, ConsensusClustering)
    if made_here and result.ensemble.n_members < _FEW_MEMBERS:
        text = (
            f"The result is made from {plural(result.ensemble.n_members, 'clustering')}, too few to say "
            "how sure it is; make 20 or more."
        )
        clause = f"there {'is' if result.ensemble.n_members == 1 else 'are'} only "
        clause += plural(result.ensemble.n_members, "member")
        few.append(_doubt("Few members", clause, text))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ConsilienceWarning)
        warn_if_doubtful(result.labels, result.ensemble)
    # Members that were made from data and all agree are no reason for doubt about the clusters.
    harmless = (NoDiversityWarning,) if result.view_choice is not None else ()
    return few + [
        _doubt(*_TITLES.get(found.category, ("Doubtful", "there is a warning")), str(found.message))
        for found in caught
        if issubclass(found.category, ConsilienceWarning) and found.category not in harmless
    ]


def _of_chance(result: Result) -> list[dict[str, str]]:
    """Compare the confidence with the one that data or members without clusters give."""
    if result.n_clusters == 1 or not np.isfinite(result.mean_confidence):
        return []
    found = evidence(result.mean_confidence, result.chance_confidence)
    if found == "some":
        return []
    separated = result.separation is not None and result.separation <= ALPHA
    text = (
        f"The mean confidence is {result.mean_confidence:.2f}, and with {without_clusters(result)} it "
        f"would be up to {result.chance_confidence:.2f}: this is "
        f"{'no' if found == 'none' else 'little'} evidence of clusters."
    )
    if found == "none" and not separated:
        return [_doubt(BY_CHANCE, "the members support them hardly more than by chance", text)]
    clause = "the members support them little more than by chance"
    return [_doubt("Agreement little above chance", clause, text)]


def _of_clusters(result: Result) -> list[dict[str, str]]:
    found = []
    sizes = result.sizes
    small = np.flatnonzero(sizes < _FEW)
    if len(small) and result.n_clusters > 1:
        which = listed([f"{result.names[c]} ({sizes[c]})" for c in small])
        found.append(
            _doubt(
                "Very small clusters",
                f"{plural(len(small), 'cluster')} {'has' if len(small) == 1 else 'have'} fewer than "
                f"{_FEW} objects",
                f"Fewer than {_FEW} objects are in {which}; their figures mean little.",
            )
        )
    weak = np.flatnonzero(result.stability < 0.5)
    if len(weak):
        which = listed([result.names[c] for c in weak])
        found.append(
            _doubt(
                "Clusters without a majority",
                f"in {plural(len(weak), 'cluster')} most votes go to other clusters",
                f"In {plural(len(weak), 'cluster')} ({which}) the members give most of their votes to "
                "other clusters.",
            )
        )
    return found


def _of_objects(result: Result) -> list[dict[str, str]]:
    unknown = int(np.count_nonzero(result.unknown))
    if not unknown:
        return []
    verb = "is" if unknown == 1 else "are"
    text = (
        f"{count(unknown)} of {plural(result.n_samples, 'object')} {verb} labelled by no member. The "
        f"confidence is not known there, and the cluster means nothing; such objects are left out of "
        "all means."
    )
    clause = f"{plural(unknown, 'object')} {verb} labelled by no member"
    return [_doubt("Objects that no member knows", clause, text)]
