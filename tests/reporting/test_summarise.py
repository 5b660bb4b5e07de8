"""The summary: plain, complete, and right."""

import json

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import make_blobs

from consilience import ConsensusClustering, Ensemble
from consilience.consensus import HBGF, IPC, WBPA, Concord
from consilience.consensus.internals import chance_level
from consilience.datasets import make_planted_ensemble, make_three_gaussians
from consilience.exceptions import InvalidInputError
from consilience.generate import LACSweep
from consilience.metrics import KnownClasses
from consilience.reporting import Report, _members, summarise
from consilience.reporting._maps import MAP_OBJECTS
from consilience.reporting._picture import PICTURE_OBJECTS, _top
from consilience.reporting._result import read_result


@pytest.fixture(scope="module")
def planted():
    return make_planted_ensemble(300, 8, 4, noise=0.3, missing=0.1, random_state=0)


def test_summary_is_plain_and_repeats(planted):
    X = np.random.default_rng(0).random((300, 4))
    one, two = (summarise(planted.ensemble, labels=planted.truth, X=X) for _ in range(2))
    text = json.dumps(one, allow_nan=False)
    assert json.loads(text) == one
    one["origin"]["made"] = two["origin"]["made"] = ""
    assert one == two


def test_function_and_its_labels_tell_the_same(planted):
    function = HBGF(n_clusters=4, random_state=0).fit(planted.ensemble)
    by_function = summarise(function, ensemble=planted.ensemble)
    by_labels = summarise(planted.ensemble, labels=function.labels_)
    for part in ("objects", "clusters", "confidence", "members", "picture"):
        assert by_function[part] == by_labels[part]


def test_objects_are_those_with_least_votes(planted):
    function = IPC(n_clusters=4, random_state=0).fit(planted.ensemble)
    shares = function.predict_proba(planted.ensemble)
    own = shares[np.arange(300), function.labels_]
    objects = summarise(function, ensemble=planted.ensemble)["objects"]
    assert len(objects) == 20
    found = [int(entry["id"]) for entry in objects]
    assert max(own[found]) <= np.sort(own)[19] + 1e-12
    for entry in objects:
        votes = shares[int(entry["id"])].copy()
        assert entry["confidence"] == pytest.approx(votes[int(entry["cluster"])], abs=1e-4)
        votes[int(entry["cluster"])] = -1
        assert entry["second_share"] == pytest.approx(votes.max(), abs=1e-4)


def test_names_of_clusters_and_objects_are_those_given(planted):
    labels = np.array(["north", "east", "south", "west"])[planted.truth]
    ids = [f"object-{i}" for i in range(300)]
    summary = summarise(planted.ensemble, labels=labels, ids=ids)
    named = [(cluster["name"], cluster["size"]) for cluster in summary["clusters"]]
    names, sizes = np.unique(labels, return_counts=True)
    assert named == list(zip(names, sizes, strict=True))
    assert all(entry["id"] in ids for entry in summary["objects"])
    numbered = summarise(planted.ensemble, labels=10 * planted.truth)
    assert [cluster["name"] for cluster in numbered["clusters"]] == ["0", "10", "20", "30"]


def test_large_data_are_sampled_with_some_of_every_cluster_and_this_is_said():
    ensemble, truth = make_planted_ensemble(
        5000, 5, 3, proportions=[0.9, 0.098, 0.002], random_state=0
    )
    X = np.random.default_rng(0).random((5000, 3))
    summary = summarise(ensemble, labels=truth, X=X)
    picture, shown = summary["picture"], summary["map"]
    (cut,) = picture["cuts"]
    assert PICTURE_OBJECTS - 3 <= picture["n_shown"] <= PICTURE_OBJECTS
    assert sorted(cut["order"]) == list(range(picture["n_shown"]))
    assert sum(cut["sizes"]) == picture["n_shown"]
    assert min(cut["sizes"]) >= 5
    assert MAP_OBJECTS - 3 <= shown["n_shown"] <= MAP_OBJECTS
    assert [len(one["places"]) for one in shown["maps"]] == [shown["n_shown"]] * 2
    assert f"Shown are {shown['n_shown']:,} of 5,000 objects" in Report(summary).html


def test_defining_features_are_where_clusters_differ():
    rng = np.random.default_rng(0)
    labels = np.repeat([0, 1, 2], 300)
    X = rng.standard_normal((900, 4))
    X[labels == 1, 2] += 9
    X[labels == 2, 0] -= 9
    X[labels == 1, 1] += 0.4  # below half a standard deviation
    X[:, 3] = 5.0
    ensemble = Ensemble(np.column_stack([labels, labels, rng.integers(0, 3, 900)]))
    names = ["a", "weak", "c", "constant"]
    for data in (X, sparse.csr_matrix(X)):
        clusters = summarise(ensemble, labels=labels, X=data, feature_names=names)["clusters"]
        first, second = (clusters[c]["features"][0] for c in (1, 2))
        assert (first["name"], second["name"]) == ("c", "a")
        assert first["difference"] > 0 > second["difference"]
        expected = (X[labels == 1, 2].mean() - X[labels != 1, 2].mean()) / X[:, 2].std()
        assert first["difference"] == pytest.approx(expected, abs=1e-4)
        assert not {"weak", "constant"} & {f["name"] for c in clusters for f in c["features"]}
    nothing = summarise(ensemble, labels=labels, X=X[:, [1, 3]])
    assert "No feature differs by 0.5 standard deviations or more" in Report(nothing).html


def test_learned_weights_define_clusters_of_soft_members_without_data():
    X, _ = make_three_gaussians(random_state=0)
    ensemble = LACSweep(n_clusters=3, random_state=0).fit(X[::5]).ensemble_
    function = WBPA(n_clusters=3, random_state=0).fit(ensemble)
    summary = summarise(function, ensemble=ensemble, feature_names=["left", "right"])
    assert summary["members"]["soft"]
    assert summary["features"] == {"given": True, "by_weight": True}
    largest = function.feature_weights_.argmax(axis=1)
    for cluster, column in zip(summary["clusters"], largest, strict=True):
        assert cluster["features"][0]["name"] == ["left", "right"][column]


def test_choice_of_k_has_a_cut_per_candidate():
    X, _ = make_blobs(200, centers=[[0, 0], [9, 0], [0, 9]], random_state=0)
    model = ConsensusClustering((2, 4), n_members=8, random_state=0, verbose=0).fit(X)
    summary = summarise(model)
    assert [row["n_clusters"] for row in summary["choice"]["candidates"]] == [2, 3, 4]
    assert [cut["n_clusters"] for cut in summary["picture"]["cuts"]] == [2, 3, 4]
    assert [cut["final"] for cut in summary["picture"]["cuts"]] == [False, True, False]
    assert "random_state=0" in summary["origin"]["command"]
    assert "bit for bit" in summary["origin"]["repeats"]
    assert [row["why"] for row in summary["choice"]["candidates"]].count("chosen") == 1


def test_data_of_objects_are_variables_in_the_code(planted):
    ensemble, truth = planted
    function = IPC(4, criterion=KnownClasses(truth), init=truth, random_state=0).fit(ensemble)
    origin = summarise(function, ensemble=ensemble)["origin"]
    compile(origin["command"], "command", "exec")
    assert "init=init" in origin["command"]
    assert "criterion=criterion" in origin["command"]
    assert origin["repeats"].startswith("Here init and criterion must be what was given. With")
    X = np.random.default_rng(0).standard_normal((60, 2)) + np.repeat([[0, 0], [9, 9]], 30, 0)
    model = ConsensusClustering(2, n_members=5, consensus=IPC(2, features=X), random_state=0).fit(X)
    code = summarise(model, X=X)["origin"]["command"]
    compile(code, "command", "exec")
    assert "features=features" in code


def test_doubts_are_found_again():
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 3, (300, 6))
    same = summarise(Ensemble(np.repeat(labels[:, :1], 4, axis=1)), labels=labels[:, 0])
    assert [doubt["code"] for doubt in same["doubts"]] == ["no-diversity"]
    assert len(same["members"]["redundant"][0]) == 4
    lonely = np.where(np.arange(300) == 7, 9, labels[:, 0])
    codes = {doubt["code"] for doubt in summarise(Ensemble(labels), labels=lonely)["doubts"]}
    assert {"no-signal", "small-clusters", "no-majority"} <= codes
    unknown = np.where(np.arange(300)[:, None] == 3, -1, labels)
    doubts = summarise(Ensemble(unknown), labels=labels[:, 0])["doubts"]
    assert doubts[0]["code"] == "unknown-objects"
    assert "1 of 300 objects" in doubts[0]["sentence"]


@pytest.mark.parametrize(
    ("labels", "members"),
    [
        ([0, 0], [[0, 0]]),
        ([0, 1], [[0, 1], [0, 0]]),
        (list(range(3)), [[0, 1, -1], [-1, -1, 0]]),
        ([0, 1, 1, 1], [[0, 1, 1, 1], [0, 0, 0, 0], [-1, -1, -1, -1]]),
    ],
)
def test_tiny_ensembles_have_a_page(labels, members):
    page = Report(summarise(Ensemble(members), labels=labels)).html
    assert page.endswith("</html>\n")


def test_no_pair_of_members_is_drawn_twice(monkeypatch):
    monkeypatch.setattr(_members, "_PAIRS_SHOWN", 9)
    labels = np.random.default_rng(0).integers(0, 3, (60, 5))
    found = summarise(Ensemble(labels), labels=labels[:, 0])["members"]
    assert found["n_pairs"] == 10
    assert len(set(map(tuple, found["pairs"]))) == len(found["pairs"]) == 9


def test_more_clusters_than_anyone_reads():
    ensemble, truth = make_planted_ensemble(900, 3, 300, noise=0.1, random_state=0)
    summary = summarise(ensemble, labels=truth)
    assert len(summary["clusters"]) == 100
    assert len(summary["picture"]["cuts"][0]["means"]) == 30
    found = summary["verdict"]["n_clusters"]
    assert found > 250
    assert summary["map"]["maps"] == []
    page = Report(summary).html
    assert f"the 30 largest of {found} clusters" in page
    assert "There is no map of the objects" in page


def test_members_of_weight_zero_are_remarked_on_first(planted):
    muted = planted.ensemble.with_weights([0, *([1] * 7)])
    table = summarise(muted, labels=planted.truth)["members"]["table"]
    assert table[0]["remark"] == "weight 0, ignored"


def test_errors_say_what_to_do(planted):
    ensemble, truth = planted
    function = IPC(n_clusters=4, random_state=0).fit(ensemble)
    missing = np.where(np.arange(300) == 4, -1, truth)
    for result, given, message in [
        (ensemble, {}, "needs labels="),
        (ensemble, {"labels": [0, 1]}, "one entry per object, 300; got 2"),
        (ensemble, {"labels": missing}, "1 labels are missing, the first of object 4"),
        (ensemble, {"labels": truth, "ids": ["a"]}, "ids must be one name per object, 300"),
        (ensemble, {"labels": truth, "ensemble": ensemble}, "ensemble= cannot be used with"),
        (ensemble, {"labels": truth, "X": np.ones((2, 2))}, "one row per object, 300; got 2"),
        (
            ensemble,
            {"labels": truth, "X": np.ones((300, 2)), "feature_names": ["a"]},
            "one name per column, 2; got 1",
        ),
        (ensemble, {"labels": truth, "truth": [0, 1]}, "one class per object, 300; got 2"),
        (ensemble, {"labels": truth, "truth": [-1] * 300}, "at least one object; got none"),
        (function, {}, "does not keep its members; pass ensemble="),
        (function, {"ensemble": [[0, 1], [0, 1]]}, "of 300 objects; got 2"),
        (function, {"labels": truth}, "labels= cannot be used with IPC"),
        ([[0, 1], [0, 1]], {}, "must be a fitted ConsensusClustering.*got list"),
    ]:
        with pytest.raises(InvalidInputError, match=message):
            summarise(result, **given)


def test_chance_of_labels_from_elsewhere_has_one_seed():
    ensemble, truth = make_planted_ensemble(20, 4, 2, noise=0.6, random_state=0)
    expected = [chance_level(Concord(), ensemble, truth, seed) for seed in (0, 1)]
    assert expected[0] != expected[1]
    assert read_result(ensemble, labels=truth).chance_confidence == expected[0]


@pytest.mark.parametrize(
    ("value", "top"), [(0.0, 1.0), (0.05, 0.1), (0.25, 0.3), (0.3, 0.3), (0.6, 0.6), (0.61, 1.0)]
)
def test_darkest_colour_is_a_tenth_above_nearly_all_pairs(value, top):
    assert _top(np.full(10, value)) == top
    assert _top(np.zeros(0)) == 1.0
