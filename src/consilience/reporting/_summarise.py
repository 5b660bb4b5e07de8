"""A result as a plain dictionary: everything that a report says, ready for JSON."""

from collections.abc import Callable
from typing import Any

import numpy as np

from consilience.ensemble import Ensemble
from consilience.exceptions import InvalidInputError
from consilience.reporting._choice import describe_choice
from consilience.reporting._consensus_picture import consensus_picture
from consilience.reporting._defining_features import (
    column_names,
    defining_features,
    read_data,
    weighted_features,
)
from consilience.reporting._doubts import find_doubts
from consilience.reporting._known_classes import known_classes
from consilience.reporting._members import describe_members
from consilience.reporting._object_maps import object_maps
from consilience.reporting._origin import origin
from consilience.reporting._result import Result, read_result
from consilience.reporting._verdict import verdict

_BINS = 20
_CLUSTERS_SHOWN = 100
_OBJECTS_SHOWN = 20
_NEAR = 0.005
# A confidence that would be shown as 1.00 is no doubt.
_CERTAIN = 0.995


def summarise(  # noqa: PLR0913 - everything after the result is optional and by name
    result: Any,
    *,
    labels: Any = None,
    ensemble: Any = None,
    X: Any = None,
    feature_names: Any = None,
    ids: Any = None,
    command: str | None = None,
    title: str | None = None,
    truth: Any = None,
    sample_of: int | None = None,
) -> dict[str, Any]:
    """Collect what a report says about a result.

    Parameters
    ----------
    result, labels, ensemble, X, feature_names, ids, command, title, truth, sample_of
        As for `consilience.report`.

    Returns
    -------
    dict
        Text, numbers, lists and None only: ``json.dumps`` takes it, and `render` makes the page of it
        and of nothing else.

    Notes
    -----
    Samples (objects of the heatmap, objects on which members are compared) are drawn with a fixed seed.
    Apart from the time, the same result gives the same summary.

    Examples
    --------
    >>> from consilience import Ensemble
    >>> from consilience.reporting import summarise
    >>> e = Ensemble([[0, 0, 0, 1, 1, 1], [0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1]])
    >>> summary = summarise(e, labels=[0, 0, 0, 1, 1, 1])
    >>> summary["verdict"]["headline"]
    '2 clusters: usable, with doubts'
    >>> summary["objects"][0]["id"], summary["objects"][0]["second"]
    ('2', '1')
    """
    read = read_result(result, labels=labels, ensemble=ensemble)
    id_of = _namer(ids, read.ensemble)
    pictured, compared, mapped = np.random.SeedSequence(0).spawn(3)
    doubts = find_doubts(read, id_of)
    data = None if X is None else _data(read, X, feature_names)
    features, weighed = _features(read, data, feature_names)
    return {
        "format": 1,
        "title": title or "Consensus clustering",
        "sample_of": sample_of,
        "verdict": verdict(read, doubts),
        "doubts": [doubt.as_dict() for doubt in doubts],
        "classes": None if truth is None else known_classes(read.labels, truth),
        "choice": None if read.k_choice is None else describe_choice(read.k_choice),
        "picture": consensus_picture(read, id_of, np.random.default_rng(pictured)),
        "map": object_maps(read, id_of, data, np.random.default_rng(mapped)),
        "clusters": _clusters(read, features),
        "features": {"given": bool(features), "by_weight": weighed},
        "confidence": _histogram(read),
        "n_unknown": int(np.count_nonzero(read.unknown)),
        "objects": _objects(read, id_of),
        "members": describe_members(read, np.random.default_rng(compared)),
        "origin": origin(read, command),
    }


def _namer(ids: Any, ensemble: Ensemble) -> Callable[[int], str]:
    given = ensemble.ids if ids is None else np.asarray(ids)
    if given is None:
        return str
    if given.shape != (ensemble.n_samples,):
        raise InvalidInputError(
            f"report: ids must be one name per object, {ensemble.n_samples}; got an array of shape "
            f"{given.shape}."
        )
    return lambda row: str(given[row])


def _histogram(result: Result) -> list[int]:
    known = result.confidence[~result.unknown]
    counts: list[int] = np.histogram(known, bins=_BINS, range=(0.0, 1.0 + 1e-9))[0].tolist()
    return counts


def _data(result: Result, X: Any, feature_names: Any) -> tuple[Any, list[str]]:
    if feature_names is None:
        feature_names = getattr(result.estimator, "feature_names_in_", None)
    return read_data(X, feature_names, result.n_samples)


def _features(
    result: Result, data: tuple[Any, list[str]] | None, feature_names: Any
) -> tuple[list[list[dict[str, Any]]], bool]:
    """Return the defining features of every cluster, and whether they come from learned weights."""
    if data is not None:
        return defining_features(*data, result.labels, result.n_clusters), False
    weights = getattr(result.function, "feature_weights_", None)
    if weights is None:
        return [], False
    return weighted_features(weights, column_names(feature_names, weights.shape[1])), True


def _clusters(result: Result, features: list[list[dict[str, Any]]]) -> list[dict[str, Any]]:
    sizes = result.sizes
    stability = result.stability
    means = result.block_means
    shown = np.sort(np.argsort(-sizes, kind="stable")[:_CLUSTERS_SHOWN])
    apart = np.where(np.isfinite(means), means, -1.0)
    np.fill_diagonal(apart, -1.0)
    found = []
    for cluster in shown.tolist():
        nearest = int(np.argmax(apart[cluster]))
        # What would be shown as 0.00 is near nothing.
        known = apart[cluster, nearest] >= _NEAR
        inside = means[cluster, cluster]
        found.append(
            {
                "name": result.names[cluster],
                "number": cluster,
                "size": int(sizes[cluster]),
                "share": round(float(sizes[cluster] / result.n_samples), 6),
                "stability": None if result.n_clusters == 1 else _plain(stability[cluster]),
                "inside": _plain(inside),
                "nearest": result.names[nearest] if known else None,
                "nearest_mean": round(float(apart[cluster, nearest]), 6) if known else None,
                "features": features[cluster] if features else [],
            }
        )
    return found


def _objects(result: Result, id_of: Callable[[int], str]) -> list[dict[str, Any]]:
    """Return the objects of which the members are least certain, first those of most doubt."""
    if result.n_clusters < 2:
        return []
    n_shown = min(_OBJECTS_SHOWN, result.n_samples)
    # NaN is sorted to the end, and is not below anything.
    least = np.argpartition(result.confidence, n_shown - 1)[:n_shown]
    least = least[np.lexsort((least, result.confidence[least]))]
    least = least[result.confidence[least] < _CERTAIN]
    if not len(least):
        return []
    votes = result.votes(least).copy()
    own = result.labels[least]
    votes[np.arange(len(least)), own] = -1.0
    second = votes.argmax(axis=1)
    return [
        {
            "id": id_of(int(row)),
            "cluster": result.names[own[place]],
            "number": int(own[place]),
            "confidence": round(float(result.confidence[row]), 6),
            "second": result.names[second[place]],
            "second_number": int(second[place]),
            "second_share": round(float(votes[place, second[place]]), 6),
        }
        for place, row in enumerate(least)
    ]


def _plain(value: float) -> float | None:
    return round(float(value), 6) if np.isfinite(value) else None
