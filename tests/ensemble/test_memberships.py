"""Soft ensembles: memberships checked, brought to sum one, put side by side."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from consilience import Ensemble
from consilience.exceptions import InvalidInputError, InvalidLabelsError
from oracles.strategies import examples

TWO = [[0.9, 0.1], [0.25, 0.75], [0.5, 0.5]]
THREE = [[0.2, 0.3, 0.5], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]]


def test_members_stand_side_by_side():
    e = Ensemble.from_memberships([TWO, THREE], names=["a", "b"], weights=[1, 2], ids=[7, 8, 9])
    assert e.is_soft
    assert np.allclose(e.memberships, np.hstack([TWO, THREE]), rtol=0, atol=1e-15)
    assert e.n_clusters.tolist() == [2, 3]
    assert (e.n_samples, e.n_members, e.n_base_clusters) == (3, 2, 5)
    assert (e.names, e.given_weights.tolist(), e.ids.tolist()) == (("a", "b"), [1, 2], [7, 8, 9])
    assert [value.tolist() for value in e.values] == [[0, 1], [0, 1, 2]]
    assert repr(e) == "Ensemble(3 objects, 2 soft members, 5 base clusters, 16.7 % missing)"


def test_labels_are_the_most_likely_ones_first_on_ties():
    e = Ensemble.from_memberships([TWO, THREE])
    assert e.labels.tolist() == [[0, 2], [1, 0], [0, -1]]
    assert e.n_observed.tolist() == [3, 2]
    assert e.has_missing


@pytest.mark.parametrize(
    ("dtypes", "expected"),
    [
        (["f4", "f4"], np.float32),
        (["f4", "f8"], np.float64),
        (["f8", "f8"], np.float64),
        (["f2", "f4"], np.float64),
    ],
)
def test_single_precision_stays_single(dtypes, expected):
    members = [np.array(TWO, dtype=dtype) for dtype in dtypes]
    assert Ensemble.from_memberships(members).memberships.dtype == expected


@pytest.mark.parametrize("dtype", [int, bool, np.uint8])
def test_indicator_matrices_are_memberships(dtype):
    e = Ensemble.from_memberships([np.eye(3, dtype=dtype)])
    assert np.array_equal(e.memberships, np.eye(3))


@given(
    arrays(
        np.float64, st.tuples(st.integers(1, 8), st.integers(1, 5)), elements=st.floats(0.01, 1)
    ),
    st.floats(-9e-4, 9e-4),
    st.sampled_from([np.float32, np.float64]),
)
@examples(100)
def test_rows_are_brought_to_sum_one(raw, error, dtype):
    exact = raw / raw.sum(axis=1, keepdims=True)
    e = Ensemble.from_memberships([(exact * (1 + error)).astype(dtype)])
    assert e.memberships.dtype == dtype
    tolerance = 4 * np.finfo(dtype).eps
    assert np.allclose(e.memberships.sum(axis=1), 1, rtol=0, atol=tolerance)
    assert np.allclose(e.memberships, exact, rtol=0, atol=tolerance)


@pytest.mark.parametrize(
    "labels",
    [
        [4, -1, 2],
        ("x", None, "y"),
        np.array([4, np.nan, 2]),
        pd.Series(["x", None, "y"], dtype="category"),
        pl.Series([4, None, 2]),
    ],
    ids=lambda labels: type(labels).__module__ + type(labels).__name__,
)
def test_label_vectors_may_stand_in(labels):
    e = Ensemble.from_memberships([np.array(TWO, dtype=np.float32), labels])
    assert e.memberships[:, 2:].tolist() == [[1, 0], [0, 0], [0, 1]]
    alone, hard = Ensemble.from_memberships([labels]), Ensemble([labels])
    assert np.array_equal(alone.incidence.dense_rows(range(3)), hard.incidence.dense_rows(range(3)))
    assert e.memberships.dtype == np.float32
    assert e.labels[:, 1].tolist() == [0, -1, 1]


@pytest.mark.parametrize("make", [pd.DataFrame, lambda p: pl.DataFrame(p, orient="row"), np.stack])
def test_frames_and_stacks_are_matrices(make):
    e = Ensemble.from_memberships([make(TWO), make(TWO)])
    assert e.n_clusters.tolist() == [2, 2]
    assert np.allclose(e.memberships, np.hstack([TWO, TWO]), rtol=0, atol=1e-15)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_callers_matrices_stay_his_own(dtype):
    matrix = np.array([[1, 0], [0.5, 0.5], [np.nan, np.nan]], dtype=dtype)
    before = matrix.copy()
    e = Ensemble.from_memberships([matrix])
    assert matrix.flags.writeable
    assert np.array_equal(matrix, before, equal_nan=True)
    matrix[:] = 0
    assert e.memberships.tolist() == [[1, 0], [0.5, 0.5], [0, 0]]


def test_fingerprint_changes_with_memberships_and_weights():
    e = Ensemble.from_memberships([TWO])
    assert Ensemble.from_memberships([TWO], names=["p"]).fingerprint == e.fingerprint
    assert Ensemble.from_memberships([TWO[::-1]]).fingerprint != e.fingerprint
    twice = Ensemble.from_memberships([TWO, TWO])
    assert twice.with_weights([2, 1]).fingerprint != twice.fingerprint
    assert twice.with_weights([2, 2]).fingerprint == twice.fingerprint


SUM_TO_ONE = "must be numbers from 0 to 1 that sum to 1, or all zero"


@pytest.mark.parametrize(
    ("memberships", "message"),
    [
        (np.eye(2), r"takes a list of matrices, .*; got one array of shape \(2, 2\)\. Wrap it"),
        ([], "An empty list holds no members; pass at least one matrix"),
        ([np.eye(2), np.eye(3)], "member 0 has 2 rows, member 1 has 3"),
        ([TWO, [0, 1]], "member 0 has 3 rows, member 1 has 2"),
        ([TWO, [[0.5, 0.5], [0.5, 0.4], [1, 0]]], rf"object 1 in member 1 are .*; they {SUM_TO_ONE}"),
        ([[[1.5, -0.5]]], rf"object 0 in member 0 are \[1\.5, -0\.5\]; they {SUM_TO_ONE}"),
        ([[[1.0, 0.0], [np.nan, 1.0]]], rf"object 1 in member 0 are \[nan, 1\.0\]; they {SUM_TO_ONE}"),
        ([[[np.inf, 0.0]]], rf"object 0 in member 0 are \[inf, 0\.0\]; they {SUM_TO_ONE}"),
        ([TWO, 3], r"Member 1 must be an \(n, K\) matrix of memberships, .* shape \(\)"),
        ([np.zeros((2, 2, 2))], r"Member 0 must be an \(n, K\) matrix .* shape \(2, 2, 2\)"),
        ([np.zeros((2, 0))], r"Member 0 must be an \(n, K\) matrix .* shape \(2, 0\)"),
        ([np.array([["a", "b"]])], r"Member 0 must be an \(n, K\) matrix .* type <U1"),
        ([np.eye(2) * 1j], r"Member 0 must be an \(n, K\) matrix .* type complex128"),
        ([[[0.5, 0.5], [1.0]]], r"Member 0 must be an \(n, K\) matrix"),
        ([TWO, [0.5, 1, 2]], r"Label 0\.5 of object 0 in member 1"),
        ([np.zeros((0, 2))], "(?i)object|0 sample"),
        ([np.zeros((2, 2))], "Every label is missing"),
        ([[-1, -1]], "Every label is missing"),
    ],
)  # fmt: skip
def test_bad_memberships_are_refused(memberships, message):
    with pytest.raises(InvalidLabelsError, match=message):
        Ensemble.from_memberships(memberships)


def test_a_soft_ensemble_has_no_codes_and_no_profiles():
    e = Ensemble.from_memberships([TWO])
    with pytest.raises(InvalidInputError, match="has memberships, not codes"):
        _ = e.codes
    with pytest.raises(InvalidInputError, match="has memberships, not codes"):
        e.profiles()
