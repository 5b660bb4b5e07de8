"""What confidence says beside the one that data without clusters give."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import make_blobs

from consilience import ConsensusClustering
from consilience.compose._verdict import verdict
from consilience.diagnose._separation import Separation
from consilience.exceptions import (
    BrokenConstraintsWarning,
    ConsilienceWarning,
    InvalidInputError,
)
from consilience.generate import GaussianMixtures, KMeansRestarts

SEPARATED, TRUTH = make_blobs(300, centers=[[0, 0], [9, 0], [0, 9]], random_state=0)


def model(n_clusters, **options):
    settings = {"random_state": 0, "n_members": 20, "verbose": 0, **options}
    return ConsensusClustering(n_clusters, **settings)


@pytest.mark.filterwarnings(f"ignore::{ConsilienceWarning.__module__}.ConsilienceWarning")
@pytest.mark.parametrize(("n_columns", "n_clusters", "seed"), [(1, 5, 0), (2, 4, 2), (10, 3, 0)])
def test_confidence_in_noise_is_no_evidence(n_columns, n_clusters, seed):
    noise = np.random.default_rng(seed).standard_normal((500, n_columns))
    fitted = model(n_clusters, random_state=seed).fit(noise)
    assert np.mean(fitted.confidence_) - fitted.chance_confidence_ < 0.05
    assert "This confidence is no evidence of clusters." in fitted.verdict_


def test_clusters_are_more_confident_than_noise():
    fitted = model(3).fit(SEPARATED)
    assert fitted.chance_confidence_ < 0.95 < fitted.confidence_.mean()
    shown = f"1.00 (data without clusters: up to {fitted.chance_confidence_:.2f}), no object below 0.50."
    assert fitted.verdict_.endswith(shown)


def test_the_level_is_repeated_by_the_seed_and_does_not_change_the_answer():
    first, again = (model(3, n_jobs=jobs).fit(SEPARATED) for jobs in (1, 2))
    assert first.chance_confidence_ == again.chance_confidence_
    assert first.verdict_ == again.verdict_


def test_the_level_of_an_answer_that_was_kept():
    fitted = model("auto").fit(SEPARATED)
    assert type(fitted.consensus_).__name__ == "KeptAnswer"
    assert 0.5 < fitted.chance_confidence_ < 0.98


def test_one_giant_cluster_is_confident_by_its_size():
    X = np.vstack(
        [np.random.default_rng(0).standard_normal((300, 3)), [[60.0, 0, 0], [61.0, 0, 0]]]
    )
    fitted = model(2, generator="kmeans-restarts").fit(X)
    assert np.bincount(fitted.labels_).tolist() == [300, 2]
    assert fitted.chance_confidence_ >= (300 / 302) ** 2


def test_sparse_data_and_generators_with_many_clusters():
    fine = KMeansRestarts(n_members=5, n_clusters=150, random_state=0)
    X = sparse.csr_matrix(np.abs(np.random.default_rng(0).standard_normal((700, 5))))
    fitted = model(3, generator=fine, scaling="max").fit(X)
    assert 1 / 3 <= fitted.chance_confidence_ <= 1


def test_generators_that_need_more_rows_get_them():
    """Thirty components of twelve axes need 420 rows, more than the level is found with at first."""
    X = np.random.default_rng(0).standard_normal((600, 30))
    mixtures = GaussianMixtures(n_members=3, n_clusters=30, covariance="full", random_state=0)
    fitted = model(3, generator=mixtures).fit(X)
    assert 1 / 3 <= fitted.chance_confidence_ <= 1


def test_a_checkpoint_holds_the_members_alone(tmp_path):
    members = KMeansRestarts(n_members=5, n_clusters=4, random_state=0, checkpoint=tmp_path / "c")
    first = model(3, generator=members).fit(SEPARATED)
    again = model(3, generator=members).fit(SEPARATED)
    assert first.chance_confidence_ == again.chance_confidence_
    assert first.labels_.tolist() == again.labels_.tolist()


def test_objects_without_a_vote_have_no_confidence():
    confidence = np.array([0.9, 0.4, np.nan, np.nan])
    said = verdict(np.array([3, 1]), confidence, 0.2)
    assert "mean confidence 0.65 (data without clusters: up to 0.20)" in said
    assert said.endswith("1 object below 0.50, 2 without any vote.")


def test_borders_may_say_what_confidence_does_not():
    clusters = np.array([3, 1]), np.array([0.5, 0.6])
    said = verdict(*clusters, 0.55)
    assert said.endswith("This confidence is no evidence of clusters.")
    assert said + (
        " But every cluster is separated from the rest (weakest p-value 0.001)."
    ) == verdict(*clusters, 0.55, Separation(0.001))
    assert said + (
        " Not every cluster is separated from the rest (weakest p-value 0.5)."
    ) == verdict(*clusters, 0.55, Separation(0.5))
    assert said + " Whether the clusters are separated was not tested: why." == verdict(
        *clusters, 0.55, Separation(float("nan"), "why")
    )
    clear = np.array([3, 1]), np.array([0.9, 0.95])
    assert verdict(*clear, 0.2, Separation(0.001)) == verdict(*clear, 0.2)


@pytest.mark.parametrize(
    "knowledge", [{"cannot_link": [[0, 1]]}, {"partial_labels": [0, 1] + [-1] * 198}]
)
def test_one_cluster_and_objects_that_must_be_apart(knowledge):
    noise = np.random.default_rng(0).standard_normal((200, 2))
    (name,) = knowledge
    with pytest.raises(
        InvalidInputError, match=f"with one cluster {name} cannot hold; give n_clusters=2"
    ):
        model("auto").fit(noise, **knowledge)
    with pytest.raises(
        InvalidInputError, match=f"n_clusters is 1, and with one cluster {name} cannot"
    ):
        model(1).fit(noise, **knowledge)


def test_broken_must_links_warn():
    far = [TRUTH.tolist().index(k) for k in (0, 1)]
    with pytest.warns(BrokenConstraintsWarning, match="broke 1 of 1 must-links") as caught:
        fitted = model(3).fit(SEPARATED, must_link=[far])
    assert any(f"{min(far)} and {max(far)}" in str(warning.message) for warning in caught)
    assert "0 of 1 must-links" in fitted.verdict_


@pytest.mark.parametrize("factor", [1e154, 1e200, 1e-200, 1e-300])
def test_numbers_whose_squares_overflow_are_refused(factor):
    with pytest.raises(
        InvalidInputError, match="multiply the column by a constant, so that it lies between"
    ):
        model(3).fit(factor * SEPARATED)


@pytest.mark.parametrize("factor", [1e-70, 1e70])
def test_the_scale_of_data_does_not_matter(factor):
    assert (
        model(3).fit(factor * SEPARATED).labels_.tolist()
        == model(3).fit(SEPARATED).labels_.tolist()
    )


def test_a_fit_refuses_huge_columns_and_a_prediction_huge_rows():
    fitted = model(3).fit(SEPARATED)
    assert fitted.predict([[1e-200, 0.0]]).shape == (1,)
    with pytest.raises(InvalidInputError, match="the largest absolute value of column 1 is 1e"):
        fitted.predict([[0.0, 1e200]])


def test_narrow_numbers_that_overflow_become_wide():
    narrow = (1e20 * SEPARATED).astype(np.float32)
    fitted = model(3, scaling=None, generator="kmeans-restarts").fit(narrow)
    assert fitted.labels_.tolist() == model(3).fit(SEPARATED).labels_.tolist()
