"""A symmetric matrix of pairs of rows, tile by tile."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from consilience._utils._memory import memory_limit
from consilience._utils._types import Array
from consilience.incidence.internals import ThreadExecutor
from consilience.partition import SymmetricOperator

Strip = tuple[int, int]
Tile = tuple[slice, slice]

# Rows and columns of a tile: its entries, its sums and the codes beside it stay in the cache.
TILE_ROWS = 64
TILE_COLUMNS = 2_048


def tiles_of(strip: Strip, n_rows: int) -> Iterator[tuple[Tile, float]]:
    """Yield the tiles of a strip of rows from the diagonal on; those beside it count twice."""
    rows = slice(*strip)
    yield (rows, rows), 1.0
    for first in range(rows.stop, n_rows, TILE_COLUMNS):
        yield (rows, slice(first, min(first + TILE_COLUMNS, n_rows))), 2.0


def in_row_order(task: Callable[[Strip], Any], n_rows: int) -> Iterator[Any]:
    """Run a task on every strip of rows; results are in row order for any number of threads."""
    starts = range(0, n_rows, TILE_ROWS)
    strips = [(start, min(start + TILE_ROWS, n_rows)) for start in starts]
    return ThreadExecutor().map(task, strips)


def tiled_similarity(
    entries: Callable[[Tile], Array], row_weight: Array | None, n_rows: int, extra: Any
) -> SymmetricOperator:
    """Store a matrix of tiles if it fits the memory limit; otherwise compute it for every product."""
    if 8 * n_rows**2 > memory_limit():
        return TileSimilarity(entries, row_weight, n_rows, extra)
    matrix = np.empty((n_rows, n_rows))

    def fill(strip: Strip) -> None:
        for (rows, columns), _ in tiles_of(strip, n_rows):
            tile = entries((rows, columns))
            matrix[rows, columns] = tile
            matrix[columns, rows] = tile.T

    for _ in in_row_order(fill, n_rows):
        pass
    if extra is not None:
        sparse = extra.tocoo()
        matrix[sparse.coords] += sparse.data
    return WrittenSimilarity(matrix, row_weight)


class WrittenSimilarity:
    """S as an array."""

    def __init__(self, matrix: Array, row_weight: Array | None) -> None:
        self.matrix = matrix
        self.row_weight = row_weight

    @property
    def n_rows(self) -> int:
        """Return n."""
        return len(self.matrix)

    def times(self, columns: Array) -> Array:
        """S diag(row_weight) @ columns; strips of rows, so that threads do not change the sums."""
        right = columns if self.row_weight is None else self.row_weight[:, None] * columns
        return self._by_rows(lambda strip: self.matrix[slice(*strip)] @ right)

    def row_squares(self) -> Array:
        """Sum over k of row_weight[k] S_ik^2."""
        m = np.ones(self.n_rows) if self.row_weight is None else self.row_weight.astype(np.float64)
        return self._by_rows(lambda strip: np.square(self.matrix[slice(*strip)]) @ m)

    def _by_rows(self, product: Callable[[Strip], Array]) -> Array:
        return np.concatenate(list(in_row_order(product, self.n_rows)))


class TileSimilarity:
    """S as a function that computes one tile; every product computes all tiles."""

    def __init__(
        self,
        entries: Callable[[Tile], Array],
        row_weight: Array | None,
        n_rows: int,
        extra: Any,
    ) -> None:
        self._entries = entries
        self.row_weight = row_weight
        self._n_rows = n_rows
        self._extra = extra

    @property
    def n_rows(self) -> int:
        """Return n."""
        return self._n_rows

    def times(self, columns: Array) -> Array:
        """S diag(row_weight) @ columns."""
        right = columns if self.row_weight is None else self.row_weight[:, None] * columns

        def task(strip: Strip) -> Array:
            rows = slice(*strip)
            whole = (
                slice(k, min(k + TILE_COLUMNS, self._n_rows))
                for k in range(0, self._n_rows, TILE_COLUMNS)
            )
            return np.asarray(sum(self._entries((rows, part)) @ right[part] for part in whole))

        out = np.concatenate(list(in_row_order(task, self._n_rows)))
        return out if self._extra is None else out + self._extra @ right

    def row_squares(self) -> Array:
        """Sum over k of row_weight[k] S_ik^2."""
        m = np.ones(self._n_rows) if self.row_weight is None else self.row_weight

        def task(strip: Strip) -> Array:
            rows = slice(*strip)
            lines = self._entries((rows, slice(0, self._n_rows)))
            if self._extra is not None:
                lines = lines + self._extra[rows].toarray()
            return np.asarray(np.square(lines) @ m)

        return np.concatenate(list(in_row_order(task, self._n_rows)))
