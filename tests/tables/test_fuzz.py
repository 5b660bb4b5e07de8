"""Whatever a file holds, reading it gives a table or one sentence."""

import gzip
import io

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
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


def _parquet():
    stream = io.BytesIO()
    table = pa.table({"id": ["x", "y"], "a": [1.0, None], "b": [1, 2], "c": [[1], [2]]})
    pq.write_table(table, stream)
    return stream.getvalue()


def _numpy(save, *arrays, **named):
    stream = io.BytesIO()
    save(stream, *arrays, **named)
    return stream.getvalue()


WHOLE = {
    "a.parquet": _parquet(),
    "a.npy": _numpy(np.save, np.arange(6.0).reshape(3, 2)),
    "a.npz": _numpy(np.savez, X=np.arange(6.0).reshape(3, 2), ids=np.array(["x", "y", "z"])),
    "a.csv.gz": gzip.compress(b"id,a\nx,1\ny,2\n"),
}


@examples(150)
@given(
    st.sampled_from(sorted(WHOLE)),
    st.integers(0, 2**16),
    st.binary(min_size=1, max_size=6),
    st.sampled_from(["replace", "cut", "insert"]),
)
def test_damaged_files(folder, name, place, damage, how):
    whole = WHOLE[name]
    place %= len(whole)
    tail = {"replace": whole[place + len(damage) :], "cut": b"", "insert": whole[place:]}[how]
    _try(whole[:place] + damage + tail, name, folder)


@examples(60)
@given(
    st.binary(max_size=200), st.sampled_from(["a.parquet", "a.npy", "a.npz", "a.h5ad", "a.xlsx"])
)
def test_bytes_as_other_files(folder, content, name):
    _try(content, name, folder)


NUMBERS = st.one_of(
    st.none(), st.floats(), st.integers(-(2**70), 2**70).filter(lambda n: abs(n) < 2**63)
)


@examples(60)
@given(
    st.dictionaries(
        st.text(max_size=3),
        st.one_of(
            st.lists(NUMBERS.filter(lambda n: not isinstance(n, int)), min_size=2, max_size=2),
            st.lists(st.booleans(), min_size=2, max_size=2),
            st.lists(st.text(max_size=3), min_size=2, max_size=2),
            st.lists(st.binary(max_size=3), min_size=2, max_size=2),
            st.lists(st.dates(), min_size=2, max_size=2),
            st.lists(st.none(), min_size=2, max_size=2),
        ),
        max_size=3,
    )
)
def test_parquet_of_any_kind(folder, columns):
    stream = io.BytesIO()
    pq.write_table(pa.table(columns), stream)
    _try(stream.getvalue(), "kinds.parquet", folder)
