"""Ensembles as Parquet files: what is written comes back, whole or not at all."""

import json

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from consilience import Ensemble
from consilience.exceptions import InvalidInputError

GIVEN = {
    "number": [7, 3, 7, None],
    "word": ["x", None, "", "x"],
    "full": [0, 1, 2, 0],
    "nothing": [None, None, None, None],
}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "e.parquet"


@pytest.fixture
def ensemble():
    return Ensemble(
        list(GIVEN.values()), names=list(GIVEN), weights=[1, 0.1, 2, 0], ids=["p", "q", "r", "s"]
    )


def round_trip(ensemble, path):
    ensemble.to_parquet(path)
    return Ensemble.from_parquet(path)


def write_plain(path, **columns):
    pq.write_table(pa.table(columns), path)


# --- round trips -------------------------------------------------------------------------------------


def test_everything_comes_back(ensemble, path):
    e = round_trip(ensemble.with_provenance({"seed": 3, "method": {"name": "k-means"}}), path)
    assert e.fingerprint == ensemble.fingerprint
    assert np.array_equal(e.codes, ensemble.codes)
    assert e.codes.dtype == ensemble.codes.dtype
    assert [v.tolist() for v in e.values] == [v.tolist() for v in ensemble.values]
    assert e.names == ensemble.names
    assert e.ids.tolist() == ["p", "q", "r", "s"]
    assert e.given_weights.tolist() == [1, 0.1, 2, 0]
    assert e.provenance == {"seed": 3, "method": {"name": "k-means"}}
    assert not e.is_soft


@pytest.mark.parametrize("ids", [None, [5, -2, 9], ["u", "v", "w"]])
def test_ids_come_back(ids, path):
    e = round_trip(Ensemble([[0, 1, 1]], ids=ids), path)
    assert (e.ids if ids is None else e.ids.tolist()) == ids


@pytest.mark.parametrize("name", ["id", "id_", "ä ö", "a.b", "frame 0: x"])
def test_any_name_of_a_member_comes_back(name, path):
    e = round_trip(Ensemble([[0, 1], [1, 1]], names=[name, "other"], ids=[3, 4]), path)
    assert e.names == (name, "other")
    assert e.ids.tolist() == [3, 4]


COLUMNS = {
    "widely spread": pa.array([10**12, 0, 5]),
    "small type": pa.array([255, 3, None], pa.uint8()),
    "booleans": pa.array([True, False, None]),
    "many": pa.array(np.arange(256)[::-1]),
    "negative": pa.array([-5, -1, 0, -5, None]),
}


@pytest.mark.parametrize("column", COLUMNS.values(), ids=COLUMNS.keys())
def test_labels_of_every_type_come_back(column, path):
    e = Ensemble.from_categorical(pa.table({"a": column, "b": column}))
    again = round_trip(e.with_sample_weight(np.arange(1, len(column) + 1)), path)
    assert again.fingerprint == e.fingerprint
    assert again.codes.dtype == e.codes.dtype
    assert again.values[0].tolist() == e.values[0].tolist()
    assert again.sample_weight.tolist() == list(range(1, len(column) + 1))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_soft_ensembles_come_back_in_single_precision(dtype, path):
    matrices = [
        np.array([[0.9, 0.1], [0, 0], [1 / 3, 2 / 3]], dtype=dtype),
        np.array([[0.2, 0.3, 0.5], [1, 0, 0], [0, 0, 0]], dtype=dtype),
    ]
    e = Ensemble.from_memberships(matrices, names=["a", "b"], weights=[1, 2], ids=[7, 8, 9])
    again = round_trip(e, path)
    assert again.is_soft
    assert again.memberships.dtype == np.float32
    assert np.allclose(again.memberships, e.memberships, rtol=0, atol=1e-7)
    assert np.array_equal(again.labels, e.labels)
    assert again.n_clusters.tolist() == [2, 3]
    assert (again.names, again.given_weights.tolist()) == (("a", "b"), [1, 2])
    assert again.ids.tolist() == [7, 8, 9]
    unknown = Ensemble.from_memberships([np.eye(2), [-1, -1]])
    unknown.to_parquet(path, overwrite=True)
    assert Ensemble.from_parquet(str(path)).n_clusters.tolist() == [2, 0]


def test_a_second_round_trip_writes_the_same_bytes(ensemble, path, tmp_path):
    again = round_trip(ensemble, path)
    again.to_parquet(tmp_path / "second.parquet")
    assert (tmp_path / "second.parquet").read_bytes() == path.read_bytes()


# --- other readers -----------------------------------------------------------------------------------


def test_polars_reads_the_labels_that_were_given(ensemble, path):
    ensemble.to_parquet(path)
    read = pl.read_parquet(path).to_dict(as_series=False)
    assert read == {"id": ["p", "q", "r", "s"], **GIVEN}


def test_pandas_reads_the_labels_that_were_given(ensemble, path):
    ensemble.to_parquet(path)
    frame = pd.read_parquet(path, dtype_backend="numpy_nullable")
    read = {
        name: [None if pd.isna(value) else value for value in frame[name].tolist()]
        for name in frame.columns
    }
    assert read == {"id": ["p", "q", "r", "s"], **GIVEN}


def test_polars_reads_memberships_as_lists(path):
    Ensemble.from_memberships([[[0.5, 0.5], [0.25, 0.75]]], names=["a"]).to_parquet(path)
    assert pl.read_parquet(path)["a"].to_list() == [[0.5, 0.5], [0.25, 0.75]]
    assert pq.read_schema(path).field("a").type.value_type == pa.float32()


def test_weights_and_provenance_are_in_the_metadata(ensemble, path):
    ensemble.with_provenance({"seed": 3}).to_parquet(path)
    metadata = json.loads(pq.read_schema(path).metadata[b"consilience"])
    assert metadata["weights"] == [1, 0.1, 2, 0]
    assert metadata["provenance"] == {"seed": 3}
    assert metadata["id"] == "id"


# --- files that save did not write -------------------------------------------------------------------


def test_a_plain_file_with_and_without_ids(path):
    write_plain(path, key=[4, 9, 7], a=["x", None, "y"], b=[-1, 5, 5])
    e = Ensemble.from_parquet(path, id="key")
    assert e.ids.tolist() == [4, 9, 7]
    assert e.names == ("a", "b")
    assert e.labels.tolist() == [[0, -1], [-1, 0], [1, 0]]
    assert e.given_weights.tolist() == [1, 1]
    without = Ensemble.from_parquet(path)
    assert without.ids is None
    assert without.names == ("key", "a", "b")


@pytest.mark.parametrize("writer", ["pandas", "polars"])
def test_a_file_that_a_data_frame_wrote(writer, path):
    columns = {"key": ["u", "v"], "a": ["x", "y"], "b": [0.0, None]}
    if writer == "pandas":
        pd.DataFrame(columns).astype({"a": "category"}).to_parquet(path)
    else:
        pl.DataFrame(columns).cast({"a": pl.Categorical}).write_parquet(path)
    e = Ensemble.from_parquet(path, id="key")
    assert e.labels.tolist() == [[0, 0], [1, -1]]
    assert e.ids.tolist() == ["u", "v"]


@pytest.mark.parametrize(
    ("columns", "id_column", "message"),
    [
        ({"a": [0, 1]}, "key", r"e\.parquet has no column 'key'; its columns are \['a'\]"),
        ({"key": [0, 1]}, "key", r"e\.parquet has no member columns"),
        ({}, None, r"e\.parquet has no member columns"),
        ({"key": [1, 1], "a": [0, 1]}, "key", r"'key' of .*e\.parquet must be distinct; 1 occurs"),
        ({"key": ["u", None], "a": [0, 1]}, "key", r"'key' of .*e\.parquet has no value at row 1"),
        ({"a": [0.5, 1]}, None, r"Label 0\.5 of object 0 in column 'a' of .*e\.parquet"),
        ({"a": [-4, 1]}, None, r"Label -4 of object 0 in column 'a' of .*e\.parquet"),
        ({"a": [[0.5, 0.5]]}, None, r"column 'a' of .*e\.parquet are of type list"),
        ({"a": pa.array([None, None], pa.int8())}, None, "Every label is missing"),
    ],
)
def test_bad_plain_files_are_refused(path, columns, id_column, message):
    write_plain(path, **columns)
    with pytest.raises(InvalidInputError, match=message):
        Ensemble.from_parquet(path, id=id_column)


def test_a_file_of_a_newer_format_is_refused(ensemble, path):
    ensemble.to_parquet(path)
    table = pq.read_table(path)
    pq.write_table(table.replace_schema_metadata({b"consilience": b'{"format": 99}'}), path)
    with pytest.raises(
        InvalidInputError, match=r"newer version .*\(format 99\); upgrade to read it"
    ):
        Ensemble.from_parquet(path)


def test_a_missing_file_is_named(path, tmp_path):
    with pytest.raises(InvalidInputError, match=r"There is no file .*e\.parquet"):
        Ensemble.from_parquet(path)
    with pytest.raises(InvalidInputError, match="There is no file"):
        Ensemble.from_parquet(tmp_path)


@pytest.mark.parametrize("content", [b"", b"hello", b"PAR1" + b"\0" * 40 + b"PAR1"])
def test_an_unreadable_file_is_named(path, content):
    path.write_bytes(content)
    with pytest.raises(InvalidInputError, match=r"e\.parquet cannot be read as Parquet: "):
        Ensemble.from_parquet(path)


# --- whole or not at all -----------------------------------------------------------------------------


def test_an_existing_file_is_kept_unless_told_otherwise(ensemble, path):
    path.write_text("precious")
    with pytest.raises(InvalidInputError, match=r"e\.parquet exists already; .* overwrite=True"):
        ensemble.to_parquet(path)
    assert path.read_text() == "precious"
    ensemble.to_parquet(path, overwrite=True)
    assert Ensemble.from_parquet(path).fingerprint == ensemble.fingerprint
    assert [file.name for file in path.parent.iterdir()] == ["e.parquet"]


@pytest.mark.parametrize("failure", [OSError("disk full"), KeyboardInterrupt()], ids=repr)
@pytest.mark.parametrize("before", [None, "precious"])
def test_nothing_is_left_behind_when_writing_fails(ensemble, path, monkeypatch, failure, before):
    if before is not None:
        path.write_text(before)

    def half_written(table, where, **_):
        where.write_bytes(b"PAR1 half of it")
        raise failure

    monkeypatch.setattr(pq, "write_table", half_written)
    with pytest.raises(type(failure)):
        ensemble.to_parquet(path, overwrite=True)
    left = {file.name: file.read_text() for file in path.parent.iterdir()}
    assert left == ({} if before is None else {"e.parquet": before})


def test_provenance_that_cannot_be_written_leaves_nothing_behind(ensemble, path):
    with pytest.raises(InvalidInputError, match="provenance"):
        ensemble.with_provenance({"model": object()}).to_parquet(path)
    assert list(path.parent.iterdir()) == []


def test_a_saved_file_has_the_mode_of_any_other_file(ensemble, path, tmp_path):
    ensemble.to_parquet(path)
    other = tmp_path / "other"
    other.write_text("")
    assert path.stat().st_mode == other.stat().st_mode
