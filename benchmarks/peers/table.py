"""Write build/peers/README.md and results.csv from the rows of a run."""

import csv
import os
import platform
from pathlib import Path

import numpy as np

from .bars import bars, mean_nmi, name_of
from .settings import BUILD, KINDS, N_INIT, NOT_COMPARABLE

COLUMNS = [
    "kind",
    "package",
    "version",
    "method",
    "ensemble",
    "n_samples",
    "n_members",
    "seed",
    "timed",
    "seconds",
    "least",
    "most",
    "repeats",
    "first_call",
    "peak_mb",
    "nmi",
    "anmi",
    "clusters",
    "error",
    "after",
    "note",
]
HERE = Path(__file__).parent


def write(rows, missing):
    """Both files; the path of the Markdown."""
    with (BUILD / "results.csv").open("w", newline="") as target:
        writer = csv.DictWriter(target, COLUMNS, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    parts = [
        (HERE / "about.md").read_text().rstrip(),
        _machine(),
        "## Promises",
        *_bar_lines(rows),
        "## Time, memory, agreement",
        *_time_lines(rows),
        "## Mean NMI over seeds (n = 1,000, r = 20)",
        *_seed_lines(rows),
        "## What failed, and why",
        *_failure_lines(rows, missing),
    ]
    path = BUILD / "README.md"
    path.write_text("\n\n".join(parts) + "\n")
    return path


def _machine():
    return (
        f"{os.cpu_count()} cores, Python {platform.python_version()}, NumPy {np.__version__}; "
        f"n_init = {N_INIT}; packages with their own default threads."
    )


def _grid(header, lines):
    head = "| " + " | ".join(header) + " |\n|" + " --- |" * len(header)
    return "\n".join([head, *("| " + " | ".join(line) + " |" for line in lines)])


def _bar_lines(rows):
    words = {True: "pass", False: "**miss**", None: "-"}
    yield _grid(
        ("promise", "measured", ""),
        [(promise, figures, words[kept]) for promise, figures, kept in bars(rows)],
    )


def _time_lines(rows):
    for kind, title in KINDS.items():
        of_kind = [row for row in rows if row["kind"] == kind and row.get("timed")]
        if not of_kind:
            continue
        names = list(dict.fromkeys(name_of(row) for row in of_kind))
        keys = dict.fromkeys(
            (row["n_samples"], row["n_members"], row["ensemble"]) for row in of_kind
        )
        lines = []
        for n_samples, n_members, ensemble in sorted(keys):
            cells = [f"{n_samples:,}", str(n_members), ensemble]
            for name in names:
                match = [
                    row
                    for row in of_kind
                    if name_of(row) == name
                    and (row["n_samples"], row["n_members"], row["ensemble"])
                    == (n_samples, n_members, ensemble)
                ]
                cells.append(_cell(match[0]) if match else "")
            lines.append(cells)
        yield f"### {title}\n\n" + _grid(("n", "r", "ensemble", *names), lines)


def _cell(row):
    if "seconds" not in row:
        return row["error"].partition(":")[0]
    times = f" ({row['repeats']})" if row["repeats"] < 5 else ""
    return (
        f"{row['seconds']:.3g} s{times}, {max(row['peak_mb'], 0):.0f} MB, "
        f"{row['nmi']:.3f} / {row['anmi']:.3f}"
    )


def _seed_lines(rows):
    lines = []
    for kind in KINDS:
        for name in dict.fromkeys(name_of(row) for row in rows if row["kind"] == kind):
            cells = []
            for ensemble in ("planted", "k-means"):
                mean, count = mean_nmi(rows, name, ensemble)
                cells.append("" if mean is None else f"{mean:.3f} ({count})")
            if any(cells):
                lines.append((kind, name, *cells))
    yield _grid(("kind", "method", "planted (seeds)", "k-means (seeds)"), lines)


def _failure_lines(rows, missing):
    lines = []
    for row in rows:
        if "error" in row and not row["error"].startswith("not run"):
            size = f"n = {row['n_samples']:,}, {row['ensemble']}" if "n_samples" in row else "all"
            lines.append((name_of(row), size, row["error"]))
    for package in dict.fromkeys(row["package"] for row in rows if row.get("note")):
        note = next(row["note"] for row in rows if row["package"] == package)
        lines.append((package, "install", note))
    lines += [(name, "install", error) for name, error in missing]
    lines += [(name, "all", reason) for name, reason in NOT_COMPARABLE.items()]
    here = f"{Path.cwd()}/"
    clean = [
        tuple(cell.replace("|", "\\|").replace(here, "") for cell in line)
        for line in dict.fromkeys(lines)
    ]
    yield _grid(("package", "where", "reason"), clean)
