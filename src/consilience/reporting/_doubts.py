"""Reasons to distrust a result, found again from what it carries."""

import warnings

import numpy as np

from consilience.compose import ConsensusClustering
from consilience.consensus._trust import warn_if_doubtful
from consilience.diagnose._k_examination import ALPHA
from consilience.exceptions import ConsilienceWarning
from consilience.reporting._result import Result
from consilience.reporting._words import count, listed, plural, probability

NO_DIVERSITY = "No diversity"
# With fewer members than this, agreement among them says little.
_FEW_MEMBERS = 5
# Below so many objects the figures of a cluster mean little.
_FEW = 5
# Other views that agree less than this with the chosen one, by mean NMI, see other clusters.
_AGREEMENT = 0.5


def find_doubts(result: Result) -> list[dict[str, str]]:
    """Return what should be known before the result is used: a title and a sentence each."""
    return [
        *_of_k(result),
        *_of_views(result),
        *_of_members(result),
        *_of_clusters(result),
        *_of_objects(result),
    ]


def _doubt(title: str, text: str) -> dict[str, str]:
    return {"title": title, "text": text}


def _of_k(result: Result) -> list[dict[str, str]]:
    choice = result.k_choice
    found = []
    if choice is not None and choice.at_the_edge:
        text = f"k = {choice.n_clusters} is the largest number that was tried; there may be more."
        found.append(_doubt("Number of clusters at the edge of the range", text))
    if choice is not None and choice.answer == "unsure":
        found.append(_doubt("The number of clusters is a guess", choice.sentence))
    elif choice is not None and choice.samples_disagree:
        found.append(_doubt("A second sample gave another number of clusters", choice.sentence))
    if choice is not None and choice.null_does_as_well:
        text = (
            f"At k = {choice.n_clusters} the views agree as well on data of the same covariance "
            "without clusters: the clusters may be accidental."
        )
        found.append(_doubt("Data without clusters do as well", text))
    if result.separation is not None and result.separation > ALPHA:
        text = (
            "Not every cluster has a border that is thinner than a cut through a cluster "
            f"({probability(result.separation)} for the weakest, needed {ALPHA:g}). They may overlap, "
            "or they may be parts of one group that was cut."
        )
        found.append(_doubt("Clusters that are not separated", text))
    asked = getattr(result.function, "n_clusters", None)
    if asked is not None and result.n_clusters < asked:
        text = (
            f"{result.n_clusters} of {asked} clusters came out: the others could not be told apart."
        )
        found.append(_doubt("Fewer clusters than asked for", text))
    return found


def _of_views(result: Result) -> list[dict[str, str]]:
    choice = result.view_choice
    if choice is None or choice.n_compared < 2 or result.n_clusters == 1:
        return []
    agreement = choice.chosen.agreement
    if agreement >= _AGREEMENT:
        return []
    text = (
        f"The {choice.n_compared - 1} other ways to look at the data see other clusters: their mean NMI "
        f"with this one is {agreement:.2f} ({_AGREEMENT:g} or more would be agreement). What is found "
        "depends on how the data are looked at."
    )
    return [_doubt("Other views see other clusters", text)]


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
        few.append(_doubt("Few members", text))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ConsilienceWarning)
        warn_if_doubtful(result.labels, result.ensemble)
    titles = {
        "NoDiversityWarning": NO_DIVERSITY,
        "NoSignalWarning": "No signal",
        "WorseThanMemberWarning": "A member does better",
    }
    return few + [
        _doubt(titles.get(found.category.__name__, "Doubtful"), str(found.message))
        for found in caught
        if issubclass(found.category, ConsilienceWarning)
    ]


def _of_clusters(result: Result) -> list[dict[str, str]]:
    found = []
    sizes = result.sizes
    small = np.flatnonzero(sizes < _FEW)
    if len(small) and result.n_clusters > 1:
        which = listed([f"{result.names[c]} ({sizes[c]})" for c in small])
        found.append(
            _doubt(
                "Very small clusters",
                f"Fewer than {_FEW} objects are in {which}; their figures mean little.",
            )
        )
    stability = np.bincount(result.labels, weights=result.confidence) / np.maximum(sizes, 1)
    weak = np.flatnonzero(stability < 0.5)
    if len(weak):
        which = listed([result.names[c] for c in weak])
        found.append(
            _doubt(
                "Clusters without a majority",
                f"In {plural(len(weak), 'cluster')} ({which}) the members give most of their votes to "
                "other clusters.",
            )
        )
    return found


def _of_objects(result: Result) -> list[dict[str, str]]:
    if not result.ensemble.has_missing:
        return []
    unknown = int(
        np.count_nonzero(result.ensemble.incidence.observed(result.ensemble.weights) == 0)
    )
    if not unknown:
        return []
    text = (
        f"{count(unknown)} of {plural(result.n_samples, 'object')} are labelled by no member; their "
        "cluster means nothing."
    )
    return [_doubt("Objects that no member knows", text)]
