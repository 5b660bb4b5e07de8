"""The door for data: every kind of table, and what is refused."""

import datetime as dt

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

from consilience import ConsensusClustering
from consilience._utils._features import read_features
from consilience.answer import choose_k
from consilience.clusterers import LAC
from consilience.exceptions import InvalidInputError
from consilience.generate import CategoricalColumns, KMeansRestarts
from consilience.generate._checkpoint import data_hash
from consilience.metrics import compactness

NAMES = ["a", "b", "c", "d", "e"]


def _read(X):
    return read_features(KMeansRestarts(), X, reset=True)


def _frames(X):
    columns = dict(zip(NAMES, X.T, strict=True))
    return [pd.DataFrame(columns), pl.DataFrame(columns), pa.table(columns)]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_every_kind_of_table_is_the_same_array(blobs, dtype):
    X = blobs.astype(dtype)
    for given in (X, np.asfortranarray(X), *_frames(X)):
        read = _read(given)
        np.testing.assert_array_equal(read, X)
        assert read.dtype == dtype
        assert read.flags.c_contiguous
    np.testing.assert_array_equal(_read(X.tolist()), X)
    for kind in (sparse.csc_matrix, sparse.coo_array):
        read = _read(kind(X))
        assert read.format == "csr"
        assert read.dtype == dtype


def test_an_array_is_not_copied(blobs):
    assert np.shares_memory(_read(blobs), blobs)


def test_other_numbers_become_float64():
    frame = pd.DataFrame({"a": [1, 2], "b": [True, False], "c": np.array([1, 2], dtype=np.float32)})
    assert _read(frame).dtype == np.float64
    assert _read(frame).tolist() == [[1, 1, 1], [2, 0, 2]]
    assert _read(np.array([[1, 2]], dtype=np.int8)).dtype == np.float64
    assert _read(np.array([[1, 2]], dtype=np.float16)).dtype == np.float64


@pytest.mark.parametrize(("bad", "word"), [(np.nan, "NaN"), (np.inf, r"infinity \(inf\)")])
def test_numbers_that_are_none_are_found(blobs, bad, word):
    X = blobs.copy()
    X[150, 3] = bad
    for given in (X, X.astype(np.float32), sparse.csr_matrix(X)):
        with pytest.raises(InvalidInputError, match=f"X contains {word} in row 150, column 3;"):
            KMeansRestarts(random_state=0).fit(given)
    for frame in _frames(X):
        with pytest.raises(InvalidInputError, match=f"{word} in row 150, column 'd'; every number"):
            KMeansRestarts(random_state=0).fit(frame)


def test_null_is_not_a_number():
    frames = [
        pl.DataFrame({"a": [1, None, 3]}),
        pa.table({"a": [1.0, None, 3.0]}),
        pd.DataFrame({"a": pd.array([1, None, 3], dtype="Int64")}),
    ]
    for frame in frames:
        with pytest.raises(InvalidInputError, match="NaN in row 1, column 'a'"):
            _read(frame)


def test_text_columns_are_named():
    message = r"column 'colour' holds String, not numbers; drop or encode it, or let Categorical"
    for frame in (pl.DataFrame({"x": [1], "colour": ["red"]}), pa.table({"colour": ["red"]})):
        with pytest.raises(InvalidInputError, match=message):
            KMeansRestarts(random_state=0).fit(frame)
    with pytest.raises(InvalidInputError, match="column 'when' holds Date"):
        _read(pl.DataFrame({"when": pl.Series([18262]).cast(pl.Date)}))


def test_lazy_and_empty_frames_are_refused():
    with pytest.raises(InvalidInputError, match="is lazy; call collect"):
        _read(pl.LazyFrame({"a": [1.0]}))
    with pytest.raises(InvalidInputError, match="with 0 sample"):
        _read(pa.table({"a": pa.array([], pa.float64())}))
    with pytest.raises(InvalidInputError, match="with 0 feature"):
        _read(pd.DataFrame(index=range(3)))


def test_hash_tells_data_apart(blobs):
    given = [blobs, blobs[::-1], blobs.astype(np.float32), blobs.reshape(500, 2), blobs[:-1]]
    given += [sparse.csr_matrix(blobs), sparse.csr_matrix(blobs[::-1])]
    assert len({data_hash(X) for X in given}) == len(given)
    assert data_hash(blobs) == data_hash(blobs.copy())


def test_masked_and_dated_arrays_are_refused():
    """The number behind a masked cell is no measurement, and a date is none either."""
    rng = np.random.default_rng(0)
    X = np.ma.masked_array(rng.normal(size=(30, 3)), mask=np.zeros((30, 3), dtype=bool))
    plain = KMeansRestarts(n_members=2, random_state=0).fit(X).ensemble_
    assert plain.n_samples == 30
    X[4, 1] = np.ma.masked
    doors = [
        KMeansRestarts(n_members=2).fit,
        ConsensusClustering(n_clusters=2).fit,
        LAC(n_clusters=2).fit,
        choose_k,
        lambda data: compactness(data, np.zeros(30, dtype=int)),
    ]
    for door in doors:
        with pytest.raises(InvalidInputError, match="X is masked in row 4, column 1"):
            door(X)
        with pytest.raises(InvalidInputError, match=r"X holds datetime64\[D\], not numbers"):
            door(np.datetime64("2024-01-01") + np.arange(90).reshape(30, 3))
    with pytest.raises(InvalidInputError, match="X holds something that is not a number"):
        KMeansRestarts(n_members=2).fit([[dt.date(2024, 1, 1 + i), 1.0] for i in range(9)])
    repeated = pd.DataFrame(np.asarray(plain.labels, dtype=float), columns=["a", "a"])
    with pytest.raises(InvalidInputError, match="Expected unique column names, got: - 'a'"):
        KMeansRestarts(n_members=2).fit(repeated)
    categories = np.ma.masked_array([[1, 2], [1, 3], [4, 3]], mask=[[0, 0], [1, 0], [0, 0]])
    assert CategoricalColumns().fit(categories).ensemble_.labels.tolist() == [
        [0, 0],
        [-1, 1],
        [1, 1],
    ]
    mixed = np.array([[1, "a"], ["x", "b"]], dtype=object)
    with pytest.raises(InvalidInputError, match="column 0 holds categories of several kinds"):
        CategoricalColumns().fit(mixed)


def test_what_cannot_be_computed_with_is_refused():
    X = np.ones((5, 2))
    X[3, 1] = 1e200
    for data in (X, sparse.csr_matrix(X), pd.DataFrame(X)):
        with pytest.raises(
            InvalidInputError, match=r"largest absolute value of column .* is 1e\+200"
        ):
            KMeansRestarts(n_members=2).fit(data)
    with pytest.raises(
        InvalidInputError, match="Complex data not supported: KMeansRestarts: X holds"
    ):
        KMeansRestarts(n_members=2).fit(X.astype(complex))
    names = pd.DataFrame(np.ones((5, 2)), columns=["a", 1])
    with pytest.raises(InvalidInputError, match="Feature names are only supported if all"):
        KMeansRestarts(n_members=2).fit(names)
