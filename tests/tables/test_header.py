"""The first line of a text file: names or data, decided by comparing it with the rest, and said."""

import numpy as np
import pytest

from consilience.tables import read_label_table, read_table


def write(tmp_path, *lines):
    file = tmp_path / "t.csv"
    file.write_text("\n".join(lines) + "\n")
    return file


ROWS = ["5,3,8", "7,7,1", "2,9,4", "6,1,1"]
DECIMALS = ["1.5,2.25", "0.5,7.5", "3.25,4.5"]


@pytest.mark.parametrize(
    ("lines", "names", "reason"),
    [
        (["2019,2020,2021", *ROWS], ("2019", "2020", "2021"), "it holds years"),
        (["2021,2011,2001", *ROWS], ("2021", "2011", "2001"), "it holds years"),
        (["2019,2020", *DECIMALS], ("2019", "2020"), "it holds years"),
        (["0,1,2", *ROWS], ("0", "1", "2"), "its numbers rise by one"),
        (["1,2,3", *ROWS], ("1", "2", "3"), "its numbers rise by one"),
        (["0,1", *DECIMALS], ("0", "1"), "the lines below hold decimals"),
        (
            ["400.5,402.5,404.5,406.5", "1,2,2,5", "3,1,2,6", "3,5,8,1"],
            ("400.5", "402.5", "404.5", "406.5"),
            "at equal distances",
        ),
        (["height,width,3", *ROWS], ("height", "width", "3"), "of another kind"),
    ],
)
def test_numbers_as_names(tmp_path, lines, names, reason):
    file = write(tmp_path, *lines)
    table = read_table(file)
    assert table.columns == names
    assert len(table.values) == len(lines) - 1
    assert (
        f"is read as names, because {reason}" in " ".join(table.notes) or reason in table.notes[1]
    )
    assert "say header=False if that is wrong" in table.notes[1]
    if reason != "of another kind":
        overruled = read_table(file, header=False)
        assert (len(overruled.values), len(overruled.notes)) == (len(lines), 1)


def test_a_first_line_without_values_holds_no_names(tmp_path):
    table = read_table(write(tmp_path, ",NA", "1,2", "3,4", "5,7"), missing="drop")
    assert table.n_rows == 4
    assert len(table.notes) == 2


@pytest.mark.parametrize(
    ("lines", "doubt"),
    [
        (["0,1,2", "1,2,3", *ROWS], True),  # other lines rise by one, too
        (["0,1", "5,3", "7,7", "2,9"], True),  # two whole numbers above whole numbers
        (["0", "5", "7", "2"], True),
        (["2019,2020", "2018,2021", "2015,2020"], True),  # years below as well
        (["0,1,2", "5,3,8"], True),  # one line says nothing
        (["5,3,8", "7,7,1", "2,9,4"], False),
        (["1.5,2.5", "0,1", "5,6"], False),
        (["true,false", "false,false", "true,true"], False),
        (["$5.00,$6.00", "$7.00,$8.00"], False),
    ],
)
def test_numbers_as_data(tmp_path, lines, doubt):
    table = read_table(write(tmp_path, *lines))
    assert len(table.values) == len(lines)
    assert any("is read as data" in note for note in table.notes) == doubt


def test_labels_without_a_header(tmp_path):
    """Words that occur again below in their column are labels and not names."""
    file = write(tmp_path, "red,big", "blue,small", "red,small", "blue,big")
    table = read_label_table(file)
    assert table.n_rows == 4
    assert "because 'red' occurs again below it" in table.notes[1]
    assert read_label_table(file, header=True).n_rows == 3
    assert read_label_table(write(tmp_path, "colour,size", "red,big", "red,small")).n_rows == 2


def test_files_of_pandas_without_names(tmp_path):
    """Members that pandas wrote under the names 0, 1, 2, ... and random data without any header."""
    rng = np.random.default_rng(0)
    wrong = 0
    for _ in range(100):
        labels = rng.integers(0, 6, (60, 5))
        lines = [",".join(map(str, row)) for row in labels.tolist()]
        wrong += read_label_table(write(tmp_path, "0,1,2,3,4", *lines)).n_rows != 60
        wrong += read_label_table(write(tmp_path, *lines)).n_rows != 60
    assert wrong == 0


def test_an_object_called_like_the_id_column(tmp_path):
    """Numbers below a line of text make it a header, also if an object is called like a column."""
    file = write(tmp_path, "name,cluster,confidence", "name,0,1.0", "b,1,0.5")
    assert read_label_table(file).n_rows == 2
    assert read_label_table(write(tmp_path, "id,kind", "id,a", "b,b")).n_rows == 2
