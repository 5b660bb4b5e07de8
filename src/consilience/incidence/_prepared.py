"""Tables arranged for the kernels of hard labels: in float64, and in 16-bit integers (a screen).

A screen is sufficient to find the argmax of most rows.
"""

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from consilience._utils._types import Array
from consilience.incidence._layout import Layout
from consilience.incidence._sweep import TIE_TOLERANCE

if TYPE_CHECKING:
    from consilience.incidence._hard import HardBlocks

# Sums of int16 stay within this + r / 2; minus the margin they are still above the smallest int16.
_LARGEST_SUM = 28_000
# The margin must be at most the range divided by this; otherwise too few rows are decided.
_MARGINS = 14


class Tiles(NamedTuple):
    """A padded table cut into tiles of one strip, and the bias of the sums; a screen has a margin."""

    tiles: Array
    bias: Array
    margin: int = 0

    @classmethod
    def of(cls, blocks: "HardBlocks", table: Array, bias: Array, margin: int = 0) -> Self:
        """Arrange a (t, K) table in tiles; padding columns can never be the argmax."""
        from consilience._kernels._gather import fill_tiles
        from consilience._kernels._lanes import strip_zeros

        width, dtype = table.shape[1], table.dtype
        tiles = strip_zeros(n_strips(width, dtype), blocks.n_padded, dtype)
        n_tiles, _, lanes = tiles.shape
        fill_tiles(frozen(np.ascontiguousarray(table)), frozen(blocks.padded_rows), tiles)
        is_float = np.issubdtype(dtype, np.floating)
        start = np.full(n_tiles * lanes, -np.inf if is_float else np.iinfo(dtype).min, dtype)
        start[:width] = bias
        return cls(tiles, start.reshape(n_tiles, lanes), margin)


class Prepared:
    """A (t, K) table and the bias of the sums; arranged for the kernels on demand."""

    def __init__(self, blocks: "HardBlocks", table: Array, bias: Array) -> None:
        self.blocks = blocks
        self.table = np.asarray(table, dtype=np.float64)
        self.bias = np.asarray(bias, dtype=np.float64)

    def __reduce__(self) -> tuple[Any, ...]:
        # Tiles are not pickled, because unpickled arrays are not aligned with cache lines.
        return Prepared, (self.blocks, self.table, self.bias)

    @property
    def width(self) -> int:
        """Return K."""
        return int(self.table.shape[1])

    @cached_property
    def exact(self) -> Tiles:
        """Return the table in float64."""
        return Tiles.of(self.blocks, self.table, self.bias)

    @cached_property
    def screen(self) -> Tiles | None:
        """Return the table in int16, if this precision is useful."""
        screen = make_screen(self.table, self.bias, self.blocks.layout)
        return None if screen is None else Tiles.of(self.blocks, *screen)


class Screen(NamedTuple):
    """A table and a bias, scaled and rounded to small integers.

    A constant per base cluster is subtracted first, which does not change the argmax.

    table   (t, K) int16
    bias    (K,) int16, the smallest number where a column can never win
    margin  a column that leads by more units than this has the largest sum, and no other is tied with
            it; 0 means that sums are exact, and that columns with the largest sum are tied
    """

    table: Array
    bias: Array
    margin: int


def make_screen(table: Array, bias: Array, layout: Layout) -> Screen | None:
    """Return the table in int16, such that sums of a row do not overflow.

    None if the precision is too low, or numbers are not finite.
    """
    able = bias > -np.inf
    known, start = table[:, able], bias[able]
    if not (able.any() and np.isfinite(known).all() and np.isfinite(start).all()):
        return None
    whole = _is_whole(known) and _is_whole(start)
    # Numbers near the limits of float64 overflow to infinite bounds, which are rejected below.
    with np.errstate(over="ignore", invalid="ignore"):
        # Twice the tolerance, which also covers the rounding of sums in float64.
        ties = 2 * TIE_TOLERANCE * max(1.0, largest_sum(known, start, layout))
        known, start = _centred(known, whole=whole), _centred(start[None, :], whole=whole)[0]
        reach = largest_sum(known, start, layout)
        if whole and reach <= _LARGEST_SUM and ties < 1:
            unit, margin = 1.0, 0.0
        else:
            unit = _LARGEST_SUM / max(reach, 1e-300)
            # Two sums of r + 1 numbers, each rounded by up to half a unit, and one unit to spare.
            margin = layout.n_members + 2 + np.ceil(unit * ties)
    if not (np.isfinite(unit) and margin <= _LARGEST_SUM // _MARGINS):
        return None
    small = np.zeros(table.shape, dtype=np.int16)
    small[:, able] = np.rint(unit * known)
    small_bias = np.full(len(bias), np.iinfo(np.int16).min, dtype=np.int16)
    small_bias[able] = np.rint(unit * start)
    return Screen(small, small_bias, int(margin))


def largest_sum(table: Array, bias: Array, layout: Layout) -> float:
    """Return an upper bound of the sums of absolute values."""
    rows = np.abs(table).max(axis=1, initial=0.0)
    return float(layout.max_by_member(rows).sum() + np.abs(bias).max())


def _is_whole(numbers: Array) -> bool:
    return bool((np.rint(numbers) == numbers).all())


def _centred(rows: Array, *, whole: bool) -> Array:
    """Subtract the midrange of every row, which minimises its largest absolute value."""
    middle = (rows.max(axis=1, initial=-np.inf) + rows.min(axis=1, initial=np.inf)) / 2
    centred: Array = rows - (np.floor(middle) if whole else middle)[:, None]
    return centred


def n_strips(width: int, dtype: Any) -> int:
    """Return how many strips hold `width` numbers; at least one."""
    from consilience._kernels._lanes import lanes_of

    return max(1, -(-width // lanes_of(dtype)))


def frozen(array: Array) -> Array:
    """Return a read-only view; Numba compiles kernels per type, so all tables must be read-only."""
    view = array.view()
    view.setflags(write=False)
    return view
