"""Labels that users give as the start of a search, for instance those of an earlier fit."""

from typing import Any

import numpy as np

from consilience.consensus._problem import Problem
from consilience.exceptions import InvalidInputError

Array = np.ndarray[Any, Any]


class StartLabels:
    """A word for starts that the function makes itself, or an integer for every object."""

    def __init__(self, *words: str) -> None:
        self.words = words

    def accepts(self, value: object) -> bool:
        """The number of objects is compared in `fit`."""
        if isinstance(value, str):
            return value in self.words
        return isinstance(value, np.ndarray) and value.ndim == 1 and value.dtype.kind in "iu"

    def __str__(self) -> str:
        words = ", ".join(repr(word) for word in self.words)
        return f"{words} or an array (n_samples,) of integers, -1 = unknown"


def start_of_rows(problem: Problem, given: Array, n_clusters: int, owner: str) -> Array:
    """Return the start of every row of the reduced ensemble, -1 = unknown; int32."""
    n_objects = problem.n_objects
    if len(given) != n_objects or given.min() < -1 or given.max() >= n_clusters:
        raise InvalidInputError(
            f"{owner}: init must have a label from 0 to {n_clusters - 1}, or -1, for each of the "
            f"{n_objects} objects; got {len(given)} labels from {given.min()} to {given.max()}. Append "
            "-1, or labels by `predict`, for new objects."
        )
    return problem.of_rows(given.astype(np.int32))
