"""Numbers worked out by hand: six objects of Nguyen and Caruana, seven of Strehl and Ghosh."""

from fractions import Fraction
from functools import partial

import numpy as np
import pytest

from consilience.consensus import BEST, IPC, IPVC, IVC, KMCF
from consilience.metrics import anmi, consensus_rand, pairwise_nmi, pairwise_rand, snmi
from oracles import agreement, kmeans, voting
from oracles.best import best_by_rand, rand_sums
from oracles.correlation import co_association
from oracles.labels import all_partitions, canonical, canonical_members
from oracles.mixture import expect, maximise
from oracles.strategies import fit, partitions
from oracles.voting import ipc_round, ivc_round, problem

# figure 1 of the paper, printed labels minus 1: rows x1..x6, columns I..IV
PRINTED = np.array(
    [[0, 1, 1, 0], [0, 0, 0, 0], [0, 0, 1, 1], [1, 1, 0, 0], [1, 1, 1, 1], [0, 1, 1, 1]]
)
SIX = canonical_members(PRINTED)
TRUTH = [0, 0, 0, 1, 1, 1]
MEMBERS = [(0, 0, 0, 1, 1, 0), (0, 1, 1, 0, 0, 0), (0, 1, 0, 1, 0, 0), (0, 0, 1, 0, 1, 1)]
SIMILARITY = [
    [1.0, 0.5, 0.5, 0.5, 0.5, 0.75],
    [0.5, 1.0, 0.5, 0.5, 0.0, 0.25],
    [0.5, 0.5, 1.0, 0.0, 0.5, 0.75],
    [0.5, 0.5, 0.0, 1.0, 0.5, 0.25],
    [0.5, 0.0, 0.5, 0.5, 1.0, 0.75],
    [0.75, 0.25, 0.75, 0.25, 0.75, 1.0],
]
RAND_TIMES_15 = [[0, 8, 8, 9], [8, 0, 8, 9], [8, 8, 0, 5], [9, 9, 5, 0]]
NMI = [
    [1.0, 0.274017542, 0.048035084, 0.0],
    [0.274017542, 1.0, 0.048035084, 0.0],
    [0.048035084, 0.048035084, 1.0, 0.479138767],
    [0.0, 0.0, 0.479138767, 1.0],
]
IPC_INCLUDED = [(8, 7), (8, 3), (8, 5), (4, 7), (4, 9), (7, 8)]  # times 1/12
IPC_EXCLUDED = [(12, 14), (12, 6), (12, 10), (8, 9), (8, 15), (14, 12)]  # times 1/24

# seven objects, members 1112233 2223311 1122333 12?12??
SEVEN = np.array([[0, 0, 0, 1, 1, 2, 2], [1, 1, 1, 2, 2, 0, 0], [0, 0, 1, 1, 2, 2, 2]])
SEVEN = canonical_members(np.vstack([SEVEN, [0, 1, -1, 0, 1, -1, -1]]).T)
WANTED = [0, 0, 0, 1, 1, 2, 2]


def test_similarities_are_the_printed_ones():
    S = co_association(SIX, [Fraction(1)] * 4)
    assert np.array(S, dtype=float).tolist() == SIMILARITY


def test_rand_distances():
    ours = [[agreement.rand_distance(a, b) * 15 for b in MEMBERS] for a in MEMBERS]
    assert ours == RAND_TIMES_15
    assert pairwise_rand(SIX) * 15 == pytest.approx(np.array(RAND_TIMES_15))
    assert [15 * s for s in rand_sums(SIX)] == [25, 25, 21, 23]


def test_consensus_rand_of_the_truth_and_of_the_optimum():
    assert agreement.consensus_rand(TRUTH, SIX) == Fraction(27, 60)
    assert consensus_rand(TRUTH, SIX) == pytest.approx(27 / 60)
    two = [p for p in all_partitions(6, 2) if max(p) == 1]
    assert len(two) == 31
    assert min(two, key=lambda p: agreement.consensus_rand(p, SIX)) == MEMBERS[2]
    assert consensus_rand(MEMBERS[2], SIX) == pytest.approx(21 / 60)


def test_nmi_of_the_members_and_snmi_of_the_truth():
    assert pairwise_nmi(SIX) == pytest.approx(np.array(NMI), abs=1e-9)
    ours = [[agreement.nmi(a, b) for b in MEMBERS] for a in MEMBERS]
    assert np.array(ours) == pytest.approx(np.array(NMI), abs=1e-9)
    assert agreement.snmi(TRUTH, SIX) == pytest.approx(1.039981701)
    assert snmi(TRUTH, SIX) == pytest.approx(1.039981701)


def test_best_is_the_third_member():
    assert best_by_rand(SIX) == 2
    model = fit(BEST(), SIX)
    assert model.member_ == "member_2"
    assert tuple(model.labels_.tolist()) == MEMBERS[2]
    assert model.objective_ == pytest.approx(21 / 60)


def test_ivc_at_the_truth():
    p = problem(PRINTED)
    assert voting.ivc_centres(p, TRUTH) == {0: [0, 0, 1, 0], 1: [1, 1, 1, 1]}
    distances = [
        [voting.hamming(row, c, p.w) for c in voting.ivc_centres(p, TRUTH).values()]
        for row in PRINTED
    ]
    assert distances == [[1, 2], [1, 4], [1, 2], [3, 2], [3, 0], [2, 1]]
    assert voting.ivc_objective(problem(SIX), TRUTH) == 6


def test_ipc_at_the_truth():
    p = problem(SIX)
    clusters = voting.members_of(TRUTH).values()
    included = [tuple(12 * voting.similarity(p, i, c) for c in clusters) for i in range(6)]
    excluded = [tuple(24 * voting.similarity(p, i, c, True) for c in clusters) for i in range(6)]
    distances = [tuple(3 * voting.ipvc_distance(p, i, c) for c in clusters) for i in range(6)]
    assert included == IPC_INCLUDED
    assert excluded == IPC_EXCLUDED
    assert distances == [(12 - a, 12 - b) for a, b in IPC_INCLUDED]
    assert ipc_round(p, TRUTH) == TRUTH
    assert ipc_round(p, TRUTH, exclude_self=True) == [1, 0, 0, 1, 1, 0]


@pytest.mark.parametrize("one_round", [ivc_round, ipc_round])
def test_members_and_truth_are_the_fixed_points(one_round):
    p = problem(SIX)
    for state in [*MEMBERS, tuple(TRUTH)]:
        assert tuple(one_round(p, list(state))) == state


@pytest.mark.parametrize("method", [IVC, IPC, IPVC])
def test_members_are_the_solutions(method):
    model = fit(method(2), SIX)
    assert set(partitions(model)) == set(MEMBERS)
    assert tuple(model.labels_.tolist()) == MEMBERS[2]
    assert model.solutions_[0].criterion == pytest.approx(21 / 60)


# a member of next to no weight is a start that has no say
WITH_TRUTH = {"L": np.column_stack([SIX, TRUTH]), "weights": [1.0, 1.0, 1.0, 1.0, 1e-12]}


@pytest.mark.parametrize("method", [IVC, IPC, IPVC])
def test_the_truth_as_a_start_stays(method):
    assert set(partitions(fit(method(2), **WITH_TRUTH))) == {*MEMBERS, tuple(TRUTH)}


@pytest.mark.parametrize("method", [IPC, IPVC])
def test_the_truth_goes_in_a_circle_without_self(method):
    """x1 and x6 change sides for ever; both partitions are 27/60 away, so either may come out."""
    circle = {tuple(TRUTH), (0, 1, 1, 0, 0, 1)}
    visited, returns = voting.run(partial(ipc_round, exclude_self=True), problem(SIX), TRUTH)
    assert returns
    assert {canonical(state) for state in visited} == circle
    one_round = fit(method(2, exclude_self=True, max_iter=1), **WITH_TRUTH)
    assert circle & set(partitions(one_round)) == {(0, 1, 1, 0, 0, 1)}
    assert len(circle & set(partitions(fit(method(2, exclude_self=True), **WITH_TRUTH)))) == 1


def test_keeping_the_current_cluster_matters():
    """From member II with the printed labels, lowest index first would end at member III."""
    start = PRINTED[:, 1].tolist()
    assert ivc_round(problem(PRINTED), start) == start
    assert canonical(start) in partitions(fit(IVC(2), PRINTED))


@pytest.mark.parametrize("unit_variance", [False, True])
def test_kmcf(unit_variance):
    F = kmeans.features(SIX, unit_variance=unit_variance)
    model = fit(KMCF(2, n_init=50, unit_variance=unit_variance, random_state=0), SIX)
    if not unit_variance:
        assert kmeans.sse(F, TRUTH) == pytest.approx(8.0)
        assert kmeans.optimum(F, 2) == pytest.approx(6.5)
        assert model.objective_ == pytest.approx(6.5)
        assert tuple(model.labels_.tolist()) == MEMBERS[2]
    assert model.objective_ == pytest.approx(kmeans.optimum(F, 2))


def test_em_from_the_m_step_of_the_truth():
    rho = np.eye(2)[TRUTH]
    found, total = expect(SIX, *maximise(SIX, rho, smoothing=0.0), [1.0] * 4)
    assert found[:, 0] == pytest.approx(np.array([2 / 3, 1, 1, 0, 0, 1 / 3]))
    assert total == pytest.approx(-14.805207896)


def test_anmi_with_missing_labels():
    singles = [agreement.nmi(WANTED, column) for column in SEVEN.T.tolist()]
    assert singles == pytest.approx([1, 1, 0.563636, 0], abs=1e-6)
    assert sum(singles) / 4 == pytest.approx(0.640908888)
    assert agreement.anmi(WANTED, SEVEN) == pytest.approx(0.717817955)
    assert anmi(WANTED, SEVEN) == pytest.approx(0.717817955)


def test_the_wanted_partition_has_the_largest_anmi():
    three = [p for p in all_partitions(7, 3) if max(p) == 2]
    assert max(three, key=lambda p: agreement.anmi(p, SEVEN)) == tuple(WANTED)
    plain = {p: agreement.snmi(p, SEVEN) / 4 for p in three}
    assert max(plain, key=plain.get) == (0, 0, 0, 1, 2, 2, 2)
    assert max(plain.values()) == pytest.approx(0.682927913)


@pytest.mark.parametrize("method", [IVC, IPC, IPVC])
def test_seven_objects_are_put_as_wanted(method):
    model = fit(method(3, criterion="anmi"), SEVEN)
    assert model.labels_.tolist() == WANTED
