"""A table in sixteen bits, with which most rows of an argmax can be decided for certain."""

from typing import Any, NamedTuple

import numpy as np

from consilience.incidence._layout import Layout
from consilience.incidence._sweep import TIE_TOLERANCE

Array = np.ndarray[Any, Any]

# Sums of int16 stay within _ROOM + r / 2, and a margin below them still lies above _NEVER.
_ROOM = 28_000
_MOST_MARGIN = 2_000
_NEVER = -32_768


class Screen(NamedTuple):
    """A table and a bias in units of their own, rounded to int16.

    What is equal for all columns of a base cluster is taken off first: it decides nothing.

    table   (t, K) int16
    bias    (K,) int16, -32768 where a column can never win
    margin  a column that leads by more units than this has the largest sum, and no other is tied with
            it; 0 says that sums are exact, and that those who reach the largest are tied
    """

    table: Array
    bias: Array
    margin: int


def make_screen(table: Array, bias: Array, layout: Layout) -> Screen | None:
    """Return the table in sixteen bits; None if sums would say too little, or numbers are not finite."""
    able = bias > -np.inf
    known, start = table[:, able], bias[able]
    if not (able.any() and np.isfinite(known).all() and np.isfinite(start).all()):
        return None
    whole = _is_whole(known) and _is_whole(start)
    # Numbers near the limits of float64 overflow to infinite bounds, which are refused below.
    with np.errstate(over="ignore", invalid="ignore"):
        # Twice the tolerance, which also covers the rounding of sums in float64.
        ties = 2 * TIE_TOLERANCE * max(1.0, _bound(known, start, layout))
        known, start = _centred(known, whole=whole), _centred(start[None, :], whole=whole)[0]
        reach = _bound(known, start, layout)
        if whole and reach <= _ROOM and ties < 1:
            unit, margin = 1.0, 0.0
        else:
            unit = _ROOM / max(reach, 1e-300)
            # Two sums of r + 1 numbers, each rounded by up to half a unit, and one unit to spare.
            margin = layout.n_members + 2 + np.ceil(unit * ties)
    if not (np.isfinite(unit) and margin <= _MOST_MARGIN):
        return None
    small = np.zeros(table.shape, dtype=np.int16)
    small[:, able] = np.rint(unit * known)
    small_bias = np.full(len(bias), _NEVER, dtype=np.int16)
    small_bias[able] = np.rint(unit * start)
    return Screen(small, small_bias, int(margin))


def _is_whole(numbers: Array) -> bool:
    return bool((np.rint(numbers) == numbers).all())


def _centred(rows: Array, *, whole: bool) -> Array:
    """Take the middle of every row off, so that the largest number of the row is as small as can be."""
    middle = (rows.max(axis=1, initial=-np.inf) + rows.min(axis=1, initial=np.inf)) / 2
    centred: Array = rows - (np.floor(middle) if whole else middle)[:, None]
    return centred


def _bound(table: Array, bias: Array, layout: Layout) -> float:
    """Return what no sum of absolute values exceeds."""
    rows = np.abs(table).max(axis=1, initial=0.0)
    return float(layout.max_by_member(rows).sum() + np.abs(bias).max())
