"""The parts of the score, against values known by hand and against literal versions."""

import numpy as np
import pytest
from sklearn.metrics import mutual_info_score

from consilience._kernels._borders import border_costs
from consilience._kernels._shared_information import best_support
from consilience._kernels._spanning_tree import even_merges, spanning_tree
from consilience.answer import _settings as settings
from consilience.answer._borders import (
    Links,
    cluster_costs,
    entropy_shares,
    intrinsic_dimension,
    spread_values,
)
from consilience.answer._candidates import Candidates, first_come
from consilience.answer._members import Member, cut_tree, see
from consilience.answer._probability import probability_of_clusters
from consilience.answer._score import Scored, best_candidate, gains
from consilience.answer._settings import Weights
from consilience.answer._votes import fill_empty, shared_with


def path_graph(n, light=None):
    """Return links of a path 0 - 1 - ... of length and weight 1; one link may be lighter."""
    source = np.r_[np.arange(n - 1), np.arange(1, n)]
    target = np.r_[np.arange(1, n), np.arange(n - 1)]
    order = np.argsort(source, kind="stable")
    source, target = source[order], target[order]
    weights = np.ones(len(source))
    if light is not None:
        weights[np.minimum(source, target) == light[0]] = light[1]
    starts = np.searchsorted(source, np.arange(n + 1))
    ones = np.ones(len(source))
    return starts, target, ones, ones, weights


# --- borders -------------------------------------------------------------------------------------


def test_border_inside_and_place_of_a_path():
    """A path of ten objects cut in the middle: border 1, lightest cut inside 1, place by density."""
    labels = np.repeat([0, 1], 5).astype(np.int32)
    sparse_inside = np.array([4, 5, 0, 1, 2, 3, 6, 7, 8, 9])
    # Objects 4 and 5 are the sparsest of their clusters: place (0.1 + 0.1) / 2 = 0.1.
    costs = border_costs(labels, 2, *path_graph(10), sparse_inside)
    np.testing.assert_allclose(costs, np.sqrt(0.2))
    # The densest of both: place 0.9, which counts as 1.
    costs = border_costs(labels, 2, *path_graph(10), sparse_inside[::-1].copy())
    np.testing.assert_allclose(costs, 1.0)
    # A border of a quarter of the weight.
    costs = border_costs(labels, 2, *path_graph(10, light=(4, 0.25)), sparse_inside[::-1].copy())
    np.testing.assert_allclose(costs, 0.25)
    # No link leaves a cluster.
    costs = border_costs(labels, 2, *path_graph(10, light=(4, 0.0)), sparse_inside)
    assert not costs.any()


def test_the_inside_is_cut_where_it_is_lightest_between_its_ends():
    """A light link near an end of the path is no cut through the inside."""
    labels = np.repeat([0, 1], 10).astype(np.int32)
    dense_border = np.r_[np.arange(9), np.arange(11, 20), 9, 10]
    outside = border_costs(labels, 2, *path_graph(20, light=(1, 0.1)), dense_border)
    middle = border_costs(labels, 2, *path_graph(20, light=(4, 0.1)), dense_border)
    np.testing.assert_allclose(outside, [1.0, 1.0])
    # The border weighs ten times as much as the cut inside, which is a cost of 1 as well.
    np.testing.assert_allclose(middle, [1.0, 1.0])
    light_border = border_costs(labels, 2, *path_graph(20, light=(9, 0.5)), dense_border)
    np.testing.assert_allclose(light_border, [0.5, 0.5])


def test_small_clusters_have_no_inside():
    labels = np.array([0, 0, 0, 1, 1, 1, 1, 1], dtype=np.int32)
    costs = border_costs(labels, 2, *path_graph(8), np.arange(8)[::-1].copy())
    assert costs[0] == 1


def test_a_gap_costs_nothing_and_a_cut_through_a_cloud_costs_much():
    rng = np.random.default_rng(0)
    cloud = rng.standard_normal((200, 2))
    halves = (cloud[:, 0] > 0).astype(np.int32)
    apart = cloud + np.c_[20 * halves, np.zeros(200)]
    costs = [cluster_costs(halves, [Links.of(see(rows, 20))]) for rows in (apart, cloud)]
    assert costs[0].max() == 0
    assert costs[1].min() > 0.7


def test_the_better_scaling_counts():
    labels = np.repeat([0, 1], 5).astype(np.int32)
    dense = np.arange(10)[::-1].copy()
    bad = Links(*path_graph(10), dense)
    good = Links(*path_graph(10, light=(4, 0.0)), dense)
    assert not cluster_costs(labels, [bad, good]).any()


def test_values_are_spread_up_to_half_of_the_way_to_the_next():
    X = np.c_[np.repeat([0.0, 2.0], 50), np.linspace(0, 1, 100)]
    spread = spread_values(X)
    np.testing.assert_array_equal(spread[:, 1], X[:, 1])
    assert np.abs(spread[:, 0] - X[:, 0]).max() <= 1
    assert len(np.unique(spread[:, 0])) == 100


# --- gain ----------------------------------------------------------------------------------------


def literal_support(labels, voters, unshared):
    """Return I - unshared VI with the best of some voters, by scikit-learn's mutual information."""
    found = -np.inf
    for other in voters:
        n = len(labels)
        own, theirs = mutual_info_score(labels, labels), mutual_info_score(other, other)
        k, m = len(set(labels.tolist())), len(set(other.tolist()))
        chance = min((k - 1) * (m - 1) / (2 * n), 0.9 * min(own, theirs))
        most = (own + theirs) / 2
        shared = most * (mutual_info_score(labels, other) - chance) / (most - chance)
        found = max(found, shared - unshared * (own + theirs - 2 * shared))
    return found


@pytest.mark.parametrize("unshared", [0.5, 1.0])
def test_support_and_gain_against_a_literal_version(unshared):
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 4, 300)
    members = []
    for kind in range(4):
        for k in (2, 3, 4, 7):
            noisy = np.where(rng.random(300) < 0.2 * (kind + 1), rng.integers(0, k, 300), truth % k)
            members.append(Member(kind, 0, first_come(noisy)))
    table = Candidates.of(members, 300)
    found = best_support(
        table.labels, table.n_clusters, table.kind, table.labels, table.n_clusters, table.kind, 5,
        unshared,
    )  # fmt: skip
    assert np.isneginf(found[:, 4]).all()
    for a, labels in enumerate(table.labels):
        for kind in range(4):
            if kind == table.kind[a]:
                assert np.isneginf(found[a, kind])
            else:
                expected = literal_support(labels, table.labels[table.kind == kind], unshared)
                assert found[a, kind] == pytest.approx(expected, abs=1e-9)
    gained = gains(table, table, Weights(unshared, 1.0, 0.5))
    best_half = np.sort(found[:, :4], axis=1)[:, :1:-1]
    np.testing.assert_allclose(gained, best_half.mean(axis=1))


def test_the_best_candidate_is_the_one_that_scores_best():
    """Stopping where the gain cannot win any more does not change the answer."""
    rng = np.random.default_rng(1)
    rows = rng.standard_normal((120, 2))
    members = [
        Member(kind, 0, np.digitize(rows @ rng.standard_normal(2), [0]).astype(np.int32))
        for kind in range(3)
        for _ in range(6)
    ]
    table = Candidates.of(members, 120)
    weights = Weights(0.5, 1.0, 0.5)
    gained = gains(table, table, weights)
    graphs = [Links.of(see(rows, 20))]
    scores = [
        gain - entropy_shares(labels) @ cluster_costs(labels, graphs) / np.sqrt(2)
        for gain, labels in zip(gained, table.labels, strict=True)
    ]
    best = best_candidate(table, gained, graphs, 2.0, weights, 2)
    assert best.score == pytest.approx(max(scores))
    np.testing.assert_array_equal(best.labels, table.labels[int(np.argmax(scores))])


# --- trees, peaks, probability ---------------------------------------------------------------------


def test_the_spanning_tree_of_a_line():
    rows = np.array([[0.0], [1.0], [3.0], [7.0]])
    edges, lengths = spanning_tree(rows, np.zeros(4))
    assert sorted(map(tuple, np.sort(edges, axis=1).tolist())) == [(0, 1), (1, 2), (2, 3)]
    assert sorted(lengths) == [1, 2, 4]
    core = np.array([0.0, 0.0, 0.0, 9.0])
    assert sorted(spanning_tree(rows, core)[1]) == [1, 2, 9]


def literal_even_merging(edges, limit, n_clusters):
    """Return labels by the published description, with sets and the Gini index written out."""
    clusters = [{i} for i in range(len(edges) + 1)]
    left = [tuple(edge) for edge in edges.tolist()]
    while len(clusters) > n_clusters:
        sizes = np.sort([len(cluster) for cluster in clusters])
        differences = np.abs(sizes[:, None] - sizes).sum() / 2
        gini = differences / (len(sizes) - 1) / sizes.sum()
        of = {i: place for place, cluster in enumerate(clusters) for i in cluster}
        touching = [
            edge for edge in left if any(len(clusters[of[end]]) == sizes[0] for end in edge)
        ]
        edge = touching[0] if gini > limit else left[0]
        left.remove(edge)
        first, second = clusters[of[edge[0]]], clusters[of[edge[1]]]
        clusters = [one for one in clusters if one not in (first, second)] + [first | second]
    labels = np.empty(len(edges) + 1, dtype=int)
    for place, cluster in enumerate(clusters):
        labels[list(cluster)] = place
    return labels


@pytest.mark.parametrize("limit", [0.1, 0.3, 0.6, 1.0])
def test_even_merging_against_a_literal_version(limit):
    rng = np.random.default_rng(0)
    rows = np.r_[rng.standard_normal((50, 2)), rng.uniform(-8, 8, (30, 2))]
    edges, lengths = spanning_tree(rows, np.zeros(80))
    edges = np.ascontiguousarray(edges[np.argsort(lengths, kind="stable")])
    merges = even_merges(edges, limit)
    for k in (2, 3, 5, 11):
        (labels,) = cut_tree(merges, np.arange(80), [k])
        expected = literal_even_merging(edges, limit, k)
        np.testing.assert_array_equal(first_come(labels), first_come(expected))


def test_a_tree_is_cut_at_several_numbers():
    merges = np.array([[0, 1], [2, 3], [4, 5]])
    four, two = cut_tree(merges, np.arange(4), [2, 4])
    assert four.tolist() == [0, 1, 2, 3]
    assert two.tolist() in ([0, 0, 1, 1], [1, 1, 0, 0])


def test_the_probability_falls_with_the_share_that_borders_cost():
    answers = [Scored(None, 1 - cost, 1.0, cost, np.zeros(2), 9) for cost in (0.0, 0.1, 0.3, 0.9)]
    values = [probability_of_clusters(answer, 500) for answer in answers]
    assert values == sorted(values, reverse=True)
    assert values[-1] < settings.UNSURE[0] < settings.UNSURE[1] < values[0]
    assert probability_of_clusters(answers[0], 9) < settings.UNSURE[1]


def test_the_dimension_of_planes_and_curves():
    rng = np.random.default_rng(0)
    turn = rng.random(1000)
    for expected, rows in (
        (1, np.c_[np.cos(turn), np.sin(turn), turn]),
        (2, rng.random((1000, 2)) @ rng.random((2, 5))),
        (5, rng.standard_normal((1000, 5))),
    ):
        assert intrinsic_dimension([see(rows, 80)]) == pytest.approx(expected, rel=0.15)


# --- votes -----------------------------------------------------------------------------------------


def test_votes_are_shares_and_likeness_is_shared_information():
    answer = np.array([0, 0, 1, 1])
    table, alike = shared_with(answer, np.array([1, 1, 0, 0]))
    assert (table[:2].tolist(), alike) == ([[0, 1], [1, 0]], pytest.approx(1))
    table, alike = shared_with(answer, np.array([0, 1, 0, 1]))
    np.testing.assert_allclose(table, 0.5)
    assert alike == pytest.approx(0)
    table, _ = shared_with(answer, np.array([0, 0, 0, -1]), np.array([1.0, 1.0, 2.0, 9.0]))
    np.testing.assert_allclose(table, [[0.5, 0.5], [2 / 13, 11 / 13]])


def test_an_empty_cluster_gets_the_least_confident_row_of_the_largest():
    labels, confidence = np.array([0, 0, 0, 2]), np.array([1.0, 0.5, 0.9, 0.1])
    fill_empty(labels, confidence, 3)
    assert (labels.tolist(), confidence.tolist()) == ([0, 1, 0, 2], [1.0, 0.0, 0.9, 0.1])
