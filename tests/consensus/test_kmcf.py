"""KMCF against k-means on the dense one-hot matrix."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from consilience import Ensemble
from consilience.consensus import KMCF
from oracles.kmeans import explained, features, is_fixed_point, optimum, reachable, sse
from oracles.strategies import (
    ensembles,
    examples,
    fit,
    incomplete_ensembles,
    member_weights,
    partitions,
)


@given(incomplete_ensembles(), st.data())
@examples(150)
def test_every_solution_is_a_fixed_point_with_its_sse(ensemble, data):
    L, K = ensemble
    weights = data.draw(member_weights(L.shape[1]))
    F = features(L, weights)
    model = fit(KMCF(K, random_state=0), L, weights)
    found = partitions(model)
    assert len(found) == len(set(found))
    for labels, solution in zip(found, model.solutions_, strict=True):
        assert len(set(labels)) == min(K, len(np.unique(F.round(12), axis=0)))
        assert is_fixed_point(F, labels)
        assert solution.objective == pytest.approx(sse(F, labels), abs=1e-9)
    assert model.labels_.tolist() == list(found[0])
    assert model.objective_ == min(s.objective for s in model.solutions_)


@given(ensembles(), st.data())
@examples(150)
def test_unit_variance(ensemble, data):
    # with missing labels the variance could be taken over all or the known objects: complete only
    L, K = ensemble
    weights = data.draw(member_weights(L.shape[1]))
    F = features(L, weights, unit_variance=True)
    model = fit(KMCF(K, unit_variance=True, random_state=0), L, weights)
    for labels, solution in zip(partitions(model), model.solutions_, strict=True):
        assert is_fixed_point(F, labels)
        assert solution.objective == pytest.approx(sse(F, labels), abs=1e-9)


@pytest.mark.parametrize("unit_variance", [False, True])
@given(ensemble=ensembles(max_n=6, max_r=4), data=st.data())
@examples(40)
def test_many_restarts_find_the_optimum(unit_variance, ensemble, data):
    # k-means cannot reach every optimum: from L = 0 1 1 2, K = 2, unit variance, no start does
    L, K = ensemble
    weights = data.draw(member_weights(L.shape[1]))
    method = KMCF(K, n_init=100, unit_variance=unit_variance, random_state=0)
    F = features(L, weights, unit_variance=unit_variance)
    sse_found = fit(method, L, weights).objective_
    assert optimum(F, K) - 1e-9 <= sse_found <= reachable(F, K) + 1e-9


@given(ensembles(), st.data())
@examples(100)
def test_what_is_explained_is_the_category_utility(ensemble, data):
    L, K = ensemble
    weights = data.draw(member_weights(L.shape[1])) or [1.0] * L.shape[1]
    model = fit(KMCF(K, random_state=0), L, weights)
    total = (features(L, weights) ** 2).sum()
    expected = explained(model.labels_.tolist(), L, weights)
    assert total - model.objective_ == pytest.approx(expected, abs=1e-9)


@given(ensembles())
@examples(40)
def test_one_cluster_members_change_nothing(ensemble):
    L, K = ensemble
    constant = np.zeros((len(L), 1), dtype=L.dtype)
    alone = fit(KMCF(K, random_state=0), L)
    beside = fit(KMCF(K, random_state=0), np.hstack([constant, L]))
    assert alone.labels_.tolist() == beside.labels_.tolist()
    assert alone.objective_ == pytest.approx(beside.objective_, abs=1e-9)


@given(st.integers(0, 2**32), st.integers(2, 3))
@examples(40)
def test_soft_members(seed, K):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, 12))
    memberships = [rng.dirichlet(np.full(k, 0.5), size=n) for k in rng.integers(2, 5, size=3)]
    F = np.hstack(memberships) - np.hstack(memberships).mean(axis=0)
    for solution in fit(KMCF(K, random_state=0), Ensemble.from_memberships(memberships)).solutions_:
        assert is_fixed_point(F, solution.labels.tolist())
        assert solution.objective == pytest.approx(sse(F, solution.labels))
