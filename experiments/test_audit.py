"""The list of all tables, figures and claims is complete, and its page is up to date."""

from pathlib import Path

from experiments.harness import audit_page, read_audit
from experiments.harness._audit import JUDGED, KINDS, VERDICTS, reproduced_share

HERE = Path(__file__).parent
PAPERS = sorted(path.parent.name for path in HERE.glob("*/protocol.py"))


def test_every_paper_has_a_list():
    assert sorted(read_audit(HERE)) == PAPERS


def test_every_line_says_what_it_must():
    for lines in read_audit(HERE).values():
        assert len({line.id for line in lines}) == len(lines)
        for line in lines:
            assert line.kind in KINDS, line
            assert line.verdict in VERDICTS, line
            assert line.says, line
            assert line.rule or line.verdict == "no data", line
            if line.verdict in JUDGED:
                assert line.measured, line
                assert line.command, line
            if line.verdict != "reproduced":
                assert line.remark, line


def test_two_thirds_are_reproduced():
    everything = [line for lines in read_audit(HERE).values() for line in lines]
    assert reproduced_share(everything) >= 2 / 3


def test_the_page_is_made_from_the_lists():
    assert (HERE / "AUDIT.md").read_text(encoding="utf-8") == audit_page(read_audit(HERE))
