"""The verdict: every word of it is about the labels that are returned."""

import numpy as np
import pytest
from sklearn.datasets import make_blobs

from consilience import ConsensusClustering, Ensemble
from consilience.consensus import IPC
from consilience.datasets import make_planted_ensemble
from consilience.exceptions import UnlabelledObjectsWarning
from consilience.reporting import Report, summarise


def plain(text):
    return text.replace("\xa0", " ")


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
    others, more = np.repeat([1, 0, 1], [20, 30, 50]), np.repeat([0, 1, 0], [50, 30, 20])
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


@pytest.fixture(scope="module")
def noise():
    X = np.random.default_rng(0).standard_normal((300, 4))
    return summarise(ConsensusClustering(5, n_members=15, random_state=0, verbose=0).fit(X), X=X)


def test_clusters_of_noise_are_not_called_usable(noise):
    verdict = noise["verdict"]
    assert verdict["grade"] == "unsupported"
    assert verdict["headline"] == "5 clusters: evidence of clusters none"
    assert "there is no evidence of clusters" in verdict["doubts"]


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
        found = truth if result is gaps else function.labels_
        known = summarise(gaps.take(np.arange(20, 200)), labels=found[20:])["verdict"]
        assert summary["n_unknown"] == 20
        assert sum(summary["confidence"]) == 180
        verdict = summary["verdict"]
        assert verdict["mean_confidence"] == pytest.approx(known["mean_confidence"], abs=0.02)
        assert verdict["undecided"] == known["undecided"]
        assert not any(int(entry["id"]) < 20 for entry in summary["objects"])
        assert "20 objects are labelled by no member" in verdict["doubts"]
        page = Report(summary).html
        assert "Left out: 20 objects that no member labels" in page
        assert "nan" not in page.lower().split("<script")[0]


def test_a_cluster_of_unknown_objects_has_no_stability_and_none_is_near():
    labels = np.repeat([0, 1, 2], 10)
    members = np.tile(np.where(labels == 2, -1, labels), (4, 1))
    summary = summarise(Ensemble(list(members)), labels=labels)
    assert [c["stability"] for c in summary["clusters"]] == [1.0, 1.0, None]
    # No member joins objects of two clusters.
    assert [c["nearest"] for c in summary["clusters"]] == [None, None, None]
    assert "not known" in Report(summary).html


def test_known_classes_are_compared_only_where_they_are_known():
    ensemble, truth = make_planted_ensemble(200, 6, 3, noise=0.1, random_state=0)
    assert summarise(ensemble, labels=truth)["classes"] is None
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


def test_figures_of_the_verdict_have_six_digits():
    labels = [0, 0, 1, 1]
    verdict = summarise(Ensemble([labels, labels, [0, 0, 1, 0]]), labels=labels)["verdict"]
    # Shares of 8/9 (twice), 1 and 7/9 of the votes, and 5/6 by chance.
    assert verdict["mean_confidence"] == 0.888889
    assert verdict["chance_confidence"] == 0.833333
