"""The mixture of multinomials against a literal likelihood and a literal EM round."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from consilience.consensus import MultinomialMixture
from consilience.datasets import make_planted_ensemble
from consilience.exceptions import InvalidInputError, InvalidParameterError
from consilience.metrics import ari
from oracles.mixture import expect, maximise, split_theta
from oracles.plurality import agrees
from oracles.strategies import (
    ensembles,
    examples,
    fit,
    incomplete_ensembles,
    member_weights,
    multiplicities,
)


def fitted(data, ensemble, **parameters):
    """Fit; return the model, the labels, theta by member and the weights."""
    L, K = ensemble
    weights = data.draw(member_weights(L.shape[1]))
    parameters = {"n_init": 3, "max_iter": 5000, **parameters}
    model = fit(MultinomialMixture(K, random_state=0, **parameters), L, weights)
    theta = split_theta(model.label_probabilities_, L)
    return model, L, theta, weights or [1.0] * L.shape[1]


@given(incomplete_ensembles(), st.data())
@examples(100)
def test_parameters_are_chances(ensemble, data):
    model, L, theta, _ = fitted(data, ensemble)
    assert model.mixing_.shape == (ensemble[1],)
    assert model.label_probabilities_.shape == (sum(L.max(axis=0) + 1), ensemble[1])
    assert model.mixing_.sum() == pytest.approx(1)
    assert model.mixing_.min() >= 0
    for chances in theta:
        assert chances.min() >= 0
        assert chances.sum(axis=1) == pytest.approx(np.ones(ensemble[1]))


@given(incomplete_ensembles(), st.data())
@examples(120)
def test_objective_is_the_log_likelihood(ensemble, data):
    model, L, theta, w = fitted(data, ensemble)
    _, total = expect(L, model.mixing_, theta, w)
    assert model.objective_ == pytest.approx(total, rel=1e-7, abs=1e-7)


@given(incomplete_ensembles(), st.data())
@examples(120)
def test_labels_are_the_most_responsible_components(ensemble, data):
    model, L, theta, w = fitted(data, ensemble)
    rho, _ = expect(L, model.mixing_, theta, w)
    allowed = [set(np.flatnonzero(row >= row.max() - 1e-9).tolist()) for row in rho]
    assert agrees(model.labels_.tolist(), allowed, ensemble[1])


@given(incomplete_ensembles(), st.integers(1, 4), st.data())
@examples(60)
def test_parameters_objective_and_labels_belong_together_when_stopped_early(
    ensemble, max_iter, data
):
    model, L, theta, w = fitted(data, ensemble, max_iter=max_iter)
    rho, total = expect(L, model.mixing_, theta, w)
    allowed = [set(np.flatnonzero(row >= row.max() - 1e-9).tolist()) for row in rho]
    assert agrees(model.labels_.tolist(), allowed, ensemble[1])
    assert model.objective_ == pytest.approx(total, rel=1e-7, abs=1e-7)


@given(incomplete_ensembles(), st.data())
@examples(100)
def test_another_round_gains_less_than_the_tolerance(ensemble, data):
    tol = 1e-5
    model, L, theta, w = fitted(data, ensemble, tol=tol)
    rho, before = expect(L, model.mixing_, theta, w)
    _, after = expect(L, *maximise(L, rho), w)
    assert after >= before - 1e-7
    assert after - before <= tol * abs(before) + 1e-7


@given(ensembles(), st.data())
@examples(60)
def test_the_best_start_is_kept(ensemble, data):
    model, _, _, _ = fitted(data, ensemble, n_init=10)
    objectives = [s.objective for s in model.solutions_]
    assert objectives == sorted(objectives, reverse=True)
    assert model.objective_ == pytest.approx(objectives[0])
    assert model.labels_.tolist() == model.solutions_[0].labels.tolist()


@given(incomplete_ensembles(max_n=8, max_r=4), st.data())
@examples(60)
def test_the_same_start_reaches_the_same_likelihood_for_repeated_rows(ensemble, data):
    # not compared: labels, where several starts or components are equally likely
    L, K = ensemble
    m = data.draw(multiplicities(len(L)))
    method = MultinomialMixture(K, n_init=3, max_iter=5000, random_state=0)
    weighted = fit(method, L, sample_weight=np.array(m, dtype=float)).objective_
    repeated = fit(method, np.repeat(L, m, axis=0)).objective_
    assert weighted == pytest.approx(repeated, rel=1e-6, abs=1e-6)


@given(incomplete_ensembles(), st.integers(1, 4), st.data())
@examples(150)
def test_labels_to_start_from(ensemble, n_rounds, data):
    """Some rounds from the frequencies of base clusters in the clusters given, object by object."""
    L, K = ensemble
    weights = data.draw(member_weights(L.shape[1]))
    w = weights or [1.0] * L.shape[1]
    start = np.array(data.draw(st.lists(st.integers(-1, K - 1), min_size=len(L), max_size=len(L))))
    start[:K] = range(K)  # every component has an object
    rho = np.array(
        [[float(start[i] == k) for k in range(K)] for i in range(len(L)) if start[i] >= 0]
    )
    # The number of labels of a member is that of all objects.
    padded = np.vstack([rho, np.zeros(((start < 0).sum(), K))])
    order = np.concatenate([np.flatnonzero(start >= 0), np.flatnonzero(start < 0)])
    _, theta = maximise(L[order], padded)
    alpha = rho.mean(axis=0)
    for _ in range(n_rounds - 1):
        rho, _ = expect(L, alpha, theta, w)
        alpha, theta = maximise(L, rho)
    rho, total = expect(L, alpha, theta, w)
    model = MultinomialMixture(K, init=start, max_iter=n_rounds, tol=0)
    fit(model, L, weights)
    if len(model.history_) == n_rounds:  # else it converged before
        assert model.objective_ == pytest.approx(total, rel=1e-6, abs=1e-6)
        np.testing.assert_allclose(model.mixing_, alpha, atol=1e-6)
    assert len(model.solutions_) == 1


def test_appended_members_and_objects():
    """From the labels of an earlier fit, few rounds lead to the result of many starts."""
    ensemble, _ = make_planted_ensemble(400, 20, 3, noise=0.3, missing=0.1, random_state=0)
    L = ensemble.labels
    earlier = fit(MultinomialMixture(3, random_state=0), L[:300, :15])
    start = np.concatenate([earlier.labels_, earlier.predict(L[300:, :15])])
    grown = fit(MultinomialMixture(3, init=start), L)
    afresh = fit(MultinomialMixture(3, random_state=0), L)
    assert grown.objective_ == pytest.approx(afresh.objective_, rel=1e-5)
    assert ari(grown.labels_, afresh.labels_) == 1
    assert grown.n_iter_ < afresh.n_iter_
    unknown = fit(MultinomialMixture(3, init=np.append(earlier.labels_, [-1] * 100)), L)
    assert ari(unknown.labels_, afresh.labels_) == 1


def test_a_start_with_more_labels_than_distinct_rows():
    L = np.array([[0, 0], [0, 0], [1, 1], [1, 1]])
    model = fit(MultinomialMixture(3, init=np.array([0, 1, 2, 2])), L)
    assert model.labels_.tolist() == [0, 0, 1, 1]


def test_a_start_must_fit_the_objects():
    L = np.array([[0, 0], [0, 1], [1, 1], [1, 0]])
    for start in (
        np.array([0, 1]),
        np.array([0, 1, 2, 0]),
        np.array([0, 1, 1, -2]),
        np.full(4, -1),
    ):
        expected = f"of the 4 objects, and not -1 for all; got {len(start)} labels from"
        with pytest.raises(InvalidInputError, match=expected):
            MultinomialMixture(2, init=start).fit(L)
    for wrong in ("members", [0.5, 1, 1, 0], np.zeros((4, 1), dtype=int)):
        with pytest.raises(InvalidParameterError, match="init must be 'random' or an array"):
            MultinomialMixture(2, init=wrong).fit(L)
