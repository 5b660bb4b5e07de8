"""Places of objects by the votes that they get."""

import numpy as np

from consilience._utils._types import Array

_ROUNDS = 300
# Clusters that members never separate still get different places.
_LEAST_DISTANCE = 0.15
# Radius of the disc of the largest cluster, as a share of the distance to the next cluster.
_DISC = 0.42
# Fewer objects than this do not need a whole disc.
_FULL_DISC = 50
_GOLDEN_ANGLE = np.pi * (3 - np.sqrt(5))


def vote_places(shares: Array, labels: Array, confidence: Array, means: Array) -> Array:
    """Return a place for every object, (m, 2).

    Clusters have places such that those whose objects are often together are near each other. An object
    lies at the mean of the places of the clusters, weighted by its shares of votes; objects of a cluster
    are then spread over a disc, so that they do not hide each other, the most certain ones inside.
    Objects that no member labels lie in the middle.

    Parameters
    ----------
    shares : array (m, K)
        Shares of votes; not read for objects that no member labels.
    labels : array (m,)
        The cluster of every object.
    confidence : array (m,)
        NaN for objects that no member labels.
    means : array (K, K)
        Mean consensus within and between the clusters.
    """
    centres = cluster_places(means)
    known = np.isfinite(confidence)
    weights = np.where(known[:, None], shares, 1.0 / shares.shape[1])
    groups = np.where(known, labels, -1)
    return np.asarray(weights @ centres + _spread(groups, confidence, centres))


def cluster_places(means: Array) -> Array:
    """Return places of the clusters in the plane, (K, 2): scaling of distances by majorisation."""
    n_clusters = len(means)
    if n_clusters == 1:
        return np.zeros((1, 2))
    wanted = _distances(means)
    angle = 2 * np.pi * np.arange(n_clusters) / n_clusters
    places = np.column_stack([np.cos(angle), np.sin(angle)]) / 2
    # Two rings: a cluster that belongs in the middle can get there.
    places[1::2] *= 0.6 if n_clusters > 6 else 1.0
    for _ in range(_ROUNDS):
        between = np.linalg.norm(places[:, None] - places[None], axis=2)
        ratio = np.divide(wanted, between, out=np.zeros_like(wanted), where=between > 1e-12)
        step = -ratio
        np.fill_diagonal(step, ratio.sum(axis=1))
        places = step @ places / n_clusters
    return places


def _distances(means: Array) -> Array:
    inside = np.diagonal(means)
    inside = np.where(np.isfinite(inside) & (inside > 0), inside, 1.0)
    near = means / np.sqrt(np.outer(inside, inside))
    distances = np.clip(1.0 - np.where(np.isfinite(near), near, 0.0), _LEAST_DISTANCE, 1.0)
    np.fill_diagonal(distances, 0.0)
    return np.asarray((distances + distances.T) / 2)


def _spread(labels: Array, confidence: Array, centres: Array) -> Array:
    """Return steps from the centre of a disc, in the order of the seeds of a sunflower."""
    clusters, sizes = np.unique(labels, return_counts=True)
    radius = _DISC * _nearest_distance(centres)
    steps = np.zeros((len(labels), 2))
    for cluster, size in zip(clusters, sizes, strict=True):
        members = np.flatnonzero(labels == cluster)
        order = members[np.argsort(-np.nan_to_num(confidence[members], nan=-1.0), kind="stable")]
        seeds = np.arange(size)
        reach = (
            radius * np.sqrt(size / max(sizes.max(), _FULL_DISC)) * np.sqrt((seeds + 0.5) / size)
        )
        angle = seeds * _GOLDEN_ANGLE
        steps[order] = reach[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    return steps


def _nearest_distance(centres: Array) -> float:
    if len(centres) == 1:
        return 1.0
    between = np.linalg.norm(centres[:, None] - centres[None], axis=2)
    np.fill_diagonal(between, np.inf)
    return float(np.median(between.min(axis=1)))
