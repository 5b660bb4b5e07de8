"""Gaussian mixtures by expectation maximisation, from many random starts.

An iteration is two matrix products. A Gaussian density is the exponential of a linear function of the
statistics z(x) = (1, x, x x'), or (1, x, x^2) if covariances are diagonal. So the log densities of all
rows under all components are one product of the statistics with a table, and all moments are one product
of the responsibilities with the statistics.
"""

from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple

import numpy as np

from consilience._utils._declare import Choice, Declaration, Integer, Real
from consilience._utils._types import Array
from consilience.clusterers.internals import Points, nearest, spread_rows
from consilience.exceptions import InvalidParameterError
from consilience.generate._base import DrawnMembers, parameters_from_fields
from consilience.generate._member import Member, without_empty
from consilience.generate._ranges import at_most, cluster_range, draw, ends

# Principal axes on which full covariances are estimated, and rows from which a mixture is.
MOST_AXES = 12
_ROWS = 5_000
_BLOCK = 16_384
# Added to every variance, relative to the mean variance of the columns.
_LEAST_VARIANCE = 1e-3


class Mixture(NamedTuple):
    """A fitted mixture.

    table       (statistics, K) log density of a row under every component, from its statistics
    n_iter      number of iterations
    converged   whether the last iteration increased the likelihood by at most the tolerance
    likelihood  mean log likelihood of a row, without the constant that depends on the columns alone
    """

    table: Array
    n_iter: int
    converged: bool
    likelihood: float


@parameters_from_fields
class GaussianMixtures(DrawnMembers):
    """Gaussian mixtures from new random starts: members that find long, flat and nested clusters.

    k-means gives every cluster the same round shape. A Gaussian mixture gives every cluster its own
    size, shape and direction, so it finds clusters that overlap or differ in spread. Every member has
    its own start and its own number of components; every object belongs to the likeliest component.

    Parameters
    ----------
    n_clusters : int, pair (low, high) or None, default None
        Components of a member, K; a pair: drawn for every member, both ends included; None: drawn from
        2 .. min(50, ceil(sqrt(n))), and at most as many as there are rows for.
    covariance : {"full", "diagonal"}, default "full"
        Shape of a component: any ellipsoid, on at most 12 principal axes of the data; or ellipsoids
        along the columns, in all columns.
    max_iter : int, default 30
        Maximum number of rounds of expectation maximisation.
    tol : float, default 0.001
        It ends when the mean log likelihood of a row rises by at most `tol`. 0: when it does not rise.
    random_state : int, generator or None, default None
        Decides starts and every K.

    Attributes
    ----------
    members_ : list of Member
        Labels and densities of every member; ``arrays["converged"]`` of a member says whether it
        converged. There is no warning if not, since 30 rounds are enough for good members.
    n_iter_ : int
        Most rounds of expectation maximisation that a member took.

    See Also
    --------
    KMeansRestarts : Round clusters, faster.
    LandmarkSpectral : Curved clusters.

    Notes
    -----
    O(n K q) a round, q = 1 + m + m (m + 1) / 2 for m axes, or 1 + 2 d; a mixture is fitted to at most
    5,000 random rows, and all rows are labelled. It starts from k-means++ rows, each with the rows
    nearest to it. A variance is never below 0.001 times the mean variance of the columns. A member
    needs two rows more per component than it has axes (three rows if covariances are diagonal). No
    label is missing. Sparse data are refused.

    Members have fewer clusters than asked where components are the likeliest of no object; then there
    is a `FewerClustersWarning`.

    References
    ----------
    [dempster1977]_

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from consilience.generate import GaussianMixtures
    >>> X = load_iris().data
    >>> GaussianMixtures(n_members=10, n_clusters=3, random_state=0).fit(X).ensemble_
    Ensemble(150 objects, 10 members, 30 base clusters)
    """

    parameters: ClassVar[Mapping[str, Declaration]] = {
        **DrawnMembers.parameters,
        "covariance": Choice("full", "diagonal"),
        "max_iter": Integer(1),
        "tol": Real(0),
    }

    covariance: str = "full"
    max_iter: int = 30
    tol: float = 1e-3

    def _check_data(self, X: Any) -> None:
        most = most_components(X.shape, self.covariance)
        if self.n_clusters is not None and ends(self.n_clusters)[1] > most:
            raise InvalidParameterError(
                f"GaussianMixtures: n_clusters={self.n_clusters!r} is more than {X.shape[0]} rows can "
                f"give with {self.covariance} covariances of {X.shape[1]} columns; it may be at most "
                f"{most}.",
                parameter="n_clusters",
            )

    def _prepare(self, X: Any, rng: np.random.Generator) -> Any:  # noqa: ARG002
        self._offset = X.mean(axis=0, dtype=np.float64)
        spread = np.sqrt(float(X.var(axis=0, dtype=np.float64).mean()) or 1.0)
        self._axes = np.eye(X.shape[1]) / spread
        if self.covariance == "full" and X.shape[1] > MOST_AXES:
            self._axes = _principal_axes(X, self._offset) / spread
        return self._rows(X)

    def _rows(self, X: Any) -> Any:
        rows = np.empty((len(X), self._axes.shape[1]))
        for start in range(0, len(X), _BLOCK):
            rows[start : start + _BLOCK] = (X[start : start + _BLOCK] - self._offset) @ self._axes
        return rows

    def _member(
        self,
        shared: Array,
        j: int,
        rng: np.random.Generator,
        previous: Member | None,  # noqa: ARG002
    ) -> Member:
        most = most_components(shared.shape, self.covariance)
        wanted = draw(at_most(cluster_range(self.n_clusters, len(shared)), most), rng, j)
        rows = shared
        if len(shared) > _ROWS:
            rows = shared[np.sort(rng.choice(len(shared), _ROWS, replace=False))]
        found = fit_mixture(
            rows,
            wanted,
            rng,
            diagonal=self._diagonal,
            max_iter=int(self.max_iter),
            tol=float(self.tol),
        )
        labels, used = without_empty(self._label(shared, found.table), found.table.shape[1])
        arrays = {
            "table": np.ascontiguousarray(found.table[:, used]),
            "n_iter": np.array(found.n_iter),
            "converged": np.array(found.converged),
        }
        return Member(labels, arrays, n_clusters=wanted)

    def _predict(self, member: Member, rows: Any) -> Array:
        return self._label(rows, member.arrays["table"])

    @property
    def _diagonal(self) -> bool:
        return self.covariance == "diagonal"

    def _label(self, rows: Array, table: Array) -> Array:
        labels = np.empty(len(rows), dtype=np.int32)
        for start in range(0, len(rows), _BLOCK):
            block = rows[start : start + _BLOCK]
            labels[start : start + _BLOCK] = likeliest(block, table, diagonal=self._diagonal)
        return labels

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = False
        return tags


def most_components(shape: tuple[int, ...], covariance: str) -> int:
    """Return the largest number of components for data of a shape (rows, columns)."""
    n_samples, n_columns = shape
    rows = min(n_columns, MOST_AXES) + 2 if covariance == "full" else 3
    return max(1, n_samples // rows)


def statistics(X: Array, *, diagonal: bool) -> Array:
    """Return (1, x, x^2) or (1, x, upper triangle of x x') for every row."""
    ones = np.ones((len(X), 1))
    if diagonal:
        return np.hstack([ones, X, np.square(X)])
    rows, columns = np.triu_indices(X.shape[1])
    return np.hstack([ones, X, X[:, rows] * X[:, columns]])


def fit_mixture(
    X: Array,
    n_components: int,
    rng: np.random.Generator,
    *,
    diagonal: bool,
    max_iter: int,
    tol: float,
    start: Array | None = None,
) -> Mixture:
    """Fit a mixture from k-means++ rows, each with the rows nearest to it, or from labels `start`.

    It stops when the mean log likelihood of a row increases by at most `tol`. Columns should have
    variances of about one.
    """
    Z = statistics(X, diagonal=diagonal)
    if start is None:
        points = Points.of(X)
        rows = spread_rows(points, n_components, rng) + points.offset
        start = nearest(points, rows)
    responsibilities = np.eye(int(start.max()) + 1)[start]
    # Data without variance need a positive minimum too.
    level = _LEAST_VARIANCE * (float(X.var(axis=0).mean()) or 1.0)
    before, n_iter, converged = -np.inf, 0, False
    table = np.empty((Z.shape[1], 0))
    while n_iter < max_iter and not converged:
        n_iter += 1
        table = _log_densities(responsibilities.T @ Z, X.shape[1], level, diagonal=diagonal)
        scores = Z @ table
        largest = scores.max(axis=1, keepdims=True)
        responsibilities = np.exp(scores - largest)
        total = responsibilities.sum(axis=1, keepdims=True)
        responsibilities /= total
        likelihood = float((np.log(total) + largest).mean())
        converged, before = likelihood - before <= tol, likelihood
    return Mixture(table, n_iter, converged, before)


def likeliest(X: Array, table: Array, *, diagonal: bool) -> Array:
    """Return the component with the largest density for every row, int32."""
    labels: Array = (statistics(X, diagonal=diagonal) @ table).argmax(axis=1).astype(np.int32)
    return labels


def _log_densities(moments: Array, n_columns: int, level: float, *, diagonal: bool) -> Array:
    """Turn sums of statistics per component into the table of weighted log densities."""
    size = np.maximum(moments[:, :1], 1e-10)
    mean = moments[:, 1 : n_columns + 1] / size
    log_share = np.log(size[:, 0] / size.sum())
    second = moments[:, n_columns + 1 :] / size
    linear: Array
    log_root: Array
    quadratic: Array
    if diagonal:
        precision = 1 / (np.maximum(second - np.square(mean), 0.0) + level)
        linear = precision * mean
        log_root = 0.5 * np.log(precision).sum(axis=1)
        quadratic = -0.5 * precision
    else:
        rows, columns = np.triu_indices(n_columns)
        covariance = np.zeros((len(mean), n_columns, n_columns))
        covariance[:, rows, columns] = second - mean[:, rows] * mean[:, columns]
        covariance[:, columns, rows] = covariance[:, rows, columns]
        covariance[:, np.arange(n_columns), np.arange(n_columns)] += level
        inverse = np.linalg.inv(covariance)
        linear = np.einsum("kij,kj->ki", inverse, mean)
        log_root = -0.5 * np.linalg.slogdet(covariance)[1]
        # Pairs of different columns occur once in the statistics and twice in the square.
        quadratic = -0.5 * inverse[:, rows, columns] * np.where(rows == columns, 1.0, 2.0)
    constant = log_share + log_root - 0.5 * np.einsum("ki,ki->k", linear, mean)
    return np.ascontiguousarray(np.column_stack([constant, linear, quadratic]).T)


def _principal_axes(X: Array, mean: Array) -> Array:
    """Return the leading principal axes, (d, 12), from at most 5,000 rows spread over the data."""
    from sklearn.utils.extmath import randomized_svd

    rows = X[:: -(-len(X) // _ROWS)] - mean
    _, _, axes = randomized_svd(rows, MOST_AXES, random_state=0)
    return np.asarray(axes.T)
