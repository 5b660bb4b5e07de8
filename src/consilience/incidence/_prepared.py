"""Tables arranged for the kernels of hard labels."""

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from consilience._utils._types import Array
from consilience.incidence._screen import make_screen

if TYPE_CHECKING:
    from consilience.incidence._hard import HardBlocks


class Tiles(NamedTuple):
    """A padded table cut into tiles of one strip, and the bias of the sums.

    A screen (low precision table) also has a margin, and the unit of its integers.
    """

    tiles: Array
    bias: Array
    margin: int = 0
    unit: float = 1.0

    @classmethod
    def of(cls, blocks: "HardBlocks", table: Array, bias: Array) -> Self:
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
        return cls(tiles, start.reshape(n_tiles, lanes))


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
        if screen is None:
            return None
        tiles = Tiles.of(self.blocks, screen.table, screen.bias)
        return tiles._replace(margin=screen.margin, unit=screen.unit)


def n_strips(width: int, dtype: Any) -> int:
    """Return how many strips hold `width` numbers; at least one."""
    from consilience._kernels._lanes import lanes_of

    return max(1, -(-width // lanes_of(dtype)))


def frozen(array: Array) -> Array:
    """Return a read-only view; Numba compiles kernels per type, so all tables must be read-only."""
    view = array.view()
    view.setflags(write=False)
    return view
