"""What was found, in words."""

from collections.abc import Sequence

import numpy as np

from consilience._utils._types import Array
from consilience._utils._words import plural
from consilience.consensus import Doubt
from consilience.consensus.internals import BROKEN_CONSTRAINTS, K_IS_A_GUESS
from consilience.diagnose.internals import Separation
from consilience.metrics import evidence

_EVIDENCE = {
    "none": " This confidence is no evidence of clusters.",
    "little": " This confidence is little evidence of clusters.",
    "some": "",
}
_SHOWN_SIZES = 8


def verdict(
    sizes: Array,
    confidence: Array,
    chance: float,
    separation: Separation | None = None,
    doubts: Sequence[Doubt] = (),
) -> str:
    """Return the number of clusters and the evidence from confidence and borders, in words."""
    shown = ", ".join(str(size) for size in sorted(sizes, reverse=True)[:_SHOWN_SIZES])
    shown += ", ..." if len(sizes) > _SHOWN_SIZES else ""
    if len(sizes) == 1:
        return f"One cluster of {plural(int(sizes[0]), 'object')}.{_about_doubts(doubts)}"
    doubtful = int(np.count_nonzero(confidence < 0.5))
    below = f"{doubtful or 'no'} object{'s' if doubtful > 1 else ''} below 0.50"
    mean = float(np.nanmean(confidence))
    unknown = int(np.count_nonzero(np.isnan(confidence)))
    without = f", {unknown} without any vote" if unknown else ""
    found = evidence(mean, chance)
    return (
        f"{len(sizes)} clusters of {shown} objects; mean confidence {mean:.2f} (data without clusters: "
        f"up to {chance:.2f}), {below}{without}.{_EVIDENCE[found]}"
        f"{_about_separation(separation, confident=found == 'some')}{_about_doubts(doubts)}"
    )


def _about_separation(separation: Separation | None, *, confident: bool) -> str:
    """Say whether the borders of the clusters are thin, where that adds to what the confidence says."""
    if separation is None:
        return ""
    if separation.separated is None:
        return f" Whether the clusters are separated was not tested: {separation.why_not}."
    weakest = f"(weakest p-value {separation.p_value:.2g})"
    if not separation.separated:
        return f" Not every cluster is separated from the rest {weakest}."
    return "" if confident else f" But every cluster is separated from the rest {weakest}."


def _about_doubts(doubts: Sequence[Doubt]) -> str:
    said = ""
    for doubt in doubts:
        if doubt.code == K_IS_A_GUESS:
            said += " The number of clusters is a guess."
        if doubt.code == BROKEN_CONSTRAINTS:
            said += f" Not all constraints are met: {_held(doubt, 'must_link', 'must-links')} and "
            said += f"{_held(doubt, 'cannot_link', 'cannot-links')} hold."
    return said


def _held(doubt: Doubt, name: str, words: str) -> str:
    wanted, broken = doubt.figures[name], doubt.figures[f"{name}_broken"]
    return f"{wanted - broken} of {wanted} {words}"
