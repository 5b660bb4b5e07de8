"""What the base does for every generator."""

import warnings
from typing import ClassVar

import joblib
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.pipeline import make_pipeline
from threadpoolctl import threadpool_info

from consilience.consensus import IVC
from consilience.exceptions import FewerClustersWarning, InvalidParameterError
from consilience.generate import (
    EnsembleGenerator,
    FeatureSubsets,
    FeatureWeightedKMeans,
    IntelligentKMeans,
    KMeansRestarts,
    LandmarkSpectral,
    Member,
    PCASubsample,
    ProjectedPCA,
    RandomProjection,
    Subsample,
)
from consilience.generate._one_thread import one_thread
from consilience.generate._ranges import WholeOrRange, cluster_range, draw
from oracles.strategies import examples

BY_KMEANS = [
    FeatureSubsets,
    FeatureWeightedKMeans,
    IntelligentKMeans,
    KMeansRestarts,
    PCASubsample,
    ProjectedPCA,
    RandomProjection,
    Subsample,
]


@pytest.mark.parametrize("kind", BY_KMEANS)
def test_float32_stays_float32(kind, blobs):
    for dtype in (np.float32, np.float64):
        generator = kind(n_members=2, n_clusters=4, random_state=0).fit(blobs.astype(dtype))
        assert all(member.centres.dtype == dtype for member in generator.members_)
        assert generator.ensemble_.cluster_tables["centres"][0].dtype == dtype


@pytest.mark.parametrize("kind", BY_KMEANS)
def test_more_members_keep_the_first(kind, blobs):
    few = kind(n_members=4, random_state=1).fit_transform(blobs)
    many = kind(n_members=8, random_state=1).fit_transform(blobs)
    np.testing.assert_array_equal(many[:, :4], few)


@pytest.mark.parametrize("kind", [*BY_KMEANS, LandmarkSpectral])
def test_more_clusters_than_rows_is_an_error(kind, blobs):
    for n_clusters in (201, (2, 201)):
        with pytest.raises(InvalidParameterError, match=r"n_clusters=.* at most .*n_samples = 200"):
            kind(n_clusters=n_clusters, random_state=0).fit(blobs)


@pytest.mark.parametrize("kind", BY_KMEANS)
def test_few_distinct_rows_give_one_warning(kind, rng):
    X = np.repeat(rng.normal(size=(3, 4)), 20, axis=0)
    generator = kind(n_members=6, n_clusters=5, random_state=0)
    with pytest.warns(FewerClustersWarning, match=r"6 of 6 members have fewer .* 3 of 5") as caught:
        generator.fit(X)
    assert len(caught) == 1
    assert generator.ensemble_.n_clusters.tolist() == [3] * 6


@pytest.mark.parametrize("kind", BY_KMEANS)
@pytest.mark.parametrize("scaling", [None, "standard", "max"])
def test_constant_columns_do_no_harm(kind, scaling, blobs):
    X = np.column_stack([blobs, np.full(200, 0.1), np.zeros(200)])
    generator = kind(n_members=3, n_clusters=4, scaling=scaling, random_state=0)
    labels = generator.fit_transform(X)
    assert (labels >= 0).all()
    assert all(np.isfinite(member.centres).all() for member in generator.members_)
    np.testing.assert_array_equal(generator.transform(X), labels)


@pytest.mark.parametrize("kind", [*BY_KMEANS, LandmarkSpectral])
def test_data_without_any_variance(kind):
    with pytest.warns(FewerClustersWarning):
        labels = kind(n_members=2, n_clusters=2, random_state=0).fit_transform(np.ones((10, 3)))
    assert not labels.any()


@pytest.mark.parametrize(
    ("parameter", "value", "allowed"),
    [
        ("n_members", 0, "an integer of at least 1"),
        ("n_clusters", 0, r"None, an integer of at least 1, or a pair \(low, high\)"),
        ("n_clusters", (5, 2), "with low <= high"),
        ("n_clusters", (2, 3, 4), "a pair"),
        ("scaling", "unit", "None or one of 'standard', 'max'"),
        ("random_state", -1, "an integer of at least 0"),
        ("n_jobs", 0, "None or an integer from 1 to 4,096"),
        ("checkpoint", 3, "None or the name of a folder"),
        ("verbose", -1, "None or an integer of at least 0"),
    ],
)
def test_parameters_are_declared(parameter, value, allowed, blobs):
    with pytest.raises(InvalidParameterError, match=f"Restarts: {parameter} must be .*{allowed}"):
        KMeansRestarts().set_params(**{parameter: value}).fit(blobs)


def test_numbers_of_clusters_are_drawn_from_the_range(blobs):
    generator = KMeansRestarts(n_members=40, n_clusters=(3, 6), random_state=0).fit(blobs)
    assert set(generator.ensemble_.n_clusters.tolist()) == {3, 4, 5, 6}
    free = KMeansRestarts(n_members=40, random_state=0).fit(blobs).ensemble_.n_clusters
    assert free.min() >= 2
    assert 10 < free.max() <= 15


@examples(30)
@given(n_samples=st.integers(1, 10**7), seed=st.integers(0, 100))
def test_default_range(n_samples, seed):
    low, high = cluster_range(None, n_samples)
    assert 1 <= low <= high <= min(50, n_samples)
    assert low <= draw((low, high), np.random.default_rng(seed)) <= high


def test_declaration_of_ranges():
    kind = WholeOrRange(2)
    assert all(kind.accepts(value) for value in (None, 2, (2, 2), [2, 9], np.int64(3)))
    assert not any(
        kind.accepts(value) for value in (1, True, 2.5, "2", (1, 3), (3, 2), (2,), {2, 3})
    )


def test_centres_follow_the_clusters_of_the_ensemble(blobs):
    ensemble = KMeansRestarts(n_members=3, n_clusters=4, random_state=2).fit(blobs).ensemble_
    for j, centres in enumerate(ensemble.cluster_tables["centres"]):
        means = [blobs[ensemble.labels[:, j] == k].mean(axis=0) for k in range(4)]
        np.testing.assert_allclose(centres, means, atol=0.1)


def test_scaling_is_kept_for_new_rows(rng):
    X = rng.normal(size=(60, 3)) * [1, 1000, 1e-3] + [0, 5, 7]
    for kind in ("standard", "max"):
        generator = KMeansRestarts(n_members=3, n_clusters=3, scaling=kind, random_state=0)
        labels = generator.fit_transform(X)
        np.testing.assert_array_equal(generator.transform(X[:20]), labels[:20])
        scale = X.std(axis=0) if kind == "standard" else np.abs(X).max(axis=0)
        centre = X.mean(axis=0) if kind == "standard" else 0
        scaled = KMeansRestarts(n_members=3, n_clusters=3, random_state=0)
        np.testing.assert_array_equal(scaled.fit_transform((X - centre) / scale), labels)


def test_pipelines_and_data_frames_out(blobs):
    members = RandomProjection(n_members=6, n_clusters=8, random_state=0)
    pipeline = make_pipeline(members, IVC(4, random_state=0))
    labels = pipeline.fit_predict(blobs)
    assert len(np.unique(labels)) == 4
    np.testing.assert_array_equal(
        pipeline.predict(blobs), pipeline[-1].predict(members.transform(blobs))
    )
    frame = members.set_output(transform="pandas").fit_transform(blobs)
    assert frame.columns.tolist() == [f"randomprojection{j}" for j in range(6)]


@examples(80)
@given(
    kind=st.sampled_from(BY_KMEANS),
    shape=st.tuples(st.integers(1, 25), st.integers(1, 4)),
    n_values=st.integers(1, 4),
    n_clusters=st.sampled_from([None, 1, 2, (1, 3)]),
    scaling=st.sampled_from([None, "standard", "max"]),
    dtype=st.sampled_from([np.float32, np.float64]),
    seed=st.integers(0, 100),
)
def test_any_small_data(kind, shape, n_values, n_clusters, scaling, dtype, seed):
    """Few rows, repeated rows, constant columns: labels that hold for the same rows again."""
    X = np.random.default_rng(seed).integers(0, n_values, shape).astype(dtype)
    generator = kind(n_members=3, n_clusters=n_clusters, scaling=scaling, random_state=seed)
    assume(n_clusters is None or np.max(n_clusters) <= generator._sample_size(shape[0]))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FewerClustersWarning)
        labels = generator.fit_transform(X)
    np.testing.assert_array_equal(generator.transform(X), labels)
    _, first, inverse = np.unique(X, axis=0, return_index=True, return_inverse=True)
    np.testing.assert_array_equal(labels, labels[first][inverse.ravel()])
    for member in generator.members_:
        assert set(member.labels.tolist()) == set(range(len(member.centres)))


def test_the_backend_of_the_user_is_respected(blobs):
    expected = KMeansRestarts(n_members=4, random_state=0).fit_transform(blobs)
    for backend in ("threading", "loky"):
        with joblib.parallel_config(backend=backend, n_jobs=2):
            found = KMeansRestarts(n_members=4, random_state=0).fit_transform(blobs)
        np.testing.assert_array_equal(found, expected)


def test_threads_share_the_data(blobs):
    """Members by threads see the same array; nothing of the size of X is made per worker."""

    class Spy(KMeansRestarts):
        seen: ClassVar = []

        def _space(self, ready, arrays):
            self.seen.append(ready.values.__array_interface__["data"][0])
            return ready

    Spy(n_members=6, n_clusters=3, n_jobs=2, random_state=0).fit(blobs)
    assert len(Spy.seen) == 6
    assert len(set(Spy.seen)) == 1


def test_one_thread_inside_and_the_old_number_after():
    def threads():
        return [library["num_threads"] for library in threadpool_info()]

    before = threads()
    with one_thread():
        with one_thread():
            assert set(threads()) == {1}
        assert set(threads()) == {1}
    assert threads() == before


def test_a_generator_of_ones_own():
    """The base asks for two methods, and does the rest."""

    class Halves(EnsembleGenerator):
        parameters: ClassVar = {}

        def __init__(self, *, n_members=3, random_state=None):
            self.n_members = n_members
            self.random_state = random_state

        def _member(self, shared, j, rng, previous):
            cut = rng.choice(shared[:, 0])
            member = Member(np.zeros(len(shared), np.int32), {"cut": np.array(cut)})
            return Member(self._predict(member, shared), member.arrays, n_clusters=2)

        def _predict(self, member, rows):
            return (rows[:, 0] > member.arrays["cut"]).astype(np.int32)

    X = np.random.default_rng(0).normal(size=(50, 2))
    generator = Halves(random_state=0)
    np.testing.assert_array_equal(generator.fit_transform(X), generator.transform(X))
    assert generator.ensemble_.n_members == 3
