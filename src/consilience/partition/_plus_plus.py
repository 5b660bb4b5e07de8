"""Rows from which k-means starts: far from each other (k-means++), or distinct ones at random."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, Self

import numpy as np

from consilience._utils._types import Array
from consilience.incidence import Incidence

# Number of sampled rows, and the minimum per cluster. A cluster that the sample misses would rarely be
# drawn from all rows either, because distances are bounded. A few outliers of very compact clusters
# can be missed; hard labels of that kind have few distinct rows, which are merged before and all used.
MOST_ROWS = 1 << 15
_ROWS_PER_CLUSTER = 100


class DrawnFrom(NamedTuple):
    """The rows from which centres are drawn.

    H       incidence of these rows
    rows    their positions among all rows
    weight  weight of each row
    """

    H: Incidence
    rows: Array | slice
    weight: Array


def few_rows(H: Incidence, n_clusters: int, rng: np.random.Generator) -> DrawnFrom:
    """Return all rows if there are few, otherwise a sample that represents them.

    Half of a weighted sample is drawn by weight, so that it contains heavy rows, and half uniformly,
    so that it contains others too; weights correct for the probabilities.
    """
    n_rows, weight = H.n_rows, H.row_weight
    most = max(MOST_ROWS, _ROWS_PER_CLUSTER * n_clusters)
    if n_rows <= most:
        counted = np.ones(n_rows) if weight is None else weight.astype(np.float64)
        return DrawnFrom(H, slice(None), counted)
    if weight is None:
        rows = np.sort(rng.choice(n_rows, most, replace=False, shuffle=False))
        counted = np.full(most, n_rows / most)
    else:
        chance = weight / weight.sum() + (weight > 0) / np.count_nonzero(weight)
        cumulative = np.cumsum(chance)
        places = rng.random(most) * cumulative[-1]
        drawn = np.minimum(np.searchsorted(cumulative, places, side="right"), n_rows - 1)
        rows, times = np.unique(drawn, return_counts=True)
        counted = times * weight[rows] * (cumulative[-1] / (most * chance[rows]))
    return DrawnFrom(H.take(rows, counted), rows, counted)


def plus_plus(
    weight: Array,
    n_clusters: int,
    streams: Sequence[np.random.Generator],
    distances: Callable[[Array], Array],
    first: Array | None = None,
) -> Array:
    """Draw the starting rows of some restarts together, (restarts, K).

    Rows are drawn by their squared distance to those already chosen. Every second restart, beginning
    with the first, draws 2 + log K candidates and takes the one with the smallest sum of squares. Such
    starts are better, but may be very similar to each other; the other restarts draw a single row.

    Parameters
    ----------
    weight : array (n,)
        Weight of every row.
    n_clusters : int
        K.
    streams : sequence of Generator
        One per restart.
    distances : callable
        From some rows, (m,), the squared distance of every row to each of them, (n, m).
    first : array (n,), optional
        Weights of the first draw; default `weight`.
    """
    chosen = np.empty((len(streams), n_clusters), dtype=np.int64)
    # In single precision to save memory: distances are used only as weights of the draws.
    closest = np.full((len(weight), len(streams)), np.inf, dtype=np.float32)
    for k in range(n_clusters):
        if k == 0:
            chances = [weight if first is None else first] * len(streams)
        else:
            chances = [weight * closest[:, restart] for restart in range(len(streams))]
        n_candidates = 2 + int(np.log(n_clusters)) if k else 1
        drawn = np.array(
            [
                _draw(chance if chance.any() else weight, n_candidates, stream)
                for chance, stream in zip(chances, streams, strict=True)
            ]
        )
        candidates = _Candidates.of(drawn)
        nearest = distances(candidates.rows).astype(np.float32)
        np.minimum(nearest, closest[:, candidates.restart], out=nearest)
        best = candidates.best(np.einsum("i,ij->j", weight, nearest))
        chosen[:, k] = candidates.rows[best]
        closest = nearest[:, best]
    return chosen


def random_rows(H: Incidence, weight: Array, n_clusters: int, stream: np.random.Generator) -> Array:
    """Draw K distinct rows of H without replacement, each time in proportion to their weights.

    Rows of weight 0 are never drawn. Returns fewer rows if there are fewer distinct ones.
    """
    places = np.flatnonzero(weight > 0)
    # The order of exponential waiting times is the order of such draws.
    waiting = stream.standard_exponential(len(places)) / weight[places]
    order = places[np.argsort(waiting, kind="stable")]
    chosen: dict[bytes, int] = {}
    for low in range(0, len(order), n_clusters):
        block = order[low : low + n_clusters].tolist()
        for row, place in zip(H.dense_rows(block), block, strict=True):
            chosen.setdefault(row.tobytes(), place)
        if len(chosen) >= n_clusters:
            break
    return np.array(list(chosen.values())[:n_clusters], dtype=np.int64)


class _Candidates(NamedTuple):
    """Rows that may be the next centre, and for which restart.

    The candidates of the restarts that take the best one come first; then one row of each other
    restart.
    """

    rows: Array
    restart: Array
    n_candidates: int

    @classmethod
    def of(cls, drawn: Array) -> Self:
        """Select the candidates from the drawn rows, (restarts, candidates)."""
        n_restarts, n_candidates = drawn.shape
        restarts = np.arange(n_restarts)
        return cls(
            np.concatenate([drawn[::2].ravel(), drawn[1::2, 0]]),
            np.concatenate([np.repeat(restarts[::2], n_candidates), restarts[1::2]]),
            n_candidates,
        )

    def best(self, left: Array) -> Array:
        """Return the candidate of every restart with the smallest sum of squares."""
        n_restarts = int(self.restart.max()) + 1
        best = np.empty(n_restarts, dtype=np.int64)
        n_compared = len(best[::2]) * self.n_candidates
        compared = left[:n_compared].reshape(-1, self.n_candidates)
        best[::2] = np.arange(0, n_compared, self.n_candidates) + compared.argmin(axis=1)
        best[1::2] = np.arange(n_compared, len(left))
        return best


def _draw(chances: Array, n_draws: int, stream: np.random.Generator) -> Array:
    """Draw rows with probabilities proportional to given weights."""
    cumulative = np.cumsum(chances)
    places = stream.random(n_draws) * cumulative[-1]
    rows: Array = np.minimum(np.searchsorted(cumulative, places, side="right"), len(chances) - 1)
    return rows
