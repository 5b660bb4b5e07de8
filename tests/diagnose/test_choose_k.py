"""The choice of k: right on planted clusters, one on data without any, and explained."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import make_blobs

from consilience.consensus import HBGF
from consilience.diagnose import choose_k, structureless_data
from consilience.exceptions import InvalidInputError, InvalidParameterError
from consilience.generate import KMeansRestarts

CORNERS = [[0, 0, 0], [8, 0, 0], [0, 8, 0], [0, 0, 8]]


def blobs(k, n_samples=240, seed=0):
    return make_blobs(n_samples, centers=CORNERS[:k], random_state=seed)[0]


@pytest.mark.parametrize("k", [2, 3, 4])
def test_planted_clusters_are_counted(k):
    choice = choose_k(blobs(k), candidates=range(2, 7), n_null=0, random_state=0)
    assert choice.n_clusters == k
    assert choice.chosen.separation <= choice.alpha
    assert f"{k} clusters: the largest k from 2 to 6" in choice.sentence
    assert not choice.at_the_edge
    assert f"{k:>10.3g}" in str(choice)


@pytest.mark.parametrize("kind", ["normal", "uniform", "student", "line"])
def test_one_cluster_is_an_answer(kind):
    rng = np.random.default_rng(0)
    make = {
        "normal": lambda: rng.standard_normal((300, 5)),
        "uniform": lambda: rng.random((300, 5)),
        "student": lambda: rng.standard_t(5, (300, 5)),
        "line": lambda: np.outer(rng.standard_normal(300), [3, 2, 1]) + rng.random((300, 3)),
    }
    choice = choose_k(make[kind](), candidates=range(2, 6), n_null=0, random_state=0)
    assert choice.n_clusters == 1
    assert choice.chosen is None
    assert not choice.null_does_as_well
    assert choice.sentence.startswith("One cluster: for no k from 2 to 5 are the data thinner")


def test_noise_in_many_dimensions_is_one_cluster():
    """There any partition looks separated along its own centres; other halves tell."""
    X = np.random.default_rng(0).standard_normal((60, 3000))
    assert choose_k(X, candidates=[2, 3], n_null=0, random_state=0).n_clusters == 1


def test_null_data_correct_the_bias_of_pac():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((150, 4))
    choice = choose_k(X, candidates=[2, 4, 8], n_null=4, random_state=0)
    pac = [row.pac for row in choice.table]
    assert pac[0] > pac[-1], "PAC falls with k though there are no clusters"
    assert all(abs(row.corrected) < 0.25 for row in choice.table)
    assert all(row.p_value > 0.001 for row in choice.table)
    planted = choose_k(blobs(3), candidates=[2, 3, 4], n_null=4, random_state=0)
    best = max(planted.table, key=lambda row: row.corrected)
    assert best.n_clusters == planted.n_clusters == 3
    assert best.p_value < 1e-3
    assert "data without clusters" in planted.sentence


def test_structureless_data_have_the_covariance():
    rng = np.random.default_rng(0)
    X = rng.standard_t(5, (4000, 3)) @ rng.standard_normal((3, 3)) + 5
    null = structureless_data(X, rng)
    np.testing.assert_allclose(null.mean(axis=0), X.mean(axis=0), atol=0.3)
    np.testing.assert_allclose(np.cov(null.T), np.cov(X.T), rtol=0.2, atol=0.2)
    wide = rng.random((5, 40)).astype(np.float32)
    assert structureless_data(wide, rng).dtype == np.float32


def test_one_seed_decides():
    X = blobs(3, 150)
    first, second = (choose_k(X, candidates=[2, 3], n_null=2, random_state=7) for _ in range(2))
    assert first.table == second.table
    assert choose_k(X, candidates=[2, 3], n_null=2, random_state=7, n_jobs=2).table == first.table


def test_large_data_are_sampled_and_it_is_said_which():
    X = blobs(3, 900)
    choice = choose_k(X, candidates=[2, 3, 4], n_null=0, max_samples=300, random_state=0)
    assert choice.n_clusters == 3
    assert len(choice.rows) == 300 == len(choice.labels[3])
    assert np.all(np.diff(choice.rows) > 0)
    assert 0 <= choice.chosen.pac_error < 0.05


def test_own_parts_and_sparse_data():
    X = blobs(3, 150)
    choice = choose_k(
        X, candidates=[2, 3, 4], n_null=0, random_state=0,
        generator=KMeansRestarts(n_members=20, n_init=3), consensus=HBGF(),
    )  # fmt: skip
    assert choice.n_clusters == 3
    wide = np.hstack([X, np.zeros((150, 200))])
    assert (
        choose_k(sparse.csr_matrix(wide), candidates=[2, 3, 4], n_null=0, random_state=0).n_clusters
        == 3
    )


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"candidates": [1, 2]}, InvalidParameterError, "whole numbers from 2 to half"),
        ({"candidates": []}, InvalidParameterError, "candidates must be whole numbers"),
        ({"candidates": [60]}, InvalidParameterError, "got .60."),
        ({"n_null": -1}, InvalidParameterError, "n_null must be an integer of at least 0"),
        ({"max_samples": 3}, InvalidParameterError, "max_samples must be"),
    ],
)
def test_bad_parameters(options, error, message):
    with pytest.raises(error, match=message):
        choose_k(blobs(2, 50), **{"n_null": 0, "random_state": 0, **options})


def test_bad_data():
    X = blobs(2, 50)
    X[3, 1] = np.nan
    with pytest.raises(InvalidInputError, match=r"row 3.*column 1"):
        choose_k(X, n_null=0)
