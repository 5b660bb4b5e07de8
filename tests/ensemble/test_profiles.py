"""Identical rows merged, against a dictionary of tuples."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from consilience import Ensemble
from oracles.strategies import examples

SETTINGS = examples(100)


def label_matrices(max_samples=25):
    shape = st.tuples(st.integers(1, max_samples), st.integers(1, 4))
    cells = st.integers(-1, 2)
    return arrays(np.int64, shape, elements=cells).filter(lambda labels: (labels >= 0).any())


def brute_force(labels, weight):
    """Return distinct rows by first appearance, the place of every row, and summed weights."""
    places, inverse, totals = {}, [], []
    for row, w in zip(map(tuple, labels.tolist()), weight, strict=True):
        place = places.setdefault(row, len(places))
        if place == len(totals):
            totals.append(0)
        totals[place] += w
        inverse.append(place)
    return [list(row) for row in places], inverse, totals


@given(label_matrices())
@SETTINGS
def test_profiles_agree_with_a_dictionary_of_tuples(labels):
    n, r = labels.shape
    e = Ensemble(labels, names=[f"n{j}" for j in range(r)], ids=range(n), weights=range(1, r + 1))
    profiles = e.profiles()
    assert profiles.ensemble.ids is None
    distinct, inverse, multiplicity = brute_force(e.labels, [1] * len(labels))
    assert profiles.ensemble.labels.tolist() == distinct
    assert profiles.inverse.tolist() == inverse
    assert profiles.multiplicity.tolist() == multiplicity
    assert e.n_profiles == len(distinct)
    assert profiles.ensemble.names == e.names
    assert np.array_equal(profiles.ensemble.codes[profiles.inverse], e.codes)


@given(label_matrices(), st.data())
@SETTINGS
def test_row_weights_are_summed(labels, data):
    whole = data.draw(st.booleans())
    cells = st.integers(0, 5) if whole else st.sampled_from([0.0, 0.25, 1.5])
    weight = data.draw(
        st.lists(cells, min_size=len(labels), max_size=len(labels)).filter(lambda w: sum(w) > 0)
    )
    e = Ensemble(labels).with_sample_weight(weight)
    profiles = e.profiles()
    assert profiles.multiplicity.tolist() == brute_force(e.labels, weight)[2]
    assert np.array_equal(profiles.ensemble.sample_weight, profiles.multiplicity)
    assert profiles.multiplicity.dtype == e.sample_weight.dtype


@given(label_matrices())
@SETTINGS
def test_sums_over_profiles_are_sums_over_rows(labels):
    e = Ensemble(labels)
    merged = e.profiles().ensemble
    assert np.array_equal(merged.incidence.sizes, e.incidence.sizes)
    assert np.array_equal(merged.incidence.gram(), e.incidence.gram())
    assert merged.sample_weight.sum() == len(labels)


def write_zeros(codes, out):
    out[:] = 0


def write_first_code(codes, out):
    out[:] = codes[:, 0]


@pytest.mark.parametrize("bad_hash", [write_zeros, write_first_code])
@pytest.mark.parametrize("highest", [3, 300, 70_000])
def test_rows_that_share_a_hash_are_told_apart(monkeypatch, bad_hash, highest):
    rng = np.random.default_rng(highest)
    labels = rng.integers(-1, 2, size=(400, 3))
    spread = np.arange(highest)
    labels = np.vstack([labels, np.column_stack([spread, spread % 2, spread])])
    e = Ensemble(labels)
    expected = brute_force(e.labels, [1] * len(labels))
    monkeypatch.setattr("consilience._kernels._hash.hash_rows", bad_hash)
    profiles = e.profiles()
    assert profiles.ensemble.labels.tolist() == expected[0]
    assert profiles.inverse.tolist() == expected[1]
    assert profiles.multiplicity.tolist() == expected[2]
