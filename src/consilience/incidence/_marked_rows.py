"""A mask of a few rows among very many."""

from typing import Any

import numpy as np

from consilience._utils._types import Array


class MarkedRows:
    """A mask (n,) that stores only the positions of the marked rows; tasks get slices of it.

    Parameters
    ----------
    rows : array of int64
        Positions of the marked rows, ascending.
    n_rows : int
        n.
    """

    dtype = np.dtype(bool)

    def __init__(self, rows: Array, n_rows: int) -> None:
        self._rows = rows
        self._n_rows = n_rows

    def __len__(self) -> int:
        return self._n_rows

    def __getitem__(self, rows: slice) -> Array:
        start, stop, _ = rows.indices(self._n_rows)
        low, high = np.searchsorted(self._rows, [start, stop])
        mask = np.zeros(max(0, stop - start), dtype=bool)
        mask[self._rows[low:high] - start] = True
        return mask

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:  # noqa: FBT001
        return self[: self._n_rows].astype(bool if dtype is None else dtype, copy=False)
