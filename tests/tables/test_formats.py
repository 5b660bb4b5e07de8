"""Parquet, NumPy and AnnData files; labels in and out."""

import anndata
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scipy import sparse

from consilience.exceptions import InvalidInputError, InvalidLabelsError
from consilience.tables import (
    attach,
    check_output,
    read_label_table,
    read_labels,
    read_table,
    write_h5ad,
    write_labels,
)


def test_parquet(tmp_path):
    file = tmp_path / "t.parquet"
    frame = pa.table(
        {
            "x": pa.array([1, 2, None]),
            "flag": [True, False, True],
            "key": pa.array(["a", "b", "c"]).dictionary_encode(),
            "when": pa.array([1, 2, 3], pa.timestamp("s")),
        }
    )
    pq.write_table(frame, file)
    with pytest.raises(InvalidInputError, match=r"column 'key'.*the column holds text \('a'\)"):
        read_table(file, drop=["when"])
    with pytest.raises(InvalidInputError, match=r"column 'when' holds timestamp"):
        read_table(file, id="key")
    table = read_table(file, id="key", drop=["when"], missing="drop")
    assert table.values.tolist() == [[1.0, 1.0], [2.0, 0.0]]
    assert table.ids.tolist() == ["a", "b"]
    pq.write_table(frame.select(["x"]).slice(0, 0), file)
    with pytest.raises(InvalidInputError, match="has 0 rows and 1 columns"):
        read_table(file)
    file.write_bytes(b"PAR1 and nothing else")
    with pytest.raises(InvalidInputError, match="cannot be read as Parquet"):
        read_table(file)


def test_float32_stays(tmp_path):
    values = np.arange(6, dtype=np.float32).reshape(3, 2)
    np.save(tmp_path / "t.npy", values)
    pq.write_table(pa.table({"a": values[:, 0], "b": values[:, 1]}), tmp_path / "t.parquet")
    for name in ("t.npy", "t.parquet"):
        table = read_table(tmp_path / name)
        assert table.values.dtype == np.float32
        np.testing.assert_array_equal(table.values, values)


def test_numpy_files(tmp_path):
    values = np.arange(40.0).reshape(20, 2)
    np.save(tmp_path / "t.npy", values)
    table = read_table(tmp_path / "t.npy", max_samples=5, random_state=1)
    np.testing.assert_array_equal(table.values, values[table.rows])
    assert isinstance(read_table(tmp_path / "t.npy").values, np.memmap)
    names = {"ids": np.array([f"r{i}" for i in range(20)]), "columns": np.array(["u", "v"])}
    np.savez(tmp_path / "t.npz", X=values, **names)
    table = read_table(tmp_path / "t.npz", drop=["u"])
    assert table.columns == ("v",)
    assert table.ids[:2].tolist() == ["r0", "r1"]
    np.testing.assert_array_equal(table.values, values[:, 1:])
    values[3, 1] = np.nan
    np.save(tmp_path / "n.npy", values)
    with pytest.raises(
        InvalidInputError, match="data row 4, column 'column_2': the value is missing"
    ):
        read_table(tmp_path / "n.npy")
    assert len(read_table(tmp_path / "n.npy", missing="drop").values) == 19


TWO = np.ones((2, 2))


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (np.array([{}], dtype=object), "it holds Python objects, which are not read"),
        (np.zeros((2, 2, 2)), "has shape"),
        (np.zeros((0, 2)), "has shape"),
        (np.array([["a"]]), "not numbers"),
        (np.zeros(2, dtype=[("a", int)]), "is of type"),
        (np.zeros((2, 2), dtype=complex), "is of type complex128"),
        ({"a": TWO, "b": TWO}, "holds the arrays a, b; call the table X"),
        ({"a": np.ones(3), "b": np.ones(3)}, "holds the arrays a, b; call"),
        ({"data": np.ones(3), "target": np.ones(3)}, "holds the arrays data, target; call"),
        ({"data": np.arange(9), "indices": np.arange(9)}, "holds the arrays data, indices; call"),
        ({"X": TWO, "ids": np.arange(3)}, "ids of shape"),
        ({"X": TWO, "columns": np.arange(3)}, "names 3 columns for an array of 2"),
    ],
)
def test_arrays_that_are_no_tables(tmp_path, given, sentence):
    if isinstance(given, dict):
        np.savez(tmp_path / "t.npz", **given)
    else:
        np.save(tmp_path / "t.npy", given, allow_pickle=True)
    with pytest.raises(InvalidInputError, match=sentence):
        read_table(next(tmp_path.iterdir()))


@pytest.fixture
def cells(tmp_path):
    rng = np.random.default_rng(0)
    data = anndata.AnnData(
        sparse.csr_matrix(rng.poisson(0.5, (12, 5)).astype(np.float32)),
        obs=pd.DataFrame({"kind": list("aabb" * 3)}, index=[f"cell{i}" for i in range(12)]),
        var=pd.DataFrame(index=["g", "h", "h2", "i", "j"]),
    )
    data.obsm["X_pca"] = rng.normal(size=(12, 2))
    data.write_h5ad(tmp_path / "cells.h5ad")
    return tmp_path / "cells.h5ad"


def test_h5ad(cells, tmp_path):
    table = read_table(cells, label_column="kind")
    assert sparse.issparse(table.values)
    assert table.columns[:2] == ("g", "h")
    assert table.id_column == "ids"
    without = read_table(cells, id=False)
    assert (without.ids, without.id_column) == (None, None)
    assert table.labels.tolist() == list("aabb" * 3)
    reduced = read_table(cells, representation="X_pca")
    assert reduced.values.shape == (12, 2)
    assert reduced.ids[0] == "cell0"
    with pytest.raises(InvalidInputError, match="has no representation 'X_umap'; it has X, X_pca"):
        read_table(cells, representation="X_umap")
    with pytest.raises(InvalidInputError, match=r"no column 'sort' beside the numbers"):
        read_table(cells, label_column="sort")
    labels = np.arange(12) % 3
    write_h5ad(cells, tmp_path / "out.h5ad", labels, np.full(12, 0.5), provenance={"seed": 1})
    back = anndata.read_h5ad(tmp_path / "out.h5ad")
    assert back.obs["consensus"].tolist() == labels.astype(str).tolist()
    assert back.obs["consensus_confidence"].tolist() == [0.5] * 12
    assert back.uns["consensus"]["n_clusters"] == 3
    assert read_labels(tmp_path / "out.h5ad", column="consensus").labels.tolist() == labels.tolist()
    with pytest.raises(InvalidLabelsError, match="has 12 cells; got 3 labels"):
        write_h5ad(cells, tmp_path / "no.h5ad", [0, 1, 2])
    assert not (tmp_path / "no.h5ad").exists()


def test_frames_come_back_as_they_went_in():
    data = {"x": [1.0, 2.0, 3.0]}
    labels, sure = np.array([0, 1, 0]), np.array([1.0, 0.5, 0.75])
    frame = attach(pd.DataFrame(data, index=["u", "v", "w"]), labels, sure)
    assert frame.index.tolist() == ["u", "v", "w"]
    assert frame["consensus"].tolist() == [0, 1, 0]
    assert isinstance(attach(pl.DataFrame(data), labels), pl.DataFrame)
    assert attach(pa.table(data), labels, sure).column_names == [
        "consensus",
        "consensus_confidence",
    ]
    with pytest.raises(InvalidInputError, match="data frame or AnnData; got ndarray"):
        attach(np.ones((3, 1)), labels)
    with pytest.raises(InvalidLabelsError, match="each of the 3 rows"):
        attach(pd.DataFrame(data), labels[:2])


@pytest.mark.parametrize("name", ["l.csv", "l.tsv", "l.csv.gz", "l.parquet", "l.npz"])
def test_labels_come_back(tmp_path, name):
    ids, labels = ["p,1", 'q"2', "r 3\r\n;4"], [2, 0, 1]
    more = {"confidence": [0.5, 1.0, 0.25], "id_column": "plant_id", "provenance": {"a": 1}}
    write_labels(tmp_path / name, labels, ids=ids, **more)
    read = read_labels(tmp_path / name)
    assert read.labels.tolist() == labels
    assert read.ids.tolist() == ids
    with pytest.raises(InvalidInputError, match="exists already"):
        write_labels(tmp_path / name, labels)
    write_labels(tmp_path / name, [1, 1, 1], overwrite=True)
    assert read_labels(tmp_path / name).labels.tolist() == [1, 1, 1]
    assert [file.name for file in tmp_path.iterdir()] == [name]


def test_labels_alone(tmp_path):
    write_labels(tmp_path / "l.npy", [2, 0, 1])
    assert read_labels(tmp_path / "l.npy").labels.tolist() == [2, 0, 1]
    with pytest.raises(InvalidInputError, match=r"labels are written to \.csv"):
        write_labels(tmp_path / "l.docx", [0])
    with pytest.raises(InvalidLabelsError, match="must hold 2 entries"):
        write_labels(tmp_path / "m.csv", [0, 1], ids=["a"])
    with pytest.raises(InvalidLabelsError, match="one per object"):
        write_labels(tmp_path / "m.csv", [[0, 1]])


def test_label_tables(tmp_path):
    file = tmp_path / "t.csv"
    file.write_text("id,a,b,c,confidence\nx,1.0,red,007,0.5\ny,,red,,0.5\nz,-1,?,8,0.5\n")
    table = read_label_table(file)
    assert {name: column.tolist() for name, column in table.labels.items()} == {
        "a": [1, -1, -1],
        "b": ["red", "red", None],
        "c": [7, -1, 8],
    }
    with pytest.raises(InvalidInputError, match=r"has 3 columns that could be labels \(a, b, c\)"):
        read_labels(file)
    assert read_labels(file, column="b").labels.tolist() == ["red", "red", None]
    file.write_text("id,height\nx,1.73\ny,1.81\n")
    with pytest.raises(
        InvalidInputError, match=r"data row 1, column 'height': 1.73 is a measurement"
    ):
        read_label_table(file)
    pq.write_table(pa.table({"h": [1.0, 1.5]}), tmp_path / "t.parquet")
    with pytest.raises(InvalidInputError, match=r"data row 2, column 'h': 1.5 is a measurement"):
        read_label_table(tmp_path / "t.parquet")
    pq.write_table(pa.table({"h": [[1], [2]]}), tmp_path / "t.parquet")
    with pytest.raises(InvalidInputError, match="cannot be read as ids or labels"):
        read_label_table(tmp_path / "t.parquet")


def test_outputs_are_checked_before_the_work(tmp_path):
    there = tmp_path / "there.csv"
    there.write_text("x")
    check_output(tmp_path / "new.csv")
    check_output(there, overwrite=True)
    with pytest.raises(InvalidInputError, match=r"exists already.*overwrite=True"):
        check_output(there)
    with pytest.raises(InvalidInputError, match="is what is read"):
        check_output(there, overwrite=True, inputs=[there])
    with pytest.raises(InvalidInputError, match="is a folder"):
        check_output(tmp_path)
    with pytest.raises(InvalidInputError, match="does not exist"):
        check_output(there / "new.csv")
    with pytest.raises(InvalidInputError, match=r"cannot be written|does not exist"):
        check_output("/proc/new.csv")
    assert [file.name for file in tmp_path.iterdir()] == ["there.csv"]


@pytest.mark.parametrize("layout", ["csr", "csc", "coo", "bsr", "dia"])
def test_sparse_matrices_of_scipy(tmp_path, layout):
    """What save_npz writes is one matrix, not the array of its numbers above zero."""
    matrix = sparse.random(475, 100, density=0.05, random_state=0, format="csr")
    matrix = sparse.tril(sparse.triu(matrix, -40), 40).tocsr()
    sparse.save_npz(tmp_path / "t.npz", matrix.asformat(layout))
    table = read_table(tmp_path / "t.npz")
    assert sparse.issparse(table.values)
    np.testing.assert_array_equal(table.values.toarray(), matrix.toarray())
    assert "a sparse matrix, 475 rows, 100 columns of numbers" in table.notes[0]
    sample = read_table(tmp_path / "t.npz", max_samples=20, random_state=0, drop=["column_3"])
    assert sample.values.shape == (20, 99)
    with pytest.raises(InvalidInputError, match="table of measurements and not of labels"):
        read_label_table(tmp_path / "t.npz")


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("indices", np.full(40, 10**6)),
        ("indptr", np.array([0, 10**6, 3])),
        ("shape", np.array([-1, 4])),
        ("format", np.array(b"csx")),
        ("data", np.full(40, {}, dtype=object)),
    ],
)
def test_sparse_matrices_that_are_damaged(tmp_path, name, wrong):
    matrix = sparse.random(20, 20, density=0.1, random_state=0, format="csr")
    parts = {"indices": matrix.indices, "indptr": matrix.indptr, "data": matrix.data}
    parts |= {"shape": np.array(matrix.shape), "format": np.array(b"csr"), name: wrong}
    np.savez(tmp_path / "t.npz", allow_pickle=True, **parts)
    with pytest.raises(InvalidInputError, match=r"t\.npz"):
        read_table(tmp_path / "t.npz")


@pytest.mark.parametrize(
    ("named", "chosen"),
    [
        ({"data": TWO, "target": np.arange(2)}, (2, 2)),
        ({"data": TWO, "images": np.ones((2, 2, 2))}, (2, 2)),
        ({"data": TWO, "more": np.ones((2, 5))}, (2, 2)),
        ({"counts": np.arange(3), "ids": np.array(["x", "y", "z"])}, (3, 1)),
    ],
)
def test_archives_with_several_arrays(tmp_path, named, chosen):
    np.savez(tmp_path / "t.npz", **named)
    assert read_table(tmp_path / "t.npz").values.shape == chosen


FORMULAS = ["=1+1", "+cmd|' /C calc'!A0", "-x", "@SUM(A1)", "\t=1", "\r=1", "'=kept", "''-both"]
FORMULAS += ["'plain"]


@pytest.mark.parametrize("name", ["l.csv", "l.tsv", "l.csv.gz"])
def test_formulas_are_guarded_and_come_back(tmp_path, name):
    """A spreadsheet would run such cells; numbers stay, also if they are given as text."""
    ids = [*FORMULAS, "-5", "+7", "-1.5e3"]
    labels = np.array([f"={i % 2}" for i in range(len(ids))], dtype=object)
    write_labels(tmp_path / name, labels, ids=ids, id_column="=id")
    read = read_label_table(tmp_path / name)
    assert read.ids.tolist() == [text.strip() if text[0] not in "\t\r" else text for text in ids]
    assert read.labels["cluster"].tolist() == labels.tolist()
    assert read.id_column == "=id"
    if name == "l.csv":
        lines = (tmp_path / name).read_bytes().decode().split("\n")
        assert lines[0] == "'=id,cluster"
        assert lines[1] == "'=1+1,'=0"
        assert lines[-4].startswith("-5,")
        assert not any(line.lstrip('"').startswith(("=", "@", "\t", "\r")) for line in lines)


def test_an_index_of_pandas_without_a_name(tmp_path):
    """The column gets a name by its position, and is still the index."""
    stored = {b"pandas": b'{"index_columns": [""]}'}
    table = pa.table({"": ["u", "v"], "x": [1.0, 2.0]}).replace_schema_metadata(stored)
    pq.write_table(table, tmp_path / "t.parquet")
    read = read_table(tmp_path / "t.parquet")
    assert read.id_column == "column_1"
    assert read.ids.tolist() == ["u", "v"]


def test_text_of_numpy_that_is_no_text(tmp_path):
    letters = np.frombuffer(b"\xff" * 16, dtype="<U1").reshape(4, 1)
    np.save(tmp_path / "t.npy", letters)
    with pytest.raises(InvalidInputError, match=r"t\.npy cannot be read as NumPy arrays"):
        read_label_table(tmp_path / "t.npy")
