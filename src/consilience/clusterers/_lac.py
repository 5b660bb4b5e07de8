"""LAC: locally adaptive clustering.

The iteration runs on row blocks, in double precision for data of any type. Sums are added in row order,
so that results do not depend on threads. No n x K x D array is formed.
"""

from collections.abc import Callable, Mapping
from numbers import Real as AnyReal
from typing import Any, ClassVar, NamedTuple, Self, TypeVar

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import check_is_fitted

from consilience._utils._declare import (
    Choice,
    Declaration,
    Integer,
    Optional,
    Seed,
    check_parameters,
)
from consilience._utils._documents import CLUSTERER, documented
from consilience._utils._features import read_features
from consilience._utils._random import pick_one, row_draws, seed_sequence
from consilience._utils._types import Array
from consilience.exceptions import (
    FewerClustersWarning,
    InvalidParameterError,
    NotConvergedWarning,
    UnsupportedInputError,
    warn,
)
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


class _NonNegative:
    def accepts(self, value: object) -> bool:
        if isinstance(value, bool | np.bool_) or not isinstance(value, AnyReal):
            return False
        return float(value) >= 0

    def __str__(self) -> str:
        return "a number of at least 0, infinity included"


class _Start:
    def accepts(self, value: object) -> bool:
        return value == "furthest" if isinstance(value, str) else np.ndim(value) == 2  # type: ignore[arg-type]

    def __str__(self) -> str:
        return "'furthest' or an array (n_clusters, n_features)"


@documented(CLUSTERER)
class LAC(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """Locally adaptive clustering: k-means with separate feature weights for every cluster.

    A feature in which the rows of a cluster are close together gets a large weight in this cluster, so
    that clusters may be in different subspaces of the features. With centres c_l and weights w_l that
    sum to one, a row x belongs to the cluster of least sum_i w_li (x_i - c_li)^2. The following steps
    are repeated: X_li, the mean of (c_li - x_i)^2 over the rows of cluster l; w_li = exp(-X_li / h) /
    sum_i exp(-X_li / h); a new assignment; new means.

    Parameters
    ----------
    n_clusters : int, default 8
        Number of clusters, K.
    h : float, default 0.2
        Larger values reduce the influence of the dispersions: infinity gives all features equal
        weight, as in k-means; 0 gives all weight to the least dispersed feature. The paper uses 1/h
        and varies it from 1 to 12, as `LACSweep` does; the default here is 1/h = 5.
    init : "furthest" or array (n_clusters, n_features), default "furthest"
        Starting centres: rows far from each other, or given in the units of the data.
    scaling : {"standard", "max", "common"} or None, default "standard"
        Scale features to mean 0 and variance 1; divide them by their largest absolute value; divide
        all by one number, the root of their mean variance, which leaves the shapes of clusters as they
        are; or use them unchanged. h is in squares of these units.
    ties : {"first", "random"}, default "first"
        What an object does that is as near to several clusters: it stays in its cluster or else joins
        the first, or it joins one at random, as in the paper. A row has one draw for all iterations.
    max_iter : int, default 100
        Maximum number of iterations.
    random_state : int, generator or None
        Draws the row from which the search for far rows begins, and random ties.

    Attributes
    ----------
    labels_ : array (n,)
        The cluster of every row; the same as the result of `predict` if the iteration converged, except
        for random ties, since `predict` takes the first.
    cluster_centers_ : array (K, D)
        The means of the clusters, in the units of the data.
    weights_ : array (K, D)
        The weights of the features in every cluster; rows sum to one.
    n_iter_
    mean_, scale_ : array (D,)
        Values that are subtracted from the features, and by which they are divided.

    See Also
    --------
    consilience.generate.LACSweep : One run for each of several h.
    consilience.consensus.WSPA, consilience.consensus.WBPA : Combine such runs.

    Notes
    -----
    O(n K D) a round, memory O(n D + n K). Deterministic for a given seed and any number of threads.

    No objective decreases in every iteration: the weights minimise a criterion with the sizes of
    clusters and the entropy of the weights, which the assignment ignores. So the iteration may cycle,
    although it usually converges within some tens of iterations. It stops after `max_iter` with a
    warning.

    Weights depend on the units of the features. A constant feature has dispersion 0 in every cluster
    and so gets the largest weight: drop such features.

    A cluster that becomes empty is restarted with equal weights at the row furthest from its centre.
    Fewer distinct rows than K give fewer clusters, and a warning.

    The paper does not say which rows are well scattered, nor in which units the data are: the
    furthest-first rule and standardised features were chosen here.

    References
    ----------
    [alrazgan2006]_, section 3

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.clusterers import LAC
    >>> rng = np.random.default_rng(0)
    >>> tall = rng.normal([0, 0], [0.1, 1], (50, 2))
    >>> flat = rng.normal([2, 0], [1, 0.1], (50, 2))
    >>> model = LAC(2, random_state=0).fit(np.vstack([tall, flat]))
    >>> model.weights_[model.labels_[[0, 50]]].argmax(axis=1).tolist()
    [0, 1]
    """

    parameters: ClassVar[Mapping[str, Declaration]] = {
        "n_clusters": Integer(1),
        "h": _NonNegative(),
        "init": _Start(),
        "scaling": Optional(Choice("standard", "max", "common")),
        "ties": Choice("first", "random"),
        "max_iter": Integer(1),
        "random_state": Seed(),
    }

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        h: float = 0.2,
        init: Any = "furthest",
        scaling: str | None = "standard",
        ties: str = "first",
        max_iter: int = 100,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.h = h
        self.init = init
        self.scaling = scaling
        self.ties = ties
        self.max_iter = max_iter
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> Self:  # noqa: ARG002
        """Find clusters and the weights of the features in each.

        Parameters
        ----------
        X : array (n, D) or data frame
            Dense, finite numbers.
        y : ignored
            For scikit-learn's interface.
        """
        check_parameters(type(self).__name__, self.parameters, self.get_params(deep=False))
        X = self._read(X, reset=True)
        if self.n_clusters > len(X):
            raise InvalidParameterError(
                f"LAC: n_clusters={self.n_clusters} is more than the number of rows; got n_samples = "
                f"{len(X)}.",
                parameter="n_clusters",
            )
        self.mean_, self.scale_ = self._units(X)
        X = self._scaled(X)
        rng = np.random.default_rng(seed_sequence(self.random_state))
        start = self._start(X, rng)
        entropy = int(rng.integers(2**63)) if self.ties == "random" else None
        found = adapt(X, start, float(self.h), max_iter=int(self.max_iter), entropy=entropy)
        self.labels_ = found.labels
        self.weights_ = found.weights
        self.n_iter_ = found.n_iter
        self._centres = found.centres
        self.cluster_centers_ = found.centres * self.scale_ + self.mean_
        self._warn(converged=found.converged)
        return self

    def predict(self, X: Any) -> Array:
        """Return the nearest cluster of every row.

        Parameters
        ----------
        X : array (n_new, D) or data frame
            Rows with the features of `fit`.
        """
        check_is_fitted(self, "labels_")
        return nearest_centre(
            self._scaled(self._read(X, reset=False)), self._centres, self.weights_
        )

    def predict_proba(self, X: Any) -> Array:
        """Return P(cluster | row), (n_new, K); in single precision if X is.

        With d_il the weighted distance (the root) of row i and centre l, and D_i the largest of row i,
        P(l | i) = (D_i - d_il + 1) / (K D_i + K - sum_l d_il).

        Parameters
        ----------
        X : array (n_new, D) or data frame
            Rows with the features of `fit`.
        """
        check_is_fitted(self, "labels_")
        return posteriors(self._scaled(self._read(X, reset=False)), self._centres, self.weights_)

    def _read(self, X: Any, *, reset: bool) -> Array:
        if sparse.issparse(X):
            raise UnsupportedInputError(
                "LAC cannot use sparse data, since every cluster has weights for all features; pass "
                "X.toarray(), or reduce the features first, e.g. by TruncatedSVD."
            )
        read: Array = read_features(self, X, reset=reset)
        return read

    def _units(self, X: Array) -> tuple[Array, Array]:
        """Return the values to subtract and to divide by; constant features are divided by one."""
        if self.scaling is None:
            return np.zeros(X.shape[1], dtype=X.dtype), np.ones(X.shape[1], dtype=X.dtype)
        if self.scaling == "max":
            largest = np.abs(X).max(axis=0)
            return np.zeros(X.shape[1], dtype=X.dtype), np.where(largest > 0, largest, 1).astype(
                X.dtype
            )
        spread = X.std(axis=0, dtype=np.float64)
        # Rounding must not make a spread of what is constant.
        spread[X.max(axis=0) == X.min(axis=0)] = 0
        if self.scaling == "common":
            spread[:] = np.sqrt(np.square(spread).mean())
        mean = X.mean(axis=0, dtype=np.float64)
        return mean.astype(X.dtype), np.where(spread > 0, spread, 1.0).astype(X.dtype)

    def _scaled(self, X: Array) -> Array:
        X = X.astype(self.mean_.dtype, copy=False)
        return X if self.scaling is None else np.asarray((X - self.mean_) / self.scale_)

    def _start(self, X: Array, rng: np.random.Generator) -> Array:
        if isinstance(self.init, str):
            return well_scattered(X, int(self.n_clusters), rng)
        start = np.asarray(self.init, dtype=np.float64)
        if start.shape != (self.n_clusters, X.shape[1]) or not np.isfinite(start).all():
            raise InvalidParameterError(
                f"LAC: init must be {self.n_clusters} finite rows of {X.shape[1]} features; got shape "
                f"{start.shape}{'' if np.isfinite(start).all() else ' with values that are not finite'}."
            )
        return np.asarray((start - self.mean_) / self.scale_)

    def _warn(self, *, converged: bool) -> None:
        if len(self.weights_) < self.n_clusters:
            warn(
                f"LAC returned {len(self.weights_)} of {self.n_clusters} clusters: there are too few "
                "distinct rows, and identical rows are always in the same cluster.",
                FewerClustersWarning,
            )
        if not converged:
            warn(
                f"LAC stopped after max_iter={self.max_iter} iterations without convergence; increase "
                "max_iter.",
                NotConvergedWarning,
            )


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
