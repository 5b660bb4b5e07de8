"""Blocks of rows that are collected: how many they are, and how large."""

import numpy as np

from consilience.tables._sample import RowSample


def test_rows_and_bytes_are_counted():
    sample = RowSample(None, np.random.default_rng(0))
    sample.add(np.arange(3), np.zeros((3, 5)), np.array(["a", "b", "c"]), None)
    sample.add(np.arange(3, 5), np.zeros((2, 5)), np.array(["d", "e"]), None)
    sample.add(np.arange(0), np.zeros((0, 5)), np.array([]), None)
    assert (sample.n_rows, sample.n_bytes) == (5, 5 * 5 * 8)
    rows, block, ids, labels = sample.result()
    assert rows.tolist() == [0, 1, 2, 3, 4]
    assert block.shape == (5, 5)
    assert ids.tolist() == ["a", "b", "c", "d", "e"]
    assert labels is None


def test_a_sample_holds_no_more_than_asked_for():
    sample = RowSample(4, np.random.default_rng(0))
    for first in range(0, 30, 10):
        rows = np.arange(first, first + 10)
        sample.add(rows, rows[:, None] * 2.0, None, None)
        assert (sample.n_rows, sample.n_bytes) == (4, 4 * 8)
    rows, block, _, _ = sample.result()
    smallest = np.argsort(np.random.default_rng(0).random(30))[:4]
    assert rows.tolist() == sorted(smallest.tolist())
    assert block[:, 0].tolist() == (2.0 * rows).tolist()
