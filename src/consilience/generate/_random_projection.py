"""k-means on random projections, and on principal axes of them (fern2004, RP and RPPCA).

Several members are multiplied with the data at once.
"""

from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple

import numpy as np

from consilience._utils._declare import Declaration, Flag, Integer, Optional, Share
from consilience._utils._types import Array
from consilience.clusterers.internals import Points
from consilience.generate._base import parameters_from_fields
from consilience.generate._kmeans import KMeansGenerator
from consilience.generate._pca import covariance, dimension, leading_axes, to_unit_variance
from consilience.generate._ranges import Range, WholeOrRange, check_at_most, draw, ends

# Rows that are multiplied with the projections of a batch at a time.
_ROWS = 2_048


class Projected(NamedTuple):
    """The data as the members of one batch see them."""

    first: int
    spaces: list[Points]

    def of(self, arrays: Mapping[str, Array]) -> Points:
        """Return the data as one member sees them."""
        return self.spaces[int(arrays["position"]) - self.first]


@parameters_from_fields
class RandomProjection(KMeansGenerator):
    """k-means on a new random projection of the data for every member (RP).

    A random projection keeps distances roughly and loses different details each time, so that members
    differ and no single direction dominates all of them. The entries of the d x d' matrix R are
    independent standard normal numbers, and every column is scaled to length 1; the columns are not
    made orthogonal. k-means clusters X R.

    Parameters
    ----------
    n_components : int, pair (low, high) or None, default None
        Dimensions of a projection, d', at most d; a pair: drawn for every member; None: as many as the
        principal axes that keep `variance_kept` of the variance, at least 2.
    variance_kept : float, default 0.9
        Share of the variance that the principal axes keep if `n_components` is None.
    random_state : int, generator or None, default None
        Decides projections, starting rows and numbers drawn.

    Attributes
    ----------
    ensemble_ : Ensemble
        The members, with their centres, in the projections, as cluster table.
    projections_ : list of arrays (d, d')
        R of every member.
    n_iter_

    See Also
    --------
    ProjectedPCA : Principal axes of a random projection.
    FeatureSubsets : Random columns instead of random directions.

    Notes
    -----
    O(n d d' + n K d') for every member and round of k-means. Four members share one product of the
    data with their projections, which bounds memory by 4 n d' numbers for each worker. No label is
    missing. float32 data are projected and clustered in float32, all others in float64. Beyond 1,000
    columns, the default number of dimensions is that of 1,000 rows drawn at random.

    The papers do not say whether the data are scaled or centred; they are not scaled here unless asked,
    and k-means does not depend on a shift.

    References
    ----------
    [fern2004]_, section 3.1

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from sklearn.pipeline import make_pipeline
    >>> from consilience.consensus import HBGF
    >>> from consilience.generate import RandomProjection
    >>> X, y = load_digits(return_X_y=True)
    >>> members = RandomProjection(n_members=10, n_clusters=15, random_state=0)
    >>> make_pipeline(members, HBGF(10, random_state=0)).fit_predict(X).shape
    (1797,)
    >>> members.projections_[0].shape
    (64, 21)
    """

    parameters: ClassVar[Mapping[str, Declaration]] = {
        **KMeansGenerator.parameters,
        "n_components": WholeOrRange(1),
        "variance_kept": Share(),
    }
    # One product serves as many members; more would only take more memory.
    batch_size: ClassVar[int] = 4

    n_components: Range = None
    variance_kept: float = 0.9

    def _check_data(self, X: Any) -> None:
        super()._check_data(X)
        what = f"the number of columns, {X.shape[1]}"
        check_at_most(type(self).__name__, "n_components", self.n_components, X.shape[1], what)

    def _prepare(self, X: Any, rng: np.random.Generator) -> Any:
        points = super()._prepare(X, rng)
        given = self.n_components
        bounds = ends(dimension(X, self.variance_kept, rng) if given is None else given)
        # Not the members' own streams: a batch is projected before its members are made.
        streams = rng.spawn(self.n_members)
        self._widths = [draw(bounds, stream) for stream in streams]
        self.projections_ = [
            _random_projection(X, min(self._projected(width), X.shape[1]), stream)
            for width, stream in zip(self._widths, streams, strict=True)
        ]
        self._mean = np.asarray(X.mean(axis=0)).ravel() if points.is_sparse else points.offset
        return points

    def _projected(self, n_components: int) -> int:
        """Return the columns of the random projection of a member."""
        return n_components

    def _prepare_batch(self, shared: Points, batch: range) -> Projected:
        matrices = self.projections_[batch.start : batch.stop]
        return Projected(batch.start, _project(shared, self._mean, matrices))

    def _draw(
        self,
        shared: Projected,  # noqa: ARG002
        j: int,
        rng: np.random.Generator,  # noqa: ARG002
    ) -> dict[str, Array]:
        return {"position": np.array(j)}

    def _space(self, ready: Projected, arrays: Mapping[str, Array]) -> Points:
        return ready.of(arrays)


@parameters_from_fields
class ProjectedPCA(RandomProjection):
    """k-means on the principal axes of a random projection, new for every member (RPPCA).

    The random projection makes members differ, and the principal axes of the projected data make each of
    them better: the data are projected to d1 random dimensions first, and from there to the d'
    directions of largest variance.

    Parameters
    ----------
    n_components : int, pair (low, high) or None, default None
        Principal axes kept, d', at most d; a pair: drawn for every member; None: as many as keep
        `variance_kept` of the variance of the data, at least 2.
    n_projected : int or None, default None
        Dimensions of the random projection, d1, at least d' and at most d; None: 2 d', or d where that
        is less. If `n_components` is None, d' is at most d1.
    variance_kept : float, default 0.9
        Share of the variance that the principal axes keep if `n_components` is None.
    whiten : bool, default False
        Divide the scores on every axis by their standard deviation, so that all axes count alike in
        k-means; False: axes count by their variance.
    random_state : int, generator or None, default None
        Decides projections, starting rows and numbers drawn.

    Attributes
    ----------
    ensemble_ : Ensemble
        The members, with their centres, in the space of their axes, as cluster table.
    members_ : list of Member
        Labels, centres and axes of every member.
    projections_ : list of arrays (d, d1)
        The random projection of every member.
    n_iter_

    See Also
    --------
    RandomProjection : Without principal axes.
    PCASubsample : Principal axes of the data, with subsamples instead of projections.

    Notes
    -----
    O(n d d1 + n d1^2) for a member, and O(n K d') a round of k-means. No label is missing. The axes of
    a member come from the covariance of its d1 projected columns. A small d1 makes members differ more.

    The paper does not say whether scores have unit variance. `whiten` gives the diversity and quality
    printed in its table 4 on three of the five sets that can be had.

    References
    ----------
    [fern2004]_, section 3.3

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from consilience.generate import ProjectedPCA
    >>> members = ProjectedPCA(
    ...     n_members=5, n_clusters=3, n_components=4, scaling="standard", random_state=0
    ... )
    >>> members.fit_transform(load_wine().data).shape
    (178, 5)
    """

    parameters: ClassVar[Mapping[str, Declaration]] = {
        **RandomProjection.parameters,
        "n_projected": Optional(Integer(1)),
        "whiten": Flag(),
    }

    n_projected: int | None = None
    whiten: bool = False

    def _check_data(self, X: Any) -> None:
        super()._check_data(X)
        if self.n_projected is not None:
            what = f"the number of columns, {X.shape[1]}"
            check_at_most("ProjectedPCA", "n_projected", self.n_projected, X.shape[1], what)
            what = f"n_projected, {self.n_projected}"
            check_at_most("ProjectedPCA", "n_components", self.n_components, self.n_projected, what)

    def _projected(self, n_components: int) -> int:
        return 2 * n_components if self.n_projected is None else self.n_projected

    def _draw(self, shared: Projected, j: int, rng: np.random.Generator) -> dict[str, Array]:
        arrays = super()._draw(shared, j, rng)
        points = shared.of(arrays)
        axes = leading_axes(covariance(points.values), self._widths[j])
        if self.whiten:
            axes = to_unit_variance(points.values, axes)
        return {**arrays, "axes": axes.astype(points.values.dtype)}

    def _space(self, ready: Projected, arrays: Mapping[str, Array]) -> Points:
        points, axes = super()._space(ready, arrays), arrays["axes"]
        return Points.at_origin(points.values @ axes, points.offset @ axes)


def _random_projection(X: Any, width: int, rng: np.random.Generator) -> Array:
    """Draw a (d, d') matrix of independent normal entries, every column scaled to length 1."""
    matrix = rng.standard_normal((X.shape[1], width))
    matrix /= np.linalg.norm(matrix, axis=0)
    return np.asarray(matrix.astype(X.dtype))


def _project(points: Points, mean: Array, projections: list[Array]) -> list[Points]:
    """Multiply the data with some projections in one product, and centre each result.

    `mean` is that of the data in `fit`; dense points have lost it already.
    """
    stacked = np.hstack(projections)
    dtype = np.result_type(points.values.dtype, stacked.dtype)
    spaces = [np.empty((points.n_samples, matrix.shape[1]), dtype) for matrix in projections]
    ends_of = np.cumsum([matrix.shape[1] for matrix in projections])[:-1]
    # What is left of the mean in these points.
    left = (mean - points.offset) @ stacked
    for first in range(0, points.n_samples, _ROWS):
        rows = slice(first, first + _ROWS)
        # A part that stays in the cache until it is taken apart.
        together = points.values[rows] @ stacked - left
        for space, part in zip(spaces, np.split(together, ends_of, axis=1), strict=True):
            space[rows] = part
    return [
        Points.at_origin(space, (mean @ matrix).astype(dtype))
        for space, matrix in zip(spaces, projections, strict=True)
    ]
