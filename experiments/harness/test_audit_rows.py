"""Rows of audit.csv, and parts of long protocols."""

from pathlib import Path

import numpy as np
import pytest

from experiments.harness import Entry, Pieces, claims_of, sets_entry, share_verdict, write_audit


@pytest.mark.parametrize(
    ("holds", "expected"), [(10, "reproduced"), (8, "reproduced"), (7, "partly"), (3, "not")]
)
def test_shares_decide(holds: int, expected: str) -> None:
    assert share_verdict(holds, 10) == expected


def test_only_judged_claims_are_on_the_page() -> None:
    entries = [
        Entry("a", "claim", "A holds", "partly", "1", "2", "equal", "make", "half of it"),
        Entry("b", "claim", "B holds", "not run", remark="no time"),
        Entry("c", "table", "C", "not", "1", "2", "equal", "make"),
    ]
    (claim,) = claims_of(entries)
    assert claim.text == "A holds."
    assert claim.figure == "Here: 1. Printed: 2. Rule: equal. Half of it."


@pytest.mark.parametrize(("kind", "verdict"), [("picture", "not"), ("table", "maybe")])
def test_other_words_are_refused(kind: str, verdict: str) -> None:
    with pytest.raises(ValueError, match="must be one of"):
        Entry("a", kind, "A", verdict)


def test_ids_are_unique(tmp_path: Path) -> None:
    row = Entry("a", "table", "A", "no data", remark="lost")
    with pytest.raises(ValueError, match="unique"):
        write_audit(tmp_path / "audit.csv", [row, row])


def test_sets_are_compared_with_the_printed_ones() -> None:
    data = {"one": (np.zeros((4, 3)), [0, 0, 1, 1]), "two": (np.zeros((2, 1)), [0, 1])}
    theirs = {"one": (4, 3, 2), "two": (2, 5, 2), "three": (1, 1, 1)}
    entry = sets_entry("table01", data, theirs, command="make")
    assert entry.verdict == "partly"
    assert entry.measured == "2 at hand, 1 of them as printed; others: two 2x1x2, printed 2x5x2"


def test_a_part_is_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    made = []

    def make() -> list[int]:
        made.append(1)
        return [1, 2]

    first, again = Pieces("paper"), Pieces("paper")
    assert first.get("part", make) == again.get("part", make) == [1, 2]
    assert len(made) == 1
    assert (tmp_path / "build/experiments/paper/pieces/part.json").exists()
    assert Pieces(None).get("part", make) == [1, 2]
    assert len(made) == 2
