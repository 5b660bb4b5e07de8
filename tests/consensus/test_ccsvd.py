"""CCSVD against a dense decomposition and every partition of the base clusters."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from consilience import Ensemble
from consilience.consensus import CCSVD
from consilience.consensus.correspondence._ccsvd import places_of_base_clusters
from oracles.correspondence import (
    partitions_with_sse,
    places,
    point_weights,
    singular_values,
    votes,
)
from oracles.plurality import agrees
from oracles.strategies import (
    examples,
    fit,
    incomplete_ensembles,
    member_weights,
)


def assume_determined(L, K, weights=None):
    """The K leading vectors span one space only if the next singular value is smaller."""
    sigma = np.append(singular_values(L, weights), 0.0)
    assume(len(sigma) - 1 <= K or sigma[K - 1] - sigma[K] > 1e-3)


def assert_is_a_vote_of_metaclusters(labels, objective, L, K, weights):
    points, weight = places(L, K, weights), point_weights(L, weights)
    for state in partitions_with_sse(points, weight, K, objective):
        table = votes(L, state, K, weights)
        if agrees(labels, [{k for k in range(K) if row[k] == max(row)} for row in table], K):
            return
    pytest.fail("no metaclusters with this sum of squares vote for these labels")


@given(incomplete_ensembles(), st.data())
@examples(200)
def test_places_are_those_of_the_dense_decomposition(ensemble, data):
    L, K = ensemble
    weights = data.draw(member_weights(L.shape[1]))
    assume_determined(L, K, weights)
    found = places_of_base_clusters(Ensemble(L, weights=weights), K)
    wanted = places(L, K, weights)
    # inner products do not depend on the signs of the vectors
    np.testing.assert_allclose(found @ found.T, wanted @ wanted.T, atol=1e-9)


@given(incomplete_ensembles(max_r=3), st.data())
@examples(150)
def test_labels_are_votes_of_metaclusters_with_the_objective(ensemble, data):
    L, K = ensemble
    weights = data.draw(member_weights(L.shape[1]))
    assume(len(point_weights(L)) <= 8)
    assume_determined(L, K, weights)
    model = fit(CCSVD(K, random_state=0), L, weights)
    assert_is_a_vote_of_metaclusters(model.labels_.tolist(), model.objective_, L, K, weights)


@given(incomplete_ensembles(), st.data())
@examples(60)
def test_weight_two_is_a_member_twice(ensemble, data):
    L, K = ensemble
    j = data.draw(st.integers(0, L.shape[1] - 1))
    weights = np.ones(L.shape[1])
    weights[j] = 2.0
    assume_determined(L, K, weights)
    weighted = places_of_base_clusters(Ensemble(L, weights=weights), K)
    twice = places_of_base_clusters(Ensemble(np.hstack([L, L[:, [j]]])), K)[: len(weighted)]
    np.testing.assert_allclose(weighted @ weighted.T, twice @ twice.T, atol=1e-9)


def test_fewer_base_clusters_than_metaclusters():
    L = np.array([[0, 0], [0, 1], [1, 0], [1, 1], [0, 0]])
    model = fit(CCSVD(4, random_state=0), L)
    assert model.n_clusters_ <= 4
    assert model.objective_ == pytest.approx(0, abs=1e-9)
