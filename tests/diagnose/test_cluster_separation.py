"""Valleys between clusters."""

import numpy as np
import pytest

from consilience.diagnose import cluster_separation
from consilience.exceptions import InvalidInputError


def test_p_values_are_honest_on_one_population():
    """Cut a cloud by chance alone: small p-values are as rare as they say, or rarer."""
    p_values = []
    for seed in range(200):
        rng = np.random.default_rng(seed)
        X = rng.random((200, 4))
        labels = (X @ rng.standard_normal(4) > 0).astype(int)
        if 20 < labels.sum() < 180:
            p_values.append(cluster_separation(X, labels, random_state=seed).weakest)
    p_values = np.array(p_values)
    assert np.mean(p_values <= 0.05) <= 0.06
    assert np.mean(p_values <= 0.01) <= 0.02


@pytest.mark.parametrize("sizes", [(100, 100), (250, 50), (500, 20)])
def test_six_deviations_are_a_valley(sizes):
    for seed in range(10):
        rng = np.random.default_rng(seed)
        labels = np.repeat([0, 1], sizes)
        X = rng.standard_normal((sum(sizes), 5))
        X[:, 0] += 6 * labels
        found = cluster_separation(X, labels, random_state=seed)
        assert found.weakest < (0.01 if min(sizes) > 20 else 0.1)
        assert found.p_values[0, 1] == found.p_values[1, 0] == found.weakest
        assert found.p_values[0, 0] == 0


def test_tiny_clusters_are_never_separated():
    X = np.vstack([np.zeros((50, 2)), [[100.0, 0.0]]]) + np.random.default_rng(0).random((51, 2))
    labels = np.repeat([0, 1], [50, 1])
    assert cluster_separation(X, labels, random_state=0).weakest == 1


def test_identical_rows_are_not_separated():
    found = cluster_separation(np.zeros((20, 2)), np.arange(20) % 2, random_state=0)
    assert found.weakest > 0.1


def test_lengths_must_agree():
    with pytest.raises(InvalidInputError, match="as many rows; got 3 and 4"):
        cluster_separation(np.zeros((4, 2)), np.zeros(3, dtype=int))
