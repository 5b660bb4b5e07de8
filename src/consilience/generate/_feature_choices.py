"""k-means on random columns, or on randomly weighted columns."""

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from consilience._utils._declare import Declaration, Integer
from consilience._utils._types import Array
from consilience.clusterers.internals import Points
from consilience.generate._base import parameters_from_fields
from consilience.generate._kmeans import KMeansGenerator
from consilience.generate._ranges import Range, WholeOrRange, check_at_most, draw, ends

# Shapes of the distribution of weights; one is drawn for every member.
_SHAPES = np.arange(0, 1.75, 0.25)


@parameters_from_fields
class FeatureSubsets(KMeansGenerator):
    """k-means on a random subset of the columns, new for every member.

    Members see different aspects of the objects, as when several sources describe them. It suits data
    with many columns that repeat each other.

    Parameters
    ----------
    n_features : int, pair (low, high) or None, default None
        Columns of a member, at most d; a pair: drawn for every member; None: half of them, rounded up.
    random_state : int, generator or None, default None
        Decides columns, starting rows and numbers drawn.

    Attributes
    ----------
    ensemble_ : Ensemble
        The members, with their centres, in their columns, as cluster table.
    members_ : list of Member
        Labels, centres and columns (``arrays["features"]``) of every member.
    n_iter_

    See Also
    --------
    RandomProjection : Random directions instead of random columns.
    FeatureWeightedKMeans : Random weights of all columns.

    Notes
    -----
    O(n K d') a round of k-means with d' columns. No label is missing.

    References
    ----------
    [strehl2002]_, section 4.3 (feature-distributed clustering)

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from consilience.generate import FeatureSubsets
    >>> members = FeatureSubsets(n_members=5, n_clusters=3, scaling="standard", random_state=0)
    >>> members.fit(load_wine().data).members_[0].arrays["features"].shape
    (7,)
    """

    parameters: ClassVar[Mapping[str, Declaration]] = {
        **KMeansGenerator.parameters,
        "n_features": WholeOrRange(1),
    }

    n_features: Range = None

    def _check_data(self, X: Any) -> None:
        super()._check_data(X)
        what = f"the number of columns, {X.shape[1]}"
        check_at_most("FeatureSubsets", "n_features", self.n_features, X.shape[1], what)

    def _draw(self, shared: Points, j: int, rng: np.random.Generator) -> dict[str, Array]:  # noqa: ARG002
        n_columns = shared.values.shape[1]
        width = (
            (n_columns + 1) // 2 if self.n_features is None else draw(ends(self.n_features), rng)
        )
        return {"features": np.sort(rng.choice(n_columns, size=width, replace=False))}

    def _space(self, ready: Points, arrays: Mapping[str, Array]) -> Points:
        return ready.columns(arrays["features"])


@parameters_from_fields
class FeatureWeightedKMeans(KMeansGenerator):
    """k-means on columns with random weights from a Zipf distribution, new for every member.

    It is unknown which columns matter, so every member has other weights. A member draws a shape alpha,
    and for every column a weight z in 1 .. Z with probability proportional to z^(-alpha); the column is
    multiplied by z. alpha = 0 spreads the weights evenly; a larger one makes a few columns matter much.

    Parameters
    ----------
    largest_weight : int, default 100
        Z, the largest weight of a column.
    random_state : int, generator or None, default None
        Decides weights, starting rows and numbers drawn.

    Attributes
    ----------
    ensemble_ : Ensemble
        The members, with their centres, in weighted columns, as cluster table.
    members_ : list of Member
        Labels, centres and weights (``arrays["multipliers"]``) of every member.
    n_iter_

    See Also
    --------
    FeatureSubsets : Weights of 0 and 1.

    Notes
    -----
    O(n K d) a round of k-means. No label is missing. alpha is one of 0, 0.25, ..., 1.5; these values,
    the default of Z, and that columns are standardised first are our choice, since papers give none.

    References
    ----------
    [caruana2006]_; used in [nguyen2007]_, section 7

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from consilience.generate import FeatureWeightedKMeans
    >>> members = FeatureWeightedKMeans(n_members=5, n_clusters=3, random_state=0)
    >>> members.fit_transform(load_wine().data).shape
    (178, 5)
    """

    parameters: ClassVar[Mapping[str, Declaration]] = {
        **KMeansGenerator.parameters,
        "largest_weight": Integer(1),
    }

    largest_weight: int = 100
    scaling: str | None = "standard"

    def _draw(self, shared: Points, j: int, rng: np.random.Generator) -> dict[str, Array]:  # noqa: ARG002
        alpha = rng.choice(_SHAPES)
        chances = np.arange(1, self.largest_weight + 1) ** -alpha
        cumulative = np.cumsum(chances)
        places = rng.random(shared.values.shape[1]) * cumulative[-1]
        weights = 1 + np.searchsorted(cumulative, places, side="right")
        return {"multipliers": np.minimum(weights, self.largest_weight), "alpha": np.array(alpha)}

    def _space(self, ready: Points, arrays: Mapping[str, Array]) -> Points:
        return ready.times(arrays["multipliers"].astype(ready.values.dtype))
