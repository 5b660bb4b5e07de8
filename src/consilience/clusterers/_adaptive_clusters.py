"""The iteration of locally adaptive clustering, on data that are dense, finite and scaled.

Everything runs on row blocks, in double precision for data of any type. Sums are added in row order,
so that results do not depend on threads. No n x K x D array is formed.
"""

from collections.abc import Callable
from typing import NamedTuple, TypeVar

import numpy as np

from consilience._utils._random import pick_one, row_draws
from consilience._utils._types import Array
from consilience.incidence.internals import ThreadExecutor

Part = TypeVar("Part")

_BLOCK_ROWS = 16_384
# Relative tolerance for ties of distances.
_ROUNDING = 1e-12
# Dispersions closer than this share the weight if h = 0.
_TIE = 1e-9


class Adapted(NamedTuple):
    """Result of the iteration.

    labels     (n,) int32, no cluster empty
    centres    (K, D); K may be less than the number of starting centres
    weights    (K, D), rows sum to one
    n_iter     number of iterations
    converged  whether the last iteration changed nothing
    """

    labels: Array
    centres: Array
    weights: Array
    n_iter: int
    converged: bool


class _Assigned(NamedTuple):
    labels: Array
    sums: Array
    sizes: Array


def well_scattered(X: Array, n_clusters: int, rng: np.random.Generator) -> Array:
    """Return rows that are far from each other; fewer than requested if there are too few distinct rows.

    The first is the row furthest from a row drawn at random, the next always the row furthest from
    those chosen; ties: the first.
    """
    origin = X[rng.integers(len(X))]
    chosen = [int(np.argmax(_squares_to(X, origin)))]
    nearest = _squares_to(X, X[chosen[0]])
    while len(chosen) < n_clusters:
        furthest = int(np.argmax(nearest))
        if nearest[furthest] == 0:
            break
        chosen.append(furthest)
        np.minimum(nearest, _squares_to(X, X[furthest]), out=nearest)
    return X[chosen].astype(np.float64)


def adapt(
    X: Array, start: Array, h: float, *, max_iter: int, entropy: int | None = None
) -> Adapted:
    """Alternate weights, assignment and centres until nothing changes [alrazgan2006]_.

    Ties of distances: the current cluster, else the first; with entropy, a draw that belongs to the row
    and stays the same in all rounds.
    """
    centres = start.astype(np.float64)
    weights = np.full(centres.shape, 1 / X.shape[1])
    assigned, centres, weights = _assign(X, centres, weights, None, entropy)
    converged = False
    n_iter = 0
    while n_iter < max_iter and not converged:
        n_iter += 1
        labels, previous = assigned.labels, centres
        spread = _dispersion(X, centres, assigned)
        weights = feature_weights(spread, h)
        assigned, centres, weights = _assign(X, centres, weights, labels, entropy)
        centres = _means(assigned, centres)
        converged = np.array_equal(labels, assigned.labels) and np.array_equal(previous, centres)
    used = assigned.sizes > 0
    renumbered = (np.cumsum(used) - 1).astype(np.int32)[assigned.labels]
    return Adapted(renumbered, centres[used], weights[used], n_iter, converged)


def feature_weights(dispersion: Array, h: float) -> Array:
    """w_ji = exp(-X_ji / h) / sum_i exp(-X_ji / h); h = 0: all weight on the least dispersed feature."""
    least = dispersion.min(axis=1, keepdims=True)
    if h == 0:
        unnormalised = (dispersion <= least * (1 + _TIE)).astype(np.float64)
    else:
        with np.errstate(over="ignore"):
            unnormalised = np.exp(-(dispersion - least) / h)
    weights: Array = unnormalised / unnormalised.sum(axis=1, keepdims=True)
    return weights


def nearest_centre(X: Array, centres: Array, weights: Array) -> Array:
    """Label rows by the centre of least weighted distance; ties: the first."""
    parts = _on_blocks(len(X), lambda a, b: _nearest(X[a:b], centres, weights, None))
    return np.concatenate(parts)


def posteriors(X: Array, centres: Array, weights: Array) -> Array:
    """P(l|i) = (D_i - d_il + 1) / (K D_i + K - sum_l d_il), D_i the largest of the distances d_il."""

    def block(start: int, stop: int) -> Array:
        rows = X[start:stop].astype(np.float64)
        # By differences instead of products, because the root would turn errors of 1e-16 into 1e-8.
        distance = np.column_stack(
            [
                np.sqrt(np.square(rows - centre) @ weight)
                for centre, weight in zip(centres, weights, strict=True)
            ]
        )
        closeness = distance.max(axis=1, keepdims=True) - distance + 1
        shares: Array = closeness / closeness.sum(axis=1, keepdims=True)
        return shares.astype(X.dtype, copy=False)

    return np.concatenate(_on_blocks(len(X), block))


def _assign(
    X: Array, centres: Array, weights: Array, labels: Array | None, entropy: int | None
) -> tuple[_Assigned, Array, Array]:
    """Assign rows; an empty cluster is restarted at the row furthest from its centre."""
    assigned = _nearest_and_sums(X, centres, weights, labels, entropy)
    for _ in range(len(centres)):
        empty = np.flatnonzero(assigned.sizes == 0)
        if not len(empty):
            break
        distance = _own_distance(X, centres, weights, assigned.labels)
        furthest = int(np.argmax(distance))
        if distance[furthest] == 0:
            break  # fewer distinct rows than clusters
        centres, weights = centres.copy(), weights.copy()
        centres[empty[0]] = X[furthest]
        weights[empty[0]] = 1 / X.shape[1]
        assigned = _nearest_and_sums(X, centres, weights, assigned.labels, entropy)
    return assigned, centres, weights


def _nearest_and_sums(
    X: Array, centres: Array, weights: Array, labels: Array | None, entropy: int | None
) -> _Assigned:
    def block(start: int, stop: int) -> tuple[Array, Array]:
        current = None if labels is None else labels[start:stop]
        draws = None if entropy is None else row_draws(entropy, start, stop)
        found = _nearest(X[start:stop], centres, weights, current, draws)
        return found, _sum_by_label(X[start:stop].astype(np.float64), found, len(centres))

    parts = _on_blocks(len(X), block)
    found = np.concatenate([labels for labels, _ in parts])
    sums = np.sum([sums for _, sums in parts], axis=0)
    return _Assigned(found, sums, np.bincount(found, minlength=len(centres)))


def _nearest(
    rows: Array,
    centres: Array,
    weights: Array,
    current: Array | None,
    draws: Array | None = None,
) -> Array:
    """Return the nearest centre; ties: by draws, else the current one if among them, else the first."""
    origin = centres.mean(axis=0)
    rows = rows.astype(np.float64) - origin
    centres = centres - origin
    # sum_i w_li (x_i - c_li)^2, expanded; the square of the row is used only for ties.
    constant = (weights * np.square(centres)).sum(axis=1)
    squares = np.square(rows) @ weights.T + constant
    distance = np.maximum(squares - 2 * (rows @ (weights * centres).T), 0.0)
    limit = distance.min(axis=1) + _ROUNDING * squares.max(axis=1)
    near = distance <= limit[:, None]
    if draws is not None:
        return pick_one(near, draws)
    labels: Array = near.argmax(axis=1).astype(np.int32)
    if current is None:
        return labels
    kept = near[np.arange(len(rows)), current]
    return np.where(kept, current, labels)


def _dispersion(X: Array, centres: Array, assigned: _Assigned) -> Array:
    """X_ji, the mean squared difference of rows and centre; zeros for an empty cluster."""

    def block(start: int, stop: int) -> Array:
        labels = assigned.labels[start:stop]
        squares = np.square(X[start:stop].astype(np.float64) - centres[labels])
        return _sum_by_label(squares, labels, len(centres))

    sums = np.sum(_on_blocks(len(X), block), axis=0)
    mean: Array = sums / np.maximum(assigned.sizes, 1)[:, None]
    return mean


def _means(assigned: _Assigned, centres: Array) -> Array:
    """Return the means; an empty cluster keeps its centre."""
    sizes = assigned.sizes[:, None]
    return np.where(sizes > 0, assigned.sums / np.maximum(sizes, 1), centres)


def _own_distance(X: Array, centres: Array, weights: Array, labels: Array) -> Array:
    def block(start: int, stop: int) -> Array:
        own = labels[start:stop]
        squares = np.square(X[start:stop].astype(np.float64) - centres[own])
        return np.asarray((weights[own] * squares).sum(axis=1))

    return np.concatenate(_on_blocks(len(X), block))


def _squares_to(X: Array, row: Array) -> Array:
    def block(start: int, stop: int) -> Array:
        return np.asarray(np.square(X[start:stop].astype(np.float64) - row).sum(axis=1))

    return np.concatenate(_on_blocks(len(X), block))


def _sum_by_label(rows: Array, labels: Array, n_clusters: int) -> Array:
    member = (labels[:, None] == np.arange(n_clusters)).astype(np.float64)
    sums: Array = member.T @ rows
    return sums


def _on_blocks(n_rows: int, function: Callable[[int, int], Part]) -> list[Part]:
    ranges = [(start, min(start + _BLOCK_ROWS, n_rows)) for start in range(0, n_rows, _BLOCK_ROWS)]
    return list(ThreadExecutor().map(lambda rows: function(*rows), ranges))
