"""One page with what a reader of each paper looks for first, printed beside ours."""

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from experiments.harness._pictures import COLOURS, save_figure
from experiments.harness._table import Table

NAME = "headline"
HEAD = """# The headlines

What a reader of each paper looks for first: the printed figures beside ours. The figures are those of
`experiments/<paper>/results/headline.csv`, by the version that the page of each paper names;
[all lines](AUDIT.md) are judged on a page of their own.

![Printed and our figures, a panel for every paper](headlines.png)

"""


def headline(about: tuple[str, str, int], rows: Sequence[tuple[str, float | None, float]]) -> Table:
    """Make the table of one paper: what, printed (None where nothing is printed), ours.

    `about` has the title, a note, and how many digits are shown.
    """
    title, note, digits = about
    cells = [{"what": what, "printed": there, "ours": here} for what, there, here in rows]
    return Table(NAME, title, cells, note, digits)


def write_headlines(here: Path, papers: Mapping[str, tuple[str, str, int]]) -> None:
    """Write HEADLINES.md and headlines.png from the CSV files of all papers.

    Parameters
    ----------
    here : Path
        The folder experiments.
    papers : mapping of str to (str, str, int)
        The title and the note of every paper's headline, and digits after the point.
    """
    (here / "HEADLINES.md").write_text(headlines_page(here, papers), encoding="utf-8")
    _draw(
        here / "headlines.png",
        {f"{key}\n{about[0]}": _rows(here, key) for key, about in papers.items()},
    )


def headlines_page(here: Path, papers: Mapping[str, tuple[str, str, int]]) -> str:
    """Return the page in Markdown."""
    parts = [HEAD]
    for key, about in papers.items():
        parts += [f"## {key}\n\n", headline(about, _rows(here, key)).to_markdown(), "\n"]
    return "".join(parts).rstrip() + "\n"


def _rows(here: Path, key: str) -> list[tuple[str, float | None, float]]:
    with (here / key / "results" / f"{NAME}.csv").open(newline="", encoding="utf-8") as file:
        return [
            (row["what"], float(row["printed"]) if row["printed"] else None, float(row["ours"]))
            for row in csv.DictReader(file)
        ]


def _draw(path: Path, panels: Mapping[str, Sequence[tuple[str, float | None, float]]]) -> None:
    """Draw a row of dots for every figure: printed ones hollow, ours filled."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11.0, 8.6), layout="constrained")
    FigureCanvasAgg(figure)
    grid = figure.add_gridspec(2, 3)
    for place, (title, rows) in enumerate(panels.items()):
        axis = figure.add_subplot(grid[divmod(place, 3)])
        names = [what for what, _, _ in rows]
        heights = range(len(rows))
        for height, (_, there, here) in zip(heights, rows, strict=True):
            if there is not None:
                axis.plot([there, here], [height, height], color="#bbbbbb", linewidth=1.2, zorder=1)
        known = [(there, height) for height, (_, there, _) in enumerate(rows) if there is not None]
        if known:
            hollow: Any = {"facecolors": "white", "edgecolors": COLOURS[3], "linewidths": 1.5}
            axis.scatter(*zip(*known, strict=True), s=42, zorder=2, label="printed", **hollow)
        ours = [here for _, _, here in rows]
        axis.scatter(ours, heights, s=30, color=COLOURS[0], zorder=3, label="ours")
        values = [0.0, *ours, *(there for there, _ in known)]
        axis.set_xlim(min(values) * 1.08, max(values) * 1.08)
        axis.set_yticks(list(heights), names, fontsize=8)
        axis.invert_yaxis()
        axis.set_title(title, fontsize=9, loc="left")
        axis.spines[["top", "right"]].set_visible(False)
        axis.grid(color="#e6e6e6", linewidth=0.6)
        axis.set_axisbelow(True)
        axis.tick_params(axis="x", labelsize=8)
        if place == 0:
            axis.legend(fontsize=8, loc="best", frameon=True)
    save_figure(figure, path)
