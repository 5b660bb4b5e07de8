"""Vectors with an entry per row: labels, weights and hashes, for any number of threads."""

import numpy as np
import pytest

import consilience
from consilience.ensemble._profiles import count_distinct
from consilience.incidence import label_digest, label_sizes, n_different
from consilience.incidence.internals import whole_weights


@pytest.fixture
def _threads():
    previous = consilience.get_config().n_threads
    yield
    consilience.set_config(n_threads=previous)


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
