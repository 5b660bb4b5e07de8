"""Small summaries for notebooks: plain HTML without scripts, in the colours of the page around it."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import NamedTuple

# No colour is set, so that light and dark notebooks are both readable.
_LINE = "border:0;border-bottom:1px solid rgba(128,128,128,.45)"
_CELL = f"padding:.15em .8em .15em 0;{_LINE};background:none;white-space:nowrap"


class Table(NamedTuple):
    """A table with a caption; the first cell of a row is its name, and numbers are right-aligned."""

    caption: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]


def notebook_summary(
    title: str,
    sentences: Sequence[str] = (),
    facts: Mapping[str, str] | None = None,
    table: Table | None = None,
) -> str:
    """Return a title, sentences, facts and a table as HTML; every text is escaped.

    Examples
    --------
    >>> notebook_summary("a < b", ["One."]).count("&lt;")
    1
    """
    parts = [f'<p style="margin:0 0 .3em"><strong>{escape(title)}</strong></p>']
    parts += [f'<p style="margin:0 0 .3em">{escape(sentence)}</p>' for sentence in sentences]
    if facts:
        parts.append(_facts(facts))
    if table is not None and table.rows:
        parts.append(_table(table))
    return (
        '<div style="font-family:system-ui,sans-serif;font-size:.95em;line-height:1.45;'
        f'max-width:50em;margin:.3em 0">{"".join(parts)}</div>'
    )


def _facts(facts: Mapping[str, str]) -> str:
    entries = "".join(
        '<div style="margin:0 1.6em .3em 0">'
        f'<dt style="display:inline;font-weight:normal;opacity:.8">{escape(name)}: </dt>'
        f'<dd style="display:inline;margin:0">{escape(value)}</dd></div>'
        for name, value in facts.items()
    )
    return f'<dl style="display:flex;flex-wrap:wrap;margin:0 0 .3em">{entries}</dl>'


def _table(table: Table) -> str:
    head = "".join(
        _cell("th", name, "col", left=not place) for place, name in enumerate(table.head)
    )
    rows = "".join(
        "<tr>"
        + _cell("th", row[0], "row", left=True)
        + "".join(_cell("td", text) for text in row[1:])
        + "</tr>"
        for row in table.rows
    )
    caption = escape(table.caption)
    # A wide table can be scrolled by keyboard only if it can have the focus.
    return (
        f'<div style="overflow-x:auto" tabindex="0" role="region" aria-label="{caption}">'
        '<table style="border-collapse:collapse;margin:0">'
        f'<caption style="text-align:left;padding:.2em 0;white-space:nowrap">{caption}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _cell(kind: str, text: str, scope: str = "", *, left: bool = False) -> str:
    scoped = f' scope="{scope}"' if scope else ""
    side = "left" if left else "right"
    return f'<{kind}{scoped} style="{_CELL};text-align:{side}">{escape(text)}</{kind}>'
