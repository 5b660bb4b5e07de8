"""Blocks in one compiled call: the same labels, tables and sums as row by row, for any threads."""

import numpy as np
import pytest

import consilience
from consilience import Ensemble
from consilience.ensemble._profiles import count_distinct
from consilience.incidence import Assigned, NearestCentres, label_digest, label_sizes, n_different
from consilience.incidence._whole_weights import whole_weights


@pytest.fixture(scope="module")
def ensemble():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 4, 70_000)
    labels = np.column_stack([np.where(rng.random(70_000) < 0.6, truth, 3) for _ in range(3)])
    return Ensemble(np.where(rng.random(labels.shape) < 0.05, -1, labels))


@pytest.fixture
def _threads():
    previous = consilience.get_config().n_threads
    yield
    consilience.set_config(n_threads=previous)


@pytest.mark.usefixtures("_threads")
def test_answers_do_not_depend_on_threads(ensemble):
    rng = np.random.default_rng(1)
    table = rng.random((ensemble.n_base_clusters, 5))
    step = NearestCentres(rng.random((2, 3, 5)), unit=True, wanted="sums")
    weight = rng.random(ensemble.n_samples)
    seen = []
    for n_threads in (1, 2, 5):
        consilience.set_config(n_threads=n_threads)
        H = ensemble.with_weights(ensemble.weights).incidence
        state = H.argmax(table)
        swept = H.sweep(table, step, (None, None))
        seen.append((state.labels, state.counts, *swept.sums, H.gram(weight)))
    for other in seen[1:]:
        for mine, theirs in zip(seen[0], other, strict=True):
            np.testing.assert_array_equal(mine, theirs)


@pytest.mark.parametrize("weight", [None, "whole"])
def test_differences_lead_to_the_same_tables(ensemble, weight):
    rng = np.random.default_rng(2)
    given = None if weight is None else rng.integers(0, 4, ensemble.n_samples)
    H = ensemble.with_sample_weight(given).incidence
    start = H.argmax(rng.random((ensemble.n_base_clusters, 4)))
    table = rng.random((ensemble.n_base_clusters, 4))
    all_rows = H.argmax(table, start)
    few = H.argmax(table, start._replace(moved=0.0))
    assert isinstance(few, Assigned)
    np.testing.assert_array_equal(few.labels, all_rows.labels)
    np.testing.assert_array_equal(few.counts, all_rows.counts)
    np.testing.assert_array_equal(few.sizes, all_rows.sizes)
    np.testing.assert_array_equal(all_rows.counts, H.count(all_rows.labels, 4))


@pytest.mark.parametrize("unit", [True, False])
@pytest.mark.parametrize("scaled", [True, False])
def test_nearest_centres_of_blocks_are_those_of_points(ensemble, unit, scaled):
    rng = np.random.default_rng(3)
    H, table = ensemble.incidence, rng.random((ensemble.n_base_clusters, 6))
    scale = rng.random(ensemble.n_samples) + 0.5 if scaled else None
    weight = rng.integers(1, 4, ensemble.n_samples)
    centres = rng.random((2, 4, 6))
    step = NearestCentres(centres, unit, "sums")
    expected = step(H @ table, scale, weight).sums
    for mine, theirs in zip(H.sweep(table, step, (scale, weight)).sums, expected, strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-10)
    step = NearestCentres(centres[:1], unit, "labels")
    expected = step(H @ table, scale, weight)
    swept = H.sweep(table, step, (scale, weight))
    np.testing.assert_array_equal(swept.labels, expected.labels)
    np.testing.assert_allclose(swept.sums[0], expected.sums[0], rtol=1e-10)


@pytest.mark.usefixtures("_threads")
def test_distinct_rows_are_counted_by_many_threads():
    codes = np.random.default_rng(4).integers(0, 5, (600_000, 6)).astype(np.uint8)
    expected = len(np.unique(codes @ (5 ** np.arange(6))))
    for n_threads in (1, 5, 16):
        consilience.set_config(n_threads=n_threads)
        assert count_distinct(codes) == expected


def test_label_vectors():
    labels = np.random.default_rng(5).integers(0, 7, 600_000).astype(np.int32)
    other = labels.copy()
    other[[3, 599_999]] = (labels[[3, 599_999]] + 1) % 7
    weight = np.random.default_rng(6).random(len(labels))
    np.testing.assert_array_equal(label_sizes(labels, 9), np.bincount(labels, minlength=9))
    np.testing.assert_allclose(label_sizes(labels, 7, weight), np.bincount(labels, weight))
    assert n_different(labels, other) == 2
    assert label_digest(labels) == label_digest(labels.astype(np.uint8))
    swapped = labels.copy()
    swapped[[0, 1]] = (labels[0] + 1) % 7, labels[0]
    assert len({label_digest(vector) for vector in (labels, other, swapped)}) == 3


def test_weights_become_whole_numbers():
    weight = np.array([0.1, -2.5, 2.4, 1e-9])  # they may be negative, and their sum near 0
    whole, unit = whole_weights(weight)
    assert whole.dtype == np.int64
    np.testing.assert_allclose(whole * unit, weight, atol=1e-17)
    assert whole_weights(np.array([1, 2]))[1] is None
    assert whole_weights(None) == (None, None)
