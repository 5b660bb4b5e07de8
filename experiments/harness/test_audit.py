"""Lists of what papers say, and long runs in pieces."""

import csv

import pytest

from experiments.harness import Entry, Pieces, write_audit


def entry(name, verdict, **rest):
    return Entry(name, "claim", f"{name} holds", verdict, **rest)


def test_a_list_has_a_row_per_entry(tmp_path):
    entries = [
        entry("a", "partly", measured="3 of 4", rule="all", command="python -m run"),
        entry("b", "no data", remark="no copy"),
    ]
    write_audit(tmp_path / "audit.csv", entries)
    with (tmp_path / "audit.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert ",".join(rows[0]) == "id,kind,says,verdict,measured,printed,rule,command,remark"
    assert list(rows[0].values()) == [
        *("a", "claim", "a holds", "partly", "3 of 4", "", "all", "python -m run", ""),
    ]
    assert rows[1]["remark"] == "no copy"


def test_entries_are_checked(tmp_path):
    with pytest.raises(ValueError, match="verdict must be one of"):
        entry("a", "perhaps")
    with pytest.raises(ValueError, match="ids must be unique"):
        write_audit(tmp_path / "audit.csv", [entry("a", "not"), entry("a", "not")])


def test_a_piece_is_made_once(tmp_path):
    made = []
    for _ in range(2):
        assert Pieces(tmp_path).get("one", lambda: made.append(1) or len(made)) == 1
    assert made == [1]
    assert Pieces(None).get("one", lambda: 5) == 5


def test_a_piece_that_failed_is_made_again(tmp_path):
    with pytest.raises(ZeroDivisionError):
        Pieces(tmp_path).get("one", lambda: 1 / 0)
    assert Pieces(tmp_path).get("one", lambda: 2) == 2
