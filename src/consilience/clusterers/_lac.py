"""LAC: locally adaptive clustering."""

from collections.abc import Mapping
from numbers import Real as AnyReal
from typing import Any, ClassVar, Self

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from consilience._utils._declare import (
    Choice,
    Declaration,
    Integer,
    Optional,
    Seed,
    check_parameters,
)
from consilience._utils._documents import CLUSTERER, documented
from consilience._utils._plain_numbers import require_plain_numbers
from consilience._utils._random import seed_sequence
from consilience._utils._types import Array
from consilience.clusterers._adaptive_clusters import (
    adapt,
    nearest_centre,
    posteriors,
    well_scattered,
)
from consilience.exceptions import (
    FewerClustersWarning,
    InvalidInputError,
    InvalidParameterError,
    NotConvergedWarning,
    UnsupportedInputError,
    warn,
)


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
        require_plain_numbers(X, "LAC: X")
        read: Array = validate_data(
            self,
            X,
            reset=reset,
            dtype=[np.float64, np.float32],
            order="C",
            ensure_all_finite=False,
        )
        _require_finite(read, getattr(self, "feature_names_in_", None))
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


def _require_finite(X: Array, names: Any) -> None:
    # The sum is finite if all numbers are (except for overflow), and needs no array as large as X.
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(X.sum()):
            return
    bad = np.argwhere(~np.isfinite(X))
    if len(bad):
        row, column = (int(place) for place in bad[0])
        what = "NaN" if np.isnan(X[row, column]) else "infinity (inf)"
        raise InvalidInputError(
            f"LAC: X contains {what} in row {row}, column "
            f"{column if names is None else repr(names[column])}; every number must be finite. Drop or "
            "impute such rows first."
        )
