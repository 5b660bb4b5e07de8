"""Text files: delimiter, header and ids are found by the stated rules, and errors say where."""

import gzip

import numpy as np
import pytest

from consilience.exceptions import InvalidInputError, InvalidParameterError, MemoryLimitError
from consilience.tables import read_label_table, read_table


@pytest.fixture
def write(tmp_path):
    def to_file(text, name="data.csv"):
        file = tmp_path / name
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return file

    return to_file


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_delimiter_and_header_are_found(write, delimiter, ending):
    rows = [["name", "x", "y"], ["a", "1.5", "-2"], ["b", "2e3", "0"]]
    table = read_table(write(ending.join(delimiter.join(row) for row in rows)))
    assert table.values.tolist() == [[1.5, -2.0], [2000.0, 0.0]]
    assert table.columns == ("x", "y")
    assert table.ids.tolist() == ["a", "b"]
    assert table.id_column == "name"
    assert "with a header, 2 rows, 2 columns of numbers (x, y), ids from 'name'" in table.notes[0]


@pytest.mark.parametrize(
    ("text", "columns", "id_column"),
    [
        ("1,2\n3,4\n", ("column_1", "column_2"), None),
        ("a,1\nb,2\n", ("column_2",), "column_1"),
        ("a,1\na,2\n", None, None),
        ("sample_id,400,401\ns,1,2\nt,3,4\n", ("400", "401"), "sample_id"),
        (",x\n0,5\n1,6\n", ("x",), "index"),
        ("x,customerId\n5,7\n6,8\n", ("x",), "customerId"),
        ("x,y\n1,2\n3,4\n", ("x", "y"), None),
        ("\n\nx,y\n1,2\n\n3,4\n\n", ("x", "y"), None),
        ("\n" * 1000 + "x,y\n1,2\n3,4\n", ("x", "y"), None),
        ("\ufeffid,x\na,1\nb,2\n", ("x",), "id"),
        ('"long\nname",x\n1,2\n3,4\n', ("long name", "x"), None),
    ],
)
def test_rules_for_header_and_ids(write, text, columns, id_column):
    file = write(text)
    if columns is None:
        with pytest.raises(InvalidInputError, match="the column holds text"):
            read_table(file)
        return
    table = read_table(file)
    assert table.columns == columns
    assert table.id_column == id_column
    assert len(table.values) == 2


def test_options_overrule_what_is_found(write):
    file = write("400,401\n1,2\n3,4\n")
    assert read_table(file, header=True).columns == ("400", "401")
    assert len(read_table(file).values) == 3
    file = write("id,x,y\n1,2,3\n4,5,6\n")
    assert read_table(file, id=False).columns == ("id", "x", "y")
    assert read_table(file, id="y").ids.tolist() == ["3", "6"]
    assert "'id' looks like ids" in read_table(file, id="y").notes[-1]
    assert read_table(file, drop=["x"]).columns == ("y",)
    assert read_table(write("a b\n1 2\n", "b.txt"), delimiter=" ").columns == ("a", "b")
    with pytest.raises(InvalidInputError, match="one character"):
        read_table(file, delimiter="::")
    with pytest.raises(
        InvalidInputError, match=r"no column 'z' \(drop\); its columns are id, x, y"
    ):
        read_table(file, drop=["z"])
    with pytest.raises(InvalidInputError, match="no column of numbers left"):
        read_table(file, drop=["x", "y"])


def test_numbers_as_people_write_them(write):
    table = read_table(write("x;y\n1,5; 2 \n-0,25;+3\n"))
    assert table.values.tolist() == [[1.5, 2.0], [-0.25, 3.0]]
    cells = ["65,361.86", "$653.61", "-$1.50", "1,234,567", "€ 5", "7 €", "£-2.5"]
    table = read_table(write("amount,x\n" + "".join(f'"{c}",{j}\n' for j, c in enumerate(cells))))
    # A first column of amounts is no id column, although no value occurs twice.
    assert table.columns == ("amount", "x")
    assert table.ids is None
    assert table.values[:, 0].tolist() == [65361.86, 653.61, -1.5, 1234567.0, 5.0, 7.0, -2.5]
    with pytest.raises(InvalidInputError, match="data row 2, column 'x': '1,234' is not a number"):
        read_table(write('x,y\n5,1\n"1,234",2\n6,1\n'))


def test_wide_tables(write):
    """A line is far longer than the cell that Python's reader allows."""
    header = "cell," + ",".join(f"gene{j}" for j in range(20_000))
    lines = [f"c{i}," + ",".join([str(i)] * 20_000) for i in range(3)]
    table = read_table(write("\n".join([header, *lines])))
    assert table.values.shape == (3, 20_000)
    assert table.ids.tolist() == ["c0", "c1", "c2"]


def test_packed_text_is_the_same(write):
    text = b"id,x\na,1\nb,2\n"
    plain, packed = read_table(write(text)), read_table(write(gzip.compress(text), "data.csv.gz"))
    np.testing.assert_array_equal(plain.values, packed.values)
    with pytest.raises(InvalidInputError, match="cannot be unpacked by gzip"):
        read_table(write(gzip.compress(text)[:-9], "cut.csv.gz"))


def test_missing_cells(write):
    text = "id,x,y\na,1,2\nb,NA,4\nc,5,\nd,7,8\n"
    with pytest.raises(InvalidInputError, match=r"data\.csv, data row 2, column 'x': .* missing"):
        read_table(write(text))
    table = read_table(write(text), missing="drop")
    assert table.ids.tolist() == ["a", "d"]
    assert table.rows.tolist() == [0, 3]
    assert table.n_rows == 4
    assert "2 rows with missing cells are left out" in table.notes[-1]
    with pytest.raises(InvalidInputError, match="every one of the 1 rows has a missing cell"):
        read_table(write("x,y\n1,\n"), missing="drop")
    with pytest.raises(InvalidParameterError, match="missing must be"):
        read_table(write(text), missing="fill")


def test_label_column_is_kept_apart(write):
    table = read_table(write("x,kind\n1,a\n2,\n3,b\n"), label_column="kind")
    assert table.columns == ("x",)
    assert table.labels.tolist() == ["a", None, "b"]
    with pytest.raises(InvalidInputError, match=r"no column 'sort' \(label_column\)"):
        read_table(write("x,kind\n1,a\n"), label_column="sort")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "is empty"),
        ("\n \n", "only blank lines"),
        ("x,y\n", "a header line and nothing else"),
        ("x,y\n1,2\n3\n", r"line 3 has 1 cell; the first line has 2"),
        ("x,y\n1,2\n3,4,5\n", "line 3 has 3 cells"),
        ("x,y\n1,2\n3,oops\n5,6\n", "data row 2, column 'y': 'oops' is not a number.*drop=.'y'."),
        ("x,town\n1,Rome\n2,Oslo\n", "holds text.*drop=.'town'..*consilience combine"),
        ("x,y\n1,inf\n", "data row 1, column 'y': the value is infinite"),
        ("id,x\na,1\nb,2\na,3\n", "data row 3, column 'id': the id 'a' is also that of data row 1"),
        ("id,x\na,1\n,2\n", "data row 2, column 'id': the id is missing"),
        ("x,x\n1,2\n", "two columns called 'x'"),
        (b"x,y\n\xe9,2\n", "not text in UTF-8"),
        (b"x,y\n" + b"1,2\n" * 300 + b"\xe9,2\n", "not text in UTF-8"),
        (b"x\n1\n" + b"2" * 200_000 + b"\n", "cannot be read as delimited text"),
    ],
)
def test_errors_say_where(write, text, sentence):
    with pytest.raises(InvalidInputError, match=rf"data\.csv.*{sentence}"):
        read_table(write(text))


def test_paths_that_are_no_tables(write, tmp_path):
    for path, words in ((tmp_path / "none.csv", "There is no file"), (tmp_path, "is a folder")):
        with pytest.raises(InvalidInputError, match=words):
            read_table(path)
    with pytest.raises(InvalidInputError, match="save the sheet as CSV"):
        read_table(write("x", "data.xlsx"))


@pytest.fixture
def many(write):
    lines = "\n".join(f"r{i},{i},{i % 7}" for i in range(600_000))
    return write(f"id,x,y\n{lines}\n")


def test_large_files_are_read_in_batches(many):
    """The file is larger than a batch; numbers, ids and row numbers in errors run on."""
    table = read_table(many)
    np.testing.assert_array_equal(table.values[:, 0], np.arange(600_000))
    sample = read_table(many, max_samples=1000, random_state=0)
    assert sample.values.shape == (1000, 2)
    assert sample.n_rows == 600_000
    assert np.all(np.diff(sample.rows) > 0)
    np.testing.assert_array_equal(sample.values[:, 0], sample.rows)
    assert sample.ids.tolist() == [f"r{row}" for row in sample.rows]
    assert abs(sample.rows.mean() / 300_000 - 1) < 0.1
    with pytest.raises(InvalidParameterError, match="max_samples"):
        read_table(many, max_samples=0)


def test_memory_limit(many):
    import consilience

    previous = consilience.set_config(memory_limit=1_000_000)
    try:
        with pytest.raises(MemoryLimitError, match=r"data\.csv, of which .* rows are read"):
            read_table(many)
        assert len(read_table(many, max_samples=10, random_state=0).values) == 10
    finally:
        consilience.set_config(memory_limit=previous.memory_limit)


def test_separators_of_thousands_beside_decimal_commas(write):
    table = read_table(write("x;y\n1.234,56;65,361.86\n0,5;1,000,000\n"))
    assert table.values.tolist() == [[1234.56, 65361.86], [0.5, 1e6]]
    millions = read_table(write("x;y\n1,000,000;1,5\n2,500,000;2,5\n"))
    assert millions.values.tolist() == [[1e6, 1.5], [2.5e6, 2.5]]
    for first, second in (("65,361.86", "1,234"), ("1.234,56", "1.234"), ("1.234,56", "1,234.56")):
        for cells in ((first, second), (second, first)):
            with pytest.raises(InvalidInputError, match=r"data row 2, column 'x': .* in two ways"):
                read_table(write("x;y\n{};1\n{};2\n".format(*cells)))


def test_separators_are_compared_across_batches(write):
    plain = "1,234;1\n" * 400_000
    with pytest.raises(InvalidInputError, match="data row 400001, column 'x'"):
        read_table(write(f"x;y\n{plain}65,361.86;2\n"))


@pytest.mark.parametrize(
    "cell", ["1,234", "12 %", "(12.50)", "1 234.5", "1'234'567", "$1,234", "$$5"]
)
def test_other_ways_to_write_a_number_are_refused(write, cell):
    with pytest.raises(InvalidInputError, match=r"data row 2, column 'amount': .* is not a number"):
        read_table(write(f'amount,x\n5,1\n"{cell}",2\n6,3\n'))
    with pytest.raises(
        InvalidInputError, match=r"column 'amount': .*(that can be read|holds text)"
    ):
        read_table(write(f'amount,x\n"{cell}",1\n"{cell}",2\n'))  # nor are they ids


def test_true_and_false_are_numbers_as_in_parquet(write):
    table = read_table(write("flag,x\nTrue,1\nFALSE,2\ntrue,4\n"))
    assert table.values.tolist() == [[1.0, 1.0], [0.0, 2.0], [1.0, 4.0]]
    assert read_table(write("flag,x\ntrue,1\nfalse,2\n")).ids is None
    with pytest.raises(InvalidInputError, match="data row 2, column 'flag': 'yes' is not a number"):
        read_table(write("flag,x\ntrue,1\nyes,2\nfalse,3\n"))


def test_quotes_do_not_turn_missing_labels_into_names(write):
    table = read_label_table(write('id,a\nx,"NA"\ny,red\nz,""\nw,NA\n'))
    assert table.labels["a"].tolist() == [None, "red", None, None]
    with pytest.raises(InvalidInputError, match="data row 1, column 'id': the id is missing"):
        read_table(write('id,a\n"NA",1\ny,2\nz,3\n'))


def test_amounts_are_no_labels(write):
    with pytest.raises(InvalidInputError, match=r"column 'a': \$653.61 is a measurement"):
        read_label_table(write('id,a\nx,$653.61\ny,"65,361.86"\n'))
    with pytest.raises(InvalidInputError, match=r"column 'a': 1,5 is a measurement"):
        read_label_table(write("id;a\nx;1,5\ny;2,5\n"))
    assert read_label_table(write("id,a\nx,$5\ny,red\n")).labels["a"].tolist() == ["$5", "red"]
