"""How far clusters and known classes are the same."""

from typing import Any

import numpy as np

from consilience._utils._types import Array
from consilience.ensemble import as_label_vector
from consilience.exceptions import InvalidInputError
from consilience.metrics import accuracy, ari, nmi
from consilience.reporting._words import count, number, percent


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
    figures = {
        "accuracy": accuracy(mine, theirs),
        "nmi": nmi(mine, theirs),
        "ari": ari(mine, theirs),
    }
    n_known, n_classes = int(np.count_nonzero(known)), len(np.unique(theirs))
    of = (
        ""
        if n_known == len(labels)
        else f" that {count(n_known)} of {count(len(labels))} objects have"
    )
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
        **{name: round(value, 6) for name, value in figures.items()},
    }
