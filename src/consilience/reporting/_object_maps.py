"""Maps of the objects: by their votes, and by their features."""

from collections.abc import Callable
from typing import Any

import numpy as np

from consilience._utils._types import Array
from consilience.reporting._feature_places import feature_places
from consilience.reporting._result import Result
from consilience.reporting._sampled_objects import sampled_objects
from consilience.reporting._short_names import short_names
from consilience.reporting._vote_places import vote_places

MAP_OBJECTS = 2_000
# With more clusters a map is unreadable.
MAP_CLUSTERS = 100
# Places are whole numbers, tenths of the units of the drawing.
WIDTH, HEIGHT, MARGIN = 4_800, 4_000, 160
# Letters for the names of all objects.
_ID_CHARACTERS = 250_000

# How columns are scaled.
_SCALING = "standard"


def object_maps(
    result: Result,
    id_of: Callable[[int], str],
    features: tuple[Any, list[str]] | None,
    rng: np.random.Generator,
) -> dict[str, Any]:
    """Return the objects that are shown, and their places in every map.

    Linear in the number of objects: at most 2,000 are placed, all of them if there are no more.
    """
    rows = sampled_objects(result.labels, MAP_OBJECTS, rng)
    labels, confidence = result.labels[rows], result.confidence[rows]
    maps = []
    readable = result.n_clusters <= MAP_CLUSTERS
    if readable and result.n_clusters > 1:
        places = vote_places(result.votes(rows), labels, confidence, result.block_means)
        maps.append({"kind": "votes", "places": _fitted(places)})
    if readable and features is not None:
        maps += _by_features(features, rows, _SCALING)
    if not maps:
        rows, labels, confidence = rows[:0], labels[:0], confidence[:0]
    return {
        "n_shown": len(rows),
        "n_samples": result.n_samples,
        "most_clusters": MAP_CLUSTERS,
        "ids": short_names([id_of(int(row)) for row in rows], _ID_CHARACTERS),
        "clusters": labels.tolist(),
        "names": {str(c): result.names[c] for c in np.unique(labels).tolist()},
        "confidence": [round(v, 3) if np.isfinite(v) else None for v in confidence.tolist()],
        "maps": maps,
    }


def _by_features(
    features: tuple[Any, list[str]], rows: Array, scaling: str
) -> list[dict[str, Any]]:
    data, names = features
    found = feature_places(data[rows], names, scaling)
    if found is None:
        return []
    return [
        {
            "kind": "features",
            "places": _fitted(found.places),
            "axes": list(found.axes),
            "shares": [round(share, 6) for share in found.shares],
            "scaling": found.scaling,
            "principal": found.principal,
        }
    ]


def _fitted(places: Array) -> list[list[int]]:
    """Bring places into the frame, with the same scale on both axes."""
    low, high = places.min(axis=0), places.max(axis=0)
    room = np.array([WIDTH - 2 * MARGIN, HEIGHT - 2 * MARGIN])
    extent = np.maximum(high - low, 1e-12)
    scale = float((room / extent).min())
    middle = (low + high) / 2
    moved = (places - middle) * [scale, -scale] + np.array([WIDTH, HEIGHT]) / 2
    return [[int(x), int(y)] for x, y in np.rint(moved)]
