"""The lists of what the papers print are complete and readable."""

from pathlib import Path

import pytest

from experiments.__main__ import headlines
from experiments.harness import audit_page, printed, read_audit, read_earlier
from experiments.harness._audit import NOT_JUDGED, NOT_PASSED
from experiments.harness._headlines import headlines_page

HERE = Path(__file__).parent
KEYS = sorted(path.parent.name for path in HERE.glob("*/audit.csv"))


@pytest.mark.parametrize("key", KEYS)
def test_every_row_is_judged_or_says_why_not(key: str) -> None:
    rows = read_audit(key)
    assert len({row.id for row in rows}) == len(rows)
    for row in rows:
        assert row.quote, row.id
        assert row.where, row.id
        if row.verdict in NOT_JUDGED:
            assert row.why, row.id
        else:
            assert row.ours, row.id
            assert row.rule, row.id
            assert row.command, row.id


@pytest.mark.parametrize("key", KEYS)
def test_the_printed_figures_pass_every_rule(key: str) -> None:
    assert [row.id for row in read_audit(key) if row.why == NOT_PASSED] == []


@pytest.mark.parametrize("key", KEYS)
def test_every_printed_table_is_listed(key: str) -> None:
    tables = [path.stem for path in (HERE / key / "printed").glob("table[0-9]*.csv")]
    ids = [row.id for row in read_audit(key)]
    for table in tables:
        assert printed(key, table)
        assert any(name.startswith(table[:7]) for name in ids), table


def test_every_paper_has_a_list() -> None:
    assert sorted(path.parent.name for path in HERE.glob("*/protocol.py")) == KEYS


def test_every_earlier_line_has_become_something() -> None:
    ids = {(key, row.id) for key in KEYS for row in read_audit(key)}
    for row in read_earlier():
        if not row.now.startswith("- "):
            assert row.now
            assert all((row.paper, name) in ids for name in row.now.split()), row


def test_the_pages_are_made_from_the_lists() -> None:
    page = audit_page({key: read_audit(key) for key in KEYS}, read_earlier())
    assert (HERE / "AUDIT.md").read_text(encoding="utf-8") == page
    page = headlines_page(HERE, headlines(KEYS))
    assert (HERE / "HEADLINES.md").read_text(encoding="utf-8") == page
