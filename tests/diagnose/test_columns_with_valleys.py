"""Columns that show clusters which many others hide."""

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score as ari

from consilience import ConsensusClustering
from consilience.diagnose import choose_k
from consilience.diagnose._columns_with_valleys import _two_parts, columns_with_valleys


def hidden(seed, n_noise):
    """Three groups of 80 in two columns, 10 standard deviations apart, beside columns of noise."""
    rng = np.random.default_rng(seed)
    groups = np.repeat([[0, 0], [10, 0], [0, 10]], 80, axis=0) + rng.standard_normal((240, 2))
    return np.c_[groups, rng.standard_normal((240, n_noise))]


def test_two_parts_have_the_least_variance_inside():
    column = np.random.default_rng(0).standard_normal(30) ** 3
    values = np.sort(column)
    inside = [(values[:cut].var() * cut + values[cut:].var() * (30 - cut)) for cut in range(1, 30)]
    cut = 1 + int(np.argmin(inside))
    np.testing.assert_array_equal(_two_parts(column), column > values[cut - 1])


def test_columns_with_two_groups_are_found():
    X = hidden(0, 10)
    np.testing.assert_array_equal(columns_with_valleys(X, 1e-4), [0, 1])
    # Few values always have gaps between them.
    assert len(columns_with_valleys(np.round(X / 3), 1e-4)) == 0


@pytest.mark.parametrize(
    "draw",
    [
        lambda rng: rng.standard_normal((300, 20)),
        lambda rng: rng.random((300, 20)),
        lambda rng: np.exp(rng.standard_normal((300, 20))),
        lambda rng: rng.standard_t(3, (300, 20)),
    ],
)
def test_noise_has_no_valleys(draw):
    for seed in range(20):
        assert len(columns_with_valleys(draw(np.random.default_rng(seed)), 1e-4)) == 0


def test_clusters_that_many_columns_hide_are_a_guess():
    X = hidden(0, 20)
    choice = choose_k(X, random_state=0)
    assert (choice.n_clusters, choice.answer) == (3, "unsure")
    assert "columns 0, 1 (counted from 0) alone would show 3 clusters" in choice.reason
    with pytest.warns(UserWarning, match="guess"):
        model = ConsensusClustering(random_state=0).fit(X)
    assert ari(np.repeat(range(3), 80), model.labels_) > 0.9


def test_outliers_are_no_evidence_of_more_clusters():
    """For three clusters and more the views isolate outliers, and agree well on that."""
    rng = np.random.default_rng(0)
    X = np.vstack([hidden(0, 3), rng.uniform(-60, 60, (5, 5))])
    choice = choose_k(X, random_state=0)
    assert (choice.n_clusters, choice.answer) == (3, "clusters")
    assert ari(np.repeat(range(3), 80), choice.labels[3][:240]) > 0.95
