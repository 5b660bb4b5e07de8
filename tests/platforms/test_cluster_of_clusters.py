"""Platforms joined by ids: partly the same samples, and the same weight for each platform."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from consilience import Ensemble
from consilience.exceptions import (
    InvalidInputError,
    InvalidParameterError,
    MatchedIdsWarning,
    NoDiversityWarning,
)
from consilience.metrics import ari
from consilience.platforms import cluster_of_clusters
from consilience.plot import PlatformsDisplay

TRUTH = np.repeat(np.arange(3), 20)
IDS = np.array([f"s{i}" for i in range(60)])


def _platform(seed, n_samples=45, noise=0.1, n_members=1, truth=TRUTH):
    rng = np.random.default_rng(seed)
    rows = np.sort(rng.choice(60, n_samples, replace=False))
    table = {}
    for j in range(n_members):
        moved = rng.random(n_samples) < noise
        table[f"run{j}"] = np.where(moved, rng.integers(0, 3, n_samples), truth[rows])
    return pd.DataFrame(table, index=IDS[rows])


def _truth_of(found):
    return TRUTH[[int(key[1:]) for key in found.ids]]


def test_partly_overlapping_samples_are_joined():
    platforms = {"rna": _platform(0), "dna": _platform(1), "protein": _platform(2)}
    found = cluster_of_clusters(platforms, 3)
    everywhere = set.intersection(*(set(frame.index) for frame in platforms.values()))
    assert set(found.ids) == set.union(*(set(frame.index) for frame in platforms.values()))
    assert np.count_nonzero(found.n_platforms == 3) == len(everywhere)
    assert ari(found.labels, _truth_of(found)) > 0.85
    assert [row.n_samples for row in found.table] == [45, 45, 45]
    assert f"{len(everywhere)} of {len(found.ids)} samples are on all platforms" in found.sentence
    assert found.confidence.min() >= 0
    assert found.confidence.max() <= 1


def test_ten_clusterings_of_one_do_not_outvote_the_others():
    # Ten runs see another structure; two platforms of one run each see the truth.
    other = np.tile(np.arange(3), 20)
    platforms = {
        "loud": _platform(0, 60, 0.05, 10, truth=other),
        "first": _platform(1, 60, 0.0),
        "second": _platform(2, 60, 0.0),
    }
    balanced = cluster_of_clusters(platforms, 3)
    plain = cluster_of_clusters(platforms, 3, balance=False)
    assert ari(balanced.labels, _truth_of(balanced)) == 1.0
    assert ari(plain.labels, _truth_of(plain)) < 0.1
    assert [round(row.weight, 6) for row in balanced.table] == [0.333333] * 3
    assert [round(row.weight, 6) for row in plain.table] == [0.833333, 0.083333, 0.083333]
    heavy = cluster_of_clusters(platforms, 3, weights={"loud": 10})
    assert ari(heavy.labels, _truth_of(heavy)) < 0.1
    assert "; loud agrees least (NMI " in balanced.sentence
    light = cluster_of_clusters(platforms, 3, weights={"loud": 0.5, "first": 0})
    assert [round(row.weight, 6) for row in light.table] == [0.333333, 0, 0.666667]


def test_every_kind_of_input_is_the_same():
    frame, other = _platform(3), _platform(4)
    kinds = [
        frame,
        frame["run0"],
        frame["run0"].to_dict(),
        frame.reset_index(names="id"),
        pl.DataFrame({"id": frame.index.tolist(), "run0": frame["run0"].tolist()}),
        Ensemble(frame.to_numpy(), ids=frame.index.to_numpy(dtype=object)),
    ]
    answers = [cluster_of_clusters({"a": kind, "b": other["run0"]}, 3, id="id") for kind in kinds]
    with pytest.warns(NoDiversityWarning):
        same = cluster_of_clusters({"a": other, "b": other}, 3)
    assert "all platforms agree with it alike (NMI 1.00)" in same.sentence
    for found in answers[1:]:
        assert found.ids.tolist() == answers[0].ids.tolist()
        assert np.array_equal(found.labels, answers[0].labels)


def test_number_of_clusters_from_the_members():
    platforms = {"rna": _platform(0, 55, 0.05, 4), "dna": _platform(1, 55, 0.05, 4)}
    found = cluster_of_clusters(platforms, "auto")
    assert found.n_clusters == 3
    assert "Halves of the members" in found.sentence
    with pytest.raises(InvalidInputError, match="give n_clusters"):
        cluster_of_clusters({"a": _platform(0), "b": _platform(1)}, "auto")


def test_picture_has_a_panel_per_platform():
    from matplotlib.figure import Figure

    platforms = {"rna": _platform(0, n_members=3), "dna": _platform(1)}
    found = cluster_of_clusters(platforms, 3)
    display = found.display()
    assert isinstance(display, PlatformsDisplay)
    assert [table.counts.sum() for table in display.tables.values()] == [45, 45]
    display.plot(ax=Figure().subplots())
    assert len(display.axes_) == 2


@pytest.mark.parametrize(
    ("platforms", "options", "words"),
    [
        ({"a": {"x": 0}}, {}, "at least two"),
        ([{"x": 0}], {}, "got list"),
        ({"a": {}, "b": {"x": 0}}, {}, "'a' has no samples"),
        ({"a": {"x": 0}, "b": Ensemble([[0, 1]])}, {}, "with_ids"),
        ({"a": {"x": 0}, "b": pl.DataFrame({"c": [1]})}, {}, "give id="),
        ({"a": {"x": 0, "y": 1}, "b": {"x": 1, "y": 0}}, {"weights": {"c": 1}}, "platforms are"),
        ({"a": {"x": 0, "y": 1}, "b": {"x": 1, "y": 0}}, {"weights": {"a": -1}}, "not negative"),
        ({"a": {"x": 0, "y": 1}, "b": {"x": 1, "y": 0}}, {"weights": {"a": np.inf}}, "finite"),
        ({"a": {"x": 0, "y": 1}, "b": {"x": 1, "y": 0}}, {"weights": {"a": 0, "b": 0}}, "all 0"),
        (
            {"a": {"x": 0, "y": 1}, "b": {"x": 1, "y": 0}},
            {"weights": {"a": 1}, "balance": False},
            "need balance=True",
        ),
    ],
)
def test_wrong_input(platforms, options, words):
    with pytest.raises(InvalidInputError, match=words):
        cluster_of_clusters(platforms, 2, **options)


def test_wrong_parameters():
    with pytest.raises(InvalidParameterError, match="'auto' or an integer of at least 2"):
        cluster_of_clusters({"a": {"x": 0}, "b": {"x": 1}}, 1)


def test_ids_written_differently_are_matched_with_a_warning():
    with pytest.warns(MatchedIdsWarning, match="7"):
        result = cluster_of_clusters(
            {
                "rna": pd.DataFrame({"id": ["007", "8", "9", "10"], "labels": [0, 0, 1, 1]}),
                "atac": pd.DataFrame({"id": ["7", "8", "9", "10"], "labels": [1, 1, 1, 0]}),
            },
            n_clusters=2,
            id="id",
        )
    assert len(result.labels) == 4
