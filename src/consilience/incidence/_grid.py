"""Division of the rows into blocks, stripes and groups, which depends on the shape of H alone."""

from typing import NamedTuple, Self

from consilience.incidence._layout import Layout

Rows = tuple[int, int]

# Rows per block: small enough that a hundred thousand rows use several cores.
BLOCK_ROWS = 16_384
# Labels per stripe, the unit that is read from a file or sent to another process; and its blocks.
_STRIPE_LABELS = 2**25
_STRIPE_BLOCKS = 128
# Stripes whose tables are added before they are sent; fewer if tables are large.
_GROUP_STRIPES = 8
_GROUP_BYTES = 2**27


class Grid(NamedTuple):
    """Boundaries of blocks, stripes and groups.

    Sums of floats are formed per block, added up in row order to the sum of a stripe, these to the sum
    of a group, and those to the whole. The order depends on the shape of H alone, so results do not
    depend on threads, on processes, or on how a source is chunked.
    """

    block_rows: int
    stripe_rows: int
    group_rows: int

    @classmethod
    def of(cls, layout: Layout, width: int) -> Self:
        """Cut rows for a verb whose tables have t x width entries.

        Blocks grow with the tables, so that clearing and adding them never costs more than reading the
        rows; a block never crosses the border of a stripe.
        """
        n_members = max(1, layout.n_members)
        stripe = stripe_rows(n_members)
        cells = layout.n_columns * width
        block = BLOCK_ROWS * max(1, -(-cells // (BLOCK_ROWS * n_members)))
        group = max(1, min(_GROUP_STRIPES, _GROUP_BYTES // max(1, 8 * cells)))
        return cls(min(block, stripe), stripe, group * stripe)

    def blocks(self, start: int, stop: int) -> list[Rows]:
        """Cut rows that begin with a stripe into blocks."""
        return [
            block
            for low, high in cut(start, stop, self.stripe_rows)
            for block in cut(low, high, self.block_rows)
        ]

    def stripes(self, start: int, stop: int) -> list[Rows]:
        """Cut rows that begin with a stripe into stripes."""
        return cut(start, stop, self.stripe_rows)

    def groups(self, n_rows: int) -> list[Rows]:
        """Cut all rows into groups of stripes."""
        return cut(0, n_rows, self.group_rows)


def stripe_rows(n_members: int) -> int:
    """Return the rows per stripe: whole blocks, with about the same number of labels for every r."""
    blocks = _STRIPE_LABELS // (BLOCK_ROWS * max(1, n_members))
    return BLOCK_ROWS * max(1, min(_STRIPE_BLOCKS, blocks))


def cut(start: int, stop: int, size: int) -> list[Rows]:
    """Cut rows into pieces of equal size; the last piece may be smaller."""
    return [(low, min(low + size, stop)) for low in range(start, stop, size)]
