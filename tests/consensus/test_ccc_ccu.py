"""CCC and CCU against sets of objects and exact fractions."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from consilience import Ensemble
from consilience.consensus import CCC, CCU
from consilience.consensus.correspondence._metaclusters import _one_to_one, dice, mean_similarity
from consilience.ensemble import start_from_member
from consilience.incidence import Layout
from consilience.partition import vote_table
from oracles.correspondence import ccc_round, ccu_round, metaclusters, start_member, vote
from oracles.labels import canonical, canonical_members
from oracles.strategies import (
    ensembles,
    examples,
    fit,
    incomplete_ensembles,
    member_weights,
    uniform_ensembles,
)

METHODS = pytest.mark.parametrize(("method", "one_round"), [(CCC, ccc_round), (CCU, ccu_round)])


def expected(one_round, L, K, weights=None):
    """(labels, summed reward) by the oracle, None where ties leave them open."""
    member = start_member(L, K, weights)
    start = L[:, member].tolist()
    if (
        max(start) + 1 != K
    ):  # merged or split as in 3.11; tests/ensemble/test_start.py has the oracle
        start = start_from_member(Ensemble(L, weights=weights), member, K).tolist()
    groups = [{i for i, v in enumerate(start) if v == k} for k in range(K)]
    found = metaclusters(one_round, L, groups, weights)
    return found and (canonical(vote(L, found[0], K, weights)), found[1])


def assert_as_expected(method, one_round, L, K, weights):
    wanted = expected(one_round, L, K, weights)
    assume(wanted is not None)
    model = fit(method(K), L, weights)
    assert tuple(model.labels_.tolist()) == wanted[0]
    assert model.objective_ == pytest.approx(float(wanted[1]), abs=1e-9)


@METHODS
@given(ensemble=uniform_ensembles(), data=st.data())
@examples(200)
def test_members_with_k_clusters(method, one_round, ensemble, data):
    L, K = ensemble
    assert_as_expected(method, one_round, L, K, data.draw(member_weights(L.shape[1])))


@METHODS
@given(ensemble=ensembles(), data=st.data())
@examples(200)
def test_members_with_any_number_of_clusters(method, one_round, ensemble, data):
    L, K = ensemble
    assert_as_expected(method, one_round, L, K, data.draw(member_weights(L.shape[1])))


@METHODS
@given(ensemble=incomplete_ensembles(), data=st.data())
@examples(200)
def test_missing_labels(method, one_round, ensemble, data):
    L, K = ensemble
    assert_as_expected(method, one_round, L, K, data.draw(member_weights(L.shape[1])))


@given(st.integers(1, 5), st.integers(1, 5), st.integers(0, 2**32))
@examples(100)
def test_clusters_of_one_member_go_to_different_metaclusters(n_own, K, seed):
    rng = np.random.default_rng(seed)
    layout = Layout([n_own, 2])
    current = rng.integers(0, K, layout.n_columns).astype(np.int32)
    following = _one_to_one(rng.random((layout.n_columns, K)), current, layout=layout)
    assert len(set(following[:n_own].tolist())) == min(n_own, K)


def test_hand_example():
    # members: {012}{34}, {01}{234}, {012}{34}; the first is the start, all clusters find their like
    votes = np.array([[0, 0, 0, 1, 1], [0, 0, 1, 1, 1], [0, 0, 0, 1, 1]])
    model = fit(CCU(2), votes.T)
    assert model.labels_.tolist() == [0, 0, 0, 1, 1]
    # clusters of the first and third member: (1 + .8 + 1) / 3; of the second: (.8 + 1 + .8) / 3
    assert model.objective_ == pytest.approx(4 * 2.8 / 3 + 2 * 2.6 / 3)


def test_surplus_clusters_go_to_their_best_metacluster():
    L = canonical_members(np.array([[0, 0, 0], [0, 0, 0], [0, 0, 1], [1, 1, 2], [1, 1, 2]]))
    model = fit(CCC(2), L)
    assert model.labels_.tolist() == [0, 0, 0, 1, 1]


def test_an_empty_metacluster_keeps_its_rewards():
    similarity = np.array([[1.0, 0.5], [0.5, 1.0]])
    former = np.array([[0.1, 0.2], [0.3, 0.4]])
    votes = vote_table(np.array([0, 0]), np.array([1.0, 3.0]), 2)
    np.testing.assert_allclose(
        mean_similarity(similarity, votes, former), [[0.625, 0.2], [0.875, 0.4]]
    )


def test_clusters_without_weight_are_like_nobody():
    overlaps = np.array([[2, 0], [0, 0]])
    sizes = np.array([2, 0])
    assert dice(overlaps, sizes, sizes).tolist() == [[1, 0], [0, 0]]
