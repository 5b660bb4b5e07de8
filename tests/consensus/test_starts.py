"""Random starts of IVC, IPVC, IPC, KMCF and Labelling, against all starts written out."""

from functools import partial
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from consilience import Ensemble
from consilience.consensus import IPC, IPVC, IVC, KMCF, Labelling
from consilience.consensus.voting._iterative_voting import distinct_starts, random_partition
from consilience.partition import random_rows
from oracles import kmeans, labelling
from oracles.labels import canonical, canonical_members
from oracles.strategies import (
    examples,
    fit,
    incomplete_ensembles,
    member_weights,
    partitions,
    uniform_ensembles,
)
from oracles.voting import hamming, ipc_round, ivc_round, problem, results

# Figure 1 of Nguyen and Caruana: four members of six objects, and the printed truth.
SIX = np.array([[0, 0, 0, 1, 1, 0], [1, 0, 0, 1, 1, 1], [1, 0, 1, 0, 1, 1], [0, 0, 1, 0, 1, 1]]).T
TRUTH = (0, 0, 0, 1, 1, 1)

VOTING = [pytest.param(f, id=f.__name__) for f in (IVC, IPVC, IPC)]
ROUNDS = {IVC: ivc_round, IPVC: ipc_round, IPC: ipc_round}


def _nearest_row(p, rows):
    """Every object with the one of some rows that disagrees with it in the fewest members."""
    start = []
    for row in p.L:
        distances = [hamming(row, p.L[other].tolist(), p.w) for other in rows]
        start.append(distances.index(min(distances)))
    return start


@pytest.mark.parametrize("function", VOTING)
def test_the_truth_of_the_paper_is_reached_from_random_partitions_alone(function):
    from_members = fit(function(2, n_init=100, random_state=0), SIX)
    assert TRUTH not in partitions(from_members)
    model = fit(function(2, init="random_partition", n_init=100, random_state=0), SIX)
    assert TRUTH in partitions(model)
    # every solution is where some bipartition leads
    p = problem(canonical_members(SIX))
    reached = set()
    for code in range(1, 2**6 - 1):
        reached |= results(ROUNDS[function], p, [code >> i & 1 for i in range(6)])
    assert set(partitions(model)) <= reached


def _distinct_pairs(L):
    """Ordered pairs of rows with different labels."""
    rows = [i for i in range(len(L)) if L[i].tolist() not in L[:i].tolist()]
    return list(permutations(rows, 2))


def _ends_of_random_rows(function, L, weights=None):
    """Where any two rows as representatives lead."""
    p = problem(L, weights)
    ends = [results(ROUNDS[function], p, _nearest_row(p, pair)) for pair in _distinct_pairs(p.L)]
    return set().union(*ends)


@pytest.mark.parametrize("function", VOTING)
@given(ensemble=uniform_ensembles(max_n=7, max_r=4), data=st.data())
@examples(60)
def test_random_rows_lead_where_the_oracle_says(function, ensemble, data):
    L, _ = ensemble
    weights = data.draw(member_weights(L.shape[1]))
    found = fit(function(2, init="random_rows", n_init=10, random_state=0), L, weights)
    assert set(partitions(found)) <= _ends_of_random_rows(function, L, weights)


@pytest.mark.parametrize("function", VOTING)
def test_many_random_rows_lead_everywhere(function):
    found = fit(function(2, init="random_rows", n_init=300, random_state=0), SIX)
    assert set(partitions(found)) == _ends_of_random_rows(function, canonical_members(SIX))


@pytest.mark.parametrize("function", VOTING)
@pytest.mark.parametrize("init", ["random_partition", "random_rows"])
@given(ensemble=incomplete_ensembles(), data=st.data())
@examples(40)
def test_missing_labels_end_in_fixed_points(function, init, ensemble, data):
    L, K = ensemble
    weights = data.draw(member_weights(L.shape[1]))
    p = problem(L, weights)
    model = fit(function(K, init=init, n_init=5, random_state=0), L, weights)
    for solution in model.solutions_:
        labels = solution.labels.tolist()
        assert canonical(labels) in results(ROUNDS[function], p, labels)


def test_a_random_partition_is_uniform_and_uses_every_cluster():
    ensemble = Ensemble(np.zeros((60_000, 2), dtype=int))
    labels = random_partition(ensemble, 3, np.random.default_rng(0))
    assert labels.dtype == np.int32
    assert labels.tolist() == np.random.default_rng(0).integers(3, size=60_000, dtype="u1").tolist()
    assert np.abs(np.bincount(labels) - 20_000).max() < 5 * np.sqrt(60_000 * 2 / 9)
    few = Ensemble(np.arange(5)[:, None])
    for seed in range(50):
        assert sorted(random_partition(few, 5, np.random.default_rng(seed))) == [0, 1, 2, 3, 4]
        four = random_partition(few, 4, np.random.default_rng(seed))
        assert set(four.tolist()) == {0, 1, 2, 3}


def test_objects_of_weight_zero_fill_no_cluster():
    ensemble = Ensemble(np.arange(6)[:, None]).with_sample_weight([0, 0, 0, 0, 1, 1])
    for seed in range(30):
        labels = random_partition(ensemble, 2, np.random.default_rng(seed))
        assert set(labels[4:].tolist()) == {0, 1}
        assert len(set(random_partition(ensemble, 3, np.random.default_rng(seed))[4:])) == 2


def test_identical_objects_may_start_apart():
    L = np.repeat(SIX, 10, axis=0)
    together = IPC(2).active_capabilities().profile_exact
    apart = IPC(2, init="random_partition").active_capabilities().profile_exact
    assert (together, apart) == (True, False)
    one = fit(IPC(2, init="random_partition", n_init=20, random_state=0), L)
    again = fit(IPC(2, init="random_partition", n_init=20, random_state=0), L)
    assert one.labels_.tolist() == again.labels_.tolist()
    assert len(set(partitions(one))) > 1


def test_equal_starts_are_run_once():
    ensemble = Ensemble(np.array([[0, 0], [1, 1]]))
    starts = distinct_starts(
        ensemble, 2, np.random.default_rng(0), init="random_partition", n_init=40
    )
    assert sorted(start.tolist() for start in starts) == [[0, 1], [1, 0]]


def test_rows_are_drawn_in_proportion_to_their_weights_and_are_distinct():
    H = Ensemble(np.array([[0, 0], [0, 0], [1, 0], [1, 1], [0, 1]])).incidence
    weight = np.array([1.0, 1.0, 4.0, 0.0, 2.0])
    counts = np.zeros((3, 3))
    which = {0: 0, 1: 0, 2: 1, 4: 2}  # row -> its profile, of weights 2, 4, 2
    for seed in range(4_000):
        first, second = random_rows(H, weight, 2, np.random.default_rng(seed)).tolist()
        counts[which[first], which[second]] += 1
    chances = np.array([0.25, 0.5, 0.25])
    for a in range(3):
        assert counts[a, a] == 0
        for b in range(3):
            chance = 0 if a == b else chances[a] * chances[b] / (1 - chances[a])
            assert counts[a, b] / 4_000 == pytest.approx(chance, abs=0.03)
    assert len(random_rows(H, weight, 5, np.random.default_rng(0))) == 3


def _plain_kmeans(Y, seeds, distance, means):
    """Lloyd's rounds from the rows `seeds`; ties: keep, else the first. Two clusters never empty."""
    C, labels = [Y[i] for i in seeds], None
    while True:
        moved = []
        for i, row in enumerate(Y):
            distances = [distance(row, c) for c in C]
            near = [k for k, d in enumerate(distances) if d <= min(distances) + 1e-9]
            moved.append(labels[i] if labels and labels[i] in near else near[0])
        if moved == labels:
            return canonical(labels)
        labels = moved
        C = means(labels)


def _ends_of_kmcf(L, weights=None):
    F = kmeans.features(L, weights)
    return {
        _plain_kmeans(F, pair, lambda a, b: ((a - b) ** 2).sum(), partial(kmeans.centres, F))
        for pair in _distinct_pairs(L)
    }


@given(uniform_ensembles(max_n=7, max_r=4), st.data())
@examples(60)
def test_one_run_of_kmcf_from_random_rows(ensemble, data):
    L, _ = ensemble
    weights = data.draw(member_weights(L.shape[1]))
    model = fit(KMCF(2, init="random_rows", n_init=1, random_state=0), L, weights)
    assert len(model.solutions_) == 1
    assert partitions(model)[0] in _ends_of_kmcf(L, weights)


def test_many_runs_of_kmcf_from_random_rows():
    L = canonical_members(SIX)
    model = fit(KMCF(2, init="random_rows", n_init=300, random_state=0), L)
    assert set(partitions(model)) == _ends_of_kmcf(L)


def test_labelling_from_random_rows():
    L = np.array([[0, 0], [0, 1], [1, 1], [1, 2], [2, 2], [2, 0], [2, 1]])
    centres = [[[0.0], [1.0], [5.0]], [[0.0], [2.0], [3.0]]]
    Y = labelling.features(L, centres)
    w, m = [1.0, 1.0], np.ones(len(L))
    ends = {
        _plain_kmeans(
            Y,
            pair,
            lambda row, centre: labelling.distance(row, centre, w),
            lambda labels: labelling.means(Y, labels, w, m),
        )
        for pair in permutations(range(len(L)), 2)
    }
    assert len(ends) > 1
    ensemble = Ensemble(L).with_cluster_tables(centres=centres)
    model = fit(Labelling(2, init="random_rows", n_init=200, random_state=0), ensemble)
    assert set(partitions(model)) == ends
    single = fit(Labelling(2, init="random_rows", n_init=1, random_state=0), ensemble)
    assert len(single.solutions_) == 1
    assert partitions(single)[0] in ends
