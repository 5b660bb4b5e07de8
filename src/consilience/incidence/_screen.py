"""A table of 16-bit integers, which is sufficient to find the argmax of most rows."""

from typing import Any, NamedTuple

import numpy as np

from consilience._utils._types import Array
from consilience.incidence._layout import Layout
from consilience.incidence._sweep import TIE_TOLERANCE

# Sums of int16 stay within this + r / 2; minus the margin they are still above the smallest int16.
_LARGEST_SUM = 28_000
# The margin must be at most the range divided by this; otherwise too few rows are decided.
_MARGINS = 14


class Screen(NamedTuple):
    """A table and a bias, scaled and rounded to small integers.

    A constant per base cluster is subtracted first, which does not change the argmax.

    table   (t, K) int16, or a larger type if asked for
    bias    (K,), the smallest number of the type where a column can never win
    margin  a column that leads by more units than this has the largest sum, and no other is tied with
            it; 0 means that sums are exact, and that columns with the largest sum are tied
    unit    integer that corresponds to a difference of one in the table
    """

    table: Array
    bias: Array
    margin: int
    unit: float


def make_screen(
    table: Array, bias: Array, layout: Layout, *, room: int = _LARGEST_SUM, dtype: Any = np.int16
) -> Screen | None:
    """Return the table in small integers whose sums stay within `room` + r / 2.

    None if the precision is too low, or numbers are not finite.
    """
    able = bias > -np.inf
    known, start = table[:, able], bias[able]
    if not (able.any() and np.isfinite(known).all() and np.isfinite(start).all()):
        return None
    whole = is_whole(known) and is_whole(start)
    # Numbers near the limits of float64 overflow to infinite bounds, which are rejected below.
    with np.errstate(over="ignore", invalid="ignore"):
        # Twice the tolerance, which also covers the rounding of sums in float64.
        ties = 2 * TIE_TOLERANCE * max(1.0, largest_sum(known, start, layout))
        known, start = _centred(known, whole=whole), _centred(start[None, :], whole=whole)[0]
        reach = largest_sum(known, start, layout)
        if whole and reach <= room and ties < 1:
            unit, margin = 1.0, 0.0
        else:
            unit = room / max(reach, 1e-300)
            # Two sums of r + 1 numbers, each rounded by up to half a unit, and one unit to spare.
            margin = layout.n_members + 2 + np.ceil(unit * ties)
    if not (np.isfinite(unit) and margin <= room // _MARGINS):
        return None
    small = np.zeros(table.shape, dtype=dtype)
    small[:, able] = np.rint(unit * known)
    small_bias = np.full(len(bias), np.iinfo(dtype).min, dtype=dtype)
    small_bias[able] = np.rint(unit * start)
    return Screen(small, small_bias, int(margin), float(unit))


def is_whole(numbers: Array) -> bool:
    """Whether all numbers are integers."""
    return bool((np.rint(numbers) == numbers).all())


def _centred(rows: Array, *, whole: bool) -> Array:
    """Subtract the midrange of every row, which minimises its largest absolute value."""
    middle = (rows.max(axis=1, initial=-np.inf) + rows.min(axis=1, initial=np.inf)) / 2
    centred: Array = rows - (np.floor(middle) if whole else middle)[:, None]
    return centred


def largest_sum(table: Array, bias: Array, layout: Layout) -> float:
    """Return an upper bound of the sums of absolute values."""
    rows = np.abs(table).max(axis=1, initial=0.0)
    return float(layout.max_by_member(rows).sum() + np.abs(bias).max())
