"""One row at random, by its chances."""

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


def draw_row(chances: Array, stream: np.random.Generator) -> int:
    """Return a row; each is drawn with a probability that is proportional to its chance."""
    cumulative = np.cumsum(chances)
    place = np.searchsorted(cumulative, stream.random() * cumulative[-1], side="right")
    return int(min(place, len(chances) - 1))
