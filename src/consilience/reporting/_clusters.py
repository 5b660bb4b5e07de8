"""What is said of every cluster, of the least certain objects, and of known classes."""

from collections.abc import Callable
from typing import Any

import numpy as np

from consilience._utils._types import Array
from consilience.ensemble import as_label_vector
from consilience.exceptions import InvalidInputError
from consilience.metrics import accuracy, ari, nmi
from consilience.reporting._result import Result
from consilience.reporting._verdict import CERTAIN
from consilience.reporting._words import count, number, percent, rounded

_CLUSTERS_SHOWN = 100
_OBJECTS_SHOWN = 20
_NEAR = 0.005


def describe_clusters(result: Result, features: list[list[dict[str, Any]]]) -> list[dict[str, Any]]:
    sizes, means = result.sizes, result.block_means
    shown = np.sort(np.argsort(-sizes, kind="stable")[:_CLUSTERS_SHOWN])
    apart = np.where(np.isfinite(means), means, -1.0)
    np.fill_diagonal(apart, -1.0)
    found = []
    for cluster in shown.tolist():
        nearest = int(np.argmax(apart[cluster]))
        # What would be shown as 0.00 is near nothing.
        known = apart[cluster, nearest] >= _NEAR
        found.append(
            {
                "name": result.names[cluster],
                "number": cluster,
                "size": int(sizes[cluster]),
                "share": rounded(sizes[cluster] / result.n_samples),
                "stability": None if result.n_clusters == 1 else rounded(result.stability[cluster]),
                "inside": rounded(means[cluster, cluster]),
                "nearest": result.names[nearest] if known else None,
                "nearest_mean": rounded(apart[cluster, nearest]) if known else None,
                "features": features[cluster] if features else [],
            }
        )
    return found


def uncertain_objects(result: Result, id_of: Callable[[int], str]) -> list[dict[str, Any]]:
    """Return the objects of which the members are least certain, first those of most doubt."""
    if result.n_clusters < 2:
        return []
    n_shown = min(_OBJECTS_SHOWN, result.n_samples)
    # NaN is sorted to the end, and is not below anything.
    least = np.argpartition(result.confidence, n_shown - 1)[:n_shown]
    least = least[np.lexsort((least, result.confidence[least]))]
    least = least[result.confidence[least] < CERTAIN]
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
            "confidence": rounded(result.confidence[row]),
            "second": result.names[second[place]],
            "second_number": int(second[place]),
            "second_share": rounded(votes[place, second[place]]),
        }
        for place, row in enumerate(least)
    ]


def known_classes(labels: Array, truth: Any) -> dict[str, Any]:
    """Compare the clusters with known classes, where they are known; a sentence, and the figures."""
    codes, _ = as_label_vector(truth)
    classes = codes.reshape(-1).astype(np.int64) - 1
    if len(classes) != len(labels):
        raise InvalidInputError(
            f"report: truth must have one class per object, {len(labels)}; got {len(classes)}."
        )
    known = classes >= 0
    if not np.any(known):
        raise InvalidInputError(
            "report: truth must know the class of at least one object; got none."
        )
    mine, theirs = labels[known], classes[known]
    figures = {metric.__name__: metric(mine, theirs) for metric in (accuracy, nmi, ari)}
    n_known, n_classes = int(np.count_nonzero(known)), len(np.unique(theirs))
    some = f" that {count(n_known)} of {count(len(labels))} objects have"
    of = "" if n_known == len(labels) else some
    known_as = "one known class" if n_classes == 1 else f"{count(n_classes)} known classes"
    sentence = (
        f"Against the {known_as}{of}: if every cluster stands for at most one class, and every "
        f"class for at most one cluster, {percent(figures['accuracy'])} of the objects are in the right "
        f"cluster. The normalised mutual information is {number(figures['nmi'])} and the adjusted "
        f"Rand index {number(figures['ari'])} (1: the same groups, 0: no relation)."
    )
    return {
        "sentence": sentence,
        "n_known": n_known,
        "n_classes": n_classes,
        **{name: rounded(value) for name, value in figures.items()},
    }
