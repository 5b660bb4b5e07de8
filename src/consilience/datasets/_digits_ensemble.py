"""Clusterings of scikit-learn's handwritten digits."""

from typing import Any, NamedTuple

import numpy as np

from consilience._utils._random import RandomState, spawn
from consilience.ensemble import Ensemble


class DigitsEnsemble(NamedTuple):
    """Fifty views of 1797 digits, and which digit each is."""

    ensemble: Ensemble
    truth: np.ndarray[Any, Any]


def load_digits_ensemble(
    n_members: int = 50, n_clusters: int = 15, *, random_state: RandomState = 0
) -> DigitsEnsemble:
    """Cluster the digits that ship with scikit-learn, each time in another random projection.

    Parameters
    ----------
    n_members : int, default 50
        How many clusterings.
    n_clusters : int, default 15
        Clusters of each; more than the ten digits, so that members see pieces of them.
    random_state : int, generator or None, default 0
        The seed.

    Notes
    -----
    Random projection to 15 dimensions and k-means from random centres, as in [fern2004]_.

    Examples
    --------
    >>> from consilience.datasets import load_digits_ensemble
    >>> load_digits_ensemble(n_members=3).ensemble
    Ensemble(1,797 objects, 3 members, 45 base clusters)
    """
    from sklearn.cluster import KMeans
    from sklearn.datasets import load_digits

    features, truth = load_digits(return_X_y=True)
    members = []
    for stream in spawn(random_state, n_members):
        projection = stream.normal(size=(features.shape[1], 15))
        projection /= np.linalg.norm(projection, axis=0)
        seed = int(stream.integers(2**31))
        kmeans = KMeans(n_clusters, init="random", n_init=1, random_state=seed)
        members.append(kmeans.fit_predict(features @ projection))
    return DigitsEnsemble(Ensemble(members), truth)
