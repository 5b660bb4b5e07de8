"""Ensembles with known classes: noisy views of a known partition, and scikit-learn's digits."""

from typing import Any, NamedTuple

import numpy as np

from consilience._utils._random import RandomState, spawn
from consilience._utils._types import Array
from consilience.ensemble import Ensemble
from consilience.exceptions import InvalidParameterError


class PlantedEnsemble(NamedTuple):
    """An ensemble and the partition behind it."""

    ensemble: Ensemble
    truth: Array


def make_planted_ensemble(
    n_samples: int = 1000,
    n_members: int = 20,
    n_clusters: int = 5,
    *,
    n_base_clusters: int | None = None,
    noise: float = 0.2,
    missing: float = 0.0,
    proportions: Any = None,
    random_state: RandomState = None,
) -> PlantedEnsemble:
    """Simulate members that are noisy copies of a planted partition.

    Parameters
    ----------
    n_samples, n_members, n_clusters : int
        n, r and the clusters of the planted partition.
    n_base_clusters : int, optional
        Clusters of every member, at least `n_clusters`: planted clusters are broken into that many
        pieces, anew for every member. Default the planted number.
    noise : float, default 0.2
        Share of labels replaced by a random one.
    missing : float, default 0
        Share of labels removed.
    proportions : array (n_clusters,), optional
        Sizes of the planted clusters; default equal.
    random_state : int, generator or None
        The seed; member j is the same however many members there are.

    Examples
    --------
    >>> from consilience.datasets import make_planted_ensemble
    >>> ensemble, truth = make_planted_ensemble(100, 10, 3, missing=0.25, random_state=0)
    >>> ensemble
    Ensemble(100 objects, 10 members, 30 base clusters, 25.2 % missing)
    """
    n_pieces = n_clusters if n_base_clusters is None else n_base_clusters
    if n_pieces < n_clusters:
        raise InvalidParameterError(
            f"make_planted_ensemble: n_base_clusters must be at least n_clusters={n_clusters}; "
            f"got {n_pieces}."
        )
    chances = np.ones(n_clusters) if proportions is None else np.asarray(proportions, dtype=float)
    root, *streams = spawn(random_state, 1 + n_members)
    truth = np.sort(root.choice(n_clusters, size=n_samples, p=chances / chances.sum()))
    truth = root.permutation(truth).astype(np.int32)
    members = [_view(truth, n_clusters, n_pieces, noise, missing, stream) for stream in streams]
    return PlantedEnsemble(Ensemble(np.column_stack(members)), truth)


def _view(
    truth: Array,
    n_clusters: int,
    n_pieces: int,
    noise: float,
    missing: float,
    stream: np.random.Generator,
) -> Array:
    """Divide the planted clusters into pieces, then replace and remove labels."""
    owner = np.concatenate(
        [np.arange(n_clusters), stream.integers(n_clusters, size=n_pieces - n_clusters)]
    )
    pieces = [np.flatnonzero(owner == cluster) for cluster in range(n_clusters)]
    n_own = np.array([len(own) for own in pieces])
    pick = (stream.random(len(truth)) * n_own[truth]).astype(int)
    start = np.concatenate([[0], np.cumsum(n_own)[:-1]])
    labels: Array = np.concatenate(pieces)[start[truth] + pick]
    spoiled = stream.random(len(truth)) < noise
    labels[spoiled] = stream.integers(n_pieces, size=np.count_nonzero(spoiled))
    labels[stream.random(len(truth)) < missing] = -1
    return labels


class DigitsEnsemble(NamedTuple):
    """Fifty views of 1797 digits, and which digit each is."""

    ensemble: Ensemble
    truth: Array


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
