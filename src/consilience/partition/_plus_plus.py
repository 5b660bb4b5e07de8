"""k-means++: rows to start from, far from each other."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from consilience.incidence import Incidence

Array = np.ndarray[Any, Any]

# Rows that take part in the draws. Rows of H are bounded, so a cluster is drawn about as often as it is
# large: one that this many rows miss would hardly be drawn from all of them either.
MOST_ROWS = 1 << 17


class DrawnFrom(NamedTuple):
    """The rows that centres are drawn from.

    H       they alone
    rows    where they are among all
    weight  how much each counts
    """

    H: Incidence
    rows: Array | slice
    weight: Array


def few_rows(H: Incidence, rng: np.random.Generator) -> DrawnFrom:
    """Return rows that stand for all: all up to MOST_ROWS; beyond, so many drawn by their weights."""
    n_rows, weight = H.n_rows, H.row_weight
    if n_rows <= MOST_ROWS:
        counted = np.ones(n_rows) if weight is None else weight.astype(np.float64)
        return DrawnFrom(H, slice(None), counted)
    if weight is None:
        rows = np.sort(rng.choice(n_rows, MOST_ROWS, replace=False, shuffle=False))
        counted = np.full(MOST_ROWS, n_rows / MOST_ROWS)
    else:
        cumulative = np.cumsum(weight, dtype=np.float64)
        places = rng.random(MOST_ROWS) * cumulative[-1]
        drawn = np.minimum(np.searchsorted(cumulative, places, side="right"), n_rows - 1)
        rows, times = np.unique(drawn, return_counts=True)
        counted = times * (cumulative[-1] / MOST_ROWS)
    return DrawnFrom(H.take(rows, counted), rows, counted)


def plus_plus(
    weight: Array,
    n_clusters: int,
    streams: Sequence[np.random.Generator],
    distances: Callable[[Array], Array],
    first: Array | None = None,
) -> Array:
    """Draw the starting rows of some restarts together, (restarts, K).

    Parameters
    ----------
    weight : array (n,)
        How much every row counts.
    n_clusters : int
        K.
    streams : sequence of Generator
        One per restart.
    distances : callable
        From one row per restart, (restarts,), the squared distance of every row to each, (n, restarts).
    first : array (n,), optional
        Chances of the first draw; the weights if not given.
    """
    chosen = np.empty((len(streams), n_clusters), dtype=np.int64)
    # In single precision: distances only weigh the draws, and there are n times the restarts.
    closest = np.full((len(weight), len(streams)), np.inf, dtype=np.float32)
    for k in range(n_clusters):
        for restart, stream in enumerate(streams):
            chances = weight * closest[:, restart] if k else weight if first is None else first
            chosen[restart, k] = _draw(chances if chances.any() else weight, stream)
        if k < n_clusters - 1:
            np.minimum(closest, distances(chosen[:, k]), out=closest, casting="same_kind")
    return chosen


def _draw(chances: Array, stream: np.random.Generator) -> int:
    """Return a row; each is drawn with a probability that is proportional to its chance."""
    cumulative = np.cumsum(chances)
    place = np.searchsorted(cumulative, stream.random() * cumulative[-1], side="right")
    return int(min(place, len(chances) - 1))
