"""Distinct rows drawn at random, as starting centres."""

import numpy as np

from consilience._utils._types import Array
from consilience.incidence import Incidence


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
