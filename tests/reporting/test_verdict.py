"""The verdict: every word of it is about the labels that are returned."""

import numpy as np
import pytest
from sklearn.datasets import make_blobs

from consilience import ConsensusClustering, Ensemble
from consilience.consensus import IPC
from consilience.datasets import make_planted_ensemble
from consilience.exceptions import InvalidInputError, UnlabelledObjectsWarning
from consilience.reporting import Report, summarise


def plain(text):
    return text.replace("\xa0", " ")


@pytest.fixture(scope="module")
def noise():
    X = np.random.default_rng(0).standard_normal((300, 4))
    return summarise(ConsensusClustering(5, n_members=15, random_state=0, verbose=0).fit(X), X=X)


def test_doubts_are_named_beside_the_headline():
    ensemble, truth = make_planted_ensemble(300, 8, 4, noise=0.3, missing=0.1, random_state=0)
    labels = truth.copy()
    labels[:2] = 9
    summary = summarise(ensemble, labels=labels)
    verdict = summary["verdict"]
    assert verdict["grade"] != "clear"
    assert verdict["sentences"][0] == verdict["doubts"]
    for doubt in summary["doubts"]:
        assert doubt["clause"] in verdict["doubts"]
    share = round(100 * verdict["mean_confidence"], 1)
    assert f"only {share} % of the votes" in plain(verdict["doubts"])
    assert "1 cluster has fewer than 5 objects" in verdict["doubts"]


def test_low_confidence_alone_is_a_named_doubt():
    rows = np.repeat([0, 1], 50)
    others = rows.copy()
    others[:20] = 1
    more = rows.copy()
    more[-20:] = 0
    summary = summarise(Ensemble([rows, rows, others, more]), labels=rows)
    assert summary["doubts"] == []
    assert summary["verdict"]["headline"] == "2 clusters: usable, with doubts"
    assert summary["verdict"]["doubts"].startswith("The doubt: on average only")


def test_no_doubt_no_sentence():
    X, _ = make_blobs(150, centers=[[0, 0], [9, 0], [0, 9]], random_state=0)
    model = ConsensusClustering(3, n_members=10, random_state=0, verbose=0).fit(X)
    summary = summarise(model)
    assert summary["verdict"]["grade"] == "clear"
    assert summary["doubts"] == []
    assert summary["verdict"]["doubts"] == ""
    assert not any("doubt" in sentence for sentence in summary["verdict"]["sentences"])


def test_clusters_of_noise_are_not_called_usable(noise):
    verdict = noise["verdict"]
    assert verdict["grade"] == "unsupported"
    assert verdict["headline"] == "5 clusters: evidence of clusters none"
    assert "there is no evidence of clusters" in verdict["doubts"]


def test_members_that_agree_by_chance_are_not_usable():
    members = Ensemble(np.random.default_rng(0).integers(0, 2, (2000, 6)))
    summary = summarise(members, labels=members.labels[:, 0])
    assert "the members agree no better than chance" in summary["verdict"]["doubts"]
    assert "usable" not in summary["verdict"]["headline"]


def test_labels_that_members_do_not_support_are_not_blamed_on_the_members():
    rows = np.repeat([0, 1], 60)
    strange = np.tile([0, 1], 60)
    summary = summarise(Ensemble([rows, rows, rows]), labels=strange)
    assert summary["verdict"]["headline"] == "2 clusters: supported hardly more than by chance"
    assert summary["verdict"]["sentences"][-1].startswith("The clusters were given")


def test_many_sizes_are_told_by_the_ends():
    ensemble, truth = make_planted_ensemble(900, 4, 26, noise=0.05, random_state=0)
    sizes = np.bincount(truth)
    sentence = summarise(ensemble, labels=truth)["verdict"]["sentences"]
    assert any(
        f"the largest of {sizes.max()} and the smallest of {sizes.min()}" in s for s in sentence
    )


def test_objects_without_confidence_are_left_out_of_every_mean():
    ensemble, truth = make_planted_ensemble(200, 6, 3, noise=0.1, random_state=0)
    labels = ensemble.labels.copy()
    labels[:20] = -1
    gaps = Ensemble(labels)
    with pytest.warns(UnlabelledObjectsWarning):
        function = IPC(3, random_state=0).fit(gaps)
    for result, given in ((gaps, {"labels": truth}), (function, {"ensemble": gaps})):
        summary = summarise(result, **given)
        known = summarise(
            gaps.take(np.arange(20, 200)),
            labels=(truth if "labels" in given else result.labels_)[20:],
        )
        assert summary["n_unknown"] == 20
        assert sum(summary["confidence"]) == 180
        assert summary["verdict"]["mean_confidence"] == pytest.approx(
            known["verdict"]["mean_confidence"], abs=0.02
        )
        assert summary["verdict"]["undecided"] == known["verdict"]["undecided"]
        assert not any(int(entry["id"]) < 20 for entry in summary["objects"])
        assert "20 objects are labelled by no member" in summary["verdict"]["doubts"]
        page = Report(summary).html
        assert "Left out: 20 objects that no member labels" in page
        assert "nan" not in page.lower().replace("nanmean", "").split("<script")[0]


def test_a_cluster_of_unknown_objects_has_no_stability():
    labels = np.repeat([0, 1, 2], 10)
    members = np.tile(np.where(labels == 2, -1, labels), (4, 1))
    summary = summarise(Ensemble(list(members)), labels=labels)
    assert [c["stability"] for c in summary["clusters"]] == [1.0, 1.0, None]
    assert "not known" in Report(summary).html


def test_known_classes_are_compared_only_where_they_are_known():
    ensemble, truth = make_planted_ensemble(200, 6, 3, noise=0.1, random_state=0)
    without = summarise(ensemble, labels=truth)
    assert without["classes"] is None
    assert "known class" not in Report(without).html
    classes = np.array(["x", "y", "z"], dtype=object)[truth]
    classes[:50] = None
    classes[50:60] = "y"
    summary = summarise(ensemble, labels=truth, truth=classes)
    right = np.mean(np.array(["x", "y", "z"], dtype=object)[truth][50:] == classes[50:])
    assert summary["classes"]["accuracy"] == pytest.approx(right)
    sentence = plain(summary["classes"]["sentence"])
    assert sentence.startswith("Against the 3 known classes that 150 of 200 objects have")
    assert f"{100 * right:.1f} % of the objects are in the right cluster" in sentence
    assert "Against the 3 known classes" in Report(summary).html


@pytest.mark.parametrize(
    ("truth", "message"),
    [([0, 1], "one class per object, 4; got 2"), ([-1] * 4, "at least one object; got none")],
)
def test_wrong_classes_are_refused(truth, message):
    with pytest.raises(InvalidInputError, match=message):
        summarise(Ensemble([[0, 0, 1, 1], [0, 1, 1, 1]]), labels=[0, 0, 1, 1], truth=truth)


def test_features_below_half_a_deviation_define_nothing():
    rng = np.random.default_rng(0)
    labels = np.repeat([0, 1], 500)
    X = rng.standard_normal((1000, 3))
    X[labels == 1, 0] += 0.4
    X[labels == 1, 1] += 0.8
    ensemble = Ensemble([labels, labels, rng.permutation(labels)])
    summary = summarise(ensemble, labels=labels, X=X, feature_names=["weak", "strong", "none"])
    assert [f["name"] for f in summary["clusters"][0]["features"]] == ["strong"]
    nothing = summarise(ensemble, labels=labels, X=X[:, ::2], feature_names=["weak", "none"])
    assert nothing["clusters"][0]["features"] == []
    assert "No feature differs by 0.5 standard deviations or more" in Report(nothing).html


def test_what_is_together_in_no_member_has_no_nearest_cluster():
    labels = np.repeat([0, 1, 2], 20)
    summary = summarise(Ensemble([labels, labels, labels]), labels=labels)
    assert [cluster["nearest"] for cluster in summary["clusters"]] == [None, None, None]


def test_figures_of_the_verdict_have_six_digits():
    labels = [0, 0, 1, 1]
    verdict = summarise(Ensemble([labels, labels, [0, 0, 1, 0]]), labels=labels)["verdict"]
    # Shares of 8/9 (twice), 1 and 7/9 of the votes, and 5/6 by chance.
    assert verdict["mean_confidence"] == 0.888889
    assert verdict["chance_confidence"] == 0.833333
