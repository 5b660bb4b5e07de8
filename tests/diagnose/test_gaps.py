"""Gaps around clusters."""

import numpy as np
import pytest
from scipy.special import ndtri

from consilience.diagnose._gaps import NEVER, SURE, Gap
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
    usual = max(np.median(graph.radius[:30]), np.median(graph.radius[30:]))
    radius = max(graph.radius[29], graph.radius[30], 2 * usual)
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


def test_objects_that_are_dense_at_the_end_by_accident_make_no_gap_wide():
    X = strings(6.5)
    X[21:30, 0] = 29 - np.arange(9)[::-1] / 10
    X[30:39, 0] = X[30, 0] + np.arange(9) / 10
    graph = NeighbourGraph.of(X)
    usual = max(np.median(graph.radius[:30]), np.median(graph.radius[30:]))
    assert 2 * usual > max(graph.radius[29], graph.radius[30])
    expected = -ndtri(min(1, 60 * np.exp(-graph.n_nearest * 6.5 / (2 * usual))))
    found = Gap.around(graph, HALVES, 0, in_curve=True)
    assert found.evidence == pytest.approx(max(expected, NEVER), abs=0.1)


def test_the_gap_of_a_part_of_a_chain_is_that_before_the_rest_of_the_chain():
    """Two bands far apart; the first one has a gap, and most of its objects are near the other band."""
    rng = np.random.default_rng(0)
    bands = rng.random((400, 2)) * [40, 1]
    bands[200:, 1] += 4
    bands[:100, 0] /= 2.1
    bands[100:200, 0] = 21 + bands[100:200, 0] * 19 / 40
    graph, labels = NeighbourGraph.of(bands), np.repeat([0, 1, 2], [100, 100, 200])
    np.testing.assert_array_equal(np.bincount(graph.chains), [200, 200])
    assert labels[Gap.around(graph, labels, 0).nearest] == 1
    assert labels[Gap.around(graph, labels, 1).nearest] == 0
    # A whole chain has no rest, and is compared with all others.
    assert labels[Gap.around(graph, labels, 2).nearest] < 2


def test_the_gap_between_two_bars_that_make_an_l():
    """Only the end of one bar is near the gap (after Lsun of the FCPS)."""
    for seed in range(5):
        rng = np.random.default_rng(seed)
        bars = rng.random((300, 2)) * [4, 1]
        bars[200:] = rng.random((100, 2)) * [1, 4] + [0.5, 2.1]
        bars = (bars - bars.mean(axis=0)) / bars.std(axis=0)
        seams = Seams(NeighbourGraph.of(bars), np.repeat([0, 1], [200, 100]))
        assert seams.evidence().min() > -ndtri(0.003)


def test_no_rest_is_no_gap():
    graph = NeighbourGraph.of(strings(9))
    assert Gap.around(graph, np.zeros(60, dtype=int), 0) == (-1, SURE)


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
