"""BALLS against all pairs of objects."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from consilience.consensus import BALLS
from consilience.datasets import make_planted_ensemble
from consilience.metrics import ari, consensus_rand
from oracles.labels import all_partitions, canonical
from oracles.linkage import balls, co_association
from oracles.strategies import (
    examples,
    fit,
    incomplete_matrices,
    label_matrices,
    member_weights,
    multiplicities,
)


def labels_of(found, n):
    labels = [0] * n
    for k, ball in enumerate(found):
        for v in ball:
            labels[v] = k
    return labels


def test_five_objects_by_hand():
    # d(0, 1) = 0, d(0, 2) = 1/3, d(2, 3) = 2/3, d(3, 4) = 0, all others 1: the totals are 7/3, 7/3,
    # 7/3, 8/3, 8/3. The ball of object 0 is {1, 2} with mean 1/6; that of object 3 is {4}.
    votes = np.array([[0, 0, 0, 1, 1], [1, 1, 1, 0, 0], [0, 0, 1, 1, 1]]).T
    assert fit(BALLS(), votes).labels_.tolist() == [0, 0, 0, 1, 1]
    assert fit(BALLS(alpha=0.1), votes).labels_.tolist() == [0, 0, 1, 2, 2]


@pytest.mark.parametrize("matrices", [label_matrices, incomplete_matrices])
@given(data=st.data())
@examples(300)
def test_against_all_pairs(matrices, data):
    L = data.draw(matrices())
    weights = data.draw(member_weights(L.shape[1]))
    alpha = data.draw(st.sampled_from([0.25, 0.4, 0.5]))
    if data.draw(st.booleans()):
        L = np.repeat(L, data.draw(multiplicities(len(L))), axis=0)
    known = L[(L >= 0).any(axis=1)]  # others join the largest cluster
    found = balls(known, alpha, weights)
    model = fit(BALLS(alpha=alpha), known, weights)
    assert model.labels_.tolist() == list(canonical(labels_of(found, len(known))))
    assert model.n_balls_ == model.n_clusters_ == len(found)


@given(label_matrices(), st.integers(1, 3))
@examples(150)
def test_the_largest_balls_stay(L, K):
    found = balls(L, 0.4)
    K = min(K, len({tuple(row) for row in L.tolist()}))
    model = fit(BALLS(K), L)
    assert model.n_balls_ == len(found)
    if len(found) <= K:
        expected = labels_of(found, len(L))
    else:
        largest = sorted(range(len(found)), key=lambda k: (-len(found[k]), k))[:K]
        kept = [found[k] for k in sorted(largest)]
        S, expected = co_association(L), [None] * len(L)
        for i in range(len(L)):
            means = [sum(S[i][v] for v in ball) / len(ball) for ball in kept]
            own = [k for k, ball in enumerate(kept) if i in ball]
            expected[i] = own[0] if own else means.index(max(means))
    assert model.labels_.tolist() == list(canonical(expected))


@given(label_matrices(max_n=6))
@examples(60)
def test_a_quarter_is_within_a_factor_of_three(L):
    found = consensus_rand(fit(BALLS(alpha=0.25), L).labels_, L)
    best = min(consensus_rand(list(labels), L) for labels in all_partitions(len(L), len(L)))
    assert found <= 3 * best + 1e-12


def test_objects_of_weight_zero_change_no_ball():
    ensemble, _ = make_planted_ensemble(60, 8, 3, noise=0.3, random_state=0)
    counts = (np.arange(60) % 3 > 0).astype(int)
    model = fit(BALLS(), ensemble.labels, sample_weight=counts)
    alone = fit(BALLS(), ensemble.labels[counts > 0])
    assert ari(model.labels_[counts > 0], alone.labels_) == 1
    S = co_association(ensemble.labels)
    for i in np.flatnonzero(counts == 0):
        twins = [j for j in np.flatnonzero(counts) if S[i][j] == 1]
        members = [
            np.flatnonzero((model.labels_ == k) & (counts > 0)) for k in range(alone.n_clusters_)
        ]
        means = [sum(S[i][j] for j in inside) / len(inside) for inside in members]
        own = model.labels_[i]
        assert means[own] == max(means) or (twins and model.labels_[twins[0]] == own)


def test_members_from_samples_find_the_clusters():
    """Two of three members miss a label of most pairs, so that S alone would separate all."""
    ensemble, truth = make_planted_ensemble(200, 30, 3, noise=0.1, missing=0.4, random_state=0)
    assert ari(fit(BALLS(3), ensemble).labels_, truth) == 1


def test_more_clusters_than_balls_are_not_made():
    votes = np.array([[0, 0, 0, 1, 1], [1, 1, 1, 0, 0], [0, 0, 1, 1, 1]]).T
    for n_clusters in (None, 2, 4):
        model = fit(BALLS(n_clusters), votes)
        assert model.labels_.tolist() == [0, 0, 0, 1, 1]
        assert model.n_clusters_ == model.n_balls_ == 2
