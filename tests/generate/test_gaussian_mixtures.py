"""Gaussian mixtures against scikit-learn's densities and moments, and members by mixtures."""

import numpy as np
import pytest
from scipy import sparse
from scipy.stats import multivariate_normal
from sklearn.datasets import load_iris, load_wine
from sklearn.mixture import GaussianMixture

from consilience.consensus import MCLA
from consilience.exceptions import InvalidParameterError, UnsupportedInputError
from consilience.generate import GaussianMixtures
from consilience.generate._gaussian_mixtures import (
    _log_densities,
    fit_mixture,
    likeliest,
    statistics,
)
from consilience.metrics import ari, nmi

IRIS, SPECIES = load_iris(return_X_y=True)


def test_mixtures_find_what_k_means_does_not():
    members = GaussianMixtures(n_members=20, n_clusters=3, random_state=0).fit(IRIS).ensemble_
    assert nmi(MCLA(3, random_state=0).fit(members).labels_, SPECIES) > 0.85


@pytest.mark.parametrize("covariance", ["full", "diagonal"])
def test_new_rows_are_labelled_like_old_ones(covariance):
    X = load_wine().data
    generator = GaussianMixtures(
        n_members=4, n_clusters=(2, 5), covariance=covariance, scaling="standard", random_state=0
    )
    labels = generator.fit_transform(X)
    np.testing.assert_array_equal(generator.transform(X), labels)
    assert generator.transform(X[:3]).shape == (3, 4)


@pytest.mark.parametrize("covariance", ["full", "diagonal"])
def test_rounds_and_tolerance_are_parameters(covariance):
    options = {"n_members": 3, "n_clusters": 3, "covariance": covariance, "random_state": 0}
    usual = GaussianMixtures(**options).fit(IRIS)
    stated = GaussianMixtures(**options, max_iter=30, tol=1e-3).fit(IRIS)
    np.testing.assert_array_equal(usual.ensemble_.labels, stated.ensemble_.labels)
    # expectation maximisation never lowers the likelihood, and ends when it does not rise at all
    full = GaussianMixtures(**options, max_iter=5_000, tol=0).fit(IRIS)
    assert all(member.arrays["converged"] for member in full.members_)
    assert full.n_iter_ > usual.n_iter_
    short = GaussianMixtures(**options, max_iter=2, tol=0).fit(IRIS)
    assert [int(member.arrays["n_iter"]) for member in short.members_] == [2, 2, 2]
    assert not any(member.arrays["converged"] for member in short.members_)
    after = [
        np.logaddexp.reduce(
            statistics(full._rows(IRIS), diagonal=covariance == "diagonal") @ m.arrays["table"],
            axis=1,
        ).mean()
        for g in (short, full)
        for m in g.members_
    ]
    assert all(a < b for a, b in zip(after[:3], after[3:], strict=True))


def test_many_columns_are_seen_on_their_leading_axes():
    rng = np.random.default_rng(0)
    truth = np.repeat([0, 1, 2], 60)
    X = rng.standard_normal((180, 40))
    X[:, :3] += 8 * np.eye(3)[truth]
    generator = GaussianMixtures(n_members=5, n_clusters=3, random_state=0).fit(X)
    assert generator.members_[0].arrays["table"].shape[0] == 1 + 12 + 12 * 13 // 2
    assert max(ari(member.labels, truth) for member in generator.members_) > 0.95


def test_large_data_are_fitted_on_a_sample_and_labelled_in_full():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 3, 40_000)
    X = rng.standard_normal((40_000, 2)) + 9 * np.array([[0, 0], [1, 0], [0, 1]])[truth]
    labels = GaussianMixtures(n_members=2, n_clusters=3, random_state=0).fit_transform(X)
    assert labels.shape == (40_000, 2)
    assert max(ari(column, truth) for column in labels.T) > 0.95


def test_too_few_rows_and_sparse_data():
    with pytest.raises(
        InvalidParameterError, match=r"n_clusters=60 is more than 150 rows can give with full cov"
    ):
        GaussianMixtures(n_clusters=60).fit(IRIS)
    with pytest.raises(UnsupportedInputError, match="GaussianMixtures cannot use sparse data"):
        GaussianMixtures().fit(sparse.csr_matrix(IRIS))
    few = GaussianMixtures(n_members=2, random_state=0).fit(IRIS[:3]).ensemble_
    assert few.n_samples == 3


@pytest.mark.parametrize("diagonal", [True, False])
def test_densities_are_those_of_weighted_moments(diagonal):
    X = np.random.default_rng(0).standard_normal((200, 3))
    X = X @ np.random.default_rng(1).standard_normal((3, 3)) + 5
    weights = np.random.default_rng(0).random((200, 4))
    weights /= weights.sum(axis=1, keepdims=True)
    Z = statistics(X, diagonal=diagonal)
    scores = Z @ _log_densities(weights.T @ Z, 3, 0.1, diagonal=diagonal)
    for k in range(4):
        share = weights[:, k].sum() / 200
        mean = np.average(X, axis=0, weights=weights[:, k])
        covariance = np.cov(X.T, aweights=weights[:, k], ddof=0)
        if diagonal:
            covariance = np.diag(np.diag(covariance))
        covariance += 0.1 * np.eye(3)
        # The constant (2 pi)^(-d/2) is the same for all components and left out.
        expected = multivariate_normal(mean, covariance).logpdf(X) + np.log(share)
        np.testing.assert_allclose(scores[:, k] - 1.5 * np.log(2 * np.pi), expected, atol=1e-8)


@pytest.mark.parametrize("kind", ["full", "diag"])
def test_likelihood_is_as_high_as_that_of_sklearn(kind):
    iris = (IRIS - IRIS.mean(axis=0)) / IRIS.std(axis=0)
    diagonal = kind == "diag"
    best = -np.inf
    for seed in range(10):
        rng = np.random.default_rng(seed)
        found = fit_mixture(iris, 3, rng, diagonal=diagonal, max_iter=400, tol=1e-7)
        scores = statistics(iris, diagonal=diagonal) @ found.table
        best = max(best, float(np.logaddexp.reduce(scores, axis=1).mean()))
    model = GaussianMixture(3, covariance_type=kind, n_init=10, reg_covar=1e-3, random_state=0)
    assert best - 2 * np.log(2 * np.pi) > model.fit(iris).score(iris) - 0.02


def test_fewer_distinct_rows_than_components():
    rows = np.repeat([[0.0, 0.0], [1.0, 1.0]], 10, axis=0)
    found = fit_mixture(rows, 5, np.random.default_rng(0), diagonal=True, max_iter=10, tol=1e-3)
    assert found.table.shape == (5, 2)
    assert len(set(likeliest(rows, found.table, diagonal=True).tolist())) == 2
