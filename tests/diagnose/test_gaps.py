"""Gaps around clusters, and links across that are nearly gaps."""

import numpy as np
import pytest
from scipy.special import ndtri

from consilience.diagnose._gaps import SURE, Gap, has_sparse_links
from consilience.diagnose._neighbour_graph import NeighbourGraph
from consilience.diagnose._seams import Seams

HALVES = np.repeat([0, 1], 30)


def strings(gap):
    """Two strings of objects at distances of one, slightly bent; ends have neighbours on one side."""
    line = np.arange(30) * 1.0
    return np.c_[np.r_[line, line + 29 + gap], 1e-3 * np.arange(60) ** 2]


@pytest.mark.parametrize("gap", [5.5, 6.5, 12.0])
def test_evidence_of_a_gap_in_a_curve_is_that_of_an_exponential_distance(gap):
    X = strings(gap)
    graph = NeighbourGraph.of(X)
    width = np.linalg.norm(X[30] - X[29])
    radius = max(graph.radius[29], graph.radius[30])
    expected = -ndtri(60 * np.exp(-graph.n_nearest * width / radius))
    for cluster, nearest in ((0, 30), (1, 29)):
        found = Gap.around(graph, HALVES, cluster)
        assert found.nearest == nearest
        assert found.evidence == pytest.approx(expected)
        assert Gap.around(graph, HALVES, cluster, in_curve=True) == found


def test_a_wide_border_counts_more_than_a_gap_in_a_curve():
    """Two bands, 40 long, at a distance of 3: many objects are near the gap."""
    bands = np.random.default_rng(0).random((400, 2)) * [40, 1]
    bands[200:, 1] += 4
    graph, labels = NeighbourGraph.of(bands), np.repeat([0, 1], 200)
    assert Seams(graph, labels).evidence() == pytest.approx([SURE, SURE])
    assert Gap.around(graph, labels, 0, in_curve=True).evidence < SURE


def test_objects_beside_a_wide_gap_are_evidence():
    """The gap is narrower than two radii, and more objects are near it than its width in neighbours."""
    rng = np.random.default_rng(1)
    bands = rng.random((400, 2)) * [40, 0.2]
    bands[200:, 1] += 1.2
    graph, labels = NeighbourGraph.of(bands), np.repeat([0, 1], 200)
    curve = Gap.around(graph, labels, 0, in_curve=True).evidence
    assert curve < Gap.around(graph, labels, 0).evidence <= SURE


def test_no_rest_is_no_gap():
    graph = NeighbourGraph.of(strings(9))
    assert Gap.around(graph, np.zeros(60, dtype=int), 0) == (-1, SURE)


def two_arcs(n_links):
    """Two long arcs, and a few objects between them at whose places both have links."""
    rng = np.random.default_rng(0)
    x = np.sort(rng.random((2, 150)) * 60, axis=1)
    arcs = np.r_[np.c_[x[0], 0.1 * rng.random(150)], np.c_[x[1], 6 + 0.1 * rng.random(150)]]
    between = np.c_[np.full(n_links, -4.0), np.linspace(1.5, 4.5, n_links)]
    return np.r_[arcs, between], np.r_[np.repeat([0, 1], 150), np.zeros(n_links, dtype=int)]


def test_sparse_links_along_a_wide_border():
    X, labels = two_arcs(3)
    graph = NeighbourGraph.of(X)
    own = labels == 0
    across = own[graph.firsts] & ~own[graph.others]
    assert across.any()
    assert graph.heights[across].min() > 1.75 * np.median(graph.radius)
    assert has_sparse_links(graph, labels, 0)
    assert has_sparse_links(graph, labels, 1)
    assert Seams(graph, labels).evidence() == pytest.approx([3.0, 3.0])


def test_links_are_not_sparse_where_one_of_them_is_dense():
    X, labels = two_arcs(3)
    X = np.r_[X, np.c_[np.full(30, 30.0), np.linspace(0, 6, 30)]]
    labels = np.r_[labels, np.repeat([0, 1], 15)]
    assert not has_sparse_links(NeighbourGraph.of(X), labels, 0)


def test_sparse_links_in_a_curve_are_no_evidence():
    """Two strings end near each other; the links over the gap are far longer than usual ones."""
    X = np.c_[np.r_[np.arange(40), np.arange(40) + 45.0], 1e-3 * np.arange(80) ** 2]
    graph, labels = NeighbourGraph.of(X), np.repeat([0, 1], 40)
    own = labels == 0
    heights = graph.heights[own[graph.firsts] & ~own[graph.others]]
    assert heights.min() > 1.75 * np.median(graph.radius)
    assert not has_sparse_links(graph, labels, 0)


def test_few_objects_have_no_sparse_links():
    """Objects of a cluster that is smaller than the number of neighbours all have links across."""
    X = np.random.default_rng(0).standard_normal((60, 2))
    X[:4] += 30
    labels = (np.arange(60) < 4).astype(int)
    assert not has_sparse_links(NeighbourGraph.of(X), labels, 1)


def test_heights_of_links():
    X = np.random.default_rng(2).standard_normal((40, 3))
    graph = NeighbourGraph.of(X)
    for place, (i, j) in enumerate(zip(graph.firsts, graph.others, strict=True)):
        expected = max(np.linalg.norm(X[i] - X[j]), graph.radius[i], graph.radius[j])
        assert graph.heights[place] == pytest.approx(expected)
        assert graph.starts[i] <= place < graph.starts[i + 1]


def test_a_compact_cluster_is_no_part_of_a_curve():
    """Few objects are near the gap, but all of them are nearer to each other than to the rest."""
    rng = np.random.default_rng(0)
    blobs = rng.standard_normal((20, 2))
    blobs[10:] += [12, 0]
    graph, labels = NeighbourGraph.of(blobs), np.repeat([0, 1], 10)
    assert [Gap.around(graph, labels, cluster).evidence for cluster in (0, 1)] == [SURE, SURE]
    assert Gap.around(graph, labels, 0, in_curve=True).evidence < SURE
    # One compact side is enough; a long string on the other side may be a curve.
    string = np.c_[np.arange(30) + 20.0, 0.01 * np.arange(30)]
    graph, labels = NeighbourGraph.of(np.r_[blobs[10:], string]), np.repeat([0, 1], [10, 30])
    assert Gap.around(graph, labels, 1).evidence == SURE
