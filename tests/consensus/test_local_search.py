"""`refine`: local search on the consensus Rand distance."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from consilience.consensus import IPC, IPVC, IVC
from oracles.agreement import consensus_rand, exact_weights
from oracles.correlation import affinity, co_association, cost, improving_moves, local_search
from oracles.labels import all_partitions, canonical, profiles
from oracles.strategies import (
    ensembles,
    examples,
    fit,
    incomplete_ensembles,
    member_weights,
    multiplicities,
    partitions,
)

METHODS = [IVC, IPVC, IPC]


@given(ensembles(max_n=8), st.data())
@examples(60)
def test_the_cost_is_the_consensus_rand_distance(ensemble, data):
    """The oracle's own arithmetic: cost of a partition, and what one move changes."""
    L, K = ensemble
    n = len(L)
    w = exact_weights(data.draw(member_weights(L.shape[1])), L.shape[1])
    S = co_association(L, w)
    labels = data.draw(st.lists(st.integers(0, K - 1), min_size=n, max_size=n))
    x, k = data.draw(st.integers(0, n - 1)), data.draw(st.integers(0, K - 1))
    moved = [*labels[:x], k, *labels[x + 1 :]]
    assert cost(labels, S) == n * (n - 1) * consensus_rand(labels, L, w) / 2
    gain = affinity(labels, S, x, k) - affinity(labels, S, x, labels[x])
    assert cost(moved, S) - cost(labels, S) == gain


def enough_rows(L, K):
    """More distinct rows than clusters: with K of them copies stay together by 0.4."""
    assume(len(profiles(L)) > K)


@pytest.mark.parametrize("method", METHODS)
@given(ensemble=ensembles(), data=st.data())
@examples(100)
def test_no_single_object_wants_to_move(method, ensemble, data):
    L, K = ensemble
    enough_rows(L, K)
    weights = data.draw(member_weights(L.shape[1]))
    w = exact_weights(weights, L.shape[1])
    labels = fit(method(K, refine=True), L, weights).labels_.tolist()
    assert improving_moves(labels, co_association(L, w), K) == []
    assert max(labels) < K
    assert tuple(labels) == canonical(labels)


@pytest.mark.parametrize("method", METHODS)
@given(ensemble=incomplete_ensembles(), data=st.data())
@examples(100)
def test_refining_never_hurts(method, ensemble, data):
    L, K = ensemble
    weights = data.draw(member_weights(L.shape[1]))
    plain = fit(method(K), L, weights).labels_.tolist()
    refined = fit(method(K, refine=True), L, weights).labels_.tolist()
    assert consensus_rand(refined, L, weights) <= consensus_rand(plain, L, weights)


@given(incomplete_ensembles(), st.data())
@examples(100)
def test_missing_labels(ensemble, data):
    """Every member counts the pairs it knows, so a move is judged by the distance itself."""
    L, K = ensemble
    enough_rows(L, K)
    weights = data.draw(member_weights(L.shape[1]))
    labels = fit(IVC(K, refine=True), L, weights).labels_.tolist()
    now = consensus_rand(labels, L, weights)
    for x in range(len(L)):
        if len(profiles(L[np.array(labels) == labels[x]])) == 1:
            continue  # may not leave: see improving_moves
        for k in set(labels) - {labels[x]}:
            moved = [*labels[:x], k, *labels[x + 1 :]]
            assert consensus_rand(moved, L, weights) >= now


@given(ensembles(max_n=7, max_r=4))
@examples(60)
def test_between_the_optimum_and_the_oracle(ensemble):
    L, K = ensemble
    S = co_association(L, exact_weights(None, L.shape[1]))
    refined = fit(IVC(K, refine=True), L).labels_.tolist()
    least = min(cost(p, S) for p in all_partitions(len(L), K))
    starts = partitions(fit(IVC(K), L))
    assert least <= cost(refined, S) <= min(cost(p, S) for p in starts)
    assert all(least <= cost(local_search(p, S, K), S) <= cost(p, S) for p in starts)


@given(ensembles(max_n=8), st.data())
@examples(100)
def test_sample_weight_counts_copies(ensemble, data):
    L, K = ensemble
    enough_rows(L, K)
    m = data.draw(multiplicities(len(L)))
    model = fit(IPC(K, refine=True), L, sample_weight=np.array(m, dtype=float))
    labels = np.repeat(model.labels_, m).tolist()
    S = co_association(np.repeat(L, m, axis=0), exact_weights(None, L.shape[1]))
    assert improving_moves(labels, S, K) == []


def test_copies_of_a_row_stay_together_though_one_alone_would_cost_less():
    """0.4: identical objects cannot be told apart."""
    L = np.zeros((5, 4), dtype=int)
    L[:, 2] = [0, 1, 0, 1, 2]
    labels = fit(IVC(2, refine=True), L).labels_.tolist()
    assert labels[0] == labels[2]
    assert labels[1] == labels[3]
