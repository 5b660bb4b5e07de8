"""Doubts about the number of clusters that was chosen."""

from consilience._utils._words import plural
from consilience.consensus import Doubt
from consilience.consensus.internals import (
    K_AT_THE_EDGE,
    K_IS_A_GUESS,
    SAMPLES_DISAGREE,
)
from consilience.diagnose._k_choice import UNSURE, KChoice


def doubts_about_k(choice: KChoice | None) -> list[Doubt]:
    """Return doubts about the number that was chosen; none if it was given."""
    if choice is None:
        return []
    return [*_edge(choice), *_guess(choice), *_samples(choice)]


def _edge(choice: KChoice) -> list[Doubt]:
    if not choice.at_the_edge:
        return []
    more = min(2 * choice.n_clusters, choice.most_possible)
    return [
        Doubt(
            K_AT_THE_EDGE,
            {"n_clusters": choice.n_clusters, "most_possible": choice.most_possible},
            f"The number of clusters that was chosen, {choice.n_clusters}, is the largest that was "
            f"tried; there may be more clusters. Try n_clusters=(2, {more}).",
            "the number of clusters is the largest that was tried",
        )
    ]


def _guess(choice: KChoice) -> list[Doubt]:
    if choice.answer != UNSURE:
        return []
    return [
        Doubt(
            K_IS_A_GUESS,
            {"n_clusters": choice.n_clusters, "objects": len(choice.rows)},
            f"The number of clusters is uncertain. {choice.headline}: {choice.reason}.",
            "the number of clusters is a guess",
        )
    ]


def _samples(choice: KChoice) -> list[Doubt]:
    if choice.second is None or not choice.samples_disagree:
        return []
    return [
        Doubt(
            SAMPLES_DISAGREE,
            {"n_clusters": choice.n_clusters, "second": choice.second.n_clusters},
            f"The number was chosen on {plural(len(choice.rows), 'object')}: {choice.headline}. On a "
            f"second sample of {len(choice.second.rows):,} the answer is: {choice.second.headline}.",
            "a second sample of the objects gave another answer about the number of clusters",
        )
    ]
