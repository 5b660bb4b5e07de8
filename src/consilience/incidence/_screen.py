"""A table in sixteen bits, with which most rows of an argmax can be decided for certain."""

from typing import Any, NamedTuple

import numpy as np

from consilience.incidence._layout import Layout
from consilience.incidence._sweep import TIE_TOLERANCE

Array = np.ndarray[Any, Any]

# Sums of int16 stay within _ROOM + r / 2, and a margin below them still lies above the smallest int16.
_ROOM = 28_000
# A margin of more than one part in so many of the room would decide too little.
_MARGINS = 14


class Screen(NamedTuple):
    """A table and a bias in units of their own, rounded to small integers.

    What is equal for all columns of a base cluster is taken off first: it decides nothing.

    table   (t, K) int16, or a larger type if asked for
    bias    (K,), the smallest number of the type where a column can never win
    margin  a column that leads by more units than this has the largest sum, and no other is tied with
            it; 0 says that sums are exact, and that those who reach the largest are tied
    unit    what a difference of one in the table became
    """

    table: Array
    bias: Array
    margin: int
    unit: float


def make_screen(
    table: Array, bias: Array, layout: Layout, *, room: int = _ROOM, dtype: Any = np.int16
) -> Screen | None:
    """Return the table in small integers whose sums stay within `room` + r / 2.

    None if sums would say too little, or numbers are not finite.
    """
    able = bias > -np.inf
    known, start = table[:, able], bias[able]
    if not (able.any() and np.isfinite(known).all() and np.isfinite(start).all()):
        return None
    whole = is_whole(known) and is_whole(start)
    # Numbers near the limits of float64 overflow to infinite bounds, which are refused below.
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
    """Say whether all numbers are whole."""
    return bool((np.rint(numbers) == numbers).all())


def _centred(rows: Array, *, whole: bool) -> Array:
    """Take the middle of every row off, so that the largest number of the row is as small as can be."""
    middle = (rows.max(axis=1, initial=-np.inf) + rows.min(axis=1, initial=np.inf)) / 2
    centred: Array = rows - (np.floor(middle) if whole else middle)[:, None]
    return centred


def largest_sum(table: Array, bias: Array, layout: Layout) -> float:
    """Return what no sum of absolute values exceeds."""
    rows = np.abs(table).max(axis=1, initial=0.0)
    return float(layout.max_by_member(rows).sum() + np.abs(bias).max())
