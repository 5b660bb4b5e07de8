"""k-means++: rows to start from, far from each other."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Self

import numpy as np

from consilience.incidence import Incidence

Array = np.ndarray[Any, Any]

# Rows that take part in the draws, and at least so many for every cluster. Where rows differ by chance,
# a cluster that these rows miss would hardly be drawn from all of them either: their distances are
# bounded. A handful of rows far from clusters without any spread can be missed; hard labels of that
# kind have few distinct rows, which are merged before and all take part.
MOST_ROWS = 1 << 15
_ROWS_PER_CLUSTER = 100


class DrawnFrom(NamedTuple):
    """The rows that centres are drawn from.

    H       they alone
    rows    where they are among all
    weight  how much each counts
    """

    H: Incidence
    rows: Array | slice
    weight: Array


def few_rows(H: Incidence, n_clusters: int, rng: np.random.Generator) -> DrawnFrom:
    """Return rows that stand for all: all where there are few, else a sample.

    Half of a weighted sample is drawn by weight, so that heavy rows are in it, and half evenly, so that
    they do not fill it; what a row counts makes up for its chance.
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

    Rows are drawn by their squared distance to those already chosen. Every other restart, from the
    first on, takes the best of 2 + log K: the one that leaves the smallest sum of squares. Its start is
    better, but all such starts may be alike; the restarts between take the first row they draw.

    Parameters
    ----------
    weight : array (n,)
        How much every row counts.
    n_clusters : int
        K.
    streams : sequence of Generator
        One per restart.
    distances : callable
        From some rows, (m,), the squared distance of every row to each of them, (n, m).
    first : array (n,), optional
        Chances of the first draw; the weights if not given.
    """
    chosen = np.empty((len(streams), n_clusters), dtype=np.int64)
    # In single precision: distances only weigh the draws, and there are n times the restarts.
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


class _Candidates(NamedTuple):
    """Rows that may be the next centre, and for which restart.

    Those of the restarts that take the best come first, side by side; then one row of each of the
    others, the only one that is looked at.
    """

    rows: Array
    restart: Array
    n_candidates: int

    @classmethod
    def of(cls, drawn: Array) -> Self:
        """Keep what is looked at of the rows that were drawn, (restarts, candidates)."""
        n_restarts, n_candidates = drawn.shape
        restarts = np.arange(n_restarts)
        return cls(
            np.concatenate([drawn[::2].ravel(), drawn[1::2, 0]]),
            np.concatenate([np.repeat(restarts[::2], n_candidates), restarts[1::2]]),
            n_candidates,
        )

    def best(self, left: Array) -> Array:
        """Return the candidate of every restart that leaves the smallest sum of squares."""
        n_restarts = int(self.restart.max()) + 1
        best = np.empty(n_restarts, dtype=np.int64)
        n_compared = len(best[::2]) * self.n_candidates
        compared = left[:n_compared].reshape(-1, self.n_candidates)
        best[::2] = np.arange(0, n_compared, self.n_candidates) + compared.argmin(axis=1)
        best[1::2] = np.arange(n_compared, len(left))
        return best


def _draw(chances: Array, n_draws: int, stream: np.random.Generator) -> Array:
    """Return rows; each is drawn with a probability that is proportional to its chance."""
    cumulative = np.cumsum(chances)
    places = stream.random(n_draws) * cumulative[-1]
    rows: Array = np.minimum(np.searchsorted(cumulative, places, side="right"), len(chances) - 1)
    return rows
