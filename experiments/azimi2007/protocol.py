"""Tables 3 to 6 and figures 2 to 5: error against the number of members."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from experiments.azimi2007.judge import judge
from experiments.azimi2007.measure import (
    GENERATORS,
    RIVALS,
    STARTS,
    STEPS,
    Errors,
    column,
    measure,
    on_the_data,
    single,
    spread,
)
from experiments.azimi2007.prints import COLUMNS, TABLES, Printed, as_printed, short
from experiments.harness import (
    Pieces,
    Result,
    Table,
    claims_of,
    curve_panels,
    load_sets,
)

SETS = {"Iris": "iris", "Soybean": "soybean_small", "Thyroid": "new_thyroid", "Wine": "wine"}


def run(*, full: bool, out: Path) -> Result:
    """Run the protocol."""
    sizes = tuple(range(5, 51, 5)) if full else (5, 10, 20, 30, 40, 50)
    data, missing = load_sets(SETS)
    pieces = Pieces("azimi2007" if full else None)
    ours = {
        called: measure(called, X, y, sizes, 50 if full else 10, pieces)
        for called, (X, y) in data.items()
    }
    alone = {called: on_the_data(X, y, 200 if full else 50) for called, (X, y) in data.items()}
    theirs = {called: as_printed(called, sizes) for called in ours}
    entries = judge(data, ours, alone)
    tables = [
        *(error_table(called, ours[called], theirs[called]) for called in ours),
        *(steps_table(called, ours[called]) for called in ours),
        deviation_table(ours),
    ]
    return Result(
        claims_of(entries), tables, pictures(out, ours, theirs), missing, entries, pieces.seconds
    )


def error_table(called: str, ours: Errors, theirs: Printed) -> Table:
    """Ours beside the printed one, a row per number of members."""
    rows = []
    for n_members in ours["CAL"]:
        row: dict[str, Any] = {"H": n_members}
        for name in COLUMNS:
            row[short(name)] = average(ours, name, n_members)
            row[f"{short(name)} (printed)"] = theirs[name][n_members]
        row["f3, one start"] = average(ours, column("f3", start="one start"), n_members)
        for members in GENERATORS:
            row[single(members)] = average(ours, single(members), n_members)
        rows.append(row)
    return Table(TABLES[called], f"{called}: mean error, %", rows, digits=2)


def steps_table(called: str, ours: Errors) -> Table:
    """What figures 2 to 5 draw: the three steps after both kinds of k-means."""
    rows = []
    for n_members in ours["CAL"]:
        row: dict[str, Any] = {"H": n_members}
        for members in GENERATORS:
            for start in STARTS:
                for step in STEPS:
                    name = column(step, members, start)
                    row[name] = average(ours, name, n_members)
        rows.append(row)
    name = f"steps_{called.lower()}"
    return Table(name, f"{called}: mean error of Labelling by step, %", rows, digits=2)


def deviation_table(ours: Mapping[str, Errors]) -> Table:
    """Standard deviations over ensembles, mean over H."""
    rows = []
    for called, errors in ours.items():
        row: dict[str, Any] = {"set": called}
        for members in GENERATORS:
            row[f"a run, {members}"] = float(np.mean(list(errors[spread(members)].values())))
        for name in (*RIVALS, *(column("f3", m, s) for m in GENERATORS for s in STARTS)):
            row[name] = float(np.mean([np.std(values) for values in errors[name].values()]))
        rows.append(row)
    title = "Standard deviation of the error over ensembles, mean over H, points"
    return Table("deviations", title, rows, digits=2)


def average(errors: Errors, name: str, n_members: int) -> float:
    """Over ensembles."""
    return float(np.mean(errors[name][n_members]))


def pictures(out: Path, ours: Mapping[str, Errors], theirs: Mapping[str, Printed]) -> list[Path]:
    """The tables as curves, and figures 2 to 5, (a) and (b); a panel per set, printed values dashed."""
    found = [_picture(out / "errors.png", ours, {name: short(name) for name in COLUMNS}, theirs)]
    for letter, members in (("a", "simple"), ("b", "intelligent")):
        names = {
            column(step, members, start): f"{step}, {start}" for start in STARTS for step in STEPS
        }
        path = out / f"figures02_05{letter}.png"
        found.append(_picture(path, ours, names, theirs if letter == "b" else {}))
    return found


def _picture(
    path: Path,
    ours: Mapping[str, Errors],
    names: Mapping[str, str],
    theirs: Mapping[str, Printed],
) -> Path:
    curves = {
        called: {
            words: (list(errors[name]), [average(errors, name, n) for n in errors[name]])
            for name, words in names.items()
        }
        for called, errors in ours.items()
    }
    dashed = {
        called: {
            names[name]: (list(errors), list(errors.values()))
            for name, errors in theirs[called].items()
            if name in names
        }
        for called in theirs
    }
    return curve_panels(path, curves, dashed=dashed, xlabel="members H", ylabel="error, %")
