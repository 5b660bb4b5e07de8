"""k-means on random columns."""

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from consilience._utils._declare import Declaration
from consilience._utils._random import RandomState
from consilience._utils._types import Array
from consilience.clusterers.internals import Points
from consilience.generate._kmeans_generator import KMEANS_PARAMETERS, KMeansGenerator
from consilience.generate._ranges import Range, WholeOrRange, check_at_most, draw, ends


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
        **KMEANS_PARAMETERS,
        "n_features": WholeOrRange(1),
    }

    def __init__(  # noqa: PLR0913 - every parameter has a name and a default
        self,
        *,
        n_members: int = 50,
        n_clusters: Range = None,
        n_features: Range = None,
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
        self.n_features = n_features
        self.max_iter = max_iter
        self.tol = tol
        self.scaling = scaling
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.checkpoint = checkpoint
        self.verbose = verbose

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
