"""Codes on the GPU: 32-bit words that a block of threads reads together, and codes inside them.

Rows are not aligned to words, so a tile of as many rows as a block has threads is read as a whole (its
first byte is aligned), and every thread takes the codes of its row out of shared memory.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import cuda

from consilience._kernels import _device
from consilience._kernels._device import device_function

# log, stride, shift and mask of `Codes`.
Form = tuple[int, int, int, int]

_WORD = 4
# Maximum shared memory for the codes of a tile.
_TILE_BYTES = 1 << 14


class Codes(NamedTuple):
    """The rows of a label matrix as kernels read them.

    words    (w,) uint32, all whole words of the matrix
    tail     the bytes behind the last whole word, as a word
    n_rows, width  n and r
    log      2, 1 or 0: a word holds four, two codes or one
    stride   2 where a code takes two words (the lower one counts), else 1
    shift    added to a stored number: 1 for labels in which -1 is missing
    mask     bits of a stored number
    """

    words: Any
    tail: Any
    n_rows: Any
    width: Any
    log: Any
    stride: Any
    shift: Any
    mask: Any

    @classmethod
    def of(cls, matrix: Any, shift: int) -> "Codes":
        """Create a view of a C-contiguous (n, r) matrix of integers on the GPU."""
        n_rows, width = matrix.shape
        size = int(matrix.dtype.itemsize)
        flat = matrix.reshape(n_rows * width)
        if _device.address(flat) % _WORD:
            aligned = _device.empty(flat.size, matrix.dtype)
            _device.copy[_device.n_blocks(max(1, flat.size)), _device.THREADS](flat, aligned)
            flat = aligned
        per_word = max(1, _WORD // size)
        n_whole = flat.size // per_word * per_word
        rest = _device.download(flat[n_whole:]) if n_whole < flat.size else np.empty(0, np.uint8)
        tail = np.zeros(_WORD, dtype=np.uint8)
        tail[: rest.nbytes] = rest.view(np.uint8)
        words = flat[:n_whole].view(np.uint32) if n_whole else _device.empty(1, np.uint32)
        return cls(
            words,
            tail.view(np.uint32)[0],
            n_rows,
            width,
            {1: 2, 2: 1}.get(size, 0),
            2 if size == 2 * _WORD else 1,
            shift,
            (1 << 8 * min(size, _WORD)) - 1,
        )

    @property
    def threads(self) -> int:
        """Return the threads per block, limited by the memory for codes; 0 if rows are too wide."""
        for threads in (_device.THREADS, _device.THREADS // 2, _device.THREADS // 4):
            if _WORD * self._words_of(threads) <= _TILE_BYTES:
                return threads
        return 0

    @property
    def tile_words(self) -> int:
        """Return the words of the codes of as many rows as a block has threads."""
        return self._words_of(self.threads)

    def _words_of(self, n_rows: int) -> int:
        return int(-(-n_rows * self.width * self.stride // (1 << self.log)))

    def grid(self, n_rows: int, *, deep: int = 0, shared: int = 0) -> tuple[Any, ...]:
        """Return the launch configuration for some rows, with `shared` bytes in addition to the tile."""
        blocks: Any = _device.n_blocks(n_rows, self.threads)
        return (blocks, deep) if deep else blocks, self.threads, 0, shared + _WORD * self.tile_words

    @property
    def form(self) -> Form:
        """Return the layout of codes in words, for which kernels are compiled."""
        return self.log, self.stride, self.shift, self.mask

    @property
    def arguments(self) -> tuple[Any, ...]:
        """Return the arguments of kernels that are compiled for one layout."""
        return self.words, self.tail, self.n_rows, self.width

    @property
    def all_arguments(self) -> tuple[Any, ...]:
        """Return the arguments of kernels that are compiled for all layouts."""
        return tuple(self)


def fits_tile(row: Any) -> bool:
    """Whether the rows are narrow enough for a tile."""
    return bool(_device.THREADS // 4 * row.nbytes <= _TILE_BYTES)


@device_function
def stage(words, tail, n_rows, width, log, stride, first_row, tile, base):  # type: ignore[no-untyped-def]
    """Read the words of the rows first_row .. first_row + threads - 1 into tile[base:]."""
    elements = width * stride
    first = (first_row * elements) >> log
    rows = min(n_rows - first_row, cuda.blockDim.x)
    n_words = (rows * elements + (1 << log) - 1) >> log
    n_whole = (n_rows * elements) >> log
    for i in range(cuda.threadIdx.x, n_words, cuda.blockDim.x):
        tile[base + i] = words[first + i] if first + i < n_whole else tail


@device_function
def code_at(tile, base, width, log, stride, shift, mask, row, member):  # type: ignore[no-untyped-def]
    """Return a code of a row of the tile."""
    # Unsigned, so that Numba emits no test for a negative index; 32 bits are faster than 64.
    place = np.uint32((row * width + member) * stride)
    bits = np.uint32((place & np.uint32((1 << log) - 1)) << np.uint32(5 - log))
    word = tile[np.uint32(base + np.uint32(place >> np.uint32(log)))]
    return np.int64(
        np.uint32(np.uint32(np.uint32(word >> bits) + np.uint32(shift)) & np.uint32(mask))
    )
