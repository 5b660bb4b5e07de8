"""What displays compute, against literal versions on small data; nothing is drawn here."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from consilience import Ensemble, plot
from consilience.consensus import IPC
from consilience.datasets import make_planted_ensemble
from consilience.diagnose import ConsensusMatrix, diversity_quality, enough_members
from consilience.exceptions import InvalidInputError, InvalidParameterError
from consilience.metrics import accuracy, nmi
from consilience.plot._alluvial_display import _ribbons
from consilience.plot._cluster_counts import ClusterCounts
from consilience.plot._given import read_clusters, stratified_rows
from consilience.plot._palette import MISSING, cluster_colours, in_lines, shortened, text_colour
from consilience.plot._tree import average_tree


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
    expected = ConsensusMatrix(ensemble).cluster_consensus(truth)
    np.testing.assert_allclose(np.diag(display.matrix), expected[display.labels])
    bars = plot.ConsensusBarsDisplay.from_ensemble(ensemble, truth, n_items=7)
    np.testing.assert_allclose(bars.cluster_consensus, expected)
    items = ConsensusMatrix(ensemble).item_consensus(truth)
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


def test_parameter_bands():
    scores = np.array([[0.2, 0.4, np.nan], [0.5, 0.7, 0.9], [np.nan] * 3])
    display = plot.ParameterDisplay([3, 1, 2], {"a": scores})
    np.testing.assert_allclose(display.mean["a"], [0.7, np.nan, 0.3])
    np.testing.assert_allclose(display.high["a"], [0.9, np.nan, 0.3 + np.sqrt(0.02)])
    spread = plot.ParameterDisplay([3, 1, 2], {"a": scores}, band="range")
    np.testing.assert_allclose(spread.low["a"], [0.5, np.nan, 0.2])
    error = plot.ParameterDisplay([3, 1, 2], {"a": scores}, band="error")
    np.testing.assert_allclose(error.high["a"][0], 0.7 + 2 * 0.2 / np.sqrt(3))


def test_scores_of_members():
    ensemble, truth = make_planted_ensemble(80, 6, 3, noise=0.3, random_state=0)
    values = [1, 1, 2, 2, 2, 5]
    display = plot.ParameterDisplay.from_ensemble(ensemble, truth, values, consensus={"all": truth})
    scores = np.array([nmi(member, truth) for member in ensemble.labels.T])
    np.testing.assert_allclose(
        display.mean["members"], [scores[:2].mean(), scores[2:5].mean(), scores[5]]
    )
    assert display.references == {"all": pytest.approx(1.0)}
    quality = plot.MemberQualityDisplay.from_ensemble(
        ensemble, truth, metric=accuracy, consensus={"all": truth}
    )
    np.testing.assert_allclose(quality.quality, [accuracy(m, truth) for m in ensemble.labels.T])
    assert quality.counts.sum() == 6
    assert quality.better_than == {"all": 1.0}
    assert quality.score == "Accuracy"
    assert "All is better than 100% of the members" in quality.caption


def test_silent_members_have_no_score():
    members = Ensemble(np.array([[0, 0, 1, 1], [-1] * 4]).T)
    display = plot.ParameterDisplay.from_ensemble(members, [0, 0, 1, 1], [1, 2])
    np.testing.assert_allclose(display.mean["members"], [1, np.nan])
    quality = plot.MemberQualityDisplay.from_ensemble(members, [0, 0, 1, 1])
    np.testing.assert_allclose(quality.quality, [1, np.nan])


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


def test_displays_take_results_as_they_are():
    ensemble, truth = make_planted_ensemble(80, 12, 3, noise=0.3, random_state=0)
    cloud = diversity_quality(ensemble, truth)
    display = plot.DiversityQualityDisplay.from_result(cloud)
    assert display.quality is cloud.quality
    assert display.nmi is cloud.nmi
    curve = enough_members(ensemble, IPC(3), n_repeats=2, random_state=0)
    drawn = plot.EnoughMembersDisplay.from_result(curve)
    np.testing.assert_allclose(drawn.low, curve.mean - 2 * curve.standard_error)
    assert np.all(drawn.high <= 1)


def test_map_of_members_keeps_distances():
    places = np.array([[0.0, 0.0], [0.3, 0.0], [0.0, 0.4]])
    distances = np.linalg.norm(places[:, None] - places, axis=2)
    display = plot.MemberSimilarityDisplay(1 - distances, names=["a", "b", "c"])
    found = np.linalg.norm(display.positions[:, None] - display.positions, axis=2)
    np.testing.assert_allclose(found, distances, atol=1e-9)
    assert display.explained == pytest.approx(1.0)


def test_posteriors_stand_in_their_corners():
    line = plot.PosteriorDisplay([[0.9, 0.1], [0.2, 0.8], [0, 0]])
    np.testing.assert_allclose(line.points[:, 0], [0.1, 0.8])
    assert line.rows.tolist() == [0, 1]
    table = np.full((5, 4), 0.05)
    table[:, 1], table[:, 3] = 0.5, 0.4
    plane = plot.PosteriorDisplay(table)
    assert plane.shown == (1, 3)
    np.testing.assert_allclose(plane.points, [[0.5, 0.4]] * 5)
    assert plot.PosteriorDisplay(table, clusters=(2, 0)).shown == (2, 0)


def test_feature_weights_name_what_is_hidden():
    weights = np.array([[0.1, 0.6, 0.3], [0.2, 0.1, 0.7]])
    display = plot.FeatureWeightsDisplay(weights, max_features=1, feature_names=["a", "b", "c"])
    assert display.features.tolist() == [2]
    np.testing.assert_allclose(display.hidden, [0.7, 0.3])
    assert "up to 70% of a cluster's weight" in display.caption


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
    assert max(map(len, shortened(["x" * 40, "y" * 9], 10))) == 10
    assert shortened(["short", "names"], 10) == ["short", "names"]


def test_numbers_of_clusters_stay():
    assert read_clusters([1, 0, 2, -1], 4, "here").labels.tolist() == [1, 0, 2, -1]
    read = read_clusters(["b", "a", None], 3, "here")
    assert read.labels.tolist() == [0, 1, -1]
    assert read.names == ("b", "a")


def test_errors_say_what_to_do():
    members = [[0, 0, 1], [0, 1, 1]]
    heatmap = plot.ConsensusHeatmapDisplay
    with pytest.raises(InvalidInputError, match=r"n_samples = 3; got 2"):
        heatmap.from_ensemble(members, [0, 1])
    with pytest.raises(InvalidParameterError, match=r"kind must be one of 'objects', 'blocks'"):
        heatmap.from_ensemble(members, [0, 1, 1], kind="pairs")
    with pytest.raises(InvalidInputError, match=r"Use ConsensusHeatmapDisplay\.from_ensemble"):
        heatmap.from_estimator(IPC(2))
    with pytest.raises(InvalidInputError, match=r'Fit one with n_clusters="auto"'):
        plot.ConsensusCDFDisplay.from_estimator(IPC(2))
    with pytest.raises(InvalidInputError, match="must have the same keys"):
        plot.ConsensusCDFDisplay({}, pac={})
    with pytest.raises(InvalidInputError, match="at least one k"):
        plot.TrackingDisplay({})
    with pytest.raises(InvalidInputError, match="at least two columns; got 1"):
        plot.AlluvialDisplay({"a": [0, 1]})
    with pytest.raises(InvalidInputError, match="reference must be one of"):
        plot.AlluvialDisplay({"a": [0, 1], "b": [0, 1]}, reference="c")
    with pytest.raises(InvalidInputError, match="at least one cluster; all are missing"):
        heatmap.from_ensemble(members, [-1, -1, -1])


def test_errors_of_tables():
    members = [[0, 0, 1], [0, 1, 1]]
    with pytest.raises(InvalidInputError, match="at least 2 clusters; got shape"):
        plot.PosteriorDisplay([[1.0], [1.0]])
    with pytest.raises(InvalidInputError, match="two numbers from 0 to 3"):
        plot.PosteriorDisplay(np.eye(4), clusters=(0, 4))
    with pytest.raises(InvalidInputError, match="matrix of clusters and features"):
        plot.FeatureWeightsDisplay([0.5, 0.5])
    with pytest.raises(InvalidInputError, match="feature_names must hold 2 names; got 1"):
        plot.FeatureWeightsDisplay([[0.5, 0.5]], feature_names=["a"])
    with pytest.raises(InvalidInputError, match="needs a fitted LAC"):
        plot.FeatureWeightsDisplay.from_estimator(IPC(2))
    with pytest.raises(InvalidInputError, match="as LACSweep makes it; member 1 has none"):
        plot.FeatureWeightsDisplay.from_ensemble(Ensemble(members), 1)
    with pytest.raises(InvalidInputError, match="one row per value, 2; got 1"):
        plot.ParameterDisplay([1, 2], {"a": [0.5]})
    with pytest.raises(InvalidInputError, match="one number per member, 2; got 1"):
        plot.ParameterDisplay.from_ensemble(members, [0, 0, 1], [1])
    with pytest.raises(InvalidInputError, match="a row and a column per name"):
        plot.MemberSimilarityDisplay(np.eye(2), names=["a"])


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


def test_names_of_clusters_beside_the_members_are_shortened():
    from matplotlib.figure import Figure

    labels = np.repeat(["a cluster of a very long name", "b"], 10)
    display = plot.MembershipDisplay.from_ensemble(labels[:, None], labels)
    display.plot(ax=Figure().subplots())
    written = {tick.get_text() for ax in display.axes_ for tick in ax.get_yticklabels()}
    assert "a clus… name" in written


def test_names_on_the_map_of_members_are_above_their_points():
    from matplotlib.figure import Figure
    from matplotlib.text import Annotation

    members = Ensemble(
        np.array([[0, 0, 1, 1], [0, 1, 1, 1], [0, 1, 0, 1]]).T, names=["a", "b", "c"]
    )
    display = plot.MemberSimilarityDisplay.from_ensemble(members)
    display.plot(ax=Figure().subplots())
    names = [text for ax in display.axes_ for text in ax.findobj(Annotation)]
    assert {text.get_text() for text in names} == {"a", "b", "c"}
    assert all(text.xyann == (0, 6) for text in names)
