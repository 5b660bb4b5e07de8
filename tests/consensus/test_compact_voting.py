"""IVC and IPC with features against votes and distances written out object by object."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from consilience.consensus import IPC, IVC
from consilience.exceptions import (
    InvalidInputError,
    InvalidParameterError,
    UnsupportedInputError,
)
from consilience.metrics import ari
from oracles.strategies import examples, fit, member_weights, partitions, uniform_ensembles
from oracles.voting import (
    hamming,
    ivc_centres,
    members_of,
    pick,
    problem,
    results,
    similarity,
)


def distances(X, state):
    """|x_i - m_k|^2 / v for every object and cluster, m_k means and v that of all, in fractions."""
    rows = [[Fraction(int(value)) for value in row] for row in X]

    def mean(objects):
        return [sum(rows[i][f] for i in objects) / len(objects) for f in range(len(rows[0]))]

    def square(i, centre):
        return sum((a - b) ** 2 for a, b in zip(rows[i], centre, strict=True))

    everything = mean(range(len(rows)))
    v = sum(square(i, everything) for i in range(len(rows))) / len(rows)
    means = {k: mean(objects) for k, objects in members_of(state).items()}
    return [
        {k: square(i, m) / v if v else Fraction(0) for k, m in means.items()}
        for i in range(len(rows))
    ]


def ivc_scores(p, X, state, weight):
    """Disagreement with the centre of every cluster, plus the weighted distance."""
    centres, away = ivc_centres(p, state), distances(X, state)
    return [
        {k: hamming(p.L[i], c, p.w) + weight * sum(p.w) * away[i][k] for k, c in centres.items()}
        for i in range(len(state))
    ]


def ipc_scores(p, X, state, weight):
    """Less the similarity with every cluster, plus the weighted distance."""
    clusters, away = members_of(state), distances(X, state)
    return [
        {k: weight * away[i][k] - similarity(p, i, c) for k, c in clusters.items()}
        for i in range(len(state))
    ]


BOTH = [(IVC, ivc_scores), (IPC, ipc_scores)]


@pytest.mark.parametrize(("kind", "scores"), BOTH)
@given(data=st.data())
@examples(120)
def test_solutions_are_those_of_the_oracle(kind, scores, data):
    L, K = data.draw(uniform_ensembles(max_n=10, max_r=4))
    if data.draw(st.booleans()):
        L = L.copy()
        L[data.draw(st.integers(0, len(L) - 1)), 0] = -1
        assume(L.shape[1] > 1)
        assume(all(len(set(column) - {-1}) == K for column in L.T.tolist()))
        assume(all(min(column) >= 0 for column in L.T[1:].tolist()))
    weights = data.draw(member_weights(L.shape[1]))
    seed = data.draw(st.integers(0, 999))
    X = np.random.default_rng(seed).integers(0, 9, (len(L), 2))
    weight = data.draw(st.sampled_from([Fraction(0), Fraction(1, 4), Fraction(1), Fraction(4)]))
    p = problem(L, weights)
    assume(min(p.w) > 0)

    def one_round(p, state):
        chosen = scores(p, X, state, weight)
        return [pick(chosen[i], state[i]) for i in range(len(state))]

    complete = [j for j in range(L.shape[1]) if L[:, j].min() >= 0]
    expected = set().union(*(results(one_round, p, L[:, j].tolist()) for j in complete))
    model = fit(kind(K, features=X, compactness=float(weight)), L, weights)
    found = set(partitions(model))
    # Where a member lacks a label, how its start is completed is open.
    assert expected <= found if len(complete) < L.shape[1] else expected == found


@pytest.mark.parametrize(("kind", "scores"), BOTH)
def test_objective_is_the_sum_of_both_terms(kind, scores):
    rng = np.random.default_rng(0)
    L, X = rng.integers(0, 3, (40, 5)), rng.integers(0, 20, (40, 3))
    model = fit(kind(3, features=X, compactness=0.5, criterion="objective"), L)
    p, labels = problem(L), model.labels_.tolist()
    own = [row[k] for row, k in zip(scores(p, X, labels, Fraction(1, 2)), labels, strict=True)]
    expected = sum(own) if kind is IVC else -sum(own) / len(own)
    assert model.objective_ == pytest.approx(float(expected))
    best = min if kind is IVC else max
    assert model.objective_ == best(solution.objective for solution in model.solutions_)


@pytest.mark.parametrize("kind", [IVC, IPC])
def test_weights_of_objects_are_copies(kind):
    rng = np.random.default_rng(2)
    L, X, m = rng.integers(0, 3, (30, 5)), rng.normal(size=(30, 2)), rng.integers(1, 4, 30)
    weighted = fit(kind(3, features=X, n_init=5), L, sample_weight=m)
    repeated = fit(kind(3, features=np.repeat(X, m, axis=0), n_init=5), np.repeat(L, m, axis=0))
    np.testing.assert_array_equal(np.repeat(weighted.labels_, m), repeated.labels_)


@pytest.mark.parametrize("kind", [IVC, IPC])
def test_features_decide_where_members_do_not(kind):
    """Half of the members divide the objects at random; the features are clear."""
    rng = np.random.default_rng(3)
    truth = np.repeat([0, 1], 40)
    L = np.where(rng.random((80, 6)) < 0.35, rng.integers(0, 2, (80, 6)), truth[:, None])
    X = truth[:, None] * 6.0 + rng.normal(size=(80, 2))
    seen = fit(kind(2, features=X), L)
    assert ari(seen.labels_, truth) == 1
    assert ari(fit(kind(2), L).labels_, truth) < 1
    # Without weight the features change nothing, and other units do not matter.
    none, unit = fit(kind(2, features=X, compactness=0), L), fit(kind(2, features=9 * X + 5), L)
    np.testing.assert_array_equal(none.labels_, fit(kind(2), L).labels_)
    np.testing.assert_array_equal(unit.labels_, seen.labels_)


def test_what_cannot_be_used_is_refused():
    labels, X = np.array([[0, 0], [0, 1], [1, 1], [-1, -1]]), np.zeros((4, 1))
    with pytest.raises(UnsupportedInputError, match="IVC: features need a label of some member"):
        IVC(2, features=X).fit(labels)
    with pytest.raises(
        InvalidInputError, match=r"IPC: features must have .* 3 objects; got .*\(4, 1\)"
    ):
        IPC(2, features=X).fit(labels[:3])
    with pytest.raises(InvalidParameterError, match="exclude_self=True and features exclude each"):
        IPC(2, features=X[:3], exclude_self=True).fit(labels[:3])
    with pytest.raises(
        InvalidParameterError, match="compactness must be a finite number of at least"
    ):
        IVC(2, compactness=-1).fit(labels[:3])
