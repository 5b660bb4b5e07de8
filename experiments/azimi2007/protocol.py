"""Tables 3 to 6 and figures 2 to 5: error against the number of members."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from experiments.azimi2007.judge import judge
from experiments.azimi2007.measure import (
    GENERATORS,
    PLAIN,
    RIVALS,
    SAME,
    SOURCES,
    STARTS,
    STEPS,
    TEN,
    Errors,
    column,
    measure,
    on_the_data,
    rival,
    single,
    spread,
)
from experiments.azimi2007.prints import COLUMNS, F3, TABLES, as_printed, mean, reading
from experiments.harness import Pieces, Result, Table, curve_panels, headline, load_sets

SETS = {"Iris": "iris", "Soybean": "soybean_small", "Thyroid": "new_thyroid", "Wine": "wine"}
# Title, note and digits of the headline.
HEADLINE = (
    "Tables 3 to 6: error, %, mean over H",
    "f3 with one last k-means from objects drawn at random; the others combine the same members.",
    1,
)
Printed = Mapping[str, Mapping[int, float]]


def run(*, full: bool, out: Path) -> Result:
    """Run the protocol."""
    sizes = tuple(range(5, 51, 5)) if full else (5, 10, 15, 20, 30, 40, 50)
    data, missing = load_sets(SETS)
    pieces = Pieces("azimi2007" if full else None)
    ours = {
        called: measure(called, X, y, sizes, 50 if full else 10, pieces)
        for called, (X, y) in data.items()
    }
    alone = {called: on_the_data(X, y, 200 if full else 50) for called, (X, y) in data.items()}
    theirs = {called: as_printed(called) for called in ours}
    tables = [
        *(error_table(called, ours[called], theirs[called]) for called in ours),
        *(steps_table(called, ours[called]) for called in ours),
        deviation_table(ours),
        alone_table(alone),
    ]
    return Result(
        judge(data, ours, alone),
        tables,
        top(ours, theirs),
        pictures(out, ours, theirs),
        missing,
        pieces.seconds,
    )


def top(ours: Mapping[str, Errors], theirs: Mapping[str, Printed]) -> Table:
    """Every column of tables 3 to 6."""
    rows = []
    for called, errors in ours.items():
        table = reading(errors, PLAIN)
        rows += [
            (
                f"{called} {name}",
                mean({n: theirs[called][name][n] for n in table[name]}),
                mean(table[name]),
            )
            for name in COLUMNS
        ]
    return headline(HEADLINE, rows)


def error_table(called: str, ours: Errors, theirs: Printed) -> Table:
    """Ours beside the printed one, a row per number of members."""
    rows = []
    for n_members in ours[rival("CAL")]:
        row: dict[str, Any] = {"H": n_members}
        for name in RIVALS:
            row[f"{name} (printed)"] = theirs[name][n_members]
            for source in SOURCES:
                row[f"{name}, {source}"] = average(ours, rival(name, source), n_members)
        row["f3 (printed)"] = theirs[F3][n_members]
        for start in STARTS:
            row[f"f3, {start}"] = average(ours, column(F3, start=start), n_members)
        for members in GENERATORS:
            row[single(members)] = average(ours, single(members), n_members)
        rows.append(row)
    return Table(TABLES[called], f"{called}: mean error, %", rows, digits=2)


def steps_table(called: str, ours: Errors) -> Table:
    """What figures 2 to 5 draw: the three steps after both kinds of k-means."""
    rows = []
    for n_members in ours[rival("CAL")]:
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
        columns = [
            *(rival(name, SAME) for name in RIVALS),
            *(column(s, m, start) for m in GENERATORS for start in STARTS for s in STEPS),
        ]
        for name in columns:
            row[name] = float(np.mean([np.std(values) for values in errors[name].values()]))
        rows.append(row)
    title = "Standard deviation of the error over ensembles, mean over H, points"
    return Table("deviations", title, rows, digits=2)


def alone_table(alone: Mapping[str, Mapping[str, float]]) -> Table:
    """k-means on the data themselves."""
    rows = [{"set": called, **errors} for called, errors in alone.items()]
    return Table("kmeans_alone", "Mean error of one run of k-means on the data, %", rows, digits=2)


def average(errors: Errors, name: str, n_members: int) -> float:
    """Over ensembles."""
    return float(np.mean(errors[name][n_members]))


def pictures(out: Path, ours: Mapping[str, Errors], theirs: Mapping[str, Printed]) -> list[Path]:
    """The tables as curves, and figures 2 to 5, (a) and (b); a panel per set, printed values dashed."""
    names = {**{rival(name): name for name in RIVALS}, column(F3): F3}
    found = [_picture(out / "errors.png", ours, names, theirs)]
    for letter, members in (("a", "simple"), ("b", "intelligent")):
        names = {
            column(step, members, start): step if start == PLAIN else f"{step}, {start}"
            for start in (PLAIN, TEN)
            for step in STEPS
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
            name: (list(errors), list(errors.values()))
            for name, errors in theirs[called].items()
            if name in names.values()
        }
        for called in theirs
    }
    return curve_panels(path, curves, dashed=dashed, xlabel="members H", ylabel="error, %")
