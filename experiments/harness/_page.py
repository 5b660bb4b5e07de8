"""The page of one paper."""

import inspect
import shutil
from importlib import import_module
from pathlib import Path

from experiments.harness._audit import earlier_verdicts, read_earlier
from experiments.harness._audit_page import lines_table
from experiments.harness._result import Result


def write_page(key: str, result: Result, out: Path, *, full: bool) -> Path:
    """Write README.md, a CSV file per table, and the pictures, into the folder `out`.

    The page begins with the docstring of experiments.<key>: paper, claim, protocol and deviations.
    Returns the path of the page.
    """
    out.mkdir(parents=True, exist_ok=True)
    for table in (*result.tables, result.headline):
        table.to_csv(out / f"{table.name}.csv")
    for figure in result.figures:
        if figure.parent != out:
            shutil.copy(figure, out / figure.name)
    page = out / "README.md"
    page.write_text("\n".join(_lines(key, result, full=full)), encoding="utf-8")
    return page


def _lines(key: str, result: Result, *, full: bool) -> list[str]:
    about = inspect.getdoc(import_module(f"experiments.{key}")) or ""
    title, _, rest = about.partition("\n")
    version = "full protocol" if full else "quick version"
    before = earlier_verdicts(key, read_earlier())
    lines = [
        f"# {title.removesuffix('.')}",
        "",
        rest.strip(),
        "",
        f"## Does it hold? ({version})",
        "",
        lines_table(result.entries, before),
        "## The headline",
        "",
        result.headline.to_markdown(),
        "## Tables",
        "",
    ]
    lines += [table.to_markdown() for table in result.tables]
    if result.figures:
        lines += ["## Pictures", ""]
        for figure in result.figures:
            lines += [f"![{figure.stem.replace('_', ' ')}]({figure.name})", ""]
    lines += ["## Sets that could not be had", ""]
    lines += [f"* {name}" for name in result.missing] or ["None."]
    return [*lines, "", f"Processor time: {result.seconds:.0f} s.", ""]
