"""NMFC against the same rule on dense matrices."""

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from consilience import Ensemble
from consilience.consensus import KMCF, NMFC
from consilience.testing._checks import quietly
from oracles import factorisation
from oracles.labels import canonical
from oracles.strategies import (
    examples,
    fit,
    incomplete_ensembles,
    member_weights,
)


def shares(weights, r):
    w = np.ones(r) if weights is None else np.array(weights)
    return w / w.sum()


def assert_follows(model, S, labels, K, rounds):
    """Compare the history with that of dense matrices, return their labels; largest entries clear."""
    Q, B, history = factorisation.settle(S, *factorisation.start(labels, K), rounds, 1e-5)
    assert len(model.history_) == len(history)
    np.testing.assert_allclose(model.history_, history, atol=1e-9 * (S**2).sum())
    ranked = np.sort(factorisation.scores(Q, B), axis=1)
    assume((ranked[:, -1] - ranked[:, -2] > 1e-6).all())
    return canonical(factorisation.scores(Q, B).argmax(axis=1).tolist())


@given(incomplete_ensembles(), st.data())
@examples(250)
def test_as_on_dense_matrices(ensemble, data):
    L, K = ensemble
    weights = data.draw(member_weights(L.shape[1]))
    start = fit(KMCF(K, random_state=0), L, weights).labels_
    model = fit(NMFC(K, max_iter=30, random_state=0), L, weights)
    S = factorisation.weighted_sum(L, shares(weights, L.shape[1]))
    wanted = assert_follows(model, S, start, K, 30)
    assert tuple(model.labels_.tolist()) == wanted


def test_soft_members_enter_by_products():
    rng = np.random.default_rng(0)
    member = rng.dirichlet(np.ones(3), size=12)
    other = np.eye(2)[rng.integers(0, 2, 12)]
    ensemble = Ensemble.from_memberships([member, other])
    memberships = np.asarray(ensemble.incidence @ np.eye(5))
    S = memberships @ memberships.T / 2
    with quietly():
        start = KMCF(3, random_state=0).fit(ensemble).labels_
        model = NMFC(3, max_iter=20, random_state=0).fit(ensemble)
    history = factorisation.settle(S, *factorisation.start(start, 3), 20, 1e-5)[2]
    np.testing.assert_allclose(model.history_, history, rtol=1e-6)
