"""Which objects a picture shows where it cannot show all, and under which names."""

from collections.abc import Callable

import numpy as np
from jinja2.utils import htmlsafe_json_dumps

from consilience._utils._types import Array
from consilience.plot.internals import shortened

# Small clusters are shown by so many objects if they have them.
_AT_LEAST = 8
_LENGTHS = (100, 60, 40, 24, 12)


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


def short_names(id_of: Callable[[int], str], rows: Array, room: int) -> list[str]:
    """Cut the middle of long names, as little as needed for all of them to fit into `room` letters.

    Letters are counted as they are written into the page.
    """
    names = [id_of(int(row)) for row in rows]
    for longest in _LENGTHS:
        short = shortened(names, longest)
        if len(htmlsafe_json_dumps(short)) <= room:
            break
    return short
