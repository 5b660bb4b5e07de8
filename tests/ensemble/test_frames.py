"""Ensembles from frames: joined on ids, or read as categories."""

import datetime as dt
from itertools import permutations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from consilience import Ensemble
from consilience.exceptions import (
    InvalidInputError,
    LittleOverlapWarning,
    MatchedIdsWarning,
)
from oracles.strategies import examples

MAKERS = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}


def labels_by_id(ensemble):
    """Return {id: given labels, None = missing}, whatever the order of the rows."""
    known = [value.tolist() for value in ensemble.values]
    given_rows = (
        tuple(None if label < 0 else names[label] for label, names in zip(row, known, strict=True))
        for row in ensemble.labels.tolist()
    )
    return dict(zip(ensemble.ids.tolist(), given_rows, strict=True))


# --- from_frames -------------------------------------------------------------------------------------


@pytest.mark.parametrize("kinds", list(permutations(MAKERS, 3)) + [(kind,) * 3 for kind in MAKERS])
def test_outer_join_of_every_mix_of_frames(kinds):
    columns = [
        {"id": ["x", "y"], "segment": [0, 1]},
        {"id": ["z", "y"], "group": ["p", "q"], "size": [3, None]},
        {"key": [5, 6], "id": ["w", "x"]},
    ]
    e = Ensemble.from_frames(
        [MAKERS[kind](part) for kind, part in zip(kinds, columns, strict=True)], id="id"
    )
    assert e.ids.tolist() == ["x", "y", "z", "w"]
    assert e.names == ("segment", "group", "size", "key")
    assert labels_by_id(e) == {
        "x": (0, None, None, 6),
        "y": (1, "q", None, None),
        "z": (None, "p", 3, None),
        "w": (None, None, None, 5),
    }
    assert e.labels.tolist() == [[0, -1, -1, 0], [1, 0, -1, -1], [-1, 1, 0, -1], [-1, -1, -1, 1]]


@given(
    # Object 0 is in every frame and all others in few, so that the frames belong together.
    st.lists(
        st.dictionaries(st.integers(-5, 5), st.integers(-1, 3), min_size=1).map(
            lambda part: {0: 1, **part}
        ),
        min_size=1,
        max_size=4,
    ).filter(lambda parts: any(label >= 0 for part in parts for label in part.values()))
)
@examples(60)
@pytest.mark.filterwarnings("ignore::consilience.exceptions.LittleOverlapWarning")
def test_join_agrees_with_dictionaries(parts):
    frames = [
        pa.table({"id": list(part), f"m{j}": list(part.values())}) for j, part in enumerate(parts)
    ]
    e = Ensemble.from_frames(frames, id="id")
    order = list(dict.fromkeys(key for part in parts for key in part))
    known = [{key: label for key, label in part.items() if label >= 0} for part in parts]
    assert e.ids.tolist() == order
    assert labels_by_id(e) == {key: tuple(part.get(key) for part in known) for key in order}
    for column in e.labels.T:
        assert list(dict.fromkeys(column[column >= 0].tolist())) == list(range(column.max() + 1))


@pytest.mark.parametrize(
    "ids",
    [
        [10, -3],
        ["u", "v"],
        pd.Categorical(["u", "v"]),
        pd.array([10, -3], dtype="Int64"),
        [10.0, 7.0],
        np.array([10, 7], dtype="u1"),
    ],
    ids=["integers", "text", "categories", "nullable", "whole floats", "small unsigned"],
)
def test_ids_are_integers_or_text(ids):
    frame = pd.DataFrame({"id": ids, "a": [0, 1]})
    e = Ensemble.from_frames([frame, frame.rename(columns={"a": "b"})], id="id")
    assert e.ids.tolist() == list(ids)
    assert e.labels.tolist() == [[0, 0], [1, 1]]


def test_ids_of_different_number_types_meet():
    a = pl.DataFrame({"id": pl.Series([1, 2], dtype=pl.UInt8), "a": [0, 1]})
    b = pd.DataFrame({"id": [2.0, 3.0], "b": [5, 6]})
    assert labels_by_id(Ensemble.from_frames([a, b], id="id")) == {
        1: (0, None),
        2: (1, 5),
        3: (None, 6),
    }


def test_ids_of_text_and_numbers_meet():
    a = pa.table({"id": [1, 2], "a": [0, 1]})
    b = pa.table({"id": ["02", "01"], "b": [5, 6]})
    with pytest.warns(MatchedIdsWarning, match="'02' in frame 1 and '2' in the other table"):
        e = Ensemble.from_frames([a, b], id="id")
    assert labels_by_id(e) == {"1": (0, 6), "2": (1, 5)}


def test_frames_about_other_objects_are_refused():
    a, b = (pa.table({"id": ids, "a": [0, 1, 1]}) for ids in ([1, 2, 3], [3, 4, 5]))
    with pytest.warns(LittleOverlapWarning, match="Only 1 of 3 objects"):
        Ensemble.from_frames([a, b], id="id")
    with pytest.raises(InvalidInputError, match="have no id in common: ids are 1, 2, 3 in frame 0"):
        Ensemble.from_frames([a, b.slice(1)], id="id")


def test_columns_of_one_name_are_told_apart_by_their_frame():
    a = pl.DataFrame({"id": [1], "segment": [0], "alone": [1]})
    b = pl.DataFrame({"id": [1], "segment": [3]})
    listed = Ensemble.from_frames([a, b], id="id")
    named = Ensemble.from_frames({"north": a, "south": b}, id="id")
    assert listed.names == ("frame 0: segment", "alone", "frame 1: segment")
    assert named.names == ("north: segment", "alone", "south: segment")
    assert [value.tolist() for value in named.values] == [[0], [1], [3]]


def test_a_frame_without_rows_adds_a_member_that_knows_nothing():
    a = pl.DataFrame({"id": ["x", "y"], "a": [0, 1]})
    e = Ensemble.from_frames([a, a.clear().rename({"a": "b"})], id="id")
    assert e.n_clusters.tolist() == [2, 0]
    assert e.n_observed.tolist() == [2, 0]


GOOD = pd.DataFrame({"id": [1, 2], "a": [0, 1]})
DAY = dt.date(2024, 1, 1)


def with_good(**columns):
    return [GOOD, pl.DataFrame({"id": [1, 2], **columns})]


@pytest.mark.parametrize(
    ("frames", "message"),
    [
        ([], "from_frames got no frames; at least one is needed"),
        (GOOD, "takes a list of data frames or a dictionary of names .*; got DataFrame"),
        ([GOOD, [1, 2]], "frame 1: a pandas, polars or pyarrow data frame is needed; got list"),
        ({"n": GOOD, "s": GOOD["a"]}, "s: a pandas, polars or pyarrow data frame .* got Series"),
        ([pl.LazyFrame({"id": [1], "a": [0]})], r"is lazy; call collect\(\)"),
        (
            [GOOD, pl.DataFrame({"k": [1], "b": [0]})],
            r"frame 1 has no id column 'id'.*\['k', 'b'\]",
        ),
        ({"south": pl.DataFrame({"key": [1]})}, "south has no id column 'id'"),
        ([GOOD[["id"]]], "frame 0 has no column besides the id column 'id'"),
        ([GOOD, pl.DataFrame({"id": ["u", "v", "u"], "b": [0, 1, 1]})], "frame 1 .*'u' .* row 2"),
        (
            {"south": pl.DataFrame({"id": [4, 4], "b": [0, 1]})},
            "of south .*4 occurs again at row 1",
        ),
        ([pd.DataFrame({"id": ["u", None], "a": [0, 1]})], "of frame 0 has no value at row 1"),
        ([pd.DataFrame({"id": [np.nan, 1.0], "a": [0, 1]})], "of frame 0 has no value at row 0"),
        ([GOOD, pd.DataFrame({"id": ["u"], "b": [0]})], "have no id in common"),
        ([pa.table({"id": pa.array([2**63 + 5], pa.uint64()), "a": [0]})], "64-bit integer"),
        (with_good(b=[0.5, 1.0]), r"Label 0\.5 of object 0 in column 'b' of frame 1"),
        (with_good(b=[0, -3]), "Label -3 of object 1 in column 'b'.*-1 for missing"),
        (with_good(b=[DAY, DAY]), "column 'b'.* are of type date32"),
        ([pl.DataFrame({"id": [1], "a": [None]})], "Every label is missing"),
    ],
)
def test_bad_frames_are_refused(frames, message):
    with pytest.raises(InvalidInputError, match=message):
        Ensemble.from_frames(frames, id="id")


def test_weights_of_joined_members():
    assert Ensemble.from_frames(with_good(b=[0, 0]), id="id", weights=[2, 0]).weights.tolist() == [
        1,
        0,
    ]


# --- rows_of -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("ids", [["u", "v", "w"], [30, -10, 20]])
def test_rows_of_finds_ids_in_any_order(ids):
    e = Ensemble([[0, 1, 1]], ids=ids)
    assert e.rows_of([ids[2], ids[0], ids[2]]).tolist() == [2, 0, 2]
    assert e.rows_of(pl.Series(ids)).tolist() == [0, 1, 2]
    assert e.rows_of([]).tolist() == []


def test_rows_of_unknown_ids_is_an_error():
    e = Ensemble([[0, 1]], ids=["u", "v"])
    with pytest.raises(InvalidInputError, match=r"Unknown object id 'z'; .* 2 ids such as 'u'"):
        e.rows_of(["v", "z"])
    with pytest.raises(InvalidInputError, match="Unknown object id 7"):
        e.rows_of([7])
    with pytest.raises(InvalidInputError, match="has no object ids; pass ids="):
        Ensemble([[0, 1]]).rows_of(["u"])


# --- from_categorical --------------------------------------------------------------------------------


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_every_value_but_null_is_a_category(make):
    frame = make({"size": [-1, 5, None, -1, -7], "colour": ["red", None, "", "red", "-1"]})
    e = Ensemble.from_categorical(frame)
    assert e.names == ("size", "colour")
    assert e.labels.T.tolist() == [[0, 1, -1, 0, 2], [0, -1, 1, 0, 2]]
    assert [value.tolist() for value in e.values] == [[-1, 5, -7], ["red", "", "-1"]]
    assert e.ids is None


@pytest.mark.parametrize(
    "column",
    [
        pd.Series([True, None, False, True], dtype="boolean"),
        pd.Series(["b", None, "a", "b"], dtype="category"),
        pd.Series(pd.to_datetime(["2024-02-01", None, "2024-01-01", "2024-02-01"])),
        pd.Series([dt.date(2024, 2, 1), None, dt.date(2024, 1, 1), dt.date(2024, 2, 1)]),
        pd.Series(pd.to_timedelta([2, None, 1, 2], unit="h")),
        pl.Series([dt.date(2024, 2, 1), None, dt.date(2024, 1, 1), dt.date(2024, 2, 1)]),
        pl.Series([dt.datetime(2024, 2, 1), None, dt.datetime(2024, 1, 1), dt.datetime(2024, 2, 1)]),  # noqa: DTZ001
        pl.Series([dt.time(2), None, dt.time(1), dt.time(2)]),
        pl.Series([dt.timedelta(2), None, dt.timedelta(1), dt.timedelta(2)]),
        pl.Series(["b", None, "a", "b"], dtype=pl.Enum(["a", "b"])),
    ],
    ids=lambda column: f"{type(column).__module__.split('.')[0]} {column.dtype}",
)  # fmt: skip
def test_every_kind_of_column_is_a_clustering(column):
    frame = column.to_frame("a")
    assert Ensemble.from_categorical(frame).labels[:, 0].tolist() == [0, -1, 1, 0]


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_categorical_frame_with_ids_and_weights(make):
    frame = make({"a": [-1, 2, -1], "key": ["u", "v", "w"], "b": ["p", "p", None]})
    e = Ensemble.from_categorical(frame, id="key", weights=[1, 3])
    assert e.ids.tolist() == ["u", "v", "w"]
    assert e.names == ("a", "b")
    assert e.labels.tolist() == [[0, 0], [1, 0], [0, -1]]
    assert e.given_weights.tolist() == [1, 3]


@pytest.mark.parametrize(
    ("frame", "id_column", "message"),
    [
        ([[0, 1]], None, "from_categorical: a pandas, polars or pyarrow .* needed; got list"),
        (pl.LazyFrame({"a": [0]}), None, r"is lazy; call collect\(\)"),
        (GOOD, "key", r"has no id column 'key'; its columns are \['id', 'a'\]"),
        (GOOD[["id"]], "id", "no column besides the id column 'id'"),
        (GOOD.assign(id=1), "id", "id column 'id' of the frame must be distinct; 1 occurs again"),
        (pd.DataFrame(), None, "(?i)no (labels|columns|members)"),
        (pd.DataFrame({"a": [None, None]}), None, "Every label is missing"),
    ],
)
def test_bad_categorical_frames_are_refused(frame, id_column, message):
    with pytest.raises(InvalidInputError, match=message):
        Ensemble.from_categorical(frame, id=id_column)
