"""Tables with a row per feature and a column per object."""

import anndata
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scipy import sparse

from consilience.exceptions import InvalidInputError
from consilience.tables import read_table

VALUES = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])


def _check(table, features=("TP53", "MYC"), ids=("s1", "s2", "s3")):
    np.testing.assert_array_equal(table.values, VALUES.T)
    assert table.columns == features
    assert table.ids.tolist() == list(ids)
    assert table.rows.tolist() == [0, 1, 2]
    assert table.n_rows == 3
    assert table.id_column is None


def test_csv(tmp_path):
    file = tmp_path / "t.csv"
    file.write_text("gene,s1,s2,s3\nTP53,1,2,3\nMYC,4,5,6\n")
    table = read_table(file, transpose=True)
    _check(table)
    assert "2 rows of features (TP53, MYC; names from 'gene'), 3 columns are" in table.notes[0]
    assert table.values.flags.c_contiguous


def test_parquet(tmp_path):
    file = tmp_path / "t.parquet"
    columns = {f"s{j + 1}": VALUES[:, j].astype(np.float32) for j in range(3)}
    pq.write_table(pa.table({**columns, "gene": ["TP53", "MYC"]}), file)
    table = read_table(file, transpose=True, id="gene")
    _check(table)
    assert table.values.dtype == np.float32


def test_npz_with_names_and_sparse(tmp_path):
    names = {"ids": np.array(["TP53", "MYC"]), "columns": np.array(["s1", "s2", "s3"])}
    np.savez(tmp_path / "t.npz", X=VALUES, **names)
    _check(read_table(tmp_path / "t.npz", transpose=True))
    sparse.save_npz(tmp_path / "s.npz", sparse.csc_matrix(VALUES))
    table = read_table(tmp_path / "s.npz", transpose=True)
    assert table.values.format == "csr"
    np.testing.assert_array_equal(table.values.toarray(), VALUES.T)


def test_names_of_features_may_repeat_and_objects_may_be_dropped(tmp_path):
    file = tmp_path / "t.tsv"
    file.write_text("gene\ts1\ts2\ts3\ts4\nTP53\t1\t2\t3\t9\nTP53\t4\t5\t6\t9\n")
    table = read_table(file, transpose=True, id="gene", drop=["s4"])
    _check(table, ("TP53", "TP53"))


def test_missing_cells_leave_features_out(tmp_path):
    file = tmp_path / "t.csv"
    file.write_text("gene,s1,s2,s3\nTP53,1,2,3\nEGFR,NA,1,1\nMYC,4,5,6\n")
    with pytest.raises(InvalidInputError, match=r"data row 2, column 's1': the value is missing"):
        read_table(file, transpose=True)
    table = read_table(file, transpose=True, missing="drop")
    _check(table)
    assert any("1 feature with missing cells is left out." in note for note in table.notes)


def test_sample_is_of_objects(tmp_path):
    np.save(tmp_path / "t.npy", np.arange(200.0).reshape(2, 100))
    table = read_table(tmp_path / "t.npy", transpose=True, max_samples=10, random_state=0)
    assert table.values.shape == (10, 2)
    assert table.values[:, 0].tolist() == table.rows.tolist()
    assert table.ids.tolist() == [f"column_{place + 1}" for place in table.rows]
    assert table.n_rows == 100
    assert table.notes[-1].endswith("a random sample of 10 objects is used.")


def test_refusals(tmp_path):
    file = tmp_path / "t.csv"
    file.write_text("gene,s1,s2,s3\nTP53,1,2,3\n,4,5,6\n")
    with pytest.raises(InvalidInputError, match="label_column='s1' names a column, but with tr"):
        read_table(file, transpose=True, label_column="s1")
    with pytest.raises(
        InvalidInputError, match="data row 2, column 'gene': the name of the feature"
    ):
        read_table(file, transpose=True, id="gene")
    anndata.AnnData(VALUES).write_h5ad(tmp_path / "t.h5ad")
    with pytest.raises(InvalidInputError, match=r"the rows of an \.h5ad file are the objects"):
        read_table(tmp_path / "t.h5ad", transpose=True)
