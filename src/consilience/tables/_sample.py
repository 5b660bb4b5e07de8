"""Rows as they come, all of them or a random sample."""

from typing import Any

import numpy as np

from consilience._utils._types import Array


class RowSample:
    """Collects blocks of rows; with `max_samples` it never holds more than that and one block.

    Every row draws a number, and the rows with the smallest are kept: the sample depends on the seed and
    the number of rows, not on how they are cut into blocks.
    """

    def __init__(self, max_samples: int | None, rng: np.random.Generator) -> None:
        self.max_samples = max_samples
        self._rng = rng
        self._parts: list[tuple[Any, ...]] = []
        self.n_rows = 0
        self.n_bytes = 0

    def add(self, rows: Array, block: Any, ids: Array | None, labels: Array | None) -> None:
        """Take a block; `rows` are the positions of its rows in the file."""
        if not len(rows):
            return
        keys = np.zeros(0) if self.max_samples is None else self._rng.random(len(rows))
        self._parts.append((rows, block, ids, labels, keys))
        if self.max_samples is not None and self.n_rows + len(rows) > self.max_samples:
            self._parts = [self._smallest()]
        self.n_rows = sum(len(part[0]) for part in self._parts)
        self.n_bytes = sum(int(getattr(part[1], "nbytes", 0)) for part in self._parts)

    def result(self) -> tuple[Array, Any, Array | None, Array | None]:
        """Return positions, numbers, ids and labels in the order of the file."""
        rows, block, ids, labels, _ = self._joined()
        return rows, block, ids, labels

    def _joined(self) -> Any:
        if len(self._parts) == 1:
            return self._parts[0]
        return tuple(_together([part[i] for part in self._parts]) for i in range(5))

    def _smallest(self) -> tuple[Any, ...]:
        joined = self._joined()
        chosen = np.sort(np.argpartition(joined[4], self.max_samples - 1)[: self.max_samples])  # type: ignore[operator]
        return tuple(None if part is None else part[chosen] for part in joined)


def _together(parts: list[Any]) -> Any:
    if parts[0] is None:
        return None
    if hasattr(parts[0], "tocsr"):
        from scipy import sparse

        return sparse.vstack(parts, format="csr")
    return np.concatenate(parts)
