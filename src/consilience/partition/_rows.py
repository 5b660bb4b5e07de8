"""All rows of H in memory, for searches that need random access."""

from typing import NamedTuple, Self

import numpy as np

from consilience._utils._types import Array
from consilience.incidence import ArraySource, HardBlocks, Incidence


class Rows(NamedTuple):
    """Codes of hard labels, and where the table rows of every member begin.

    Swapping two objects needs random access to rows, so a source on disk is read completely: n r small
    integers. Row weights are ignored, because balance counts objects.
    """

    H: Incidence
    codes: Array
    offsets: Array

    @classmethod
    def of(cls, H: Incidence) -> Self:
        """Read all rows."""
        return cls.from_codes(H.source.read(0, H.n_rows), hard_blocks(H))

    @classmethod
    def from_codes(cls, codes: Array, blocks: HardBlocks) -> Self:
        """Wrap codes that are in memory."""
        codes = np.ascontiguousarray(codes)
        return cls(Incidence(ArraySource(codes), blocks), codes, blocks.offsets.astype(np.int64))

    def take(self, rows: Array) -> Self:
        """Return some rows; the base clusters stay the same, even if they become empty."""
        return self.from_codes(self.codes[rows], hard_blocks(self.H))

    def padded(self, table: Array) -> Array:
        """Pad a table with a zero row before every member, which missing labels refer to."""
        blocks = hard_blocks(self.H)
        padded = np.zeros((blocks.n_padded, *table.shape[1:]), dtype=table.dtype)
        padded[blocks.padded_rows] = table
        return padded


def hard_blocks(H: Incidence) -> HardBlocks:
    """Return the blocks of hard labels; raise an error for soft memberships."""
    if not isinstance(H.blocks, HardBlocks):
        raise TypeError("This partitioner works on hard labels.")
    return H.blocks
