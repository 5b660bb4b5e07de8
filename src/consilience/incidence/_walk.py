"""Helpers of the incidence: local search, the transpose, and exactness of sums."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from consilience._utils._types import Array
from consilience.incidence import _tasks as tasks
from consilience.incidence._hard import HardBlocks

if TYPE_CHECKING:
    from consilience.incidence._operator import Incidence


def relocate(H: "Incidence", labels: Array, n_labels: int, member_cost: Array) -> tuple[Array, int]:
    """Implementation of `Incidence.relocate`."""
    labels = labels.copy()
    counts = H.count(labels, n_labels)
    state = H.blocks.walk_state(labels, n_labels, counts, member_cost)
    moved = 0
    for start, stop in H.grid(n_labels).stripes(0, H.n_rows):
        weight = None if H.row_weight is None else H.row_weight[start:stop]
        moved += H.blocks.relocate(H.source.read(start, stop), weight, labels[start:stop], state)
    return labels, moved


def is_exact(task: Callable[..., Any], blocks: Any, *, whole_counts: bool) -> bool:
    """Whether a task adds integers, so that the result does not depend on the blocks."""
    if task in (tasks.count, tasks.argmax):
        return whole_counts
    return task is tasks.differing_rows or (task is tasks.gram and isinstance(blocks, HardBlocks))


class Transposed:
    """The transpose H', for H.T @ A."""

    def __init__(self, incidence: "Incidence") -> None:
        self._incidence = incidence

    def __matmul__(self, other: Array) -> Array:
        if other.ndim == 1 and np.issubdtype(other.dtype, np.integer):
            return self._incidence.count(other, int(other.max()) + 1 if len(other) else 0)
        if other.ndim == 1:
            return self._incidence.scatter(other[:, None])[:, 0]
        return self._incidence.scatter(other)
