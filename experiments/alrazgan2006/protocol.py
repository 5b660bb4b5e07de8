"""Tables 2 to 10 and the pictures."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from experiments.alrazgan2006.example import example_entries, example_picture, example_table
from experiments.alrazgan2006.judge import (
    TABLES,
    UNITS,
    as_printed,
    average_rows,
    judge,
    lac_row,
    mean_error,
    robust_claim,
)
from experiments.alrazgan2006.measure import (
    ENGINES,
    INVERSE_H,
    METHODS,
    SCALINGS,
    Found,
    Measured,
    as_measured,
    measure,
)
from experiments.harness import (
    Pieces,
    Result,
    Table,
    claims_of,
    curve_panels,
    load_sets,
)

SETS = {
    "Two-Gaussian": "two_gaussians",
    "Three-Gaussian": "three_gaussians",
    "Iris": "iris",
    "WDBC": "wdbc_bal424_s0",
    "Breast": "breast_w_bal478_s0",
    "Modis-4": "!a selection of the authors from satellite data; no copy was found",
    "Letter(A,B)": "letter_AB",
    "SatImage": "satimage_c1c7",
}


def run(*, full: bool, out: Path) -> Result:
    """Run the protocol."""
    starts = range(20 if full else 3)
    data, missing = load_sets(SETS)
    pieces = Pieces("alrazgan2006" if full else None)
    found = {
        unit: {
            called: as_measured(
                pieces.get(
                    f"{called}_{unit}".replace(" ", "_"),
                    lambda X=X, y=y, unit=unit: measure(X, y, unit, starts),
                )
            )
            for called, (X, y) in data.items()
        }
        for unit in SCALINGS
    }
    simulated = data["Two-Gaussian"]
    example = example_table(*simulated)
    entries = [*judge(data, found), *example_entries(example, *simulated)]
    return Result(
        [*claims_of(entries), robust_claim(found)],
        [
            average_table(found),
            *(set_table(called, found) for called in data),
            choices_table(found),
            example,
        ],
        [
            *(picture(out, unit, found[unit]) for unit in UNITS),
            example_picture(out / "figures02_04.png", *simulated),
        ],
        missing,
        audit=entries,
        seconds=pieces.seconds,
    )


def set_table(called: str, found: Found) -> Table:
    """A row per function and unit, and what LAC did alone."""
    rows = []
    for unit in UNITS:
        measured = found[unit][called]
        for method, theirs in (*as_printed(called).items(), ("HGPA", None)):
            ours = measured.mean(method)
            row: dict[str, Any] = {"method": method, "features": unit, "NMI": ours.nmi}
            row["NMI (printed)"] = None if theirs is None else float(theirs["ens_nmi"])
            row["error %"] = ours.error
            row["error % (printed)"] = None if theirs is None else float(theirs["ens_er_pct"])
            rows.append(row)
        alone = lac_row(called, measured)
        for word in ("max", "min", "avg"):
            row = {"method": f"LAC {word}", "features": unit}
            for name in ("NMI", "error %"):
                row[name], row[f"{name} (printed)"], _ = alone[f"{word} {name}"]
            rows.append(row)
    return Table(TABLES[called], called, rows, digits=2)


def average_table(found: Found) -> Table:
    """Table 2 in both units."""
    rows = [
        {"method": row["method"], "features": unit, **row}
        for unit in UNITS
        for row in average_rows(found[unit])
    ]
    note = "Printed: means of the printed rows of the same sets."
    return Table("table02_average_real", "Mean over the real sets at hand", rows, note)


def choices_table(found: Found) -> Table:
    """Mean error over all sets for every choice that the paper leaves open."""
    rows = []
    for unit, measured in found.items():
        for engine in ENGINES:
            row: dict[str, Any] = {"features": unit, "graphs cut by": engine}
            for method in METHODS:
                row[method] = mean_error(list(measured.values()), method, engine)
            row["a LAC run"] = float(np.mean([m.lac(np.mean).error for m in measured.values()]))
            row["distance to printed"] = _distance(measured, engine)
            rows.append(row)
    note = (
        "Distance to printed: mean absolute difference of the errors of the four functions. Features "
        "divided by their largest deviation were picked by such distances."
    )
    return Table("choices", "Mean error over all sets, %, by what is not printed", rows, note, 1)


def _distance(measured: Mapping[str, Measured], engine: str) -> float:
    gaps = [
        abs(found.mean(method, engine).error - float(theirs["ens_er_pct"]))
        for called, found in measured.items()
        for method, theirs in as_printed(called).items()
    ]
    return float(np.mean(gaps))


def picture(out: Path, unit: str, measured: Mapping[str, Measured]) -> Path:
    """Error of LAC against 1/h; the consensus functions, which need no h, are level lines."""
    return curve_panels(
        out / f"figures06_09_{unit.replace(' ', '_')}.png",
        {
            called: {"LAC": (INVERSE_H, [run.error for run in found.by_inverse_h()])}
            for called, found in measured.items()
        },
        levels={
            called: {method: found.mean(method).error for method in METHODS}
            for called, found in measured.items()
        },
        xlabel="1/h",
        ylabel="error, %",
    )
