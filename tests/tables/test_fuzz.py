"""Whatever a file holds, reading it gives a table or one sentence.

Damaged files and Parquet columns of all kinds are among the examples of the fuzz script.
"""

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consilience.exceptions import ConsilienceError
from consilience.tables import read_label_table, read_labels, read_table
from oracles.strategies import examples

READERS = (
    read_table,
    read_label_table,
    read_labels,
    lambda path: read_table(path, missing="drop", id=False),
)


def _try(content, name, folder):
    file = folder / name
    file.write_bytes(content)
    for reader in READERS:
        try:
            reader(file)
        except ConsilienceError as error:
            sentence = str(error)
            assert name in sentence
            assert "\n" not in sentence.strip()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("fuzz")


CELLS = st.one_of(
    st.sampled_from(
        ["", "1", "-1", "2.5", "1,5", " 3 ", "NA", "nan", "inf", "-inf", "a", "id", "é"]
    ),
    st.sampled_from(
        ['"', '""', '"a,b"', '"x\ny"', "1e400", "1_000", "٣", "0x1", "?", "\x00", "007"]
    ),
    st.sampled_from(["1;2", "9" * 30]),
    st.text(max_size=4),
)
LINES = st.lists(st.lists(CELLS, min_size=0, max_size=4), max_size=8)


@examples(200)
@given(st.sampled_from(",;\t|"), LINES, st.sampled_from(["\n", "\r\n", "\r"]), st.booleans())
def test_tables_of_odd_cells(folder, delimiter, lines, ending, packed):
    text = ending.join(delimiter.join(cells) for cells in lines)
    content = text.encode("utf-8", errors="surrogatepass")
    _try(gzip.compress(content) if packed else content, "odd.csv", folder)


@examples(100)
@given(st.binary(max_size=200), st.sampled_from(["a.csv", "a.csv.gz", "a.tsv", "a", "a.txt"]))
def test_bytes_as_text_files(folder, content, name):
    _try(content, name, folder)


@examples(60)
@given(
    st.binary(max_size=200), st.sampled_from(["a.parquet", "a.npy", "a.npz", "a.h5ad", "a.xlsx"])
)
def test_bytes_as_other_files(folder, content, name):
    _try(content, name, folder)
