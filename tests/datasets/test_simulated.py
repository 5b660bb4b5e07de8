"""Simulated data: the numbers of their recipes, and what is hard about them."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.stats import kurtosis
from sklearn.cluster import KMeans

from consilience import Ensemble
from consilience.consensus import HAC
from consilience.datasets import make_control_charts, make_letters, make_subspaces
from consilience.exceptions import InvalidParameterError
from consilience.metrics import accuracy

SHAPES = {
    make_letters: ([100, 200, 183, 223, 100], 2),
    make_subspaces: ([100] * 4, 3),
    make_control_charts: ([100] * 6, 60),
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


@pytest.mark.parametrize("make", [make_subspaces, make_control_charts])
def test_left_over_points_go_to_the_first_clusters(make):
    sizes = np.bincount(make(50, random_state=0)[1])
    assert sizes.sum() == 50
    assert np.ptp(sizes) == 1
    assert np.all(np.diff(sizes) <= 0)


@pytest.mark.parametrize(("make", "least"), [(make_subspaces, 4), (make_control_charts, 6)])
def test_too_few_points(make, least):
    with pytest.raises(
        InvalidParameterError, match=f"n_samples must be .* at least {least}; got 2"
    ):
        make(2)


def test_overlapping_letters():
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


def test_strokes_are_as_wide_on_every_side():
    """The box of the first letter, a bar of height 1.5, is its line and half a stroke around it."""
    X = np.concatenate([make_letters(random_state=seed)[0][:100] for seed in range(20)])
    np.testing.assert_allclose(X.min(axis=0), [-0.06, -0.06], atol=0.012)
    np.testing.assert_allclose(X.max(axis=0), [0.06, 1.56], atol=0.012)


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
    for cluster, noise, means in (
        (0, 2, {0: 0.6, 1: 0.5}),
        (1, 2, {0: -0.6, 1: 0.5}),
        (2, 0, {1: -0.5, 2: 0.6}),
        (3, 0, {1: -0.5, 2: -0.6}),
    ):
        own = X[y == cluster]
        assert own[:, noise].mean() == pytest.approx(0, abs=0.1)
        assert own[:, noise].std() == pytest.approx(1, abs=0.1)
        for dimension, mean in means.items():
            assert own[:, dimension].mean() == pytest.approx(mean, abs=0.02)
            assert own[:, dimension].std() == pytest.approx(0.1, abs=0.01)


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


def test_noise_of_charts_is_uniform():
    X, y = make_control_charts(random_state=0)
    normal = X[y == 0]
    assert kurtosis(normal.ravel(), fisher=False) == pytest.approx(1.8, abs=0.03)
    assert 24 <= normal.min() < 24.1
    assert 35.9 < normal.max() <= 36
    assert normal.mean() == pytest.approx(30, abs=0.1)


def test_slopes_of_charts():
    X, y = make_control_charts(random_state=0)
    time = np.arange(1, 61)
    slopes = np.polyfit(time, X.T, 1)[0]
    for kind, sign in ((2, 1), (3, -1)):
        own = sign * slopes[y == kind]
        assert own.min() > 0.15
        assert own.max() < 0.56
        assert own.mean() == pytest.approx(0.35, abs=0.03)


def test_cycles_of_charts():
    X, y = make_control_charts(random_state=0)
    cyclic, time = X[y == 1] - 30, np.arange(1, 61)
    periods = np.linspace(9, 16, 281)
    waves = np.exp(2j * np.pi * time / periods[:, None])
    power = np.abs(cyclic @ waves.T)
    best = periods[power.argmax(axis=1)]
    assert best.min() > 9.6
    assert best.max() < 15.6
    assert best.mean() == pytest.approx(12.5, abs=0.4)
    assert 2 * power.max(axis=1).mean() / 60 == pytest.approx(12.5, abs=0.6)


def test_shifts_of_charts():
    X, y = make_control_charts(random_state=0)
    for kind, sign in ((4, 1), (5, -1)):
        jumps = sign * (X[y == kind, 40:].mean(axis=1) - X[y == kind, :19].mean(axis=1))
        assert jumps.min() > 5
        assert jumps.max() < 22.5
        assert jumps.mean() == pytest.approx(13.75, abs=1)
        moments = [_moment(sign * chart) for chart in X[y == kind][jumps > 12]]
        assert min(moments) >= 19
        assert max(moments) <= 41


def _moment(chart):
    """The first time after the split of least squares into two levels."""
    costs = [chart[:s].var() * s + chart[s:].var() * (60 - s) for s in range(1, 60)]
    return 2 + int(np.argmin(costs))


def test_charts_are_of_six_kinds():
    X, y = make_control_charts(random_state=0)
    found = KMeans(6, n_init=10, random_state=0).fit_predict(X)
    assert 0.6 < accuracy(y, found) < 0.95


def test_letter_a_is_the_same_left_and_right():
    X, y = make_letters(gap=0.0, random_state=2)
    a = X[y == 3] - X[y == 3].min(axis=0)
    # A line of width 0.6 and height 1.5, and half a stroke on every side.
    np.testing.assert_allclose(np.ptp(a, axis=0), [0.72, 1.62], atol=0.08)
    for side in (a[:, 0], 0.72 - a[:, 0]):
        foot, bar = side[a[:, 1] < 0.3], side[abs(a[:, 1] - 0.66) < 0.04]
        assert foot.min() < 0.05
        assert bar.min() > 0.08
    assert abs(np.mean(a[:, 0]) - 0.36) < 0.03
