"""NMI, Rand and ARI as functions of sums over contingency tables.

Every argument may be a number or an array: one pair of labellings, a labelling against every member, or
every member against every other are the same formulas on different shapes.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from consilience._utils._types import Array
from consilience.exceptions import InvalidParameterError

AVERAGES: dict[str, Callable[[Array, Array], Array]] = {
    "geometric": lambda a, b: np.sqrt(a * b),
    "arithmetic": lambda a, b: (a + b) / 2,
    "min": np.minimum,
    "max": np.maximum,
}


def xlogx(counts: Any) -> Array:
    """Return x log x, 0 for 0."""
    values = np.asarray(counts, dtype=np.float64)
    return values * np.log(np.where(values > 0, values, 1.0))


def nmi_from_sums(joint: Any, left: Any, right: Any, total: Any, average: str) -> Array:
    """Normalised mutual information from sums of n log n: cells, margins, and the total itself.

    One side with a single cluster gives 0, both sides 1.
    """
    if average not in AVERAGES:
        raise InvalidParameterError(
            f"average_method must be one of {', '.join(map(repr, AVERAGES))}; got {average!r}."
        )
    joint, left, right = (np.asarray(value, dtype=np.float64) for value in (joint, left, right))
    whole = xlogx(total)
    scale = np.maximum(np.asarray(total, dtype=np.float64), 1e-300)
    information = (whole + joint - left - right) / scale
    entropy_left, entropy_right = (whole - left) / scale, (whole - right) / scale
    # Differences below this are rounding errors: the entropy of a single cluster is 0.
    tiny = 1e-14 * np.maximum(whole / scale, 1.0)
    single_left, single_right = entropy_left <= tiny, entropy_right <= tiny
    norm = AVERAGES[average](np.maximum(entropy_left, 0), np.maximum(entropy_right, 0))
    value = np.where(information > tiny, information, 0.0) / np.where(norm > 0, norm, 1.0)
    value = np.where(single_left | single_right, 0.0, np.clip(value, 0.0, 1.0))
    # Identical labellings, including single clusters, have exactly 1.
    same: Array = (entropy_left - information <= tiny) & (entropy_right - information <= tiny)
    agreement: Array = np.where(same, 1.0, value)
    return agreement


def rand_from_squares(joint: Any, left: Any, right: Any, total: Any) -> Array:
    """Share of pairs that two labellings treat differently, from sums of squared counts."""
    joint, left, right, n = (np.asarray(v, dtype=np.float64) for v in (joint, left, right, total))
    distance: Array = (left + right - 2 * joint) / np.where(n > 1, n * (n - 1), 1.0)
    return distance


def ari_from_squares(joint: Any, left: Any, right: Any, total: Any) -> Array:
    """Adjusted Rand index, from sums of squared counts; 1 if nothing could differ."""
    joint, left, right, n = (np.asarray(v, dtype=np.float64) for v in (joint, left, right, total))
    pairs = np.maximum(n * (n - 1) / 2, 1.0)
    together, in_left, in_right = (joint - n) / 2, (left - n) / 2, (right - n) / 2
    expected = in_left * in_right / pairs
    spread = (in_left + in_right) / 2 - expected
    return np.where(spread > 0, (together - expected) / np.where(spread > 0, spread, 1.0), 1.0)
