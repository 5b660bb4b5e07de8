"""Doubts about clusters, based on their sizes and on the confidence of their objects."""

from collections.abc import Sequence

import numpy as np

from consilience._utils._types import Array
from consilience._utils._words import listed, plural
from consilience.consensus._doubts import BY_CHANCE, NEAR_CHANCE, NO_MAJORITY, SMALL_CLUSTERS, Doubt
from consilience.metrics import evidence

# Statistics of a cluster with fewer objects than this are unreliable.
_FEW_OBJECTS = 5


def doubts_about_chance(
    mean_confidence: float, chance: float, without: str, *, separated: bool | None
) -> list[Doubt]:
    """Compare the confidence with that of data or members without clusters.

    Parameters
    ----------
    mean_confidence, chance : float
        The mean confidence of the result, and the largest one reached by chance.
    without : str
        Description of the data or members from which the chance level was computed.
    separated : bool or None
        Whether every cluster is separated from the rest; None = not known.
    """
    if not np.isfinite(mean_confidence):
        return []
    found = evidence(mean_confidence, chance)
    if found == "some":
        return []
    figures = {"mean_confidence": float(mean_confidence), "chance_confidence": float(chance)}
    sentence = (
        f"The mean confidence is {mean_confidence:.2f}, and with {without} it would be up to "
        f"{chance:.2f}: this is {'no' if found == 'none' else 'little'} evidence of clusters."
    )
    if found == "none" and not separated:
        clause = "the members support them hardly more than by chance"
        return [Doubt(BY_CHANCE, figures, sentence, clause)]
    clause = "the members support them little more than by chance"
    return [Doubt(NEAR_CHANCE, figures, sentence, clause)]


def doubts_about_clusters(sizes: Array, stability: Array, names: Sequence[str]) -> list[Doubt]:
    """Return doubts about very small clusters and clusters in which most votes go to other clusters.

    Parameters
    ----------
    sizes, stability : array (K,)
        Number of objects of every cluster, and their mean confidence (NaN = unknown).
    names : sequence of K str
        Names of the clusters.
    """
    found = []
    small = np.flatnonzero(sizes < _FEW_OBJECTS)
    if len(small) and len(sizes) > 1:
        which = listed([f"{names[c]} ({sizes[c]})" for c in small.tolist()])
        found.append(
            Doubt(
                SMALL_CLUSTERS,
                {"clusters": len(small), "smallest": int(sizes.min())},
                f"Fewer than {_FEW_OBJECTS} objects are in {which}; their figures mean little.",
                f"{plural(len(small), 'cluster')} {'has' if len(small) == 1 else 'have'} fewer than "
                f"{_FEW_OBJECTS} objects",
            )
        )
    weak = np.flatnonzero(stability < 0.5)
    if len(weak):
        which = listed([names[c] for c in weak.tolist()])
        found.append(
            Doubt(
                NO_MAJORITY,
                {"clusters": len(weak), "lowest_confidence": float(np.nanmin(stability))},
                f"In {plural(len(weak), 'cluster')} ({which}) the members give most of their votes to "
                "other clusters.",
                f"in {plural(len(weak), 'cluster')} most votes go to other clusters",
            )
        )
    return found
