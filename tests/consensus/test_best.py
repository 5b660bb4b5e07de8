"""BEST against all pairs of members."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from consilience.consensus import BEST
from oracles.agreement import consensus_rand
from oracles.best import best_by_anmi, best_by_rand, rand_sums
from oracles.labels import all_partitions, cluster_counts
from oracles.strategies import (
    examples,
    fit,
    incomplete_matrices,
    label_matrices,
    member_weights,
)


@given(label_matrices(), st.data())
@examples(200)
def test_the_member_with_the_least_rand_distance(L, data):
    weights = data.draw(member_weights(L.shape[1]))
    j = best_by_rand(L, weights)
    model = fit(BEST(), L, weights)
    assert model.member_ == f"member_{j}"
    assert model.labels_.tolist() == L[:, j].tolist()
    assert model.objective_ == pytest.approx(float(consensus_rand(L[:, j], L, weights)))


@given(label_matrices(), st.data())
@examples(150)
def test_the_member_with_the_largest_mean_nmi(L, data):
    # among members that tie up to rounding the first cannot be told apart here
    weights = data.draw(member_weights(L.shape[1]))
    model = fit(BEST(criterion="anmi"), L, weights)
    allowed = best_by_anmi(L, weights)
    assert model.member_ in {f"member_{j}" for j in allowed}


@given(label_matrices(min_r=2), st.data())
@examples(150)
def test_only_members_with_the_wanted_number_of_clusters(L, data):
    counts = cluster_counts(L)
    assume(max(counts) > 1)
    K = data.draw(st.sampled_from([count for count in counts if count > 1]))
    j = best_by_rand(L, among=[j for j, count in enumerate(counts) if count == K])
    model = fit(BEST(K), L)
    assert model.member_ == f"member_{j}"
    assert model.labels_.tolist() == L[:, j].tolist()


@given(incomplete_matrices(), st.data())
@examples(150)
def test_missing_labels(L, data):
    # members are compared on the objects that both know; objects that the best one does not know
    # may go to any of its clusters, and members that share fewer than two objects say nothing
    known = (L >= 0).astype(int)
    assume((known.T @ known).min() >= 2)
    weights = data.draw(member_weights(L.shape[1]))
    j = best_by_rand(L, weights)
    model = fit(BEST(), L, weights)
    assert model.member_ == f"member_{j}"
    pairs = {
        (a, b) for a, b in zip(L[:, j].tolist(), model.labels_.tolist(), strict=True) if a >= 0
    }
    assert len(pairs) == cluster_counts(L)[j] == model.labels_.max() + 1
    assert model.labels_.min() == 0


@given(label_matrices(max_n=6, max_r=4))
@examples(40)
def test_within_twice_the_optimum(L):
    r = L.shape[1]
    least = min(consensus_rand(p, L) for p in all_partitions(len(L), len(L)))
    best = fit(BEST(), L).objective_
    assert float(least) - 1e-12 <= best <= float(2 * (1 - 1 / r) * least) + 1e-12


def test_ties_go_to_the_first_member():
    L = np.array([[0, 0], [0, 1], [1, 1], [1, 0]])
    assert rand_sums(L)[0] == rand_sums(L)[1]
    assert fit(BEST(), L).member_ == "member_0"
    assert fit(BEST(), L[:, ::-1]).labels_.tolist() == L[:, 1].tolist()
