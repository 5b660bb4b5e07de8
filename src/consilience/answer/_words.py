"""All words about an answer: the headline, the figures that led to it, and the doubts."""

from collections.abc import Mapping, Sequence

import numpy as np

from consilience._utils._types import Array
from consilience._utils._words import plural
from consilience.answer import _settings as settings
from consilience.consensus import Doubt
from consilience.consensus.internals import (
    BROKEN_CONSTRAINTS,
    DIVIDED_VOTES,
    FEW_MEMBERS,
    FEWER_CLUSTERS,
    K_AT_THE_EDGE,
    K_IS_A_GUESS,
    KNOWN_TO_ONE_MEMBER,
    NO_DIVERSITY,
    NO_EVIDENCE,
    doubts_about_clusters,
)

CLUSTERS, ONE, UNSURE, GIVEN = "clusters", "one", "unsure", "given"
# The strength of the evidence for clusters, and the least probability for it. It is strong where the
# answer is "clusters", none where it is "one", and between these where it is "unsure".
STRENGTHS = (
    ("strong", settings.UNSURE[1]),
    ("fair", sum(settings.UNSURE) / 2),
    ("weak", settings.UNSURE[0]),
    ("none", 0.0),
)
# Below this share of votes, on average, the votes are divided.
_DIVIDED = 0.7
# Fewer members than this say little.
_FEW_MEMBERS = 5
_SHOWN_SIZES = 8
SCALING_WORDS: Mapping[str, str] = {
    "standard": "columns divided by their standard deviations",
    "common": "columns on one common scale",
    "max": "columns divided by their largest values",
    "counts": "logarithms of counts, weighted by how rare their columns are",
    "log-counts": "logarithms of counts",
    "none": "columns as given",
}


def strength(probability: float) -> str:
    """Return the strength of the evidence that there are clusters: strong, fair, weak or none."""
    return next(word for word, least in STRENGTHS if probability >= least)


def answer_for(probability: float, *, is_given: bool) -> str:
    """Return the answer, from the probability that there are clusters."""
    if is_given:
        return GIVEN
    if probability >= settings.UNSURE[1]:
        return CLUSTERS
    return ONE if probability < settings.UNSURE[0] else UNSURE


def headline(answer: str, n_clusters: int) -> str:
    """Return the answer alone."""
    if n_clusters == 1:
        return "Unsure" if answer == UNSURE else "One cluster"
    if answer == UNSURE:
        return f"Unsure; the best guess is {n_clusters} clusters"
    return f"{n_clusters} clusters"


def evidence_sentence(probability: float) -> str:
    """Say how strong the evidence of clusters is."""
    return (
        f"The evidence that there are clusters is {strength(probability)} "
        f"(probability {probability:.2f})."
        if strength(probability) != "none"
        else f"There is no evidence of clusters (probability {probability:.2f})."
    )


def shared_sentence(share: float, answer: str) -> str:
    """Say how much of their information halves of the members share."""
    more = ", no more than by chance" if answer == ONE else ""
    return f"Halves of the members share {share:.0%} of their information about the clusters{more}."


def too_few_sentence(n_members: int, n_rows: int) -> str:
    """Say that nothing can be told."""
    verb = "is" if n_members == 1 else "are"
    return (
        f"{plural(n_members, 'clustering')} of {plural(n_rows, 'object')} {verb} too few to tell."
    )


def verdict(
    answer: str,
    sizes: Array,
    probability: float,
    confidence: Array,
    weakest_border: float,
    doubts: Sequence[Doubt] = (),
) -> str:
    """Return the answer and at most three figures that led to it."""
    shown = ", ".join(f"{size:,}" for size in np.sort(sizes)[::-1][:_SHOWN_SIZES])
    shown += ", ..." if len(sizes) > _SHOWN_SIZES else ""
    said = [
        f"{headline(answer, len(sizes))} of {shown} {'object' if sizes.sum() == 1 else 'objects'}."
    ]
    if answer != GIVEN or len(sizes) > 1:
        said.append(evidence_sentence(probability))
    if len(sizes) > 1:
        known = confidence[np.isfinite(confidence)]
        if len(known):
            said.append(
                f"On average {known.mean():.0%} of the votes are for an object's own cluster."
            )
        if np.isfinite(weakest_border):
            said.append(_of_border(weakest_border))
    said += [_of_constraints(doubt) for doubt in doubts if doubt.code == BROKEN_CONSTRAINTS]
    return " ".join(said)


def _of_constraints(doubt: Doubt) -> str:
    held = [
        f"{doubt.figures[name] - doubt.figures[f'{name}_broken']} of {doubt.figures[name]} {words}"
        for name, words in (("must_link", "must-links"), ("cannot_link", "cannot-links"))
    ]
    return f"Not all constraints are met: {' and '.join(held)} hold."


def _of_border(cost: float) -> str:
    if cost < 0.005:
        return "There is a gap around every cluster."
    return f"The weakest border costs {cost:.0%} of a cut through the inside of its cluster."


def doubts_about_answer(
    answer: str,
    n_clusters: int,
    asked: int | None,
    probability: float | None,
    *,
    largest_tried: int | None,
) -> list[Doubt]:
    """Return doubts about the number of clusters.

    Parameters
    ----------
    answer, n_clusters : str, int
        The answer.
    asked : int or None
        The number that was given, if one was.
    probability : float or None
        That there are clusters; None if it is not known.
    largest_tried : int or None
        The largest number in question; None if no larger one is possible.
    """
    found = []
    figures = {"n_clusters": float(n_clusters)}
    if probability is not None:
        figures["probability"] = probability
    if asked is not None and n_clusters < asked:
        found.append(
            Doubt(
                FEWER_CLUSTERS,
                {"clusters": n_clusters, "asked": asked},
                f"Only {n_clusters} of {asked} clusters were found: no clustering has more.",
                f"only {n_clusters} of {asked} clusters were found",
            )
        )
    if answer == UNSURE:
        found.append(
            Doubt(
                K_IS_A_GUESS,
                figures,
                f"Whether there are clusters is not sure{_unsure(probability)}. "
                f"{n_clusters} clusters are the best guess.",
                "the number of clusters is a guess",
            )
        )
    if (
        answer == GIVEN
        and n_clusters > 1
        and probability is not None
        and strength(probability) == "none"
    ):
        found.append(
            Doubt(
                NO_EVIDENCE,
                figures,
                f"The number of clusters was given, but the probability that there are clusters at all "
                f"is {probability:.2f}: the data may have been cut where there is no border.",
                "there is no evidence of clusters",
            )
        )
    if answer in (CLUSTERS, UNSURE) and largest_tried == n_clusters > 2:
        found.append(
            Doubt(
                K_AT_THE_EDGE,
                {"n_clusters": n_clusters},
                f"The number of clusters that was chosen, {n_clusters}, is the largest that was tried; "
                f"there may be more clusters. Try n_clusters=(2, {2 * n_clusters}).",
                "the number of clusters is the largest that was tried",
            )
        )
    return found


def _unsure(probability: float | None) -> str:
    if probability is None:
        return ""
    return f": the probability is {probability:.2f} ({settings.UNSURE[1]:g} would be sure)"


def doubts_about_votes(sizes: Array, confidence: Array, stability: Array) -> list[Doubt]:
    """Return doubts about clusters that are small, and votes that are divided."""
    found = []
    known = confidence[np.isfinite(confidence)]
    if len(sizes) > 1 and len(known) and known.mean() < _DIVIDED:
        found.append(
            Doubt(
                DIVIDED_VOTES,
                {"mean_confidence": float(known.mean()), "needed": _DIVIDED},
                f"The votes are divided: on average only {known.mean():.0%} of them are for an object's "
                "own cluster.",
                "the votes are divided",
            )
        )
    if len(sizes) > 1:
        names = [str(cluster) for cluster in range(len(sizes))]
        found += doubts_about_clusters(sizes, stability, names)
    return found


def doubts_about_members(of_function: Sequence[Doubt], n_members: int) -> list[Doubt]:
    """Return the doubts of a consensus function that matter here, and whether members are few."""
    # Members that were made from data and all agree are no reason for doubt about the clusters.
    left_out = {NO_DIVERSITY}
    few = []
    if n_members < _FEW_MEMBERS:
        left_out |= {KNOWN_TO_ONE_MEMBER} if n_members == 1 else set()
        few.append(
            Doubt(
                FEW_MEMBERS,
                {"members": n_members},
                f"The result is made from {plural(n_members, 'clustering')}, too few to say how sure it "
                "is; make 20 or more.",
                f"there {'is' if n_members == 1 else 'are'} only {plural(n_members, 'member')}",
            )
        )
    return [*few, *(doubt for doubt in of_function if doubt.code not in left_out)]
