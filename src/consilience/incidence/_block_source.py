"""Where rows come from. Incidence never opens a file: it asks a source."""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np


class BlockSource(Protocol):
    """Rows that can be read in any order; picklable, so that another process can read them too."""

    @property
    def n_rows(self) -> int:
        """Return how many rows there are."""
        ...

    def read(self, start: int, stop: int) -> np.ndarray[Any, Any]:
        """Return rows start..stop-1 as a C-contiguous array; called from several threads at once."""
        ...


@dataclass(frozen=True, eq=False)
class ArraySource:
    """Rows of an array in memory or memory-mapped; reading makes no copy."""

    array: np.ndarray[Any, Any]

    @property
    def n_rows(self) -> int:
        """Return how many rows there are."""
        return int(self.array.shape[0])

    def read(self, start: int, stop: int) -> np.ndarray[Any, Any]:
        """Return a view."""
        return self.array[start:stop]
