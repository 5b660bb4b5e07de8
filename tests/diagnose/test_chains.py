"""Chains of objects with wide borders between them."""

import numpy as np
import pytest
from scipy.cluster.hierarchy import linkage
from sklearn.datasets import make_moons

from consilience.diagnose._chains import _Borders, chains, nearest_of, spanning_tree
from consilience.diagnose._neighbour_graph import NeighbourGraph
from consilience.diagnose._seams import Seams


def spirals(seed, n_samples=300):
    """Two arms whose inner ends are sparse, and the arm of every object."""
    rng = np.random.default_rng(seed)
    arm = rng.integers(0, 2, n_samples)
    turn = 1.5 + np.sqrt(rng.random(n_samples)) * 2.5 * np.pi
    angle = turn + np.pi * arm
    rows = turn[:, None] * np.c_[np.cos(angle), np.sin(angle)] / 4
    return rows + 0.06 * rng.standard_normal((n_samples, 2)), arm


def same(first, second):
    pairs = set(zip(first.tolist(), second.tolist(), strict=True))
    return len(pairs) == len(set(first.tolist())) == len(set(second.tolist()))


@pytest.mark.parametrize("d", [1, 2, 5])
def test_the_tree_is_that_of_single_linkage(d):
    X = np.random.default_rng(d).standard_normal((80, d))
    tree = spanning_tree(NeighbourGraph.of(X))
    np.testing.assert_allclose(tree.lengths, linkage(X, "single")[:, 2])
    np.testing.assert_allclose(
        np.linalg.norm(X[tree.firsts] - X[tree.seconds], axis=1), tree.lengths
    )


def test_parts_without_links_are_connected_by_the_shortest_distances():
    rng = np.random.default_rng(0)
    X = np.vstack([rng.standard_normal((20, 2)) + centre for centre in ([0, 0], [50, 0], [0, 70])])
    X = np.r_[X, X[:3]]  # copies have a distance of 0
    tree = spanning_tree(NeighbourGraph.of(X))
    assert len(tree.lengths) == 62
    blob = np.r_[np.repeat([0, 1, 2], 20), [0, 0, 0]]
    across = blob[tree.firsts] != blob[tree.seconds]
    expected = [nearest_of(X, blob == 0, blob == other)[2] for other in (1, 2)]
    assert sorted(tree.lengths[across]) == pytest.approx(sorted(expected))


def test_arms_of_a_spiral_are_chains():
    for seed in range(8):
        X, arm = spirals(seed)
        found = chains(NeighbourGraph.of(X))
        assert found.max() == 1
        assert max(np.mean(found == arm), np.mean(found != arm)) > 0.95


def test_a_tip_near_the_inside_of_a_moon():
    """One outlier makes the gap narrow, so that few objects of the tip are near the other moon."""
    for seed in range(100, 110):
        X, moon = make_moons(400, noise=0.06, random_state=seed)
        found = chains(NeighbourGraph.of((X - X.mean(axis=0)) / X.std(axis=0)))
        np.testing.assert_array_equal(found == found[moon == 0][0], moon == 0)


@pytest.mark.parametrize("kind", ["normal", "square", "lognormal", "one arm", "arc"])
def test_no_clusters_are_one_chain(kind):
    rng = np.random.default_rng(0)
    for _ in range(5):
        X = rng.standard_normal((200, 2))
        if kind == "square":
            X = rng.random((200, 2))
        elif kind == "lognormal":
            X = np.exp(X)
        elif kind == "one arm":
            X, arm = spirals(int(rng.integers(1000)), 400)
            X = X[arm == 0]
        elif kind == "arc":
            turn = rng.uniform(0, np.pi, 200)
            X = np.c_[np.cos(turn), np.sin(turn)] + 0.1 * X
        assert chains(NeighbourGraph.of(X)).max() == 0


def test_a_gap_in_a_curve_is_no_border_although_another_chain_is_near():
    """The lower string is nearer to one half of the upper one than the two halves to each other."""
    rng = np.random.default_rng(0)
    x = np.arange(0, 60, 0.25)
    upper = x[(x < 28) | (x > 31.5)]
    lower = np.where(x < 30, 4.0, 5.0)
    X = np.r_[np.c_[x, -lower], np.c_[upper, np.zeros(len(upper))]]
    X += 0.05 * rng.standard_normal(X.shape)
    string = np.repeat([0, 1], [len(x), len(upper)])
    assert same(chains(NeighbourGraph.of(X)), string)


def test_few_objects_are_no_chain():
    X = np.random.default_rng(0).standard_normal((60, 2))
    X[:8] += 30
    assert chains(NeighbourGraph.of(X)).max() == 0


def test_equal_rows_are_one_chain():
    X = np.repeat([[0.0, 1.0], [5.0, 1.0]], 40, axis=0)
    assert chains(NeighbourGraph.of(X)).max() == 0


def test_whole_chains_are_separated_and_parts_are_not():
    X, arm = spirals(0)
    graph = NeighbourGraph.of(X)
    assert Seams(graph, arm).evidence().min() >= 3
    # A few objects of the other arm do not matter, and one cluster may be several chains.
    few_wrong = arm.copy()
    few_wrong[np.flatnonzero(arm == 0)[:3]] = 1
    assert Seams(graph, few_wrong)._are_chains().tolist() == [True, True]
    half = np.where((arm == 0) & (X[:, 0] > 0), 2, arm)
    assert Seams(graph, half)._are_chains().tolist() == [False, True, False]
    assert Seams(graph, np.zeros(300, dtype=int))._are_chains().tolist() == [False]


def test_clusters_are_merged_inside_chains_first():
    X, arm = spirals(1)
    start = 8 * arm + np.digitize(np.linalg.norm(X, axis=1), np.linspace(0.5, 2.2, 7))
    seams = Seams(NeighbourGraph.of(X), start)
    seams.merge(0.003)
    assert same(seams.labels, arm)
    assert len(seams.merge_all(0.003)) == 1


def test_rows_that_are_equal_but_for_rounding_are_one_chain():
    """Distances of such rows are computed as 0, which is no wide border."""
    rng = np.random.default_rng(0)
    row = 1e3 * rng.standard_normal(20)
    graph = NeighbourGraph.of(row + 1e-10 * rng.standard_normal((60, 20)))
    assert np.median(graph.radius) == 0
    assert not _Borders(graph).has(np.arange(30), np.arange(30, 60))
    assert chains(graph).max() == 0
