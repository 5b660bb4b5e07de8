"""Borders of clusters against a literal version, and what merging by them does."""

import numpy as np
import pytest
from scipy.stats import norm
from sklearn.cluster import KMeans
from sklearn.datasets import load_digits, make_blobs, make_circles

from consilience._kernels._borders import border_figures, border_layers, both_ways, halves_layers
from consilience.diagnose._neighbour_graph import NeighbourGraph
from consilience.diagnose._seams import FEWEST, Seams


@pytest.fixture(scope="module")
def case():
    rng = np.random.default_rng(3)
    rows = rng.standard_normal((60, 2))
    return NeighbourGraph.of(rows), (rows[:, 0] > 0.3).astype(np.int32) + (rows[:, 1] > 1)


def links(graph):
    """Return {(i, j): smallest rank} of the graph, both ways."""
    n_rows = len(graph.rows)
    distance = np.square(graph.rows[:, None] - graph.rows).sum(axis=2)
    np.fill_diagonal(distance, np.inf)
    found = {}
    for i in range(n_rows):
        for rank, j in enumerate(np.argsort(distance[i])[: graph.n_nearest], start=1):
            for pair in ((i, int(j)), (int(j), i)):
                found[pair] = min(rank, found.get(pair, rank))
    return found


def test_graph_links_nearest_neighbours_both_ways(case):
    graph, _ = case
    expected = links(graph)
    found = {}
    for i in range(len(graph.rows)):
        for place in range(graph.starts[i], graph.starts[i + 1]):
            pair = (i, int(graph.others[place]))
            found[pair] = min(int(graph.ranks[place]), found.get(pair, 99))
    assert found == expected


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("cluster", [0, 1, 2])
def test_layers_are_those_of_the_definition(case, cluster, compiled):
    graph, labels = case
    sizes = np.bincount(labels)
    layer = np.zeros(len(labels), dtype=np.uint8)
    write = border_layers if compiled else getattr(border_layers, "py_func", border_layers)
    write(graph.starts, graph.others, graph.ranks, labels, sizes, cluster, layer)
    expected = np.zeros(len(labels), dtype=int)
    across = {
        i
        for (i, j), rank in links(graph).items()
        if (labels[i] == cluster) != (labels[j] == cluster)
        and rank < min(sizes[labels[i]], sizes[labels[j]])
    }
    expected[list(across)] = 1
    for depth in (2, 3):
        for i, j in links(graph):
            same = (labels[i] == cluster) == (labels[j] == cluster)
            if same and expected[i] == 0 and expected[j] == depth - 1:
                expected[i] = depth
    np.testing.assert_array_equal(layer, expected)


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("cluster", [0, 2])
def test_figures_of_a_border(case, cluster, compiled):
    _, labels = case
    rng = np.random.default_rng(5)
    layer = rng.integers(0, 4, len(labels)).astype(np.uint8)
    radius = rng.integers(0, 8, len(labels)) / 4
    write = border_figures if compiled else getattr(border_figures, "py_func", border_figures)
    counts, pairs = np.full((2, 3), 7), np.full(2, 7)
    write(np.argsort(radius, kind="stable"), radius, labels, cluster, layer, counts, pairs)
    for side, here in enumerate((labels == cluster, labels != cluster)):
        assert counts[side].tolist() == [np.sum(here & (layer == depth)) for depth in (1, 2, 3)]
        at, behind = radius[here & (layer == 1)], radius[here & (layer > 1)]
        assert min(len(at), len(behind)) > 0
        difference = at[:, None] - behind
        assert pairs[side] == 2 * np.sum(difference > 0) + np.sum(difference == 0)


@pytest.mark.parametrize("compiled", [True, False])
def test_layers_of_a_cut(case, compiled):
    graph, labels = case
    upper = graph.rows[:, 1] > 0
    members = np.flatnonzero(labels == 0)
    halves = halves_layers if compiled else getattr(halves_layers, "py_func", halves_layers)
    pairs = [(i, j) for i, j in links(graph) if labels[i] == labels[j] == 0]
    first = {i for i, j in pairs if upper[i] != upper[j]}
    second = {i for i, j in pairs if upper[i] == upper[j] and j in first} - first
    found = halves(graph.starts, graph.others, labels, members, upper)
    assert tuple(found) == (len(first), len(second))


def test_ranks_do_not_depend_on_the_compiler():
    nearest = np.random.default_rng(0).permuted(
        np.tile(np.arange(20, dtype=np.int32), (20, 1)), axis=1
    )
    plain = getattr(both_ways, "py_func", both_ways)(nearest[:, :4])
    for one, other in zip(both_ways(nearest[:, :4]), plain, strict=True):
        np.testing.assert_array_equal(one, other)


def test_names_of_clusters_do_not_matter(case):
    graph, labels = case
    first, second = Seams(graph, labels), Seams(graph, 2 - labels)
    np.testing.assert_allclose(first.evidence(), second.evidence()[::-1])


def test_blobs_are_separated_and_halves_of_one_are_not():
    X, truth = make_blobs(300, centers=[[0, 0], [9, 0], [0, 9]], random_state=0)
    graph = NeighbourGraph.of(X)
    assert Seams(graph, truth).p_values(0.005).max() < 0.005
    halves = np.where(truth == 0, 3 * (X[:, 1] > 0), truth)
    p_values = Seams(graph, np.unique(halves, return_inverse=True)[1]).p_values(0.005)
    assert p_values[[0, -1]].min() > 0.05
    assert p_values[1:-1].max() < 0.005


def test_a_border_is_compared_with_the_thinnest_of_many():
    """A long string could be cut at more places than a round cluster, and one of them is thin."""
    rng = np.random.default_rng(0)
    string = np.c_[rng.random(400) * 40, rng.random(400)]
    half = (string[:, 0] > 20).astype(int)
    seams = Seams(NeighbourGraph.of(string), half)
    counts = np.array([border.counts for border in seams._borders])
    places = 400 / counts.sum(axis=(1, 2))
    assert places.min() > 3
    expected = norm.isf(0.01 / places) - norm.isf(0.01)
    np.testing.assert_allclose(seams._best_of_places(counts), expected)
    # In many columns the layers have nearly all objects.
    ball = rng.standard_normal((400, 10))
    seams = Seams(NeighbourGraph.of(ball), (ball[:, 0] > 0).astype(int))
    counts = np.array([border.counts for border in seams._borders])
    np.testing.assert_allclose(seams._best_of_places(counts), 0, atol=0.05)


def test_clusters_without_a_valley_are_contradicted():
    X, truth = make_blobs(200, centers=[[0, 0], [5, 0]], random_state=0)
    assert not Seams(NeighbourGraph.of(X), truth).contradicted()
    assert Seams(NeighbourGraph.of(X), (X[:, 1] > 0).astype(int)).contradicted()
    # A gap needs no valley: the centres of two rings are at the same place.
    X, truth = make_circles(300, noise=0.05, factor=0.4, random_state=0)
    assert not Seams(NeighbourGraph.of(X), truth).contradicted()


def test_merging_joins_halves_and_stops_at_blobs():
    X, truth = make_blobs(300, centers=[[0, 0], [9, 0], [0, 9]], random_state=0)
    start = 2 * truth + (X[:, 1] > np.median(X[:, 1]))
    seams = Seams(NeighbourGraph.of(X), np.unique(start, return_inverse=True)[1])
    steps = seams.merge(0.005)
    assert seams.n_clusters == 3
    assert len(set(zip(seams.labels.tolist(), truth.tolist(), strict=True))) == 3
    assert [step.n_clusters for step in steps] == list(range(len(steps) + 3, 3, -1))
    assert all(step.weakest >= step.p_value > 0.005 for step in steps)
    assert len(seams.merge_all(0.01)) == 2


def test_after_merging_everything_is_as_if_computed_anew():
    rng = np.random.default_rng(1)
    graph = NeighbourGraph.of(rng.standard_normal((120, 3)))
    seams = Seams(graph, rng.integers(0, 6, 120))
    seams.join(1, 4, 0.01)
    seams.join(0, 2, 0.01)
    # Borders of clusters that were not merged keep the ranks of the old sizes; here all are large.
    np.testing.assert_allclose(seams.evidence(), Seams(graph, seams.labels).evidence())


def test_a_small_cluster_is_never_separated():
    X = np.r_[np.random.default_rng(0).standard_normal((60, 2)), np.full((FEWEST - 1, 2), 40.0)]
    X[60:] += 0.01 * np.arange(2 * (FEWEST - 1)).reshape(-1, 2)
    labels = (np.arange(len(X)) >= 60).astype(int)
    assert Seams(NeighbourGraph.of(X), labels).p_values(0.005)[1] > 0.5


def test_a_cluster_without_links_joins_that_of_the_nearest_object():
    """The centre of the long cluster is farther away than that of the round one, but its end is not."""
    long = np.c_[np.linspace(0, 60, 120), np.zeros(120)]
    rng = np.random.default_rng(0)
    small = [66, 0] + 0.3 * rng.standard_normal((12, 2))
    round_one = [66, 14] + 0.5 * rng.standard_normal((60, 2))
    X = np.vstack([long, small, round_one])
    seams = Seams(NeighbourGraph.of(X), np.repeat([0, 1, 2], [120, 12, 60]))
    assert seams._most_linked(1) == 0


def test_p_values_do_not_depend_on_the_numbers_of_clusters():
    """The same clusters have the same p-values when they are chosen and when they are returned."""
    X = load_digits().data[:600]
    labels = KMeans(8, random_state=0, n_init=1).fit_predict(X)
    graph = NeighbourGraph.of(X)
    other = np.random.default_rng(0).permutation(8)
    first = Seams(graph, labels).p_values(0.01)
    second = Seams(graph, other[labels]).p_values(0.01)
    np.testing.assert_allclose(second[other], first)
