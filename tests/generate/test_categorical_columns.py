"""CategoricalColumns: every column a clustering."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

from consilience import Ensemble
from consilience.exceptions import InvalidInputError
from consilience.generate import CategoricalColumns

COLUMNS = {"colour": ["red", "blue", "red", None], "size": [-1, 2, -1, 7]}


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, pa.table])
def test_frames_of_every_kind(kind):
    generator = CategoricalColumns()
    labels = generator.fit_transform(kind(COLUMNS))
    assert labels.tolist() == [[0, 0], [1, 1], [0, 0], [-1, 2]]
    assert generator.ensemble_.names == ("colour", "size")
    assert generator.ensemble_.values[0].tolist() == ["red", "blue"]
    assert generator.get_feature_names_out().tolist() == ["colour", "size"]
    expected = Ensemble.from_categorical(kind(COLUMNS))
    assert generator.ensemble_.fingerprint == expected.fingerprint


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, pa.table])
def test_new_rows_are_read_under_the_old_categories(kind):
    generator = CategoricalColumns().fit(kind(COLUMNS))
    new = kind({"colour": ["green", "blue", None, "red"], "size": [7, 7, 2, 3]})
    assert generator.transform(new).tolist() == [[-1, 2], [1, 2], [-1, 1], [0, -1]]


def test_arrays_of_text_objects_and_numbers():
    text = np.array([["a", "x"], ["b", "x"], ["a", "y"]])
    assert CategoricalColumns().fit_transform(text).tolist() == [[0, 0], [1, 0], [0, 1]]
    mixed = np.array([["a", 1], ["b", 1], [None, 2.5]], dtype=object)
    assert CategoricalColumns().fit_transform(mixed).tolist() == [[0, 0], [1, 0], [-1, 1]]
    numbers = np.array([[0.5, np.nan], [0.25, 3], [0.5, 3]])
    generator = CategoricalColumns()
    assert generator.fit_transform(numbers).tolist() == [[0, -1], [1, 0], [0, 0]]
    assert generator.transform([[0.25, 3], [9, 9]]).tolist() == [[1, 0], [-1, -1]]


def test_whole_numbers_as_floats_are_the_same_categories():
    generator = CategoricalColumns().fit(np.array([[1, 5], [2, 5]]))
    assert generator.transform(np.array([[2.0, 5.0], [1.0, np.nan]])).tolist() == [[1, 0], [0, -1]]


def test_sparse_data_are_refused():
    with pytest.raises(
        InvalidInputError, match="cannot use sparse data, since 0 would be a category"
    ):
        CategoricalColumns().fit(sparse.csr_matrix(np.eye(3)))
