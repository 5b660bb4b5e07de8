"""Redundant and outlying members."""

import numpy as np
import pytest
from hypothesis import given

from consilience import Ensemble
from consilience.datasets import make_planted_ensemble
from consilience.diagnose import member_report
from consilience.exceptions import InvalidParameterError
from oracles.selection import pairwise, qualities
from oracles.strategies import any_matrices, examples


@pytest.fixture
def mixed():
    """Ten views of one partition, a copy of the first with one object moved, and noise."""
    labels = make_planted_ensemble(300, 10, 3, noise=0.2, random_state=0).ensemble.labels
    copy = (labels[:, 0] + 1) % 3
    copy[0] = (copy[0] + 1) % 3
    noise = np.random.default_rng(0).integers(0, 3, 300)
    names = [f"view{j}" for j in range(10)] + ["copy", "noise"]
    return Ensemble(np.column_stack([labels, copy, noise]), names=names)


def test_copies_and_noise_are_named(mixed):
    report = member_report(mixed, threshold=0.97)
    assert [set(group) for group in report.redundant] == [{"view0", "copy"}]
    first = report.redundant[0][0]
    assert report.quality[mixed.names.index(first)] == report.quality[[0, 10]].max()
    assert report.outlying == ("noise",)
    assert report.uninformative == ()
    assert report.nearest[0] == 10
    assert report.scores[11] < -3.5
    text = str(report)
    assert "near copies of each other are " in text
    assert f"noise ({report.quality[11]:.3f})." in text


def test_nothing_to_report():
    ensemble, _ = make_planted_ensemble(300, 10, 3, noise=0.3, random_state=1)
    report = member_report(ensemble)
    assert report.redundant == report.outlying == ()
    assert "none is redundant and none outlying" in str(report)


@examples(60)
@given(any_matrices(n_samples=(1, 12)))
def test_figures_are_the_formulas(labels):
    report = member_report(labels)
    similarity, quality = pairwise(labels), qualities(labels)
    for j in range(labels.shape[1]):
        assert report.quality[j] == pytest.approx(
            np.nan if quality[j] is None else quality[j], abs=1e-9, nan_ok=True
        )
        others = [v for m, v in enumerate(similarity[j]) if m != j and v is not None]
        assert report.nearest_nmi[j] == pytest.approx(
            max(others) if others else np.nan, abs=1e-9, nan_ok=True
        )
        assert (report.nearest[j] == -1) == (not others)
    assert str(report)


def test_scores_are_robust(mixed):
    report = member_report(mixed)
    away = np.abs(report.quality - np.median(report.quality))
    expected = (report.quality - np.median(report.quality)) / (1.4826 * np.median(away))
    np.testing.assert_allclose(report.scores, expected)
    assert member_report(mixed, outlying_score=1e6).outlying == ()


def test_among_members_that_hardly_differ_no_one_is_outlying():
    labels = np.repeat(np.arange(400)[:, None] % 4, 9, axis=1)
    labels[:2, 8] = 3
    report = member_report(labels, threshold=1.0)
    assert report.scores[8] < -3.5
    assert report.outlying == ()


def test_scores_when_most_members_are_equal():
    labels = np.repeat(np.arange(40)[:, None] % 4, 9, axis=1)
    labels[:, 8] = np.random.default_rng(0).integers(0, 4, 40)
    report = member_report(labels)
    assert report.redundant == (tuple(f"member_{j}" for j in range(8)),)
    assert report.outlying == ("member_8",)
    np.testing.assert_array_equal(member_report(labels[:, :8]).scores, 0)


def test_members_that_know_different_objects_are_no_copies():
    labels = np.repeat(np.arange(40)[:, None] % 4, 3, axis=1)
    labels[:20, 0] = -1
    labels[12:32, 1] = -1
    assert member_report(labels[:, :2]).redundant == ()
    # What member 2 knows includes everything that the others say.
    assert member_report(labels).redundant == (("member_0", "member_1", "member_2"),)


def test_members_that_say_nothing():
    labels = np.random.default_rng(3).integers(0, 3, (30, 6))
    labels[:, 1], labels[:, 2] = 0, -1
    report = member_report(Ensemble(labels, weights=[1, 1, 1, 1, 1, 0]))
    assert report.uninformative == ("member_1", "member_2")
    assert report.ignored == ("member_5",)
    assert np.isnan(report.quality[[2, 5]]).all()
    assert "fewer than two clusters have member_1, member_2." in str(report)


@pytest.mark.parametrize("n_members", [1, 2])
def test_few_members(n_members):
    labels = np.random.default_rng(4).integers(0, 3, (30, n_members))
    report = member_report(labels)
    assert report.outlying == ()
    assert str(report).startswith(f"Of {n_members} member")
    assert np.isnan(report.quality).all() == (n_members == 1)


def test_errors():
    with pytest.raises(InvalidParameterError, match="threshold must be a number from 0 to 1; got"):
        member_report([[0, 1]], threshold=1.5)
    with pytest.raises(InvalidParameterError, match="outlying_score must be a finite number"):
        member_report([[0, 1]], outlying_score=-1)
