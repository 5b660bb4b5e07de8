"""Control charts have the moments of their recipe."""

import numpy as np
import pytest
from scipy.stats import kurtosis
from sklearn.cluster import KMeans

from consilience.metrics import accuracy
from experiments.harness import control_charts

X, KINDS = control_charts()
TIME = np.arange(1, 61)


def test_noise_is_uniform():
    normal = X[KINDS == 0]
    assert X.shape == (600, 60)
    assert kurtosis(normal.ravel(), fisher=False) == pytest.approx(1.8, abs=0.03)
    assert 24 <= normal.min() < 24.1
    assert 35.9 < normal.max() <= 36


def test_slopes():
    slopes = np.polyfit(TIME, X.T, 1)[0]
    for kind, sign in ((2, 1), (3, -1)):
        own = sign * slopes[kind == KINDS]
        assert 0.15 < own.min() < own.max() < 0.56
        assert own.mean() == pytest.approx(0.35, abs=0.03)


def test_cycles():
    periods = np.linspace(9, 16, 281)
    waves = np.exp(2j * np.pi * TIME / periods[:, None])
    power = np.abs((X[KINDS == 1] - 30) @ waves.T)
    best = periods[power.argmax(axis=1)]
    assert 9.6 < best.min() < best.max() < 15.6
    assert 2 * power.max(axis=1).mean() / 60 == pytest.approx(12.5, abs=0.6)


def test_shifts():
    for kind, sign in ((4, 1), (5, -1)):
        own = sign * X[kind == KINDS]
        jumps = own[:, 40:].mean(axis=1) - own[:, :19].mean(axis=1)
        assert 5 < jumps.min() < jumps.max() < 22.5
        moments = [_moment(chart) for chart in own[jumps > 12]]
        assert 19 <= min(moments) < max(moments) <= 41


def _moment(chart):
    """Return the first time after the split of least squares into two levels."""
    costs = [chart[:s].var() * s + chart[s:].var() * (60 - s) for s in range(1, 60)]
    return 2 + int(np.argmin(costs))


def test_k_means_confuses_some_kinds():
    found = KMeans(6, n_init=10, random_state=0).fit_predict(X)
    assert 0.6 < accuracy(KINDS, found) < 0.95
