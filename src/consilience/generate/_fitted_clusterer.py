"""Clusterers of scikit-learn as members: fitted, stored as bytes, used to label new rows."""

import io
from typing import Any

import numpy as np
from scipy import sparse

from consilience._utils._types import Array


class AnyClusterer:
    """An object with scikit-learn's interface of clusterers."""

    def accepts(self, value: object) -> bool:
        """Classes are not clusterers; their instances are."""
        needed = ("fit_predict", "get_params", "set_params")
        return not isinstance(value, type) and all(hasattr(value, name) for name in needed)

    def __str__(self) -> str:
        return "a clusterer with fit_predict, such as those of scikit-learn"


def fit_clusterer(clusterer: Any, X: Any, rng: np.random.Generator) -> tuple[Any, Array]:
    """Fit a copy of a clusterer under a seed of its own; return it and the labels of X."""
    from sklearn.base import clone

    model = clone(clusterer)
    seeds = {
        name: int(rng.integers(2**31 - 1))
        for name in sorted(model.get_params(deep=True))
        if name == "random_state" or name.endswith("__random_state")
    }
    model.set_params(**seeds)
    labels = np.asarray(model.fit_predict(X)).astype(np.int32)
    return model, np.maximum(labels, -1)


def to_bytes(model: Any) -> Array:
    """Pickle a fitted clusterer into an array."""
    import joblib

    buffer = io.BytesIO()
    joblib.dump(model, buffer)
    return np.frombuffer(buffer.getvalue(), dtype=np.uint8)


def from_bytes(pickled: Array) -> Any:
    """Return the clusterer in an array."""
    import joblib

    return joblib.load(io.BytesIO(pickled.tobytes()))


def nearest_label(X: Any, seen: Any, labels: Array) -> Array:
    """Label rows as the nearest row that a clusterer has seen."""
    from sklearn.metrics import pairwise_distances_argmin

    if sparse.issparse(X) != sparse.issparse(seen):
        X, seen = sparse.csr_matrix(X), sparse.csr_matrix(seen)
    places = pairwise_distances_argmin(X, seen.astype(X.dtype, copy=False))
    found: Array = labels[places]
    return found
