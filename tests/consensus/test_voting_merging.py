"""VotingMerging against votes that are counted object by object."""

from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.datasets import make_moons

from consilience.consensus import PluralityVoting, VotingMerging
from consilience.generate import KMeansRestarts
from consilience.metrics import ari
from oracles.agreement import exact_weights
from oracles.labels import canonical, canonical_members
from oracles.strategies import (
    examples,
    fit,
    incomplete_matrices,
    label_matrices,
    member_weights,
)


def count_votes(L, w):
    """Votes of every object, member after member; None if two matchings tie."""
    n, r = L.shape
    k = int(L.max()) + 1
    votes = [[0] * k for _ in range(n)]
    for j in range(r):
        scores = {}
        for names in permutations(range(k)):  # cluster c means names[c]; surplus names mean nothing
            own = names[: int(L[:, j].max()) + 1]
            scores[own] = sum(votes[i][own[L[i, j]]] for i in range(n) if L[i, j] >= 0)
        best = [own for own, score in scores.items() if score == max(scores.values())]
        if j == 0:
            best = [tuple(range(int(L[:, 0].max()) + 1))]
        if len(best) > 1:
            return None
        for i in range(n):
            if L[i, j] >= 0:
                votes[i][best[0][L[i, j]]] += w[j]
    return votes


def merged(votes, K):
    """Labels after merging; None if a tie of clusters or objects is open."""
    n, k = len(votes), len(votes[0])
    D = [[Fraction(v) / sum(row) for v in row] for row in votes]
    own = [row.index(max(row)) for row in D]
    groups = [[c] for c in sorted(set(own))]
    while len(groups) > K:
        pairs = [(a, b) for a in range(len(groups)) for b in range(a + 1, len(groups))]
        near = []
        for a, b in pairs:
            total = Fraction(0)
            for one, other in product(groups[a], groups[b]):
                for here, there in ((one, other), (other, one)):
                    inside = [i for i in range(n) if own[i] == here]
                    total += sum(D[i][there] for i in inside) / len(inside)
            near.append(total / (len(groups[a]) * len(groups[b])))
        if near.count(max(near)) > 1:
            return None
        a, b = pairs[near.index(max(near))]
        groups[a] = sorted(groups[a] + groups.pop(b))
    empty = [c for c in range(k) if not any(c in group for group in groups)]
    for c in empty:
        sums = [sum(D[i][c] for i in range(n) if own[i] in group) for group in groups]
        if sums.count(max(sums)) > 1:
            return None
        groups[sums.index(max(sums))] = [*groups[sums.index(max(sums))], c]
    labels = []
    for row in D:
        sums = [sum(row[c] for c in group) for group in groups]
        labels.append(sums.index(max(sums)))
    return labels


@pytest.mark.parametrize("matrices", [label_matrices, incomplete_matrices])
@given(data=st.data())
@examples(400)
def test_against_votes_of_objects(matrices, data):
    # compared where no two matchings, merges or groups tie
    L = np.array(canonical_members(data.draw(matrices())))
    L = L[(L >= 0).any(axis=1)]
    weights = data.draw(member_weights(L.shape[1]))
    w = exact_weights(weights, L.shape[1])
    assume(min(w) > 0)
    assume(
        L[:, 0].max() == L.max()
    )  # the first member has all clusters, so that their names are open
    votes = count_votes(L, w)
    assume(votes is not None)
    K = data.draw(st.integers(1, 3))
    assume(len({tuple(row) for row in L.tolist()}) >= K)
    expected = merged(votes, K)
    assume(expected is not None)
    model = fit(VotingMerging(K), L, weights)
    assert model.labels_.tolist() == list(canonical(expected))


def test_neighbourhoods_by_hand():
    """Object 1 goes with cluster 0 twice and with cluster 1 once."""
    votes = np.array([[0, 0, 1, 2, 2, 2], [0, 1, 1, 2, 2, 2], [0, 0, 1, 2, 2, 2]]).T
    model = fit(VotingMerging(2), votes)
    expected = [[5 / 6, 1 / 6, 0], [0, 1, 0], [0, 0, 1]]
    np.testing.assert_allclose(model.neighbourhoods_, expected)
    assert model.merged_.tolist() == [0, 0, 1]
    assert model.labels_.tolist() == [0, 0, 0, 1, 1, 1]


@pytest.mark.parametrize("seed", range(3))
def test_pieces_of_bent_clusters_are_put_together(seed):
    """Matching to two clusters cannot use members with twelve."""
    X, y = make_moons(300, noise=0.05, random_state=0)
    members = KMeansRestarts(n_members=30, n_clusters=12, n_init=5, random_state=seed).fit(X)
    assert ari(fit(VotingMerging(2), members.ensemble_).labels_, y) > 0.9
    assert ari(fit(PluralityVoting(2), members.ensemble_).labels_, y) < 0.5
