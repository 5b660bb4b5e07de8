"""Rules and rows of audit.csv, and parts of long protocols."""

from pathlib import Path

import numpy as np
import pytest

from experiments.harness import MOST, Entry, Found, Pieces, Rule, judged, sizes_found, write_audit
from experiments.harness._audit import Earlier, earlier_verdicts


@pytest.mark.parametrize(
    ("holds", "expected"),
    [(10, "reproduced"), (8, "reproduced"), (7, "partly"), (4, "partly"), (3, "not"), (0, "not")],
)
def test_shares_decide(holds: int, expected: str) -> None:
    assert Rule("cells", need=0.8, some=0.4).verdict(Found(holds, 10)) == expected


def test_usually_is_more_than_half() -> None:
    rule = Rule("sets", need=MOST)
    assert [rule.verdict(Found(n, 4)) for n in (1, 2, 3)] == ["not", "partly", "reproduced"]
    assert "more than half: reproduced" in str(rule)


def test_readings_that_differ_are_partly() -> None:
    rule = Rule("sets")
    both = {"one way": Found(2, 2, "a"), "another": Found(0, 2, "b")}
    entry = judged("claim-a", "3", "words", rule, both, printed=Found(2, 2), why="open")
    assert (entry.verdict, entry.kind) == ("partly", "claim")
    assert entry.ours == "one way (reproduced): 2 of 2: a // another (not): 0 of 2: b"
    beside = judged("figure1", "3", "words", rule, Found(2, 2), beside={"other": Found(0, 2)})
    assert (beside.verdict, beside.kind) == ("reproduced", "figure")
    assert "beside, other (not): 0 of 2" in beside.ours


def test_a_rule_that_the_print_does_not_pass_judges_nothing() -> None:
    entry = judged("claim-a", "3", "words", Rule("sets"), Found(2, 2), printed=Found(1, 2))
    assert entry.verdict == "not run"
    assert "do not pass" in entry.why
    assert judged("claim-a", "3", "words", Rule("sets"), Found(0, 0)).verdict == "no data"


@pytest.mark.parametrize(("kind", "verdict"), [("picture", "not"), ("table", "maybe")])
def test_other_words_are_refused(kind: str, verdict: str) -> None:
    with pytest.raises(ValueError, match="must be one of"):
        Entry("a", kind, "1", "A", "", "", "", verdict)


def test_ids_are_unique(tmp_path: Path) -> None:
    row = Entry("a", "table", "1", "A", "", "", "", "no data", "lost")
    with pytest.raises(ValueError, match="unique"):
        write_audit(tmp_path / "audit.csv", [row, row])


def test_sets_are_compared_with_the_printed_ones() -> None:
    data = {"one": (np.zeros((4, 3)), [0, 0, 1, 1]), "two": (np.zeros((2, 1)), [0, 1])}
    theirs = {"one": (4, 3, 2), "two": (2, 5, 2), "three": (1, 1, 1)}
    assert str(sizes_found(data, theirs)) == "1 of 3: two 2x1x2, printed 2x5x2; missing: three"


def test_earlier_verdicts_follow_their_lines() -> None:
    rows = [
        Earlier("p", "a", "partly", "a b"),
        Earlier("p", "c", "not", "b"),
        Earlier("p", "d", "not", "- no claim"),
        Earlier("q", "b", "reproduced", "b"),
    ]
    assert earlier_verdicts("p", rows) == {"a": "partly", "b": "partly, not"}


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
