"""Lists of what papers say, and long runs in pieces."""

import csv

import pytest

from experiments.harness import Entry, Pieces, judged, write_audit


def entry(name, verdict, **rest):
    return Entry(f"paper-{name}", "claim", f"{name} holds.", verdict, **rest)


def test_a_list_has_a_row_per_entry_and_a_command_where_something_was_run(tmp_path):
    entries = [
        entry("a", "partly", measured="3 of 4.", rule="all, reproduced."),
        entry("b", "no data", remark="no copy."),
    ]
    write_audit(tmp_path / "audit.csv", entries, "python -m run")
    with (tmp_path / "audit.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["command"] for row in rows] == ["python -m run", ""]
    columns = "id,kind,says,verdict,measured,printed,rule,command,remark"
    assert ",".join(rows[0]) == columns
    assert (rows[0]["measured"], rows[1]["remark"]) == ("3 of 4.", "no copy.")


def test_entries_without_a_verdict_are_no_claims():
    claims = judged([entry("a", "partly", measured="3 of 4.", rule="all."), entry("b", "not run")])
    assert [(claim.text, claim.figure) for claim in claims] == [("a holds.", "3 of 4. Rule: all.")]


def test_entries_are_checked(tmp_path):
    with pytest.raises(ValueError, match="verdict must be one of"):
        entry("a", "perhaps")
    with pytest.raises(ValueError, match="an id of its own"):
        write_audit(tmp_path / "audit.csv", [entry("a", "not"), entry("a", "not")], "")


def test_a_piece_is_made_once(tmp_path, monkeypatch):
    monkeypatch.setattr("experiments.harness._pieces._FOLDER", tmp_path)
    made = []
    for _ in range(2):
        assert Pieces("paper").get("one", lambda: made.append(1) or len(made)) == 1
    assert made == [1]


def test_a_piece_that_failed_is_made_again(tmp_path, monkeypatch):
    monkeypatch.setattr("experiments.harness._pieces._FOLDER", tmp_path)
    with pytest.raises(ZeroDivisionError):
        Pieces("paper").get("one", lambda: 1 / 0)
    assert Pieces("paper").get("one", lambda: 2) == 2
