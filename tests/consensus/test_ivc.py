"""IVC against k-modes written out object by object."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from consilience.consensus import IVC
from oracles.agreement import anmi, consensus_rand
from oracles.labels import canonical
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


@given(uniform_ensembles(max_n=8, max_r=4), st.data())
@examples(60)
def test_sample_weight_against_the_oracle(ensemble, data):
    L, K = ensemble
    m = data.draw(multiplicities(len(L)))
    model = fit(IVC(K), L, sample_weight=np.array(m, dtype=float))
    rows = np.repeat(L, m, axis=0)
    ends = from_every_member(problem(rows))
    assert {canonical(np.repeat(p, m).tolist()) for p in partitions(model)} == ends
