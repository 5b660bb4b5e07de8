"""What a fit found, in words."""

from typing import Any

import numpy as np

from consilience.diagnose._k_examination import ALPHA
from consilience.metrics import evidence

Array = np.ndarray[Any, Any]

_EVIDENCE = {
    "none": " This confidence is no evidence of clusters.",
    "little": " This confidence is little evidence of clusters.",
    "some": "",
}
_SHOWN_SIZES = 8


def verdict(sizes: Array, confidence: Array, chance: float) -> str:
    """Say how many clusters there are, and how far the confidence speaks for them."""
    shown = ", ".join(str(size) for size in sorted(sizes, reverse=True)[:_SHOWN_SIZES])
    shown += ", ..." if len(sizes) > _SHOWN_SIZES else ""
    if len(sizes) == 1:
        return f"One cluster of {shown} objects."
    doubtful = int(np.count_nonzero(confidence < 0.5))
    below = f"{doubtful or 'no'} object{'s' if doubtful > 1 else ''} below 0.50"
    mean = float(np.nanmean(confidence))
    unknown = int(np.count_nonzero(np.isnan(confidence)))
    without = f", {unknown} without any vote" if unknown else ""
    return (
        f"{len(sizes)} clusters of {shown} objects; mean confidence {mean:.2f} (data without clusters: "
        f"up to {chance:.2f}), {below}{without}.{_EVIDENCE[evidence(mean, chance)]}"
    )


def about_separation(p_value: float, said: str) -> str:
    """Say whether the borders of the clusters are thin, where that adds to what was said before."""
    if p_value > ALPHA:
        return f" Not every cluster is separated from the rest (weakest p-value {p_value:.2g})."
    if "evidence of clusters" in said:
        return f" But every cluster is separated from the rest (weakest p-value {p_value:.2g})."
    return ""
