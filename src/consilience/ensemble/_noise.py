"""Noise as clusters: every noise object is a cluster of its own."""

import numpy as np

from consilience._utils._types import Array
from consilience.ensemble._encode import Encoded, renumber


def own_clusters(encoded: Encoded) -> Encoded:
    """Turn every missing label into a cluster of its own, with an unused name."""
    labels = encoded.codes.astype(np.int64) - 1
    values = []
    for j, value in enumerate(encoded.values):
        alone = np.flatnonzero(labels[:, j] < 0)
        labels[alone, j] = len(value) + np.arange(len(alone))
        values.append(np.concatenate([value, _new_values(value, alone)]))
    return renumber(Encoded(labels + 1, tuple(values)))


def _new_values(value: Array, rows: Array) -> Array:
    if value.dtype.kind != "O":
        return np.asarray(value.max(initial=-1) + 1 + np.arange(len(rows)))
    prefix = "noise at row"
    while any(name.startswith(prefix) for name in value):
        prefix = f"_{prefix}"
    return np.array([f"{prefix} {row}" for row in rows], dtype=object)
