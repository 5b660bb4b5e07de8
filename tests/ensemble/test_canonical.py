"""Labels numbered by first appearance, and single labellings read like members."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from consilience.ensemble import as_label_vector, canonical_labels
from consilience.exceptions import InvalidLabelsError
from oracles.strategies import examples


@given(st.lists(st.integers(0, 6), max_size=30))
@examples(100)
def test_numbered_by_first_appearance_without_gaps(labels):
    given_labels = np.array(labels, dtype=np.int64)
    canonical, order = canonical_labels(given_labels)
    assert given_labels.tolist() == labels
    assert np.array_equal(canonical_labels(canonical)[0], canonical)
    position = {label: k for k, label in enumerate(dict.fromkeys(labels))}
    assert canonical.tolist() == [position[label] for label in labels]
    assert order.tolist() == list(position)
    assert canonical.dtype == np.int32


@pytest.mark.parametrize(
    "labels",
    [
        np.array([4, -1, 0, 4]),
        np.array([4, np.nan, 0, 4]),
        np.array(["x", None, "y", "x"], dtype=object),
        [4, None, 0, 4],
        ("x", None, "y", "x"),
        pd.Series(["x", None, "y", "x"], dtype="category"),
        pd.Series([4, None, 0, 4], dtype="Int64"),
        pd.Index([4, -1, 0, 4]),
        pl.Series(["x", None, "y", "x"]),
        pa.array(["x", None, "y", "x"]).dictionary_encode(),
        pa.chunked_array([[4, None], [0, 4]]),
    ],
    ids=lambda labels: f"{type(labels).__module__}.{type(labels).__name__}",
)
def test_one_labelling_is_read_like_a_member(labels):
    encoded = as_label_vector(labels)
    assert encoded.codes.tolist() == [[1], [0], [2], [1]]
    assert encoded.values[0].tolist() in ([4, 0], ["x", "y"])


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (
            np.zeros((2, 3), int),
            r"truth must be one label per object; got an array of shape \(2, 3\)",
        ),
        (3, r"truth must be one label per object; got an array of shape \(\)"),
        ([0, 0.5], r"Label 0\.5 of object 1 in truth: labels must be whole numbers"),
        (np.array([0, 0.5]), r"Label 0\.5 of object 1 in truth: labels must be whole numbers"),
        (np.array([0, -4]), r"Label -4 of object 1 in truth: labels are 0, 1, 2"),
        (["a", 1], "The labels of truth are of mixed or unknown kinds"),
    ],
)
def test_errors_name_the_labelling(labels, message):
    with pytest.raises(InvalidLabelsError, match=message):
        as_label_vector(labels, "truth")
