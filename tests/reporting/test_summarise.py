"""The summary: plain, complete, and right."""

import json

import numpy as np
import pytest
from hypothesis import given
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
from consilience.reporting._block_means import block_means
from consilience.reporting._consensus_picture import PICTURE_OBJECTS, _top
from consilience.reporting._result import read_result
from oracles.strategies import incomplete_matrices


@pytest.fixture(scope="module")
def planted():
    return make_planted_ensemble(300, 8, 4, noise=0.3, missing=0.1, random_state=0)


def literal_means(labels, weights, clusters, n_clusters):
    """Share of members that join two objects, pair by pair."""
    joined = np.zeros((n_clusters, n_clusters))
    known = np.zeros((n_clusters, n_clusters))
    for i in range(len(labels)):
        for j in range(len(labels)):
            for member, weight in enumerate(weights):
                a, b = labels[i, member], labels[j, member]
                if i != j and a >= 0 and b >= 0:
                    known[clusters[i], clusters[j]] += weight
                    joined[clusters[i], clusters[j]] += weight * (a == b)
    with np.errstate(invalid="ignore"):
        return joined / known


@given(incomplete_matrices())
def test_block_means_are_the_means_over_pairs(labels):
    ensemble = Ensemble(labels, weights=1.0 + np.arange(labels.shape[1]))
    clusters = np.arange(len(labels)) % 3
    n_clusters = int(clusters.max()) + 1
    expected = literal_means(ensemble.labels, ensemble.weights, clusters, n_clusters)
    np.testing.assert_allclose(block_means(ensemble, clusters, n_clusters), expected, atol=1e-12)


def test_summary_is_plain_and_repeats(planted):
    one, two = (summarise(planted.ensemble, labels=planted.truth) for _ in range(2))
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
    assert [cluster["name"] for cluster in summary["clusters"]] == [
        "east",
        "north",
        "south",
        "west",
    ]
    sizes = {name: int((labels == name).sum()) for name in np.unique(labels)}
    assert {c["name"]: c["size"] for c in summary["clusters"]} == sizes
    assert all(entry["id"] in ids for entry in summary["objects"])
    numbered = summarise(planted.ensemble, labels=10 * planted.truth)
    assert [cluster["name"] for cluster in numbered["clusters"]] == ["0", "10", "20", "30"]


def test_picture_shows_some_of_every_cluster():
    ensemble, truth = make_planted_ensemble(
        5000, 5, 3, proportions=[0.9, 0.098, 0.002], random_state=0
    )
    picture = summarise(ensemble, labels=truth)["picture"]
    (cut,) = picture["cuts"]
    assert PICTURE_OBJECTS - 3 <= picture["n_shown"] <= PICTURE_OBJECTS
    assert sorted(cut["order"]) == list(range(picture["n_shown"]))
    assert sum(cut["sizes"]) == picture["n_shown"]
    assert min(cut["sizes"]) >= 5


def test_defining_features_are_where_clusters_differ():
    rng = np.random.default_rng(0)
    labels = np.repeat([0, 1, 2], 50)
    X = rng.standard_normal((150, 4))
    X[labels == 1, 2] += 9
    X[labels == 2, 0] -= 9
    X[:, 3] = 5.0
    ensemble = Ensemble(np.column_stack([labels, labels, rng.integers(0, 3, 150)]))
    names = ["a", "b", "c", "constant"]
    summary = summarise(ensemble, labels=labels, X=X, feature_names=names)
    first, second = (summary["clusters"][c]["features"][0] for c in (1, 2))
    assert (first["name"], second["name"]) == ("c", "a")
    assert first["difference"] > 0 > second["difference"]
    rest = X[labels != 1, 2].mean()
    expected = (X[labels == 1, 2].mean() - rest) / X[:, 2].std()
    assert first["difference"] == pytest.approx(expected, abs=1e-4)
    assert "constant" not in json.dumps(summary["clusters"])
    wide = summarise(ensemble, labels=labels, X=sparse.csr_matrix(X), feature_names=names)
    assert wide["clusters"][1]["features"][0]["name"] == "c"


def test_learned_weights_define_clusters_without_data():
    X, _ = make_three_gaussians(random_state=0)
    ensemble = LACSweep(n_clusters=3, random_state=0).fit(X[::5]).ensemble_
    function = WBPA(n_clusters=3, random_state=0).fit(ensemble)
    summary = summarise(function, ensemble=ensemble, feature_names=["left", "right"])
    assert summary["features"] == {"given": True, "by_weight": True}
    largest = function.feature_weights_.argmax(axis=1)
    for cluster, column in zip(summary["clusters"], largest, strict=True):
        assert cluster["features"][0]["name"] == ["left", "right"][column]


def test_one_cluster_is_an_answer():
    X = np.random.default_rng(0).standard_normal((60, 2))
    model = ConsensusClustering(n_clusters=1, n_members=5, random_state=0, verbose=0).fit(X)
    summary = summarise(model, X=X)
    assert summary["verdict"]["grade"] == "one"
    assert summary["objects"] == []
    assert summary["clusters"][0]["features"] == []


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
    noise = Ensemble(rng.integers(0, 3, (300, 6)))
    codes = [doubt["code"] for doubt in summarise(noise, labels=noise.labels[:, 0])["doubts"]]
    assert "no-signal" in codes
    same = Ensemble(np.repeat(rng.integers(0, 3, (300, 1)), 4, axis=1))
    summary = summarise(same, labels=same.labels[:, 0])
    assert [doubt["code"] for doubt in summary["doubts"]] == ["no-diversity"]
    assert summary["verdict"]["grade"] == "fair"
    assert len(summary["members"]["redundant"][0]) == 4
    lonely = np.where(np.arange(300) == 7, 9, noise.labels[:, 0])
    codes = [doubt["code"] for doubt in summarise(noise, labels=lonely)["doubts"]]
    assert "small-clusters" in codes
    assert "no-majority" in codes
    unknown = noise.labels.copy()
    unknown[3] = -1
    doubts = summarise(Ensemble(unknown), labels=noise.labels[:, 0])["doubts"]
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
    assert f"the 30 largest of {found} clusters" in Report(summary).html


def test_model_of_soft_members_and_zero_weights(planted):
    X, _ = make_three_gaussians(random_state=0)
    model = ConsensusClustering(3, generator="lac-sweep", random_state=0, verbose=0).fit(X[::5])
    assert summarise(model, X=X[::5])["members"]["soft"]
    muted = planted.ensemble.with_weights([0, *([1] * 7)])
    table = summarise(muted, labels=planted.truth)["members"]["table"]
    assert table[0]["remark"] == "weight 0, ignored"


def test_soft_members_are_taken_by_their_labels(planted):
    rng = np.random.default_rng(0)
    soft = Ensemble.from_memberships([rng.dirichlet(np.full(3, 0.2), 60) for _ in range(4)])
    summary = summarise(soft, labels=soft.labels[:, 0])
    assert summary["members"]["soft"]
    json.dumps(summary, allow_nan=False)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"result": "E"}, "needs labels="),
        ({"result": "E", "labels": [0, 1]}, "one entry per object, 300; got 2"),
        ({"result": "E", "labels": "missing"}, "1 labels are missing, the first of object 4"),
        ({"result": "E", "labels": "T", "ids": ["a"]}, "ids must be one name per object, 300"),
        ({"result": "E", "labels": "T", "ensemble": "E"}, "ensemble= cannot be used with Ensemble"),
        ({"result": "E", "labels": "T", "X": np.ones((2, 2))}, "one row per object, 300; got 2"),
        (
            {"result": "E", "labels": "T", "X": np.ones((300, 2)), "feature_names": ["a"]},
            "one name per column, 2; got 1",
        ),
        ({"result": "F"}, "does not keep its members; pass ensemble="),
        ({"result": "F", "ensemble": [[0, 1], [0, 1]]}, "of 300 objects; got 2"),
        ({"result": "F", "labels": "T"}, "labels= cannot be used with IPC"),
        ({"result": [[0, 1], [0, 1]]}, "must be a fitted ConsensusClustering.*got list"),
    ],
)
def test_errors_say_what_to_do(planted, arguments, message):
    missing = planted.truth.copy()
    missing[4] = -1
    known = {
        "E": planted.ensemble,
        "T": planted.truth,
        "F": IPC(n_clusters=4, random_state=0).fit(planted.ensemble),
        "missing": missing,
    }
    read = {
        name: known.get(value, value) if isinstance(value, str) else value
        for name, value in arguments.items()
    }
    with pytest.raises(InvalidInputError, match=message):
        summarise(**read)


def test_agreement_by_chance_is_not_called_clear():
    labels = np.random.default_rng(0).integers(0, 3, (400, 2))
    ensemble = Ensemble(labels)
    verdict = summarise(ensemble, labels=labels[:, 0])["verdict"]
    assert verdict["grade"] == "unsupported"
    assert verdict["headline"] == "3 clusters: supported hardly more than by chance"
    assert any("no evidence of clusters" in sentence for sentence in verdict["sentences"])
    assert verdict["chance_confidence"] > 0.6


def test_clusters_beyond_chance_are_still_clear():
    ensemble, truth = make_planted_ensemble(300, 8, 4, noise=0.02, random_state=0)
    verdict = summarise(ensemble, labels=truth)["verdict"]
    assert verdict["grade"] == "clear"
    assert verdict["chance_confidence"] < 0.6 < verdict["mean_confidence"]
    assert not any("evidence of clusters" in sentence for sentence in verdict["sentences"])


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
