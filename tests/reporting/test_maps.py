"""The maps: where objects lie, what is shown of them, and in which colour."""

import re

import numpy as np
import pytest
from scipy import sparse
from sklearn.decomposition import PCA

from consilience import ConsensusClustering, Ensemble
from consilience.datasets import make_planted_ensemble
from consilience.reporting import Report, summarise
from consilience.reporting._charts import N_COLOURS, _names, colour_of, map_marks, shape_of
from consilience.reporting._maps import (
    HEIGHT,
    WIDTH,
    _distances,
    _fitted,
    cluster_places,
    feature_places,
    vote_places,
)
from consilience.reporting._render import colour_rules


def of_kind(summary, kind):
    return next((one for one in summary["map"]["maps"] if one["kind"] == kind), None)


@pytest.fixture(scope="module")
def planted():
    return make_planted_ensemble(300, 8, 4, noise=0.2, random_state=0)


def test_objects_lie_at_their_cluster_or_between():
    means = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    centres = cluster_places(means)
    sides = [np.linalg.norm(centres[a] - centres[b]) for a, b in ((0, 1), (0, 2), (1, 2))]
    np.testing.assert_allclose(sides, sides[0])
    shares = np.array([[1.0, 0, 0], [0, 1.0, 0], [0, 0, 1.0], [0.5, 0.5, 0]])
    labels = np.array([0, 1, 2, 0])
    places = vote_places(shares, labels, shares.max(axis=1), means)
    far = np.linalg.norm(places[:, None] - centres[None], axis=2)
    assert far[:3].argmin(axis=1).tolist() == [0, 1, 2]
    # The divided object is nearer to the middle of its two clusters than to any cluster's place.
    middle = (centres[0] + centres[1]) / 2
    assert np.linalg.norm(places[3] - middle) < far[3].min()


def test_clusters_that_go_together_are_near():
    means = np.full((4, 4), 0.02)
    np.fill_diagonal(means, 0.9)
    means[0, 1] = means[1, 0] = 0.6
    centres = cluster_places(means)
    between = np.linalg.norm(centres[:, None] - centres[None], axis=2)
    np.fill_diagonal(between, np.inf)
    assert np.unravel_index(between.argmin(), between.shape) == (0, 1)


def test_all_objects_are_shown_with_cluster_and_confidence(planted):
    summary = summarise(planted.ensemble, labels=planted.truth)
    shown = summary["map"]
    assert shown["n_shown"] == 300
    assert shown["clusters"] == planted.truth.tolist()
    assert shown["ids"] == [str(row) for row in range(300)]
    least = summary["objects"][0]
    assert shown["confidence"][int(least["id"])] == round(least["confidence"], 3)
    places = np.array(of_kind(summary, "votes")["places"])
    assert places.min() >= 0
    assert places[:, 0].max() <= WIDTH
    assert places[:, 1].max() <= HEIGHT
    assert of_kind(summary, "features") is None
    page = Report(summary).html
    assert "All 300 objects are shown" in page
    assert re.search(r'class="(round|solid) c0 sure\d"', page)
    assert "the fainter a point, the lower its confidence" in page


@pytest.mark.parametrize("kind", ["dense", "sparse", "wide"])
def test_features_are_shown_by_principal_components(kind):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((40, 60 if kind == "wide" else 5)) * np.arange(
        1, 61 if kind == "wide" else 6
    )
    names = [f"column {j}" for j in range(X.shape[1])]
    found = feature_places(sparse.csr_matrix(X) if kind == "sparse" else X, names, "none")
    expected = PCA(2).fit(X)
    np.testing.assert_allclose(np.abs(found["places"]), np.abs(expected.transform(X)), atol=1e-8)
    np.testing.assert_allclose(found["shares"], expected.explained_variance_ratio_, atol=1e-6)
    assert found["principal"]


def test_two_columns_are_shown_as_they_are_and_one_is_not():
    X = np.random.default_rng(0).random((30, 2))
    found = feature_places(X, ["height", "weight"], "none")
    np.testing.assert_allclose(found["places"], X)
    assert found["axes"] == ["height", "weight"]
    assert feature_places(X[:, :1], ["height"], "none") is None
    assert feature_places(np.column_stack([X, X])[:, ::2], ["a", "b"], "none") is not None
    flat = np.column_stack([X[:, 0], np.ones(30), np.ones(30)])
    assert feature_places(flat, ["a", "b", "c"], "none") is None


def test_one_cluster_has_a_map_of_features_alone():
    X = np.random.default_rng(0).standard_normal((60, 3))
    model = ConsensusClustering(n_clusters=1, n_members=5, random_state=0, verbose=0).fit(X)
    summary = summarise(model, X=X)
    assert [one["kind"] for one in summary["map"]["maps"]] == ["features"]
    page = Report(summary).html
    assert "fainter a point" not in page
    assert 'id="map-features"' in page


def test_points_have_the_colour_shape_and_strength_of_what_they_are():
    shown = {
        "n_shown": 4,
        "clusters": [0, 9, 0, 30],
        "confidence": [0.95, 0.6, 0.2, None],
        "names": {"0": "a<b", "9": "i", "30": "z"},
    }
    which = {"kind": "votes", "places": [[100, 100], [900, 900], [2000, 200], [3000, 3000]]}
    marks = map_marks(shown, which)
    assert marks["points"][:2] == [(0, 0, "M200 20h0"), (0, 3, "M10 10h0")]
    assert [point[:2] for point in marks["points"]] == [(0, 0), (0, 3), (9, 1)]
    assert marks["unknown"].startswith("M297 297")
    assert [name for _, _, name in marks["names"]] == ["a<b", "i", "z"]


def _linear(colour):
    parts = np.array([int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)])
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def _perceived(colours):
    """Coordinates in Oklab, times 100: two is about the least difference that people see."""
    rgb = np.array([_linear(colour) for colour in colours])
    to_cones = [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
    to_lab = [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
    return 100 * np.cbrt(rgb @ np.array(to_cones).T) @ np.array(to_lab).T


@pytest.mark.parametrize(("rule", "paper"), [(r":root \{", "#ffffff"), ("dark", "#12161c")])
def test_24_colours_are_told_apart(rule, paper):
    line = next(line for line in colour_rules().splitlines() if re.search(rule, line))
    colours = re.findall(r"--c\d+: (#[0-9a-f]{6})", line)
    assert len(colours) == N_COLOURS >= 24
    seen = _perceived(colours)
    apart = np.linalg.norm(seen[:, None] - seen[None], axis=2) + 99 * np.eye(len(seen))
    assert apart.min() > 8
    assert np.linalg.norm(seen - _perceived([paper]), axis=1).min() > 12


def test_colour_and_shape_name_96_clusters_and_paper_has_the_light_colours():
    assert len({(colour_of(cluster), shape_of(cluster)) for cluster in range(96)}) == 96
    assert len({colour_of(cluster) for cluster in range(24)}) == 24
    lines = colour_rules().splitlines()
    paper = next(line for line in lines if line.startswith("@media print"))
    assert lines[0].removeprefix(":root ") in paper


def test_long_names_of_objects_and_many_clusters_keep_the_page_small():
    ensemble, truth = make_planted_ensemble(2500, 4, 100, noise=0.1, random_state=0)
    ids = [f"{row}-{'<' * 400}" for row in range(2500)]
    X = np.random.default_rng(0).random((2500, 4))
    summary = summarise(ensemble, labels=truth, ids=ids, X=X)
    assert "-<<<" in summary["map"]["ids"][0]
    assert len(Report(summary).html.encode()) < 1_000_000
    short = summarise(ensemble, labels=truth, ids=[f"{'x' * 80}{row}" for row in range(2500)])
    assert short["map"]["ids"][0].startswith("x" * 80)


def test_objects_that_no_member_knows_are_grey_and_in_the_middle(planted):
    labels = planted.ensemble.labels.copy()
    labels[[5, 9]] = -1
    summary = summarise(Ensemble(labels), labels=planted.truth)
    assert summary["map"]["confidence"][5] is None
    places = np.array(of_kind(summary, "votes")["places"])
    centres = np.array([places[planted.truth == c].mean(axis=0) for c in range(4)])
    far = np.linalg.norm(places[[5, 9]] - centres.mean(axis=0), axis=1)
    assert far.max() < 0.5 * np.linalg.norm(centres - centres.mean(axis=0), axis=1).min()
    assert "confidence not known" in Report(summary).html


@pytest.mark.parametrize(
    ("across", "down", "n_written"),
    [(0, 14.9, 1), (0, 15, 2), (17.9, 0, 1), (18, 0, 2), (17.9, 14.9, 1), (0, 29, 2)],
)
def test_names_that_would_overlap_are_left_out(across, down, n_written):
    """A name of two letters is 14 wide, with 2 on both sides, and 15 high; the larger one stays."""
    by_cluster = {0: [(100.0, 50.0)], 1: [(100.0 + across, 50.0 + down)] * 2}
    written = list(_names(by_cluster, {"0": "aa", "1": "bb"}))
    assert len(written) == n_written
    assert written[0] == (f"{100 + across:g}", f"{54 + down:g}", "bb")


def test_places_fill_the_frame_with_one_scale():
    # The frame has room for 4,480 x 3,680; the second axis points upwards.
    assert _fitted(np.array([[10.0, 5.0], [12.0, 5.0], [11.0, 5.5]])) == [
        [160, 2560],
        [4640, 2560],
        [2400, 1440],
    ]
    assert _fitted(np.array([[3.0, 7.0], [3.0, 7.0]])) == [[2400, 2000], [2400, 2000]]


def test_distances_of_clusters_are_between_nothing_and_one():
    means = np.array([[0.5, 0.25, 0.0], [0.25, 0.5, np.nan], [0.0, np.nan, 0.0]])
    assert _distances(means).tolist() == [[0, 0.5, 1], [0.5, 0, 1], [1, 1, 0]]
