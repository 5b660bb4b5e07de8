"""Weights of members and of objects: only their ratios matter."""

from typing import Any

import numpy as np

from consilience._utils._types import Array
from consilience.ensemble._validation import as_numbers
from consilience.exceptions import InvalidInputError

# Number of binary digits of scaled weights. Multiplying all weights by a constant changes the last
# digits of a float64, and these must not decide ties.
_DIGITS = 40
# A positive weight is never smaller than this share of the largest: smaller weights could only decide
# ties, and quotients of weights must stay within the range of float32.
_LEAST = 1e-15
# Largest integer up to which all integers are exact in float64.
_EXACT = 2**53


def check_member_weights(weights: Any, n_members: int) -> Array:
    """Return finite, non-negative weights with at least one positive; default 1."""
    if weights is None:
        return np.ones(n_members)
    array = as_numbers(weights, "weights", f"{n_members} numbers, one per member", (n_members,))
    array = array.astype(np.float64)
    if not np.all(np.isfinite(array) & (array >= 0)):
        member = int(np.flatnonzero(~(np.isfinite(array) & (array >= 0)))[0])
        raise InvalidInputError(
            f"weights[{member}] is {array[member]}; a member's weight must be finite and not negative."
        )
    if not np.any(array > 0):
        raise InvalidInputError("weights are all zero; at least one member must count.")
    return array


def check_sample_weight(weight: Any, n_samples: int, what: str = "sample_weight") -> Array:
    """Return int64 weights if all are whole numbers (sums stay exact), else float64."""
    if np.isscalar(weight):
        weight = np.full(n_samples, weight)
    allowed = f"{n_samples} numbers, one per object"
    array = as_numbers(weight, what, allowed, (n_samples,))
    bad = ~(np.isfinite(array) & (array >= 0))
    if bad.any():
        row = int(np.flatnonzero(bad)[0])
        raise InvalidInputError(
            f"{what}[{row}] is {array[row]}; weights must be finite and not negative."
        )
    if not np.any(array > 0):
        raise InvalidInputError(f"{what} is zero for every object; some must count.")
    floats = array.astype(np.float64)
    # Integers that are not exact in float64 have no advantage.
    is_whole = floats.max() < _EXACT and np.array_equal(np.trunc(floats), floats)
    return array.astype(np.int64) if is_whole else floats


def scaled_sample_weight(weight: Array) -> Array | None:
    """Return scaled weights of objects; None if all weights are one.

    Integers are numbers of repetitions and stay unchanged, unless they are so large that their sums
    are not exact: then they are divided by their greatest common divisor. Others are scaled to mean
    one.
    """
    if weight.dtype.kind == "i":
        exact = weight.sum(dtype=np.float64) < _EXACT
        scaled: Array = weight if exact else weight // np.gcd.reduce(weight)
    else:
        scaled = scaled_weights(weight)
        if np.all((scaled == 0) | (scaled == 1)):
            scaled = scaled.astype(np.int64)
    return None if np.all(scaled == 1) else scaled


def scaled_weights(weights: Array) -> Array:
    """Return weights of which the positive ones have mean one; equal ones become exactly one.

    Weights that differ by a common factor give the same result.
    """
    positive = weights > 0
    if not positive.any():  # a part of an ensemble in which all weights are zero
        return weights
    # Divide by the largest first, to avoid overflow and loss of digits.
    relative = np.where(positive, np.maximum(weights / weights.max(), _LEAST), 0.0)
    if np.all(relative[positive] == 1):
        return relative
    fraction, exponent = np.frexp(relative / relative[positive].mean())
    rounded: Array = np.ldexp(np.round(np.ldexp(fraction, _DIGITS)), exponent - _DIGITS)
    return rounded
