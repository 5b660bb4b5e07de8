"""Parquet files that others wrote again or changed: the ids are found, and damage is one sentence."""

import json

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from consilience import Ensemble
from consilience.exceptions import InvalidInputError

READERS = (Ensemble.from_parquet, Ensemble.from_large_file)


@pytest.fixture
def ensemble():
    return Ensemble([[0, 0, 1], [1, 0, 0]], ids=["x", "y", "z"])


@pytest.fixture
def path(tmp_path):
    return tmp_path / "e.parquet"


def _by_polars(path):
    pl.read_parquet(path).write_parquet(path)


def _by_pandas(path):
    pd.read_parquet(path).to_parquet(path)


def _by_pandas_with_an_index(path, name="id"):
    frame = pd.read_parquet(path).set_index("id")
    frame.index.name = name
    frame.to_parquet(path)


REWRITES = {
    "polars": _by_polars,
    "pandas": _by_pandas,
    "an index": _by_pandas_with_an_index,
    "an index of any name": lambda path: _by_pandas_with_an_index(path, "who"),
    "an index without a name": lambda path: _by_pandas_with_an_index(path, None),
}


@pytest.mark.parametrize("rewrite", REWRITES.values(), ids=REWRITES.keys())
def test_ids_are_found_in_a_file_that_was_written_again(ensemble, path, rewrite):
    ensemble.to_parquet(path)
    rewrite(path)
    loaded = Ensemble.from_parquet(path)
    assert loaded.names == ensemble.names
    assert loaded.ids.tolist() == ["x", "y", "z"]
    assert loaded.fingerprint == ensemble.fingerprint
    assert Ensemble.from_large_file(path).fingerprint == ensemble.fingerprint


def test_the_command_finds_an_index_of_pandas_too(ensemble, path):
    from consilience.tables import read_label_table, read_table

    ensemble.to_parquet(path)
    _by_pandas_with_an_index(path, "who")
    assert read_label_table(path).ids.tolist() == ["x", "y", "z"]
    assert read_table(path).columns == ("member_0", "member_1")


def test_ids_can_be_named_or_refused(path):
    pq.write_table(pa.table({"row": [5, 6, 5], "a": [0, 1, 1]}), path)
    with pytest.raises(InvalidInputError, match="must be distinct"):
        Ensemble.from_parquet(path)
    assert Ensemble.from_parquet(path, id=False).names == ("row", "a")
    assert Ensemble.from_large_file(path, id=False).names == ("row", "a")


def test_an_index_with_repeats_is_no_id(path):
    pd.DataFrame({"a": [0, 1, 1]}, index=[0, 1, 0]).to_parquet(path)
    loaded = Ensemble.from_parquet(path)
    assert loaded.names == ("a",)
    assert loaded.ids is None


def test_row_weights_are_found_in_a_file_that_was_written_again(ensemble, path):
    merged = Ensemble([[0, 0, 1, 1, 2]]).profiles().ensemble
    merged.to_parquet(path)
    _by_polars(path)
    for read in READERS:
        assert read(path).sample_weight.tolist() == [2, 2, 1]
        assert read(path).n_members == 1


DAMAGE = {
    "no JSON": b"{",
    "bytes": b"\xff\xfe",
    "deep": b"[" * 100_000,
    "list": b"[]",
    "number": b"3",
    "format": b'{"format": "x"}',
    "no format": b'{"format": null}',
    "weights": b'{"weights": [1]}',
    "words as weights": b'{"weights": ["a", "b"]}',
    "id of another kind": b'{"id": 3}',
    "id that is not there": b'{"id": "nope"}',
    "row weight that is not there": b'{"sample_weight": "nope"}',
    "row weight of another kind": b'{"sample_weight": ["id"]}',
    "provenance": b'{"provenance": [1]}',
    "soft": b'{"soft": "yes"}',
    "cluster tables": b'{"cluster_tables": [1]}',
    "cluster tables of one number": b'{"cluster_tables": {"c": 3}}',
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE.keys())
def test_damaged_metadata_is_one_sentence(ensemble, path, damage):
    ensemble.to_parquet(path)
    table = pq.read_table(path)
    pq.write_table(table.replace_schema_metadata({b"consilience": damage}), path)
    for read in READERS:
        with pytest.raises(InvalidInputError, match="its metadata under 'consilience' ") as error:
            read(path)
        assert "e.parquet" in str(error.value)
        assert "\n" not in str(error.value)


@pytest.mark.parametrize("text", ["!!", "AAAA", "", "k05VTVBZAQB2AA=="])
def test_damaged_cluster_tables_are_one_sentence(ensemble, path, text):
    ensemble.to_parquet(path)
    table = pq.read_table(path)
    metadata = json.dumps({"id": "id", "cluster_tables": {"c": [text, None]}}).encode()
    pq.write_table(table.replace_schema_metadata({b"consilience": metadata}), path)
    with pytest.raises(InvalidInputError, match="has cluster tables that cannot be read"):
        Ensemble.from_parquet(path)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"n_clusters": [3]}, "holds 4 memberships; 3 are needed for each of the 2 objects"),
        ({"n_clusters": []}, "has 0 numbers of clusters for 1 members"),
        ({"n_clusters": [10**15]}, "holds 4 memberships"),
        ({"n_clusters": [-2]}, "of another kind"),
    ],
)
def test_damaged_soft_ensembles_are_one_sentence(path, changes, message):
    Ensemble.from_memberships([[[0.5, 0.5], [0.25, 0.75]]]).to_parquet(path)
    table = pq.read_table(path)
    metadata = {**json.loads(table.schema.metadata[b"consilience"]), **changes}
    pq.write_table(
        table.replace_schema_metadata({b"consilience": json.dumps(metadata).encode()}), path
    )
    with pytest.raises(InvalidInputError, match=message):
        Ensemble.from_parquet(path)


def test_columns_of_a_soft_ensemble_that_are_none(path):
    metadata = {b"consilience": b'{"soft": true, "n_clusters": [2]}'}
    for column in ([1, 2], [[0.5, 0.5], [7.0, -6.0]], [[0.5, 0.5], None]):
        pq.write_table(pa.table({"a": column}).replace_schema_metadata(metadata), path)
        with pytest.raises(InvalidInputError, match="column 'a' of"):
            Ensemble.from_parquet(path)


def test_damaged_metadata_of_pandas_is_ignored(path):
    for stored in (b"{", b"[]", b'{"index_columns": 3}', b'{"index_columns": [{"kind": "range"}]}'):
        table = pa.table({"a": [0, 1]}).replace_schema_metadata({b"pandas": stored})
        pq.write_table(table, path)
        assert Ensemble.from_parquet(path).names == Ensemble.from_large_file(path).names == ("a",)


@pytest.mark.parametrize("read", READERS)
def test_repeated_columns_are_refused(path, read):
    pq.write_table(pa.table([[0, 1], [1, 1]], names=["a", "a"]), path)
    with pytest.raises(InvalidInputError, match=r"two columns called 'a' \(the second is column 2"):
        read(path)


@pytest.mark.parametrize("name", ["e.csv", "e", "e.parquet.gz"])
def test_only_parquet_is_saved(ensemble, tmp_path, name):
    with pytest.raises(InvalidInputError, match=r"ends in \.parquet or \.pq"):
        ensemble.to_parquet(tmp_path / name)
    assert list(tmp_path.iterdir()) == []
    ensemble.to_parquet(tmp_path / "e.PQ")


def test_members_that_are_left_out_take_their_weights_along(path):
    from consilience.ensemble._open import open_ensemble

    weighted = Ensemble([[0, 1], [0, 0], [1, 1]], weights=[1, 2, 3], names=["a", "b", "c"])
    weighted.to_parquet(path)
    assert open_ensemble(path, None, None, ["b"]).given_weights.tolist() == [1, 3]


# --- arrays and series that say more than their numbers -----------------------------------------------


def test_series_with_other_indexes_are_refused():
    first, second = pd.Series([1, 1, 2], index=[5, 6, 7]), pd.Series([2, 1, 1], index=[7, 6, 5])
    with pytest.raises(InvalidInputError, match="member 1 has another index than member 0"):
        Ensemble([first, second])
    with pytest.raises(InvalidInputError, match="member 2 has another index than member 0"):
        Ensemble([first, np.array([0, 1, 2]), second])
    assert Ensemble([first, first, [0, 1, 2]]).n_members == 3


def test_masked_numbers_are_not_used():
    labels = [[0, 1], [0, 1]]
    with pytest.raises(InvalidInputError, match="weights is masked in row 1"):
        Ensemble(labels, weights=np.ma.masked_array([1.0, 9.0], mask=[False, True]))
    rows = np.ma.masked_array([[0.9, 0.1], [0.2, 0.8]], mask=[[False, False], [True, True]])
    assert Ensemble.from_memberships([rows]).labels.tolist() == [[0], [-1]]


@pytest.mark.parametrize("column", [[0.5, 1.25, 0.5, None], [-5, 0, 7, -5], [-1.0, 0.5, 3.0, -1.0]])
def test_categories_that_are_no_labels_are_opened_as_they_are_loaded(path, column):
    saved = Ensemble.from_categorical(pa.table({"a": column, "b": ["x", "y", "x", "y"]}))
    saved.to_parquet(path)
    for read in READERS:
        again = read(path)
        assert again.fingerprint == saved.fingerprint
        assert again.values[0].tolist() == list(dict.fromkeys(v for v in column if v is not None))


def test_damaged_parts_are_one_sentence(tmp_path):
    """A page that cannot be unpacked is found only when it is read."""
    file = tmp_path / "e.parquet"
    rng = np.random.default_rng(0)
    pq.write_table(pa.table({"a": rng.integers(0, 50, 5000)}), file, compression="snappy")
    content = file.read_bytes()
    file.write_bytes(content[:40] + bytes(200) + content[240:])
    with pytest.raises(InvalidInputError, match=r"e\.parquet cannot be read as Parquet"):
        Ensemble.from_large_file(file)


def test_columns_in_which_pandas_cannot_have_stored_an_index(path):
    stored = {b"pandas": b'{"index_columns": ["k"]}'}
    for column in ([[1.0], [2.0]], pa.array(["x", "x"]).dictionary_encode()):
        pq.write_table(pa.table({"k": column, "a": [0, 1]}).replace_schema_metadata(stored), path)
        assert Ensemble.from_parquet(path).ids is None
