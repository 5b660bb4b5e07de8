"""What the borders of a clustering cost, on graphs of nearest neighbours.

A cluster is separated where few links of near objects leave it, compared with the lightest cut through
its own inside, and where these links are at sparse places.
"""

from collections.abc import Sequence
from typing import NamedTuple, Self

import numpy as np

from consilience._utils._types import Array
from consilience.answer import _settings as settings
from consilience.answer._members import Seen

# Of the median core distance, links count as if it were no smaller.
_LEAST_CORE = 1e-3
# Distances from which a dimension is estimated.
_FEWEST_ROWS = 10


class Links(NamedTuple):
    """Links of near objects, stored both ways; see `consilience._kernels._borders`."""

    starts: Array
    others: Array
    ranks: Array
    lengths: Array
    weights: Array
    by_density: Array

    @classmethod
    def of(cls, seen: Seen) -> Self:
        """Link every object with its nearest; a link weighs 1 / core distance^2."""
        n = len(seen.rows)
        k = settings.LINKS if n >= settings.SMALL_DATA else settings.FEW_LINKS
        k = min(k, seen.neighbours.shape[1])
        edges, ranks = edges_of(seen.neighbours, k)
        ends = np.concatenate([edges, edges[:, ::-1]])
        order = np.argsort(ends[:, 0], kind="stable")
        source, target = ends[order].T
        core = seen.distances[:, k - 1]
        core = np.maximum(core, 1e-12 * np.median(core) + 1e-300)
        of_link = np.maximum(core[source], core[target]) / np.median(core)
        return cls(
            np.searchsorted(source, np.arange(n + 1)),
            np.ascontiguousarray(target),
            np.concatenate([ranks, ranks])[order],
            np.sqrt(np.square(seen.rows[source] - seen.rows[target]).sum(axis=1)),
            np.maximum(of_link, _LEAST_CORE) ** -2.0,
            np.argsort(-core, kind="stable"),
        )


def edges_of(neighbours: Array, k: int) -> tuple[Array, Array]:
    """Return the pairs of objects of which one is among the k nearest of the other, (m, 2), and ranks.

    The rank is 1 for the nearest of either, 2 for the second, and so on.
    """
    n = len(neighbours)
    first = np.tile(np.arange(n), k)
    second = neighbours[:, :k].T.ravel()
    # The nearest come first, so that the first place of a pair is that of its smaller rank.
    pairs = np.minimum(first, second) * n + np.maximum(first, second)
    keys, places = np.unique(pairs, return_index=True)
    return np.stack(np.divmod(keys, n), axis=1), places // n + 1


def dimension_numbers(n_rows: int) -> list[int]:
    """Return the numbers of neighbours by which the intrinsic dimension is estimated."""
    numbers = [k for k in settings.DIMENSION_NEIGHBOURS if k <= n_rows // 5]
    return numbers or [max(1, min(max(4, n_rows // 5), n_rows - 1))]


def intrinsic_dimension(seen: Sequence[Seen]) -> float:
    """Return the dimension, at least 1, in which distances to neighbours grow as they do here."""
    found = []
    for view in seen:
        for k in dimension_numbers(len(view.rows)):
            radius, half = view.distances[:, k - 1], view.distances[:, max(k // 2, 1) - 1]
            apart = half > 1e-6 * np.median(half)
            if np.count_nonzero(apart) > _FEWEST_ROWS:
                growth = max(float(np.mean(np.log(radius[apart] / half[apart]))), 1e-9)
                found.append(float(np.log(k / max(k // 2, 1))) / growth)
    return max(1.0, float(np.median(found))) if found else 1.0


def spread_values(X: Array) -> Array:
    """Spread columns with few values evenly between them, so that ties make no borders."""
    rng = np.random.default_rng(0)
    spread = np.array(X, dtype=np.float64)
    for j in range(spread.shape[1]):
        values = np.unique(spread[:, j])
        if 1 < len(values) < len(spread) / 2:
            gap = np.median(np.diff(values))
            spread[:, j] += rng.uniform(-0.5, 0.5, len(spread)) * gap
    return spread


def cluster_costs(labels: Array, graphs: Sequence[Links]) -> Array:
    """Return what the border of every cluster costs, 0 to 1, in the scaling where they cost least."""
    from consilience._kernels._borders import border_costs

    n_clusters = int(labels.max()) + 1
    found = [border_costs(labels, n_clusters, *links) for links in graphs]
    shares = entropy_shares(labels)
    best: Array = min(found, key=lambda costs: float(shares @ costs))
    return best


def entropy_shares(labels: Array) -> Array:
    """Return what every cluster contributes to the entropy of a clustering, in nats."""
    share = np.bincount(labels) / len(labels)
    shares: Array = -share * np.log(share)
    return shares
