"""Ids of several tables: the same object is found, and tables about other objects are refused."""

import numpy as np
import pytest

from consilience.exceptions import InvalidInputError
from consilience.tables import align_ids


def texts(*ids):
    return np.array(ids, dtype=object)


@pytest.mark.parametrize(
    ("other", "example"),
    [
        (texts("01", "02", "03"), "'01' in b and '1' in the other"),
        (texts("1.0", "2.0", "3.0"), "'1.0' in b and '1' in the other"),
        (texts("001.", "2", "+3"), "'001.' in b and '1' in the other"),
    ],
)
def test_numbers_that_are_written_differently(other, example):
    aligned = align_ids(["a", "b"], [texts("1", "2", "3"), other])
    assert aligned.ids[1].tolist() == ["1", "2", "3"]
    assert example in aligned.matched
    assert aligned.overlap is None


def test_the_first_spelling_is_kept():
    aligned = align_ids(["a", "b"], [texts("007", "x"), texts("x", "7", "-0")])
    assert [ids.tolist() for ids in aligned.ids] == [["007", "x"], ["x", "007", "-0"]]
    assert aligned.matched.startswith("1 id is matched")


def test_numbers_and_text_meet():
    aligned = align_ids(["a", "b"], [np.array([1, 2]), texts("2", "3")])
    assert [ids.tolist() for ids in aligned.ids] == [["1", "2"], ["2", "3"]]
    assert aligned.matched is None


@pytest.mark.parametrize("ids", [("1", "01", "2"), ("1", "1.0", "2")])
def test_nothing_is_matched_where_a_table_has_both_spellings(ids):
    aligned = align_ids(["a", "b"], [texts(*ids), texts("02", "1")])
    assert aligned.matched is None
    assert aligned.ids[1].tolist() == ["02", "1"]


@pytest.mark.parametrize("key", ["1e3", "1.5", "0x1", "٣", "1_0", "", "1 0", "-"])
def test_other_text_is_only_text(key):
    aligned = align_ids(["a", "b"], [texts("1000", "1", "3", "10", "x"), texts(key, "x")])
    assert aligned.ids[1].tolist() == [key, "x"]
    assert aligned.matched is None


def test_no_id_in_common_is_refused():
    with pytest.raises(
        InvalidInputError,
        match=r"a and b have no id in common: ids are '1', '2' in a and 'x', 'y', 'z', ... in b",
    ):
        align_ids(["a", "b"], [texts("1", "2"), texts("x", "y", "z", "w")])
    pair = [texts("1", "2"), texts("2", "3")]
    with pytest.raises(InvalidInputError, match="a and c have no id in common"):
        align_ids(["a", "b", "c", "d"], [*pair, texts("8", "9"), texts("9", "10")])


def test_a_chain_of_tables_is_joined():
    ids = [np.array([1, 2]), np.array([3, 4]), np.array([2, 3])]
    assert align_ids(["a", "b", "c"], ids).overlap is None


def test_little_overlap_is_said():
    aligned = align_ids(["a", "b"], [np.arange(10), np.arange(7, 107)])
    assert aligned.overlap.startswith(
        "Only 3 of 10 objects (30% of the smaller side) are both in a and in b;"
    )
    assert align_ids(["a", "b"], [np.arange(10), np.arange(5, 105)]).overlap is None
    three = align_ids(["a", "b", "c"], [np.arange(9), np.arange(9), np.arange(8, 17)])
    assert (
        "1 of 9 objects (11% of the smaller side) are both in c and in the others" in three.overlap
    )


def test_a_table_without_rows_has_nothing_to_match():
    assert align_ids(["a", "b"], [texts("1"), np.array([], dtype=np.int64)]).overlap is None
