"""The choice of k: right on planted clusters of any shape, one on data without any, and explained."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import load_wine, make_blobs, make_circles, make_moons

from consilience import Ensemble
from consilience.answer import choose_k
from consilience.datasets import make_planted_ensemble
from consilience.diagnose import structureless_data
from consilience.exceptions import (
    InvalidInputError,
    InvalidParameterError,
    UnsupportedInputError,
)
from consilience.generate import KMeansRestarts
from consilience.metrics import ari

CORNERS = [[0, 0, 0], [8, 0, 0], [0, 8, 0], [0, 0, 8]]


def blobs(k, n_samples=240, seed=0):
    return make_blobs(n_samples, centers=CORNERS[:k], random_state=seed)[0]


@pytest.mark.parametrize("k", [2, 3, 4])
def test_planted_clusters_are_counted(k):
    X, truth = make_blobs(240, centers=CORNERS[:k], random_state=0)
    choice = choose_k(X, candidates=range(2, 7), random_state=0)
    assert (choice.n_clusters, choice.answer) == (k, "clusters")
    assert ari(choice.labels[k], truth) == 1
    assert choice.sentence.startswith(
        f"{k} clusters. The evidence that there are clusters is strong"
    )
    assert choice.chosen.why == "chosen"
    assert choice.chosen.score == max(row.score for row in choice.table)
    assert [row.n_clusters for row in choice.table] == [2, 3, 4, 5, 6]
    for row in choice.table:
        assert row.score == pytest.approx(row.gain - row.border_cost)
        assert row.n_clusters == k or row.why != "chosen"
    assert sorted(choice.cdf) == sorted(choice.labels) == [2, 3, 4, 5, 6]


@pytest.mark.parametrize(
    ("make", "k"),
    [
        (lambda: make_blobs([1000, 30], centers=[[0, 0], [8, 8]], random_state=0), 2),
        (lambda: make_moons(300, noise=0.05, random_state=0), 2),
        (lambda: make_circles(300, noise=0.05, factor=0.4, random_state=0), 2),
        (lambda: make_blobs(375, centers=10 * np.eye(15), random_state=0), 15),
        (lambda: make_blobs(40, centers=50 * np.eye(4), random_state=0), 4),
        (lambda: make_blobs(80, centers=40 * np.eye(8), random_state=0), 8),
    ],
    ids=["1000 : 30", "moons", "rings", "many", "four of ten", "eight of ten"],
)
def test_unequal_curved_many_and_few(make, k):
    X, truth = make()
    choice = choose_k(X, random_state=0)
    assert choice.n_clusters == k
    assert choice.answer == "clusters"
    assert ari(choice.labels[k], truth) > 0.97


@pytest.mark.parametrize("kind", ["normal", "uniform", "student", "line", "lognormal", "items"])
def test_one_cluster_is_an_answer(kind):
    rng = np.random.default_rng(0)
    make = {
        "normal": lambda: rng.standard_normal((300, 5)),
        "uniform": lambda: rng.random((300, 5)),
        "student": lambda: rng.standard_t(5, (300, 5)),
        "line": lambda: np.outer(rng.standard_normal(300), [3, 2, 1]) + rng.random((300, 3)),
        "lognormal": lambda: np.exp(rng.standard_normal((300, 10))),
        "items": lambda: np.c_[rng.integers(0, 2, 300), rng.standard_normal((300, 4))],
    }
    choice = choose_k(make[kind](), random_state=0)
    assert (choice.n_clusters, choice.answer) == (1, "one")
    assert choice.chosen is None
    assert choice.probability < 0.5
    assert "no evidence of clusters" in choice.sentence


@pytest.mark.parametrize("n_samples", [1, 2, 5, 9])
def test_few_objects_are_never_sure(n_samples):
    X = np.random.default_rng(0).standard_normal((n_samples, 3))
    X[: n_samples // 2] += 50
    assert choose_k(X, random_state=0).answer in ("one", "unsure")


def test_equal_rows_are_one_cluster():
    assert choose_k(np.ones((50, 3)), random_state=0).n_clusters == 1


def test_a_few_outliers_are_no_cluster_of_their_own():
    assert choose_k(load_wine().data, random_state=0).n_clusters == 3


def test_clusters_on_a_line():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 5, 300)
    choice = choose_k((6 * truth + rng.standard_normal(300))[:, None], random_state=0)
    assert (choice.n_clusters, choice.answer) == (5, "clusters")


def test_the_smallest_cluster_that_counts_is_a_parameter():
    X, _ = make_blobs([300, 300, 12], centers=CORNERS[:3], random_state=0)
    assert choose_k(X, random_state=0).n_clusters == 3
    for size in (20, 0.03):
        choice = choose_k(X, min_cluster_size=size, random_state=0)
        assert choice.chosen.smallest >= 20 / 612
        assert any(row.why == "a cluster is too small" for row in choice.table)


def test_the_largest_candidate_is_a_doubt():
    choice = choose_k(blobs(4), candidates=[2, 3], random_state=0)
    assert choice.n_clusters == 3
    assert "k-at-the-edge" in [doubt.code for doubt in choice.doubts]


def test_one_seed_decides_for_any_number_of_threads():
    X = blobs(3, 150)
    first, second = (choose_k(X, random_state=7, n_jobs=jobs) for jobs in (1, 4))
    assert first.table == second.table
    for k, labels in first.labels.items():
        np.testing.assert_array_equal(labels, second.labels[k])


def test_large_data_are_sampled():
    choice = choose_k(blobs(3, 900), max_samples=300, random_state=0)
    assert choice.n_clusters == 3
    assert len(choice.rows) == 300 == len(choice.labels[3])
    assert np.all(np.diff(choice.rows) > 0)


def test_own_generator_and_sparse_data():
    X = blobs(3, 150)
    generator = KMeansRestarts(n_members=20, n_init=3)
    assert choose_k(X, random_state=0, generator=generator).n_clusters == 3
    wide = np.hstack([X, np.zeros((150, 200))])
    assert choose_k(sparse.csr_matrix(wide), candidates=[2, 3, 4], random_state=0).n_clusters == 3


def test_structureless_data_have_the_covariance():
    rng = np.random.default_rng(0)
    X = rng.standard_t(5, (4000, 3)) @ rng.standard_normal((3, 3)) + 5
    null = structureless_data(X, rng)
    np.testing.assert_allclose(null.mean(axis=0), X.mean(axis=0), atol=0.3)
    np.testing.assert_allclose(np.cov(null.T), np.cov(X.T), rtol=0.2, atol=0.2)


# --- clusterings alone ---------------------------------------------------------------------------


def test_clusterings_alone_have_a_number_of_clusters():
    X, truth = make_blobs([150, 60, 30], centers=CORNERS[:3], random_state=0)
    ensemble = KMeansRestarts(n_members=20, random_state=0).fit(X).ensemble_
    choice = choose_k(ensemble, random_state=0)
    assert (choice.n_clusters, choice.answer) == (3, "clusters")
    assert ari(choice.labels[3], truth) == 1
    assert "Halves of the members share" in choice.sentence
    assert np.isnan(choice.probability)


@pytest.mark.parametrize("k", [2, 5, 12])
@pytest.mark.parametrize("noise", [0.1, 0.3, 0.5])
def test_planted_ensembles(k, noise):
    ensemble, truth = make_planted_ensemble(400, 20, k, noise=noise, random_state=0)
    choice = choose_k(ensemble, random_state=0)
    assert choice.n_clusters == k
    assert ari(choice.labels[k], truth) > 0.85


def test_clusterings_that_do_not_agree_are_one_cluster():
    labels = np.random.default_rng(0).integers(0, 4, (300, 12))
    choice = choose_k(Ensemble(labels), random_state=0)
    assert (choice.n_clusters, choice.answer) == (1, "one")
    assert "no more than by chance" in choice.sentence


def test_few_clusterings_cannot_tell():
    choice = choose_k(Ensemble([[0] * 20 + [1] * 20] * 3), random_state=0)
    assert (choice.n_clusters, choice.answer) == (1, "unsure")
    assert "3 clusterings of 40 objects are too few" in choice.sentence


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"candidates": [1, 2]}, "integers of at least 2; got .1, 2."),
        ({"candidates": []}, "candidates must be None or a list or range"),
        ({"candidates": iter([2])}, "candidates must be None or a list"),
        ({"candidates": [60]}, "at most half .*, 25 of 50; got 60"),
        ({"scaling": "robust"}, "scaling must be None or one of 'auto'"),
        ({"generator": "k-means"}, "such as KMeansRestarts"),
        ({"min_cluster_size": 0}, "min_cluster_size must be None or an integer"),
        ({"min_cluster_size": 1.5}, "a number between 0 and 1"),
        ({"n_jobs": 10**9}, "n_jobs must be None or an integer from 1"),
        ({"max_samples": 3}, "max_samples must be"),
    ],
)
def test_bad_parameters(options, message):
    with pytest.raises(InvalidParameterError, match=message):
        choose_k(blobs(2, 50), **{"random_state": 0, **options})


@pytest.mark.parametrize("options", [{"scaling": None}, {"generator": KMeansRestarts()}])
def test_what_needs_features_is_refused_for_labels(options):
    name = next(iter(options))
    with pytest.raises(UnsupportedInputError, match=f"{name} has no meaning for an Ensemble"):
        choose_k(Ensemble([[0, 1] * 10] * 5), random_state=0, **options)


def test_bad_data():
    X = blobs(2, 50)
    X[3, 1] = np.nan
    with pytest.raises(InvalidInputError, match=r"row 3.*column 1"):
        choose_k(X)
    with pytest.raises(ValueError, match=r"minimum of 1 is required by choose_k"):
        choose_k(np.zeros((0, 3)))
    with pytest.raises(InvalidInputError, match="Reshape your data") as caught:
        choose_k(np.arange(180.0))
    assert len(str(caught.value)) < 250


@pytest.mark.parametrize("n_columns", [20, 150])
def test_copies_with_errors_of_rounding(n_columns):
    """Neighbours at a distance of nothing, which scikit-learn may round to 0."""
    rng = np.random.default_rng(0)
    X = np.repeat(rng.standard_normal((2, n_columns)), 20, axis=0)
    assert choose_k(X, random_state=0).n_clusters == 2
    assert choose_k(X + 1e-9 * rng.standard_normal(X.shape), random_state=0).n_clusters == 2
