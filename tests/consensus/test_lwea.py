"""LWEA against entropies, weights and averages over all objects."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from consilience.consensus.pairwise import HAC, LWEA
from oracles.linkage import (
    cluster_index,
    co_association,
    copies,
    entropies,
    flat,
    greedy,
    is_greedy,
    read_linkage,
)
from oracles.strategies import (
    ensembles,
    examples,
    fit,
    incomplete_ensembles,
    member_weights,
    multiplicities,
)

SIX = np.array([[0, 1, 1, 0], [0, 0, 0, 0], [0, 0, 1, 1], [1, 1, 0, 0], [1, 1, 1, 1], [0, 1, 1, 1]])
ENTROPIES = [2.811278, 2, 2, 2.811278, 2, 2.433834, 2.754888, 1.836592]
INDEX = [0.172553, 0.286505, 0.286505, 0.172553, 0.286505, 0.218461, 0.178743, 0.317312]


def test_golden_entropies_and_weights():
    per_member = entropies(SIX)
    assert [e[v] for e in per_member for v in (0, 1)] == pytest.approx(ENTROPIES, abs=1e-6)
    index = cluster_index(SIX, 0.4)
    assert [e[v] for e in index for v in (0, 1)] == pytest.approx(INDEX, abs=1e-6)


def test_golden_tree_by_hand():
    # x3 and x6 share I1, III2, IV2: 1 - (.172553 + .218461 + .317312) / 4, the least distance
    model = fit(LWEA(2), SIX)
    assert model.linkage_matrix_[0] == pytest.approx([2, 5, 1 - 0.708326 / 4, 2], abs=1e-6)
    # then x5, which shares III2, IV2 with x3, and II2 with x6 besides
    shared = (0.218461 + 0.317312) + 0.172553 / 2
    assert model.linkage_matrix_[1] == pytest.approx([4, 6, 1 - shared / 4, 3], abs=1e-6)
    assert model.labels_.tolist() == [0, 1, 0, 1, 0, 0]


@given(incomplete_ensembles(max_n=10), st.sampled_from([0.1, 0.4, 2.0]), st.data())
@examples(200)
def test_tree_is_one_of_greedy_merging(ensemble, theta, data):
    L, K = ensemble
    weights = data.draw(member_weights(L.shape[1]))
    L = np.repeat(L, data.draw(multiplicities(len(L))), axis=0)[:14]
    S = co_association(L, weights, cluster_index(L, theta, weights))
    leaves = copies(L)
    model = fit(LWEA(K, theta=theta), L, weights)
    assert is_greedy(read_linkage(model.linkage_matrix_, leaves), S, leaves, "average")


@given(incomplete_ensembles(max_n=10), st.data())
@examples(200)
def test_without_ties_the_cut_is_that_of_all_objects(ensemble, data):
    L, K = ensemble
    weights = data.draw(member_weights(L.shape[1]))
    S = co_association(L, weights, cluster_index(L, 0.4, weights))
    leaves = copies(L)
    merges = list(greedy(S, leaves, "average"))
    assume(all(gap > 1e-8 for *_, gap in merges[: len(leaves) - K]))
    assert fit(LWEA(K), L, weights).labels_.tolist() == flat(merges, leaves, K, len(L))


@given(ensembles())
@examples(100)
def test_boundless_trust_is_average_linkage(ensemble):
    L, K = ensemble
    trusting, plain = fit(LWEA(K, theta=1e15), L), fit(HAC(K), L)
    np.testing.assert_allclose(trusting.linkage_matrix_, plain.linkage_matrix_, atol=1e-9)
    assert trusting.labels_.tolist() == plain.labels_.tolist()
