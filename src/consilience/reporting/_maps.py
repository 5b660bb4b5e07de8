"""Maps of the objects: by their votes, and by their features."""

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import sparse

from consilience._utils._types import Array
from consilience.generate.internals import Rows
from consilience.partition import leading_eigenvectors
from consilience.reporting._result import Result
from consilience.reporting._shown import sampled_objects, short_names
from consilience.reporting._words import rounded

MAP_OBJECTS = 2_000
# With more clusters a map is unreadable.
MAP_CLUSTERS = 100
# Places are whole numbers, tenths of the units of the drawing.
WIDTH, HEIGHT, MARGIN = 4_800, 4_000, 160
# Letters for the names of all objects.
_ID_CHARACTERS = 250_000
_ROUNDS = 300
# Clusters that members never separate still get different places.
_LEAST_DISTANCE = 0.15
# Radius of the disc of the largest cluster, as a share of the distance to the next cluster.
_DISC = 0.42
# Fewer objects than this do not need a whole disc.
_FULL_DISC = 50
_GOLDEN_ANGLE = np.pi * (3 - np.sqrt(5))


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
    maps: list[dict[str, Any] | None] = []
    readable = result.n_clusters <= MAP_CLUSTERS
    if readable and result.n_clusters > 1:
        places = vote_places(result.votes(rows), labels, confidence, result.block_means)
        maps.append({"kind": "votes", "places": places})
    if readable and features is not None:
        maps.append(feature_places(features[0][rows], features[1], "standard"))
    drawn = [{**one, "places": _fitted(one["places"])} for one in maps if one is not None]
    if not drawn:
        rows, labels, confidence = rows[:0], labels[:0], confidence[:0]
    return {
        "n_shown": len(rows),
        "n_samples": result.n_samples,
        "most_clusters": MAP_CLUSTERS,
        "ids": short_names(id_of, rows, _ID_CHARACTERS),
        "clusters": labels.tolist(),
        "names": {str(c): result.names[c] for c in np.unique(labels).tolist()},
        "confidence": [rounded(value, 3) for value in confidence],
        "maps": drawn,
    }


def _fitted(places: Array) -> list[list[int]]:
    """Bring places into the frame, with the same scale on both axes."""
    low, high = places.min(axis=0), places.max(axis=0)
    room = np.array([WIDTH - 2 * MARGIN, HEIGHT - 2 * MARGIN])
    extent = np.maximum(high - low, 1e-12)
    scale = float((room / extent).min())
    middle = (low + high) / 2
    moved = (places - middle) * [scale, -scale] + np.array([WIDTH, HEIGHT]) / 2
    return [[int(x), int(y)] for x, y in np.rint(moved)]


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


def feature_places(X: Any, names: list[str], scaling: str) -> dict[str, Any] | None:
    """Return places by the first two principal components; two columns are shown as they are.

    With them what the axes are and their shares of the variance. Scaling and components are those of
    the rows given. None if fewer than two columns vary.
    """
    scaled = Rows(None if scaling == "none" else scaling, X)(X)
    principal = X.shape[1] != 2 or scaled.shape[1] != 2 or sparse.issparse(scaled)
    if principal:
        values, places, total = _principal(scaled)
        names = ["first principal component", "second principal component"]
        known = len(values) == 2 and values[1] > 1e-9 * values[0]
    else:
        places = np.asarray(scaled, dtype=np.float64)
        values = places.var(axis=0)
        total, known = values.sum(), np.all(values > 0)
    if not known:
        return None
    return {
        "kind": "features",
        "places": places,
        "axes": names,
        "shares": [rounded(value / total) for value in values],
        "scaling": scaling,
        "principal": principal,
    }


def _principal(rows: Any) -> tuple[Array, Array, float]:
    """Return two variances, the coordinates (m, 2), and the variance of all columns.

    By the smaller of the two matrices of products, of columns or of rows; there are few rows.
    """
    n_rows, n_columns = rows.shape
    if min(n_rows, n_columns) < 2:
        return np.zeros(0), np.zeros((n_rows, 2)), 0.0
    if sparse.issparse(rows) or n_columns > n_rows:
        products = rows @ rows.T
        products = np.asarray(products.toarray() if sparse.issparse(products) else products)
        products = products.astype(np.float64)
        middle = products.mean(axis=0)
        products += products.mean() - middle - middle[:, None]
        values, vectors = leading_eigenvectors(products, 2)
        values = np.maximum(values, 0.0)
        return values, vectors * np.sqrt(values), float(np.trace(products))
    centred = np.asarray(rows, dtype=np.float64) - np.asarray(rows, dtype=np.float64).mean(axis=0)
    products = centred.T @ centred
    values, vectors = leading_eigenvectors(products, 2)
    return np.maximum(values, 0.0), centred @ vectors, float(np.trace(products))
