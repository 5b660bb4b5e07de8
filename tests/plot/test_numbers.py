"""What displays compute, against literal versions on small data; nothing is drawn here."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import squareform

from consilience import Ensemble, plot
from consilience.consensus import IPC
from consilience.datasets import make_planted_ensemble
from consilience.diagnose import ConsensusMatrix, enough_members
from consilience.exceptions import InvalidInputError, InvalidParameterError
from consilience.metrics import accuracy
from consilience.plot._alluvial_display import _ribbons
from consilience.plot._consensus import ClusterCounts, average_tree
from consilience.plot._given import read_clusters, stratified_rows
from consilience.plot._palette import MISSING, cluster_colours, in_lines, shortened, text_colour


@st.composite
def _cases(draw):
    n_samples, n_members = draw(st.integers(2, 9)), draw(st.integers(1, 4))
    cell = st.integers(-1, 3)
    rows = st.lists(cell, min_size=n_members, max_size=n_members)
    table = np.array(draw(st.lists(rows, min_size=n_samples, max_size=n_samples)))
    table[0, 0] = 0
    labels = np.array(draw(st.lists(st.integers(-1, 2), min_size=n_samples, max_size=n_samples)))
    weights = draw(
        st.lists(st.sampled_from([0.0, 0.5, 2.0]), min_size=n_members, max_size=n_members)
    )
    weights[0] = 1.0
    return table, labels, np.array(weights)


def _pair_counts(table, weights, i, j):
    """Weight of the members that join two objects, and of those that know both."""
    both = (table[i] >= 0) & (table[j] >= 0)
    return weights[both & (table[i] == table[j])].sum(), weights[both].sum()


def _literal(table, weights, pairs):
    counts = [_pair_counts(table, weights, i, j) for i, j in pairs]
    together, both = (sum(part) for part in zip(*counts, strict=True)) if counts else (0, 0)
    return together / both if both > 0 else np.nan


@given(_cases())
def test_counts_are_sums_over_pairs(case):
    table, labels, weights = case
    counts = ClusterCounts(Ensemble(table, weights=weights), labels, 3)
    everyone = np.arange(len(table))
    blocks, items = counts.block_means(), counts.item_means(everyone)
    for k in range(3):
        inside = everyone[labels == k]
        for other in range(3):
            pairs = [(i, j) for i in inside for j in everyone[labels == other] if i != j]
            np.testing.assert_allclose(blocks[k, other], _literal(table, weights, pairs))
        for i in everyone:
            pairs = [(i, j) for j in inside if i != j]
            np.testing.assert_allclose(items[i, k], _literal(table, weights, pairs))


@given(_cases())
def test_margins_are_own_minus_best_other(case):
    table, labels, weights = case
    counts = ClusterCounts(Ensemble(table, weights=weights), labels, 3)
    margins, items = counts.margins(), counts.item_means(np.arange(len(table)))
    for i, label in enumerate(labels):
        if label < 0:
            assert np.isnan(margins[i])
            continue
        others = [items[i, k] for k in range(3) if k != label and np.isfinite(items[i, k])]
        np.testing.assert_allclose(margins[i], items[i, label] - max(others, default=0.0))


def test_blocks_are_means_of_the_consensus_matrix_if_nothing_is_missing():
    ensemble, truth = make_planted_ensemble(60, 8, 3, noise=0.3, random_state=0)
    display = plot.ConsensusHeatmapDisplay.from_ensemble(ensemble, truth, kind="blocks")
    indicator = np.eye(3)[truth]
    others = indicator.sum(axis=0) - indicator
    items = squareform(ConsensusMatrix(ensemble).pairs) @ indicator / others
    expected = [items[truth == k, k].mean() for k in range(3)]
    np.testing.assert_allclose(np.diag(display.matrix), np.array(expected)[display.labels])
    bars = plot.ConsensusBarsDisplay.from_ensemble(ensemble, truth, n_items=7)
    np.testing.assert_allclose(bars.cluster_consensus, expected)
    np.testing.assert_allclose(bars.item_consensus, items[bars.rows])
    assert np.all(np.diff(bars.item_margins) >= -1e-9)


def test_heatmap_keeps_the_pairs():
    ensemble, truth = make_planted_ensemble(30, 6, 3, missing=0.2, random_state=0)
    display = plot.ConsensusHeatmapDisplay.from_ensemble(ensemble, truth)
    n_rows = len(display.rows)
    assert sorted(display.rows) == list(range(30))
    upper = np.triu_indices(n_rows, 1)
    taken = ConsensusMatrix(ensemble.take(display.rows)).pairs
    np.testing.assert_allclose(display.matrix[upper], taken)
    np.testing.assert_array_equal(display.labels, truth[display.rows])


@given(st.integers(1, 40), st.integers(1, 60), st.integers(1, 6))
def test_samples_are_stratified(most, n_samples, n_clusters):
    labels = np.arange(n_samples) ** 2 % n_clusters
    labels[::7] = -1
    rows = stratified_rows(labels, most, np.random.default_rng(0))
    known = np.count_nonzero(labels >= 0)
    assert len(rows) == min(most, known)
    assert np.all(np.diff(rows) > 0)
    assert np.all(labels[rows] >= 0)
    present = np.unique(labels[labels >= 0])
    if most >= len(present):
        np.testing.assert_array_equal(np.unique(labels[rows]), present)


def test_tracking_follows_clusters():
    labels = {2: [0, 0, 0, 1, 1, -1], 3: [2, 2, 1, 0, 0, 0]}
    display = plot.TrackingDisplay(labels, n_clusters=3, reference=["b", "b", "a", "c", "c", "c"])
    assert display.counts.sum() == 6
    # Colours are those of the reference (b = 0, a = 1, c = 2), and k = 2 follows k = 3.
    assert display.paths.tolist() == [[-1, 2], [0, 0], [0, 1], [2, 2]]
    assert display.counts.tolist() == [1, 2, 1, 2]


def test_alluvial_counts_everything():
    old = np.array([0, 0, 1, 1, 2, -1])
    new = ["x", "x", "x", "y", "y", "y"]
    display = plot.AlluvialDisplay({"old": old, "new": new}, max_nodes=2)
    first, second = display.columns
    assert first.names == ("0", "other", "missing")
    assert first.sizes.tolist() == [2, 3, 1]
    assert first.colours.tolist() == [0, -1, -1]
    assert second.names == ("x", "y")
    assert display.flows[0].tolist() == [[2, 0], [1, 2], [0, 1]]


def test_scores_of_members():
    ensemble, truth = make_planted_ensemble(80, 6, 3, noise=0.3, random_state=0)
    quality = plot.MemberQualityDisplay.from_ensemble(
        ensemble, truth, metric=accuracy, consensus={"all": truth}
    )
    np.testing.assert_allclose(quality.quality, [accuracy(m, truth) for m in ensemble.labels.T])
    assert quality.counts.sum() == 6
    assert quality.better_than == {"all": 1.0}
    assert quality.score == "Accuracy"
    assert "All is better than 100% of the members" in quality.caption
    silent = Ensemble(np.array([[0, 0, 1, 1], [-1] * 4]).T)
    known = plot.MemberQualityDisplay.from_ensemble(silent, [0, 0, 1, 1])
    np.testing.assert_allclose(known.quality, [1, np.nan])


def test_members_of_equal_quality_are_one_bar_around_it():
    display = plot.MemberQualityDisplay([0.5, 0.5 + 1e-12, np.nan])
    assert display.counts.tolist() == [2]
    np.testing.assert_allclose(display.edges, [0.49, 0.51])
    unknown = plot.MemberQualityDisplay([np.nan, np.nan])
    assert (unknown.n_known, unknown.counts.sum()) == (0, 0)
    assert unknown.edges[[0, -1]].tolist() == [0, 1]
    several = plot.MemberQualityDisplay([0.2, 0.4, 0.4], references={"all": 0.4})
    assert several.edges[[0, -1]].tolist() == [0.2, 0.4]
    assert several.better_than["all"] == pytest.approx(2 / 3)


def test_band_is_two_standard_errors():
    ensemble = make_planted_ensemble(80, 12, 3, noise=0.3, random_state=0).ensemble
    curve = enough_members(ensemble, IPC(3), n_repeats=2, random_state=0)
    drawn = plot.EnoughMembersDisplay(curve)
    np.testing.assert_allclose(drawn.low, curve.mean - 2 * curve.standard_error)
    assert np.all(drawn.high <= 1)


def test_membership_votes():
    labels = np.array([0, 0, 0, 1, 1, 1])
    members = np.array([[0, 0, 0, 1, 1, 1], [2, 2, 0, 0, 0, -1], [-1] * 6]).T
    display = plot.MembershipDisplay.from_ensemble(Ensemble(members), labels)
    assert display.members.tolist() == [0, 1, 2]
    np.testing.assert_allclose(display.agreement, [1, 4 / 5, np.nan])
    by_row = display.votes[np.argsort(display.rows)]
    assert by_row[:, 1].tolist() == [0, 0, 1, 1, 1, -1]
    assert np.all(by_row[:, 2] == -1)
    np.testing.assert_array_equal(display.labels, labels[display.rows])


def test_tree_of_a_long_chain():
    positions = np.cumsum(np.arange(1, 1500, dtype=float))
    upper = np.triu_indices(len(positions), 1)
    tree = average_tree(np.abs(positions[upper[0]] - positions[upper[1]]))
    lines = tree.lines()
    assert lines.shape == (len(positions) - 1, 4, 2)
    np.testing.assert_allclose(lines[:, 1, 1], tree.merges[:, 2])
    assert lines[..., 0].min() == 0
    assert lines[..., 0].max() == len(positions) - 1


def test_colours():
    colours = cluster_colours(72)
    assert len({*colours, MISSING}) == 73
    assert cluster_colours(3) == colours[:3]
    assert text_colour("#f0e442") == "black"
    assert text_colour("#0072b2") == "white"


def test_names_of_members_are_whole():
    names = [f"kmeansrestarts{number}" for number in (1, 10, 11)]
    assert in_lines(names) == names
    assert in_lines(names, 14) == ["kmeansrestarts\n1", "kmeansrestarts\n10", "kmeansrestarts\n11"]
    assert in_lines(["random_projection of a wide table"], 18) == [
        "random_projection\nof a wide table"
    ]
    assert "".join(in_lines(["x" * 60], 24)[0].split("\n")) == "x" * 60


def test_names_of_clusters_lose_their_middle():
    assert shortened(["abcdefghijklmn", "short"], 10) == ["abcde…klmn", "short"]


def test_numbers_of_clusters_stay():
    assert read_clusters([1, 0, 2, -1], 4, "here").labels.tolist() == [1, 0, 2, -1]
    read = read_clusters(["b", "a", None], 3, "here")
    assert read.labels.tolist() == [0, 1, -1]
    assert read.names == ("b", "a")


def test_errors_say_what_to_do():
    members = [[0, 0, 1], [0, 1, 1]]
    heatmap, alluvial = plot.ConsensusHeatmapDisplay, plot.AlluvialDisplay
    with pytest.raises(InvalidParameterError, match=r"kind must be one of 'objects', 'blocks'"):
        heatmap.from_ensemble(members, [0, 1, 1], kind="pairs")
    for call, message in [
        (lambda: heatmap.from_ensemble(members, [0, 1]), "n_samples = 3; got 2"),
        (lambda: heatmap.from_ensemble(members, [-1] * 3), "at least one cluster; all are missing"),
        (lambda: heatmap.from_estimator(IPC(2)), r"Use ConsensusHeatmapDisplay\.from_ensemble"),
        (lambda: plot.ConsensusCDFDisplay.from_estimator(IPC(2)), 'Fit one with n_clusters="auto"'),
        (lambda: plot.ConsensusCDFDisplay(SimpleNamespace(table=())), "at least one candidate"),
        (lambda: plot.TrackingDisplay({}), "at least one k"),
        (lambda: alluvial({"a": [0, 1]}), "at least two columns; got 1"),
        (lambda: alluvial({"a": [0, 1], "b": [0, 1]}, reference="c"), "reference must be one of"),
    ]:
        with pytest.raises(InvalidInputError, match=message):
            call()


def test_ribbons_are_as_thick_as_what_flows():
    flow = np.array([[2, 1], [0, 1]])
    left, right = np.array([[0.0, 0.6], [0.8, 1.0]]), np.array([[0.0, 0.4], [0.6, 1.0]])
    shapes, owners = _ribbons(flow, left, right, (3, 0.1))
    assert owners.tolist() == [0, 0, 1]
    # Top and bottom of every ribbon at both ends.
    ends = [(s[0, 1], s[-1, 1], s[24, 1], s[25, 1]) for s in shapes]
    expected = [(0, 0.4, 0, 0.4), (0.4, 0.6, 0.6, 0.8), (0.8, 1, 0.8, 1)]
    np.testing.assert_allclose(ends, expected, atol=1e-12)
    assert shapes[0][0, 0] == pytest.approx(3.1)
    assert shapes[0][24, 0] == pytest.approx(3.9)
