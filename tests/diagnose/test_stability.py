"""The consensus on resamples of members and of objects."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import make_blobs
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from consilience import Ensemble, metrics
from consilience.consensus import FC, HAC, HBGF, IPC, KMCF
from consilience.datasets import make_planted_ensemble
from consilience.diagnose import stability
from consilience.diagnose._stability import _with_repeats, match_clusters
from consilience.exceptions import InvalidInputError, InvalidParameterError, UnsupportedInputError
from consilience.generate import KMeansRestarts, Subsample
from oracles.selection import best_jaccard
from oracles.strategies import examples, fit


@pytest.fixture(scope="module")
def noisy():
    return make_planted_ensemble(150, 12, 3, noise=0.4, missing=0.1, random_state=0).ensemble


@pytest.fixture(scope="module")
def blobs():
    return make_blobs(120, 3, centers=3, cluster_std=2.0, random_state=1)[0]


partial_labels = st.lists(
    st.tuples(st.integers(-1, 3), st.integers(-1, 3)), min_size=1, max_size=12
).filter(lambda pairs: any(a >= 0 for a, _ in pairs))


@examples(80)
@given(partial_labels)
def test_jaccard_is_the_best_of_all_clusters(pairs):
    labels, others = (list(side) for side in zip(*pairs, strict=True))
    jaccard, stayed, _ = match_clusters(np.array(labels), np.array(others))
    expected = [np.nan if value is None else value for value in best_jaccard(labels, others)]
    np.testing.assert_allclose(jaccard, expected)
    known = (np.array(labels) >= 0) & (np.array(others) >= 0)
    if known.any():
        accuracy = metrics.accuracy(np.array(others)[known], np.array(labels)[known])
        assert stayed.sum() <= known.sum() * accuracy + 1e-9
    assert not np.any(stayed & ~known)


def test_a_swallowed_cluster_has_not_stayed():
    jaccard, stayed, _ = match_clusters(np.repeat([0, 1], [6, 3]), np.zeros(9, dtype=int))
    np.testing.assert_allclose(jaccard, [6 / 9, 3 / 9])
    assert stayed.tolist() == [True] * 6 + [False] * 3


def test_members_resampled(noisy):
    result = stability(noisy, IPC(3), n_repeats=12, random_state=0)
    assert result.resampled == "members"
    assert result.between_repeats.shape == (12, 12)
    np.testing.assert_allclose(np.diagonal(result.between_repeats), 1)
    assert result.mean == pytest.approx(result.with_full.mean())
    assert result.spread == pytest.approx(result.with_full.std(ddof=1))
    pairs = result.between_repeats[np.triu_indices(12, 1)]
    assert result.mean_between == pytest.approx(pairs.mean())
    assert 0.3 < result.mean < 1
    np.testing.assert_allclose(result.cluster_stability, result.cluster_jaccard.mean(axis=0))
    known = np.isfinite(result.object_stability)
    assert np.all((result.object_stability[known] >= 0) & (result.object_stability[known] <= 1))
    assert "12 runs on resampled members" in str(result)


def test_runs_are_consensus_of_bootstrap_samples(noisy):
    members = np.array([0, 2, 2, 2, 5, 5])
    resample = _with_repeats(noisy, members)
    np.testing.assert_array_equal(
        np.sort(resample.labels, axis=1), np.sort(noisy.labels[:, members], axis=1)
    )
    literal = fit(HAC(3), np.asarray(noisy.labels[:, members])).labels_
    assert metrics.ari(fit(HAC(3), resample).labels_, literal) == 1


def test_seeds_decide_and_jobs_do_not(noisy):
    one, two, three = (
        stability(noisy, KMCF(3), n_repeats=4, random_state=seed, n_jobs=jobs)
        for seed, jobs in ((1, None), (1, 2), (2, 1))
    )
    np.testing.assert_array_equal(one.between_repeats, two.between_repeats)
    np.testing.assert_array_equal(one.object_stability, two.object_stability)
    assert not np.array_equal(one.between_repeats, three.between_repeats)


def test_fraction_of_members(noisy):
    everything = stability(noisy, HAC(3), n_repeats=3, fraction=1.0, random_state=0)
    np.testing.assert_allclose(everything.with_full, 1)
    np.testing.assert_allclose(everything.object_stability[everything.labels >= 0], 1)
    single = stability(noisy, HAC(3), n_repeats=8, fraction=0.05, random_state=0)
    assert single.mean < everything.mean


def test_clear_clusters_are_more_stable_than_split_ones():
    clear = make_planted_ensemble(150, 20, 3, noise=0.15, random_state=0).ensemble
    right = stability(clear, HBGF(3), n_repeats=10, random_state=0)
    wrong = stability(clear, HBGF(6), n_repeats=10, random_state=0)
    assert right.cluster_stability.min() > 0.9
    assert wrong.cluster_stability.min() < 0.6
    assert "too little to be trusted" in str(wrong)


@pytest.mark.parametrize(
    "generator",
    [
        KMeansRestarts(n_members=6, n_clusters=5),
        Subsample(n_members=6, n_clusters=3),
        make_pipeline(StandardScaler(), KMeansRestarts(n_members=6, n_clusters=5)),
    ],
    ids=["restarts", "subsample", "pipeline"],
)
def test_objects_resampled(generator, blobs):
    result = stability(generator, HBGF(3), blobs, n_repeats=5, fraction=0.7, random_state=0)
    assert result.resampled == "objects"
    assert result.labels.shape == result.object_stability.shape == (120,)
    assert result.mean > 0.5
    again = stability(generator, HBGF(3), blobs, n_repeats=5, fraction=0.7, random_state=0)
    np.testing.assert_array_equal(result.between_repeats, again.between_repeats)


def test_a_generator_with_a_seed_and_all_rows_repeats_itself(blobs):
    generator = KMeansRestarts(n_members=5, n_clusters=4, random_state=3)
    result = stability(generator, HAC(3), blobs, n_repeats=3, fraction=1.0, random_state=0)
    np.testing.assert_allclose(result.between_repeats, 1)


def test_checkpoints_are_left_alone(blobs, tmp_path):
    generator = KMeansRestarts(n_members=3, n_clusters=5, checkpoint=tmp_path / "members")
    stability(generator, HAC(3), blobs, n_repeats=2, random_state=0)
    assert not (tmp_path / "members").exists()


def test_soft_members_and_members_that_do_not_count():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 3, 60)
    sharp = [rng.dirichlet(np.ones(3), 60) + 4 * np.eye(3)[truth] for _ in range(6)]
    soft = Ensemble.from_memberships([m / m.sum(axis=1, keepdims=True) for m in sharp])
    assert stability(soft, KMCF(3), n_repeats=3, random_state=0).mean > 0.9
    with pytest.raises(UnsupportedInputError, match="FC cannot use soft memberships; these can: "):
        stability(soft, FC(3), n_repeats=3, random_state=0)
    weights = [1, 1, 1, 1, 1, 0]
    weighted = stability(soft.with_weights(weights), KMCF(3), n_repeats=3, random_state=0)
    kept = stability(soft.select(range(5)), KMCF(3), n_repeats=3, random_state=0)
    np.testing.assert_array_equal(weighted.between_repeats, kept.between_repeats)


def test_objects_that_a_run_does_not_know_are_left_out():
    labels = np.repeat(np.arange(40)[:, None] % 2, 6, axis=1)
    labels[:20, 1:] = -1  # only the first member knows them
    labels[39, :] = -1
    with pytest.warns(match="1 of 40 objects is labelled by no member"):
        result = stability(labels, HAC(2), n_repeats=6, random_state=0)
    np.testing.assert_allclose(result.with_full, 1)
    assert result.labels[39] == -1
    assert np.isnan(result.object_stability[39])


def test_errors(noisy, blobs):
    with pytest.raises(InvalidInputError, match="got KMeansRestarts without X"):
        stability(KMeansRestarts(), IPC(3))
    with pytest.raises(InvalidInputError, match="got Ensemble with X"):
        stability(noisy, IPC(3), blobs)
    with pytest.raises(InvalidParameterError, match="function must be a consensus function"):
        stability(noisy, "IPC")
    for wrong in ({"n_repeats": 1}, {"fraction": 1.5}, {"n_jobs": 0}):
        with pytest.raises(InvalidParameterError, match=f"{next(iter(wrong))} must be"):
            stability(noisy, IPC(3), **wrong)
