"""A model carries its doubts; the report lists the same ones."""

import pickle

import numpy as np
import pytest
from sklearn.datasets import make_blobs

from consilience import ConsensusClustering, report
from consilience.compose._doubts import doubts_about_fit
from consilience.consensus import IPC, Doubt
from consilience.consensus.internals import FEW_MEMBERS, KNOWN_TO_ONE_MEMBER, NO_DIVERSITY
from consilience.diagnose._separation import separation_of
from consilience.exceptions import BrokenConstraintsWarning
from consilience.generate import KMeansRestarts

SEPARATED, TRUTH = make_blobs(90, centers=[[0, 0], [9, 9], [0, 9]], random_state=0)


def model(n_clusters=3, **given):
    given = {"n_members": 10, "random_state": 0, "verbose": 0, **given}
    return ConsensusClustering(n_clusters, **given)


def codes(found):
    return [doubt.code for doubt in found]


def test_clear_clusters_have_no_doubts_and_members_that_agree_do_not_warn():
    two, same = TRUTH < 2, KMeansRestarts(n_members=10, n_clusters=2, random_state=0)
    fitted = model(2, generator=same).fit(SEPARATED[two])
    assert codes(fitted.consensus_.doubts_) == ["no-diversity"]
    assert fitted.doubts_ == []
    assert report(fitted).summary["verdict"]["grade"] == "clear"


def test_the_report_lists_the_doubts_of_the_fit():
    noise = np.random.default_rng(0).standard_normal((300, 4))
    fitted = model(5, n_members=3).fit(noise)
    assert {"not-separated", "few-members", "agreement-by-chance"} <= set(codes(fitted.doubts_))
    summary = report(fitted).summary
    assert summary["doubts"] == [doubt.as_dict() for doubt in fitted.doubts_]
    again = pickle.loads(pickle.dumps(fitted))  # noqa: S301 - our own
    assert again.doubts_ == fitted.doubts_


def test_doubts_of_an_earlier_fit_do_not_stay():
    noise = np.random.default_rng(0).standard_normal((300, 4))
    fitted = model(3).fit(noise)
    assert fitted.doubts_
    assert fitted.fit(SEPARATED).doubts_ == []


@pytest.mark.parametrize("ids", [None, [f"p{row}" for row in range(90)]])
def test_broken_constraints_are_named_as_the_report_names_objects(ids):
    far = sorted(int(np.flatnonzero(k == TRUTH)[0]) for k in (0, 1))
    with pytest.warns(BrokenConstraintsWarning, match=f"example {far[0]} and {far[1]}, which must"):
        fitted = model().fit(SEPARATED, must_link=[far])
    assert "broken-constraints" in codes(fitted.doubts_)
    summary = report(fitted, ids=ids).summary
    assert summary["verdict"]["grade"] != "clear"
    (doubt,) = [one for one in summary["doubts"] if one["code"] == "broken-constraints"]
    first, second = far if ids is None else (ids[row] for row in far)
    assert f"for example {first} and {second}, which must be together" in doubt["sentence"]
    assert "1 of 1 must-link does not hold" in summary["verdict"]["doubts"]


def test_a_report_on_a_function_has_the_doubts_of_its_fit():
    members = np.random.default_rng(0).integers(0, 3, (300, 6))
    with pytest.warns(match="no better than chance"):
        function = IPC(3, random_state=0).fit(members)
    function.doubts_ = [doubt for doubt in function.doubts_ if doubt.code != "no-signal"]
    found = report(function, ensemble=members).summary["doubts"]
    assert "no-signal" not in [doubt["code"] for doubt in found], "nothing is computed again"


# --- separation that cannot be tested ------------------------------------------------------------


def test_few_objects_are_not_tested():
    rows = SEPARATED[:9]
    found = separation_of(rows, np.repeat([0, 1], [5, 4]), np.arange(9))
    assert np.isnan(found.p_value)
    assert found.separated is None
    assert found.why_not == "9 objects are too few (10 are needed)"


def test_small_clusters_are_not_tested():
    labels = np.repeat([0, 1], [86, 4])
    found = separation_of(SEPARATED, labels, np.arange(90))
    assert (found.separated, found.why_not) == (
        None,
        "the smallest cluster is too small, 4 objects (5 are needed)",
    )
    sampled = separation_of(np.vstack([SEPARATED, SEPARATED]), np.tile(labels, 2), np.arange(90))
    assert "4 objects among the 90 that were tested" in sampled.why_not
    assert separation_of(SEPARATED, TRUTH, np.arange(90)).separated is True


def test_every_verdict_says_that_separation_was_not_tested():
    X = np.vstack([SEPARATED, [[40.0, 40.0], [40.1, 40.0], [40.0, 40.1]]])
    fitted = model(4).fit(X)
    assert np.isnan(fitted.separation_)
    assert "was not tested: the smallest cluster is too small, 3 objects" in fitted.verdict_
    assert "p-value" not in fitted.verdict_
    verdict = report(fitted).summary["verdict"]
    assert verdict["grade"] != "clear"
    assert "whether the clusters are separated was not tested" in verdict["doubts"]
    assert "not separated" not in verdict["headline"]
    assert verdict["sentences"][-1].endswith(
        "was not tested: the smallest cluster is too small, 3 objects (5 are needed)."
    )
    assert "p\xa0=" not in " ".join(verdict["sentences"])


@pytest.mark.parametrize(("n_members", "codes"), [(1, ["few"]), (2, ["few", "one"]), (30, ["one"])])
def test_one_member_alone_is_told_once(n_members, codes):
    names = {"few": FEW_MEMBERS, "one": KNOWN_TO_ONE_MEMBER}
    given = [
        Doubt(code, {}, "A sentence.", "a clause") for code in (NO_DIVERSITY, KNOWN_TO_ONE_MEMBER)
    ]
    found = doubts_about_fit(given, n_members)
    assert [doubt.code for doubt in found] == [names[code] for code in codes]
