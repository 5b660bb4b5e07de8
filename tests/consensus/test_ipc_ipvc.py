"""IPC and IPVC against sums over all pairs of objects."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from consilience.consensus import IPC, IPVC
from oracles.agreement import consensus_rand
from oracles.labels import canonical
from oracles.strategies import (
    examples,
    fit,
    incomplete_ensembles,
    member_weights,
    multiplicities,
    partitions,
    uniform_ensembles,
)
from oracles.voting import (
    ipc_objective,
    ipc_round,
    ipvc_distance,
    ipvc_round,
    members_of,
    problem,
    results,
    run,
    similarity,
)

ipc_without_self = partial(ipc_round, exclude_self=True)


def from_every_member(one_round, p, max_iter=100):
    """What may come out of every member, which have K clusters each: a set per start."""
    return [results(one_round, p, start, max_iter) for start in p.L.T.tolist()]


@given(uniform_ensembles(), st.data())
@examples(200)
def test_ipc_solutions_are_those_of_the_oracle(ensemble, data):
    L, K = ensemble
    weights = data.draw(member_weights(L.shape[1]))
    ends = from_every_member(ipc_round, problem(L, weights))
    found = partitions(fit(IPC(K), L, weights))
    assert len(found) == len(set(found))
    assert set(found) == set().union(*ends)


@given(uniform_ensembles(), st.data())
@examples(150)
def test_ipvc_solutions_are_those_of_the_oracle(ensemble, data):
    L, K = ensemble
    weights = data.draw(member_weights(L.shape[1]))
    ends = from_every_member(ipvc_round, problem(L, weights))
    assert set(partitions(fit(IPVC(K), L, weights))) == set().union(*ends)


@given(uniform_ensembles(), st.data())
@examples(150)
def test_without_the_object_itself(ensemble, data):
    # on a circle the best visited partition comes out; ties among the visited ones are open
    L, K = ensemble
    weights = data.draw(member_weights(L.shape[1]))
    ends = from_every_member(ipc_without_self, problem(L, weights))
    for method in (IPC, IPVC):
        found = set(partitions(fit(method(K, exclude_self=True), L, weights)))
        assert all(found & e for e in ends)
        assert found <= set().union(*ends)


@given(uniform_ensembles(), st.data())
@examples(100)
def test_numbers_of_every_solution(ensemble, data):
    L, K = ensemble
    weights = data.draw(member_weights(L.shape[1]))
    p = problem(L, weights)
    ipc, ipvc = fit(IPC(K), L, weights), fit(IPVC(K), L, weights)
    for model in (ipc, ipvc):
        for solution in model.solutions_:
            labels = solution.labels.tolist()
            closeness = ipc_objective(p, labels)
            expected = closeness if model is ipc else sum(p.w) * (1 - closeness)
            assert solution.objective == pytest.approx(float(expected))
            assert solution.criterion == pytest.approx(float(consensus_rand(labels, L, p.w)))
            assert ipc_round(p, labels) == labels
        criteria = [s.criterion for s in model.solutions_]
        assert criteria == sorted(criteria)
        assert model.labels_.tolist() == model.solutions_[0].labels.tolist()
        assert model.objective_ == pytest.approx(model.solutions_[0].objective)
        assert model.history_[-1] == pytest.approx(model.objective_)


@given(incomplete_ensembles(), st.data())
@examples(150)
def test_missing_labels(ensemble, data):
    # how a member that does not know all objects becomes a start is open; where it ends is not:
    # in a fixed point, or on the way into a circle (they exist, see below) where nothing is better
    L, K = ensemble
    weights = data.draw(member_weights(L.shape[1]))
    p = problem(L, weights)
    ipc, ipvc = fit(IPC(K), L, weights), fit(IPVC(K), L, weights)
    for solution in ipc.solutions_:
        labels = solution.labels.tolist()
        visited, circle = run(ipc_round, p, labels)
        assert circle or len(visited) == 1
        assert min(consensus_rand(v, L, p.w) for v in visited) == consensus_rand(labels, L, p.w)
        assert solution.criterion == pytest.approx(float(consensus_rand(labels, L, p.w)))
    assert partitions(ipc) == partitions(ipvc)
    for start in (c for c in L.T.tolist() if min(c) >= 0 and max(c) + 1 == K):
        assert results(ipc_round, p, start) <= set(partitions(ipc))


@given(incomplete_ensembles(max_n=8, max_r=3))
@examples(60)
def test_missing_labels_and_the_mean_similarity(ensemble):
    """Objects count alike, however many members know them: a ratio for each, then the mean."""
    L, K = ensemble
    p = problem(L)
    for solution in fit(IPC(K), L).solutions_:
        expected = ipc_objective(p, solution.labels.tolist())
        assert solution.objective == pytest.approx(float(expected))


@given(incomplete_ensembles())
@examples(100)
def test_missing_labels_without_the_object_itself(ensemble):
    L, K = ensemble
    p = problem(L)
    found = set(partitions(fit(IPC(K, exclude_self=True), L)))
    for start in (c for c in L.T.tolist() if min(c) >= 0 and max(c) + 1 == K):
        assert found & results(ipc_without_self, p, start)


@pytest.mark.parametrize("exclude_self", [False, True])
@given(ensemble=uniform_ensembles(max_n=8, max_r=4), data=st.data())
@examples(60)
def test_sample_weight_against_the_oracle(exclude_self, ensemble, data):
    L, K = ensemble
    m = data.draw(multiplicities(len(L)))
    model = fit(IPC(K, exclude_self=exclude_self), L, sample_weight=np.array(m, dtype=float))
    one_round = partial(ipc_round, exclude_self=exclude_self)
    rows = np.repeat(L, m, axis=0)
    ends = from_every_member(one_round, problem(rows))
    found = {canonical(np.repeat(p, m).tolist()) for p in partitions(model)}
    assert all(found & e for e in ends)
    assert found <= set().union(*ends)


@given(uniform_ensembles(), st.data())
@examples(60)
def test_the_two_scores_are_one(ensemble, data):
    """1(c): IPVC's distance is the summed weights times one minus IPC's similarity."""
    L, _ = ensemble
    p = problem(L, data.draw(member_weights(L.shape[1])))
    for objects in members_of(L[:, 0].tolist()).values():
        for i in range(len(L)):
            assert ipvc_distance(p, i, objects) == sum(p.w) * (1 - similarity(p, i, objects))


def test_rounds_in_a_circle_give_the_best_visited_partition():
    """The smallest circle of 1(c): two singletons change places for ever."""
    L = np.array([[0, 0], [1, 1], [0, 2], [1, 1]])
    visited, circle = run(ipc_without_self, problem(L), [0, 1, 2, 1])
    assert circle
    assert visited == [[0, 1, 2, 1], [2, 1, 0, 1]]
    model = fit(IPC(3, exclude_self=True), L)
    assert model.labels_.tolist() == [0, 1, 2, 1]


def test_the_objective_after_a_circle_is_that_of_the_returned_partition():
    # whether the object itself counts in the objective is open: either mean will do
    L = np.array([[0, 0, 0], [1, 1, 1], [1, 0, 1], [0, 1, 0], [0, 1, 0]])
    p = problem(L)
    for solution in fit(IPC(2, exclude_self=True), L).solutions_:
        labels = solution.labels.tolist()
        clusters = members_of(labels)
        without = [similarity(p, i, clusters[k], True) for i, k in enumerate(labels)]
        allowed = [float(ipc_objective(p, labels)), float(sum(without) / len(L))]
        assert any(solution.objective == pytest.approx(value) for value in allowed)


def test_rounds_in_a_circle_though_the_object_itself_counts():
    """With missing labels it happens: objects 2 and 3 go from cluster to cluster together."""
    L = np.array([[-1, 0, -1, 0], [-1, 1, -1, 0], [0, -1, 0, 0], [0, -1, 1, 0], [0, 2, 0, 0]])
    L = np.vstack([L, np.tile([0, 3, 0, 0], (9, 1))])
    start = [0, 1, 2, 2, 3, *[2] * 9]
    visited, circle = run(ipc_round, problem(L), start)
    assert circle
    assert [state[2:4] for state in visited] == [[2, 2], [0, 0], [1, 1]]
    assert results(ipc_round, problem(L), start) == {tuple(start)}
    # a member of next to no weight is a start that has no say
    model = fit(IPC(4), np.column_stack([L, start]), [1.0, 1.0, 1.0, 1.0, 1e-12])
    assert tuple(start) in partitions(model)
