"""Balanced parts of a small graph with weights on edges and vertices."""

import numpy as np

from consilience._utils._types import Array
from consilience.partition._njw import njw_dense
from consilience.partition._solution import Solution
from consilience.partition._starts import run_starts

_KMEANS_ROUNDS = 300


def balanced_dense(
    affinity: Array,
    vertex_weight: Array,
    n_clusters: int,
    *,
    imbalance: float,
    n_init: int,
    max_iter: int,
    rng: np.random.Generator,
) -> list[Solution]:
    """Cut the graph into K parts of about equal weight; the objective, minimised, is the cut.

    No part weighs more than (1 + imbalance) total / K, or than the heaviest part of a greedy start,
    which puts vertices, heaviest first, into the lightest part. The starts are spectral clustering and
    n_init - 1 random ones; each ends when no move and no swap reduces the cut.
    """
    affinity = np.array(affinity, dtype=np.float64)
    np.fill_diagonal(affinity, 0.0)
    weight = np.asarray(vertex_weight, dtype=np.float64)
    packed = _lightest_first(weight, np.argsort(-weight, kind="stable"), n_clusters)
    heaviest = np.bincount(packed, weights=weight, minlength=n_clusters).max()
    limit = max((1 + imbalance) * weight.sum() / n_clusters, heaviest) * (1 + 1e-12)
    kmeans_stream, *streams = rng.spawn(n_init)
    found = njw_dense(affinity, n_clusters, n_init=10, max_iter=_KMEANS_ROUNDS, rng=kmeans_stream)
    starts = [found.labels]
    starts += [
        _lightest_first(weight, stream.permutation(len(weight)), n_clusters) for stream in streams
    ]

    def search(labels: Array) -> Solution:
        fitting = _fit_to_weights(affinity, weight, labels, n_clusters, limit)
        return _swap_search(
            affinity, weight, packed if fitting is None else fitting, n_clusters, limit, max_iter
        )

    return run_starts(search, starts)


def cut_weight(affinity: Array, labels: Array) -> float:
    """Weight of the edges between parts."""
    return float(affinity[labels[:, None] != labels].sum() / 2)


def _lightest_first(weight: Array, order: Array, n_clusters: int) -> Array:
    """Put vertices, one after the other, into the part that is lightest so far, then emptiest."""
    labels = np.empty(len(weight), dtype=np.int32)
    loads, sizes = np.zeros(n_clusters), np.zeros(n_clusters, dtype=np.int64)
    for vertex in order:
        part = int(np.lexsort((sizes, loads))[0])
        labels[vertex] = part
        loads[part] += weight[vertex]
        sizes[part] += 1
    return labels


def _fit_to_weights(
    affinity: Array, weight: Array, labels: Array, n_clusters: int, limit: float
) -> Array | None:
    """Move vertices out of parts that are too heavy, least loss first; None if that does not help."""
    labels = labels.astype(np.int32)
    sums = _sums(affinity, labels, n_clusters)
    for _ in range(len(labels)):
        loads = np.bincount(labels, weights=weight, minlength=n_clusters)
        sizes = np.bincount(labels, minlength=n_clusters)
        empty = sizes == 0
        movable = ((loads > limit) | empty.any())[labels] & (sizes[labels] > 1)
        fits = movable[:, None] & (loads + weight[:, None] <= limit)
        if empty.any():
            fits &= empty
        elif not np.any(loads > limit):
            return labels
        loss = np.where(fits, sums[np.arange(len(labels)), labels][:, None] - sums, np.inf)
        vertex, part = np.unravel_index(int(loss.argmin()), loss.shape)
        if not np.isfinite(loss[vertex, part]):
            return None
        sums[:, labels[vertex]] -= affinity[:, vertex]
        sums[:, part] += affinity[:, vertex]
        labels[vertex] = part
    return None


def _swap_search(
    affinity: Array, weight: Array, labels: Array, n_clusters: int, limit: float, max_iter: int
) -> Solution:
    from consilience._kernels._local_search import swap_dense_pass

    labels = labels.astype(np.int32)
    loads = np.bincount(labels, weights=weight, minlength=n_clusters)
    sizes = np.bincount(labels, minlength=n_clusters)
    margin = 1e-12 * max(1.0, float(affinity.sum()))
    history: list[float] = []
    converged = False
    while len(history) < max_iter and not converged:
        # Recomputed in every pass, so that rounding errors do not accumulate.
        sums = _sums(affinity, labels, n_clusters)
        converged = not swap_dense_pass(affinity, weight, labels, sums, loads, sizes, limit, margin)
        history.append(cut_weight(affinity, labels))
    return Solution.minimised(
        labels, history[-1], len(history), converged=converged, history=history
    )


def _sums(affinity: Array, labels: Array, n_clusters: int) -> Array:
    """Affinity of every vertex to every part, (t, K)."""
    return np.asarray(affinity @ (labels[:, None] == np.arange(n_clusters)).astype(np.float64))
