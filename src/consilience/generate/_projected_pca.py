"""k-means on principal axes of random projections (fern2004, RPPCA)."""

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from consilience._utils._declare import Declaration, Integer, Optional
from consilience._utils._random import RandomState
from consilience._utils._types import Array
from consilience.clusterers.internals import Points
from consilience.generate._pca import covariance, leading_axes
from consilience.generate._projecting_generator import Projected, ProjectingGenerator
from consilience.generate._ranges import Range, check_at_most


class ProjectedPCA(ProjectingGenerator):
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
        **ProjectingGenerator.parameters,
        "n_projected": Optional(Integer(1)),
    }

    def __init__(  # noqa: PLR0913 - every parameter has a name and a default
        self,
        *,
        n_members: int = 50,
        n_clusters: Range = None,
        n_components: Range = None,
        n_projected: int | None = None,
        variance_kept: float = 0.9,
        max_iter: int = 300,
        tol: float = 1e-4,
        scaling: str | None = None,
        random_state: RandomState = None,
        n_jobs: int | None = None,
        checkpoint: Any = None,
        verbose: int | None = None,
    ) -> None:
        self.n_members = n_members
        self.n_clusters = n_clusters
        self.n_components = n_components
        self.n_projected = n_projected
        self.variance_kept = variance_kept
        self.max_iter = max_iter
        self.tol = tol
        self.scaling = scaling
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.checkpoint = checkpoint
        self.verbose = verbose

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
        return {**arrays, "axes": axes.astype(points.values.dtype)}

    def _space(self, ready: Projected, arrays: Mapping[str, Array]) -> Points:
        points, axes = super()._space(ready, arrays), arrays["axes"]
        return Points.at_origin(points.values @ axes, points.offset @ axes)
