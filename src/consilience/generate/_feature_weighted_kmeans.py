"""k-means on randomly weighted columns (Zipf)."""

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from consilience._utils._declare import Declaration, Integer
from consilience._utils._random import RandomState
from consilience._utils._types import Array
from consilience.clusterers.internals import Points
from consilience.generate._kmeans_generator import KMEANS_PARAMETERS, KMeansGenerator
from consilience.generate._ranges import Range

# Shapes of the distribution of weights; one is drawn for every member.
_SHAPES = np.arange(0, 1.75, 0.25)


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
        **KMEANS_PARAMETERS,
        "largest_weight": Integer(1),
    }

    def __init__(  # noqa: PLR0913 - every parameter has a name and a default
        self,
        *,
        n_members: int = 50,
        n_clusters: Range = None,
        largest_weight: int = 100,
        max_iter: int = 300,
        tol: float = 1e-4,
        scaling: str | None = "standard",
        random_state: RandomState = None,
        n_jobs: int | None = None,
        checkpoint: Any = None,
        verbose: int | None = None,
    ) -> None:
        self.n_members = n_members
        self.n_clusters = n_clusters
        self.largest_weight = largest_weight
        self.max_iter = max_iter
        self.tol = tol
        self.scaling = scaling
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.checkpoint = checkpoint
        self.verbose = verbose

    def _draw(self, shared: Points, j: int, rng: np.random.Generator) -> dict[str, Array]:  # noqa: ARG002
        alpha = rng.choice(_SHAPES)
        chances = np.arange(1, self.largest_weight + 1) ** -alpha
        cumulative = np.cumsum(chances)
        places = rng.random(shared.values.shape[1]) * cumulative[-1]
        weights = 1 + np.searchsorted(cumulative, places, side="right")
        return {"multipliers": np.minimum(weights, self.largest_weight), "alpha": np.array(alpha)}

    def _space(self, ready: Points, arrays: Mapping[str, Array]) -> Points:
        return ready.times(arrays["multipliers"].astype(ready.values.dtype))
