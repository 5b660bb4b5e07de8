"""The lists of what the papers print are complete and readable."""

from pathlib import Path

import pytest

from experiments.harness import audit_page, printed, read_audit

HERE = Path(__file__).parent
KEYS = sorted(path.parent.name for path in HERE.glob("*/audit.csv"))


@pytest.mark.parametrize("key", KEYS)
def test_every_row_is_judged_or_says_why_not(key: str) -> None:
    rows = read_audit(key)
    assert len({row.id for row in rows}) == len(rows)
    for row in rows:
        if row.verdict in ("no data", "not run"):
            assert row.remark, row.id
        else:
            assert row.measured, row.id
            assert row.rule, row.id
            assert row.command, row.id


@pytest.mark.parametrize("key", KEYS)
def test_every_printed_table_is_listed(key: str) -> None:
    tables = [path.stem for path in (HERE / key / "printed").glob("table[0-9]*.csv")]
    ids = [row.id for row in read_audit(key)]
    for table in tables:
        assert printed(key, table)
        assert any(name.startswith(table[:7]) for name in ids), table


def test_every_paper_has_a_list() -> None:
    assert sorted(path.parent.name for path in HERE.glob("*/protocol.py")) == KEYS


def test_the_page_is_made_from_the_lists() -> None:
    page = audit_page({key: read_audit(key) for key in KEYS})
    assert (HERE / "AUDIT.md").read_text(encoding="utf-8") == page
