"""Balanced assignment: every object joins its best part under limits on the sizes."""

import numpy as np

from consilience._utils._types import Array
from consilience.partition._starts import SizeBounds


def balanced_assignment(scores: Array, bounds: SizeBounds) -> Array:
    """Start from the best score of every row, then make the cheapest moves until the sizes fit.

    Exact for two parts; for more, moves are chosen one at a time. `scores` is (n, K).
    """
    from consilience._kernels._local_search import level_sizes

    labels: Array = scores.argmax(axis=1).astype(np.int32)
    sizes = np.bincount(labels, minlength=scores.shape[1])
    scores = np.ascontiguousarray(scores, dtype=np.float64)
    level_sizes(scores, labels, sizes, bounds.largest)
    level_sizes(scores, labels, sizes, bounds.smallest)
    return labels


def improve_assignment(scores: Array, labels: Array, bounds: SizeBounds, *, max_iter: int) -> Array:
    """Exchange objects while the sum of the scores increases; sizes stay within bounds."""
    from consilience._kernels._local_search import exchange_pass

    labels = labels.astype(np.int32)
    sizes = np.bincount(labels, minlength=scores.shape[1])
    scores = np.ascontiguousarray(scores, dtype=np.float64)
    margin = 1e-12 * max(1.0, float(np.abs(scores).max(initial=0.0)))
    for _ in range(max_iter):
        if not exchange_pass(scores, labels, sizes, *bounds, margin):
            break
    return labels


def total_score(scores: Array, labels: Array) -> float:
    """Sum the scores of the labels."""
    return float(np.take_along_axis(scores, labels[:, None].astype(np.int64), axis=1).sum())
