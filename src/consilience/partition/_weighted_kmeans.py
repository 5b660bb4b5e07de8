"""k-means on a few weighted points that are written down (methods 0.5)."""

from typing import Any

import numpy as np

from consilience.incidence import argmax_step
from consilience.partition._kmeans import KMeansResult

Array = np.ndarray[Any, Any]


def weighted_kmeans(
    points: Array,
    weight: Array,
    n_clusters: int,
    *,
    n_init: int,
    max_iter: int,
    rng: np.random.Generator,
) -> list[KMeansResult]:
    """Run Lloyd's iteration from every k-means++ start; rows of `points` count by their weight."""
    return [
        _lloyd(points, weight, _plus_plus(points, weight, n_clusters, stream), max_iter)
        for stream in rng.spawn(n_init)
    ]


def _plus_plus(points: Array, weight: Array, n_clusters: int, stream: np.random.Generator) -> Array:
    centres = np.empty((n_clusters, points.shape[1]))
    # Distances within rounding of a chosen point are its copies: no chance for them.
    blur = 1e-12 * max(float(np.square(points).sum(axis=1).max()), 1e-300)
    closest = np.ones(len(points))
    for k in range(n_clusters):
        chances = weight * closest
        chances = chances if chances.any() else np.ones(len(points))
        centres[k] = points[stream.choice(len(points), p=chances / chances.sum())]
        distance = np.square(points - centres[k]).sum(axis=1)
        distance[distance <= blur] = 0.0
        closest = distance if k == 0 else np.minimum(closest, distance)
    return centres


def _lloyd(points: Array, weight: Array, centres: Array, max_iter: int) -> KMeansResult:
    history: list[float] = []
    labels = np.full(len(points), -1, dtype=np.int32)
    converged = False
    while len(history) < max_iter and not converged:
        following, centres = _assign(points, centres, labels)
        converged = np.array_equal(labels, following)
        labels = following
        centres = _means(points, weight, labels, centres)
        history.append(float(weight @ np.square(points - centres[labels]).sum(axis=1)))
    return KMeansResult(labels, history[-1], history, len(history), converged)


def _assign(points: Array, centres: Array, labels: Array) -> tuple[Array, Array]:
    """Assign points to the nearest centre; an empty cluster starts again at the furthest point."""
    following = _nearest(points, centres, labels)
    for _ in range(len(centres)):
        empty = np.flatnonzero(np.bincount(following, minlength=len(centres)) == 0)
        if not len(empty):
            break
        distance = np.square(points - centres[following]).sum(axis=1)
        furthest = int(np.argmax(distance))
        if distance[furthest] <= 0:
            break  # fewer distinct points than clusters
        centres = centres.copy()
        centres[empty[0]] = points[furthest]
        following = _nearest(points, centres, labels)
    return following, centres


def _nearest(points: Array, centres: Array, labels: Array) -> Array:
    distance = np.square(points[:, None, :] - centres).sum(axis=2)
    nearest = argmax_step(-distance, labels).labels
    assert nearest is not None  # noqa: S101 - the step labels every row
    return nearest


def _means(points: Array, weight: Array, labels: Array, centres: Array) -> Array:
    """Return the weighted means; a cluster without weight stays where it is."""
    member = np.zeros((len(centres), len(points)))
    member[labels, np.arange(len(points))] = weight
    total = member.sum(axis=1, keepdims=True)
    means: Array = np.divide(member @ points, total, out=centres.copy(), where=total > 0)
    return means
