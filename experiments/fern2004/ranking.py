"""Rankings by paired t tests, in the paper's notation."""

from collections.abc import Mapping
from itertools import combinations, pairwise
from typing import Any

import numpy as np
from scipy.stats import ttest_rel

Array = np.ndarray[Any, Any]

_SIGNIFICANT = 0.05


def ranking(values: Mapping[str, Array]) -> str:
    """Write "C <= K < I": initials, the worst mean first; < is worse and significant, <= only worse."""
    order = sorted(values, key=lambda name: float(values[name].mean()))
    text = order[0][0]
    for worse, better in pairwise(order):
        sign = "<" if _differ(values[worse], values[better]) else "<="
        text += f" {sign} {better[0]}"
    return text


def agreeing_pairs(ours: str, printed: str) -> tuple[int, int]:
    """Return how many pairs that a `<` parts in the printed ranking stand in that order in ours.

    The second number is how many such pairs there are. Steps `<=` of our own ranking count as order.
    """
    place = {name: k for k, name in enumerate(_names(ours))}
    parted = [
        (worse, better)
        for (worse, low), (better, high) in combinations(_levels(printed).items(), 2)
        if low < high
    ]
    return sum(place[worse] < place[better] for worse, better in parted), len(parted)


def _names(text: str) -> list[str]:
    return text.split()[::2]


def _levels(text: str) -> dict[str, int]:
    """Give every name the number of `<` before it."""
    signs = ["", *text.split()[1::2]]
    return dict(zip(_names(text), np.cumsum([sign == "<" for sign in signs]).tolist(), strict=True))


def _differ(first: Array, second: Array) -> bool:
    difference = first - second
    if np.ptp(difference) <= 1e-12:
        # No spread, no t statistic: the columns are the same, or a constant apart.
        return bool(np.abs(difference).max() > 1e-12) and len(difference) > 1
    return bool(ttest_rel(first, second).pvalue < _SIGNIFICANT)
