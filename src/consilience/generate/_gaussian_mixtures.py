"""Gaussian mixtures from many random starts."""

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from consilience._utils._declare import Choice, Declaration, Integer, Real
from consilience._utils._random import RandomState
from consilience._utils._types import Array
from consilience.clusterers.internals import fit_mixture, likeliest
from consilience.exceptions import InvalidParameterError
from consilience.generate._base import EnsembleGenerator
from consilience.generate._kmeans_generator import MEMBER_PARAMETERS
from consilience.generate._member import Member
from consilience.generate._ranges import Range, at_most, cluster_range, draw, ends

# Principal axes on which full covariances are estimated, and rows from which a mixture is.
MOST_AXES = 12
_ROWS = 5_000
_BLOCK = 16_384


class GaussianMixtures(EnsembleGenerator):
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
        **MEMBER_PARAMETERS,
        "covariance": Choice("full", "diagonal"),
        "max_iter": Integer(1),
        "tol": Real(0),
    }

    def __init__(  # noqa: PLR0913 - every parameter has a name and a default
        self,
        *,
        n_members: int = 50,
        n_clusters: Range = None,
        covariance: str = "full",
        max_iter: int = 30,
        tol: float = 1e-3,
        scaling: str | None = None,
        random_state: RandomState = None,
        n_jobs: int | None = None,
        checkpoint: Any = None,
        verbose: int | None = None,
    ) -> None:
        self.n_members = n_members
        self.n_clusters = n_clusters
        self.covariance = covariance
        self.max_iter = max_iter
        self.tol = tol
        self.scaling = scaling
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.checkpoint = checkpoint
        self.verbose = verbose

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
        labels = self._label(shared, found.table)
        used = np.bincount(labels, minlength=found.table.shape[1]) > 0
        labels = (np.cumsum(used) - 1)[labels].astype(np.int32)
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


def _principal_axes(X: Array, mean: Array) -> Array:
    """Return the leading principal axes, (d, 12), from at most 5,000 rows spread over the data."""
    from sklearn.utils.extmath import randomized_svd

    rows = X[:: -(-len(X) // _ROWS)] - mean
    _, _, axes = randomized_svd(rows, MOST_AXES, random_state=0)
    return np.asarray(axes.T)
