"""WC against dense matrices and quadratic programs by enumeration."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from consilience import Ensemble
from consilience.consensus import KMCF, WC
from consilience.consensus.pairwise._factorisation import SymmetricFactors
from consilience.datasets import make_planted_ensemble
from consilience.metrics import ari
from consilience.partition import member_gram
from consilience.partition._simplex import minimise_on_simplex
from oracles import factorisation
from oracles.labels import canonical, canonical_members
from oracles.strategies import (
    examples,
    fit,
    incomplete_ensembles,
    member_weights,
)

# The example of [nguyen2007]_, figure 1: rows x1..x6, columns I..IV
SIX = canonical_members(
    np.array([[0, 1, 1, 0], [0, 0, 0, 0], [0, 0, 1, 1], [1, 1, 0, 0], [1, 1, 1, 1], [0, 1, 1, 1]])
)
TRUTH = np.array([0, 0, 0, 1, 1, 1], dtype=np.int32)


def test_golden_example():
    ensemble = Ensemble(SIX)
    gram = member_gram(ensemble.incidence)
    assert gram.tolist() == [
        [20, 12, 12, 10],
        [12, 20, 12, 10],
        [12, 12, 20, 14],
        [10, 10, 14, 18],
    ]
    factors = SymmetricFactors(ensemble.incidence, TRUTH, 2)
    # Q = Z and B = 1, so that Q B Q' is the truth itself
    factors.sums, factors.middle = ensemble.incidence.count(TRUTH, 2).astype(float), np.eye(2)
    overlaps = ensemble.layout.sum_by_member(factors.base_cluster_overlaps())
    assert overlaps.tolist() == [14, 14, 10, 10]
    weights = minimise_on_simplex(gram, overlaps)
    np.testing.assert_allclose(weights, [3 / 7, 3 / 7, 0, 1 / 7], atol=1e-6)


def assert_follows(model, L, labels, K, weights, rounds):
    w, history, Q, B = factorisation.weighted_consensus(L, labels, K, weights, rounds, 10)
    total = factorisation.gram(L).max()
    assert len(model.history_) == len(history)
    np.testing.assert_allclose(model.history_, history, atol=1e-9 * total)
    # equal members share their weight in any way; the weighted sum of connectivities is unique
    difference = model.weights_ - w
    assert abs(difference @ factorisation.gram(L) @ difference) <= 1e-9 * total
    if np.linalg.eigvalsh(factorisation.gram(L))[0] > 1e-3:
        np.testing.assert_allclose(model.weights_, w, atol=1e-6)
    ranked = np.sort(factorisation.scores(Q, B), axis=1)
    assume((ranked[:, -1] - ranked[:, -2] > 1e-6).all())
    return canonical(factorisation.scores(Q, B).argmax(axis=1).tolist())


@given(incomplete_ensembles(max_r=5), st.data())
@examples(200)
def test_as_on_dense_matrices(ensemble, data):
    L, K = ensemble
    weights = data.draw(member_weights(L.shape[1]))
    start = fit(KMCF(K, random_state=0), L, weights).labels_
    model = fit(WC(K, max_iter=4, random_state=0), L, weights)
    given_weights = np.ones(L.shape[1]) if weights is None else weights
    wanted = assert_follows(model, L, start, K, given_weights, 4)
    assert tuple(model.labels_.tolist()) == wanted


@given(incomplete_ensembles())
@examples(60)
def test_weights_are_on_the_simplex(ensemble):
    L, K = ensemble
    model = fit(WC(K, max_iter=10, random_state=0), L)
    assert model.weights_.shape == (L.shape[1],)
    assert (model.weights_ >= 0).all()
    assert model.weights_.sum() == pytest.approx(1)


def test_members_that_do_not_count_get_no_weight():
    ensemble, _ = make_planted_ensemble(120, 5, 3, noise=0.2, random_state=0)
    silent = np.full((120, 1), -1)
    L = np.hstack([ensemble.labels, silent])
    model = fit(WC(3, random_state=0), L, weights=[1, 0, 1, 1, 1, 1])
    assert model.weights_[[1, 5]].tolist() == [0, 0]
    assert model.weights_.sum() == pytest.approx(1)


def test_one_member_wins_in_the_end():
    # a member with K clusters is a product Q B Q' itself: the objective is zero there
    ensemble, _ = make_planted_ensemble(200, 6, 3, noise=0.2, random_state=1)
    model = fit(WC(3, random_state=0), ensemble.labels)
    winner = int(model.weights_.argmax())
    assert model.weights_[winner] > 0.99
    assert ari(model.labels_, ensemble.labels[:, winner]) == 1.0
    assert model.objective_ < 0.01 * model.history_[0]
