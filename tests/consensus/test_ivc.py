"""IVC against k-modes written out object by object."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from consilience.consensus import IVC
from oracles.agreement import anmi, consensus_rand
from oracles.labels import canonical, profiles
from oracles.strategies import (
    ensembles,
    examples,
    fit,
    incomplete_ensembles,
    member_weights,
    multiplicities,
    partitions,
    uniform_ensembles,
)
from oracles.voting import ivc_objective, ivc_round, problem, results, results_of_any_member, run


def from_every_member(p, max_iter=100):
    """Results of IVC from all members, which have K clusters each."""
    return set().union(*(results(ivc_round, p, start, max_iter) for start in p.L.T.tolist()))


@given(uniform_ensembles(), st.data())
@examples(200)
def test_solutions_are_those_of_the_oracle(ensemble, data):
    L, K = ensemble
    weights = data.draw(member_weights(L.shape[1]))
    p = problem(L, weights)
    model = fit(IVC(K), L, weights)
    found = partitions(model)
    assert len(found) == len(set(found))
    assert set(found) == from_every_member(p)


@given(uniform_ensembles(), st.integers(1, 2), st.data())
@examples(150)
def test_a_limited_number_of_rounds(ensemble, max_iter, data):
    L, K = ensemble
    weights = data.draw(member_weights(L.shape[1]))
    p = problem(L, weights)
    model = fit(IVC(K, max_iter=max_iter), L, weights)
    assert set(partitions(model)) == from_every_member(p, max_iter)


@given(uniform_ensembles(), st.data())
@examples(150)
def test_numbers_of_every_solution(ensemble, data):
    L, K = ensemble
    weights = data.draw(member_weights(L.shape[1]))
    p = problem(L, weights)
    model = fit(IVC(K), L, weights)
    for solution in model.solutions_:
        labels = solution.labels.tolist()
        assert solution.objective == pytest.approx(float(ivc_objective(p, labels)))
        assert solution.criterion == pytest.approx(float(consensus_rand(labels, L, p.w)))
        assert ivc_round(p, labels) == labels
    criteria = [s.criterion for s in model.solutions_]
    assert criteria == sorted(criteria)
    assert model.labels_.tolist() == model.solutions_[0].labels.tolist()
    assert model.objective_ == pytest.approx(float(ivc_objective(p, model.labels_.tolist())))


@pytest.mark.parametrize("criterion", ["rand", "anmi", "objective"])
@given(ensemble=uniform_ensembles(), data=st.data())
@examples(100)
def test_the_best_solution_is_kept(criterion, ensemble, data):
    L, K = ensemble
    weights = data.draw(member_weights(L.shape[1]))
    p = problem(L, weights)
    loss = {
        "rand": lambda labels: float(consensus_rand(labels, L, p.w)),
        "anmi": lambda labels: -anmi(labels, L, p.w),
        "objective": lambda labels: float(ivc_objective(p, labels)),
    }[criterion]
    model = fit(IVC(K, criterion=criterion), L, weights)
    best = min(loss(labels) for labels in from_every_member(p))
    assert loss(model.labels_.tolist()) == pytest.approx(best, abs=1e-9)


@given(uniform_ensembles(), st.data())
@examples(100)
def test_history_follows_a_run_of_the_oracle(ensemble, data):
    L, K = ensemble
    weights = data.draw(member_weights(L.shape[1]))
    p = problem(L, weights)
    model = fit(IVC(K), L, weights)
    history = model.history_
    assert all(b <= a + 1e-9 for a, b in pairwise(history))
    assert history[-1] == pytest.approx(model.objective_)
    runs = [run(ivc_round, p, start)[0] for start in L.T.tolist()]
    kept = [r for r in runs if canonical(r[-1]) == tuple(model.labels_.tolist())]
    starts = [float(ivc_objective(p, r[0])) for r in kept]
    assert any(history[0] == pytest.approx(s) for s in starts)


@given(ensembles(max_n=12, max_r=5), st.data())
@examples(150)
def test_members_with_other_numbers_of_clusters(ensemble, data):
    L, K = ensemble
    # ties of the merging and splitting rule and the numbering after it are open: all are allowed
    weights = data.draw(member_weights(L.shape[1]))
    p = problem(L, weights)
    model = fit(IVC(K), L, weights)
    found = set(partitions(model))
    allowed = [results_of_any_member(ivc_round, p, j, K) for j in range(L.shape[1])]
    assert all(found & ends for ends in allowed)
    assert found <= set().union(*allowed)


@given(incomplete_ensembles(), st.data())
@examples(200)
def test_missing_labels(ensemble, data):
    L, K = ensemble
    # how a member that does not know all objects becomes a start is open; where it ends is not
    weights = data.draw(member_weights(L.shape[1]))
    p = problem(L, weights)
    model = fit(IVC(K), L, weights)
    for solution in model.solutions_:
        labels = solution.labels.tolist()
        assert ivc_round(p, labels) == labels
        assert solution.objective == pytest.approx(float(ivc_objective(p, labels)))
        assert solution.criterion == pytest.approx(float(consensus_rand(labels, L, p.w)))
    complete = [c for c in L.T.tolist() if min(c) >= 0 and max(c) + 1 == K]
    for start in complete:
        assert results(ivc_round, p, start) <= set(partitions(model))


@given(incomplete_ensembles(), st.data())
@examples(100)
def test_sample_weight_repeats_rows(ensemble, data):
    L, K = ensemble
    m = data.draw(multiplicities(len(L)))
    weights = data.draw(member_weights(L.shape[1]))
    weighted = fit(IVC(K), L, weights, sample_weight=np.array(m, dtype=float))
    repeated = fit(IVC(K), np.repeat(L, m, axis=0), weights)
    assert np.repeat(weighted.labels_, m).tolist() == repeated.labels_.tolist()
    assert weighted.objective_ == pytest.approx(repeated.objective_)
    assert [s.criterion for s in weighted.solutions_] == pytest.approx(
        [s.criterion for s in repeated.solutions_]
    )
    expanded = {canonical(np.repeat(p, m).tolist()) for p in partitions(weighted)}
    assert expanded == set(partitions(repeated))


@given(uniform_ensembles(max_n=8, max_r=4), st.data())
@examples(60)
def test_sample_weight_against_the_oracle(ensemble, data):
    L, K = ensemble
    m = data.draw(multiplicities(len(L)))
    model = fit(IVC(K), L, sample_weight=np.array(m, dtype=float))
    rows = np.repeat(L, m, axis=0)
    ends = from_every_member(problem(rows))
    assert {canonical(np.repeat(p, m).tolist()) for p in partitions(model)} == ends


@given(ensembles(min_r=2))
@examples(60)
def test_weight_zero_removes_a_member(ensemble):
    L, K = ensemble
    assume(len(profiles(L[:, :-1])) >= K)
    with_zero = fit(IVC(K), L, [1.0] * (L.shape[1] - 1) + [0.0])
    without = fit(IVC(K), L[:, :-1])
    assert set(partitions(with_zero)) == set(partitions(without))
    assert with_zero.labels_.tolist() == without.labels_.tolist()


@given(uniform_ensembles(), st.data())
@examples(60)
def test_identical_members_come_back(ensemble, data):
    L, K = ensemble
    j = data.draw(st.integers(0, L.shape[1] - 1))
    model = fit(IVC(K), np.repeat(L[:, [j]], 3, axis=1))
    assert model.labels_.tolist() == L[:, j].tolist()
    assert model.objective_ == 0


def test_an_unlabelled_object_joins_the_largest_cluster():
    L = np.array([[0, 0], [0, 0], [-1, -1], [0, 0], [1, 1], [1, 1]])
    model = fit(IVC(2), L)
    assert model.labels_.tolist() == [0, 0, 0, 0, 1, 1]
    assert model.solutions_[0].criterion == 0
