"""Which objects a picture shows, where it cannot show all."""

import numpy as np

from consilience._utils._types import Array

# Small clusters are shown by so many objects if they have them.
_AT_LEAST = 8


def sampled_objects(labels: Array, most: int, rng: np.random.Generator) -> Array:
    """Draw positions by cluster, in proportion, but some of every cluster as long as there is room."""
    if len(labels) <= most:
        return np.arange(len(labels))
    clusters, sizes = np.unique(labels, return_counts=True)
    largest = np.argsort(-sizes, kind="stable")[:most]
    clusters, sizes = clusters[largest], sizes[largest]
    floor = np.minimum(sizes, max(1, min(_AT_LEAST, most // len(clusters))))
    room = most - int(floor.sum())
    extra = np.floor(room * (sizes - floor) / max(1, (sizes - floor).sum())).astype(np.int64)
    drawn = [
        rng.choice(np.flatnonzero(labels == cluster), quota, replace=False)
        for cluster, quota in zip(clusters, floor + extra, strict=True)
    ]
    return np.sort(np.concatenate(drawn))
