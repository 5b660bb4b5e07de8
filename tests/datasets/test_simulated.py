"""Simulated data: the numbers of their recipes, and what is hard about them."""

from itertools import pairwise

import numpy as np
import pytest
from sklearn.cluster import KMeans

from consilience import Ensemble
from consilience.consensus import HAC
from consilience.datasets import make_letters, make_subspaces
from consilience.exceptions import InvalidParameterError
from consilience.metrics import accuracy

SHAPES = {
    make_letters: ([100, 200, 183, 223, 100], 2),
    make_subspaces: ([100] * 4, 3),
}


@pytest.mark.parametrize("make", SHAPES)
def test_sizes_and_seeds(make):
    sizes, n_features = SHAPES[make]
    X, y = make(random_state=3)
    assert np.bincount(y).tolist() == sizes
    assert X.shape == (sum(sizes), n_features)
    np.testing.assert_array_equal(make(random_state=3)[0], X)
    assert not np.array_equal(make(random_state=4)[0], X)
    assert not np.array_equal(make(random_state=np.random.default_rng(3))[0], X)


def test_numbers_of_points():
    assert np.bincount(make_subspaces(50, random_state=0)[1]).tolist() == [13, 13, 12, 12]
    with pytest.raises(InvalidParameterError, match=r"n_samples must be .* at least 4; got 2"):
        make_subspaces(2)
    with pytest.raises(InvalidParameterError, match="gap must be a finite number of at least 0"):
        make_letters(gap=-1)


def test_letters_keep_their_distance():
    X, y = make_letters(gap=0.5, random_state=0)
    boxes = [(X[y == k, 0].min(), X[y == k, 0].max()) for k in range(5)]
    gaps = [right[0] - left[1] for left, right in pairwise(boxes)]
    assert all(0.5 <= gap <= 0.6 for gap in gaps)
    assert X[:, 1].min() >= -0.06
    assert X[:, 1].max() <= 1.56
    closer, _ = make_letters(gap=0.1, random_state=0)
    np.testing.assert_array_equal(closer[y == 0], X[y == 0])
    np.testing.assert_allclose(closer[y == 3] - X[y == 3], [[-1.2, 0]] * 223, atol=1e-12)


def test_letters_have_their_holes():
    """What tells letters from bars: J has its stem right, C is open there, A is hollow."""
    X, y = make_letters(gap=0.0, random_state=1)
    j, c, a = ((X[y == k] - X[y == k].min(axis=0)) / np.ptp(X[y == k], axis=0) for k in (1, 2, 3))
    upper_left = (j[:, 0] < 0.4) & (j[:, 1] > 0.4) & (j[:, 1] < 0.85)
    assert not upper_left.any()
    assert not ((c[:, 0] > 0.4) & (abs(c[:, 1] - 0.5) < 0.25)).any()
    assert not ((abs(a[:, 0] - 0.5) < 0.2) & (a[:, 1] < 0.3)).any()
    assert ((abs(a[:, 0] - 0.5) < 0.2) & (abs(a[:, 1] - 0.4) < 0.1)).any()


def test_moments_of_subspaces():
    X, y = make_subspaces(4000, random_state=0)
    nan = np.nan  # a dimension of noise
    means = [[0.6, 0.5, nan], [-0.6, 0.5, nan], [nan, -0.5, 0.6], [nan, -0.5, -0.6]]
    for cluster, centre in enumerate(means):
        own, noise = X[y == cluster], np.isnan(centre)
        np.testing.assert_allclose(own.mean(axis=0), np.nan_to_num(centre), atol=0.1)
        np.testing.assert_allclose(own.mean(axis=0)[~noise], np.array(centre)[~noise], atol=0.02)
        np.testing.assert_allclose(own.std(axis=0), np.where(noise, 1, 0.1), rtol=0.1)


@pytest.mark.parametrize(("make", "n_clusters"), [(make_letters, 5), (make_subspaces, 4)])
def test_ensembles_see_what_kmeans_does_not(make, n_clusters):
    X, y = make(random_state=0)
    alone = KMeans(n_clusters, n_init=10, random_state=0).fit_predict(X)
    members = [
        KMeans(20, init="random", n_init=1, random_state=seed).fit_predict(X) for seed in range(15)
    ]
    together = HAC(n_clusters).fit(Ensemble(members)).labels_
    assert accuracy(y, alone) < 0.75
    assert accuracy(y, together) > 0.95
