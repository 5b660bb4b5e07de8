"""Gaussian mixtures by sufficient statistics, against scikit-learn's densities and moments."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal
from sklearn.datasets import load_iris
from sklearn.mixture import GaussianMixture

from consilience.clusterers._mixture import _log_densities, fit_mixture, likeliest, statistics
from consilience.metrics import ari


def _rng():
    """Return a generator of the test's own: which tests run before must not matter."""
    return np.random.default_rng(0)


X = _rng().standard_normal((200, 3)) @ np.random.default_rng(1).standard_normal((3, 3)) + 5


@pytest.mark.parametrize("diagonal", [True, False])
def test_densities_are_those_of_weighted_moments(diagonal):
    weights = _rng().random((200, 4))
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
    iris = load_iris().data
    iris = (iris - iris.mean(axis=0)) / iris.std(axis=0)
    diagonal = kind == "diag"
    best = -np.inf
    for seed in range(10):
        rng = np.random.default_rng(seed)
        found = fit_mixture(iris, 3, rng, diagonal=diagonal, max_iter=400, tol=1e-7)
        scores = statistics(iris, diagonal=diagonal) @ found.table
        best = max(best, float(np.logaddexp.reduce(scores, axis=1).mean()))
    model = GaussianMixture(3, covariance_type=kind, n_init=10, reg_covar=1e-3, random_state=0)
    assert best - 2 * np.log(2 * np.pi) > model.fit(iris).score(iris) - 0.02


def test_clusters_of_different_spread_are_found():
    rng = _rng()
    both = np.vstack([rng.normal(0, 0.2, (150, 2)), rng.normal(0, 3.0, (150, 2))])
    Z = statistics(both, diagonal=False)

    def likelihood(found):
        return float(np.logaddexp.reduce(Z @ found.table, axis=1).mean())

    # Some starts end in a poor maximum; the likeliest of several is right.
    starts = map(np.random.default_rng, range(8))
    runs = [fit_mixture(both, 2, s, diagonal=False, max_iter=100, tol=1e-4) for s in starts]
    labels = likeliest(both, max(runs, key=likelihood).table, diagonal=False)
    assert ari(labels, np.repeat([0, 1], 150)) > 0.8


def test_fewer_distinct_rows_than_components():
    rows = np.repeat([[0.0, 0.0], [1.0, 1.0]], 10, axis=0)
    found = fit_mixture(rows, 5, np.random.default_rng(0), diagonal=True, max_iter=10, tol=1e-3)
    assert found.table.shape == (5, 2)
    assert len(set(likeliest(rows, found.table, diagonal=True).tolist())) == 2
