"""k-means on subsamples in the space of principal axes (fern2004, PCASS)."""

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from scipy import sparse

from consilience._utils._declare import Choice, Declaration, Flag, Share
from consilience._utils._types import Array
from consilience.clusterers.internals import Points
from consilience.generate._base import parameters_from_fields
from consilience.generate._kmeans import KMeansGenerator
from consilience.generate._pca import principal_axes, to_unit_variance
from consilience.generate._ranges import Range, WholeOrRange, check_at_most, draw, ends


@parameters_from_fields
class PCASubsample(KMeansGenerator):
    """k-means on a new subsample for every member, in the space of the principal axes (PCASS).

    The principal axes are found once, for all members, or by every member from its own subsample. Each
    member then clusters a part of the rows, and every row left out joins the cluster whose centre is
    nearest, so that no label is missing.

    Parameters
    ----------
    n_components : int, pair (low, high) or None, default None
        Principal axes used, at most d; a pair: a member uses the first few, their number drawn; None: as
        many as keep `variance_kept` of the variance.
    variance_kept : float, default 0.9
        Share of the variance that the principal axes keep if `n_components` is None.
    axes : {"all", "subsample"}, default "all"
        The rows that decide the principal axes: all of them, once for all members; or the subsample of
        a member, for this member alone.
    fraction : float, default 0.65
        Share of the rows that a member is made from, rounded down.
    whiten : bool, default False
        Divide the scores on every axis by their standard deviation, so that all axes count alike in
        k-means; False: axes count by their variance.
    random_state : int, generator or None, default None
        Decides subsamples, starting rows and numbers drawn.

    Attributes
    ----------
    ensemble_ : Ensemble
        The members, with their centres, in the space of the axes, as cluster table.
    components_ : array (d, d')
        The principal axes, as columns, divided by the standard deviations with `whiten`; absent with
        `axes="subsample"`.
    members_ : list of Member
        Labels and centres of every member; with `axes="subsample"` also its axes, (d, d').
    n_iter_

    See Also
    --------
    Subsample : Subsamples of the data as they are.
    ProjectedPCA : Other axes for every member.

    Notes
    -----
    O(n d^2 + d^3) for the axes, once or for every member, then O(n K d') a round of k-means. The axes
    come from the covariance of the columns; of wide sparse data, a given number of them is found
    without it. The paper uses the axes of all rows and reports that those of subsamples do as well. It
    does not say whether scores have unit variance; `whiten` comes nearer to its table 6 on three of five
    sets.

    References
    ----------
    [fern2004]_, section 3.2

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from consilience.generate import PCASubsample
    >>> members = PCASubsample(n_members=5, n_clusters=15, random_state=0).fit(load_digits().data)
    >>> members.components_.shape, members.ensemble_.has_missing
    ((64, 21), False)
    """

    parameters: ClassVar[Mapping[str, Declaration]] = {
        **KMeansGenerator.parameters,
        "n_components": WholeOrRange(1),
        "variance_kept": Share(),
        "axes": Choice("all", "subsample"),
        "fraction": Share(),
        "whiten": Flag(),
    }

    n_components: Range = None
    variance_kept: float = 0.9
    axes: str = "all"
    fraction: float = 0.65
    whiten: bool = False

    def _check_data(self, X: Any) -> None:
        super()._check_data(X)
        what = f"the number of columns, {X.shape[1]}"
        check_at_most("PCASubsample", "n_components", self.n_components, X.shape[1], what)

    def _prepare(self, X: Any, rng: np.random.Generator) -> Any:
        if self.axes == "subsample":
            return super()._prepare(X, rng)
        self._mean = np.asarray(X.mean(axis=0)).ravel().astype(X.dtype)
        self.components_ = self._axes_of(X, rng)
        return self._rows(X)

    def _axes_of(self, X: Any, rng: np.random.Generator) -> Array:
        most = None if self.n_components is None else ends(self.n_components)[1]
        axes = principal_axes(X, most, self.variance_kept, rng)
        return (to_unit_variance(X, axes) if self.whiten else axes).astype(X.dtype)

    def _rows(self, X: Any) -> Points:
        if self.axes == "subsample":
            points: Points = super()._rows(X)
            return points
        shift = self._mean @ self.components_
        if sparse.issparse(X):
            return Points.at_origin(X @ self.components_ - shift, shift)
        return Points.at_origin((X - self._mean) @ self.components_, shift)

    def _draw(self, shared: Points, j: int, rng: np.random.Generator) -> dict[str, Array]:  # noqa: ARG002
        if self.n_components is None:
            return {}
        return {"n_components": np.array(draw(ends(self.n_components), rng))}

    def _learn(self, shared: Points, sample: Array, rng: np.random.Generator) -> dict[str, Array]:
        if self.axes == "all":
            return {}
        return {"axes": self._axes_of(shared.values[sample], rng)}

    def _space(self, ready: Points, arrays: Mapping[str, Array]) -> Points:
        if self.axes == "subsample":
            if "axes" not in arrays:  # before the rows of the member are drawn
                return ready
            axes = arrays["axes"][:, : arrays.get("n_components")]
            return Points.at_origin(ready.values @ axes, ready.offset @ axes)
        width = int(arrays.get("n_components", ready.values.shape[1]))
        if width == ready.values.shape[1]:
            return ready
        values = np.ascontiguousarray(ready.values[:, :width])
        return Points.at_origin(values, ready.offset[:width])

    def _sample_size(self, n_samples: int) -> int:
        return max(1, int(self.fraction * n_samples))

    def _sample(self, n_samples: int, rng: np.random.Generator) -> Array:
        return np.sort(rng.choice(n_samples, self._sample_size(n_samples), replace=False))
