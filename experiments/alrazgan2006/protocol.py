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
    our_figures,
    printed_figures,
)
from experiments.alrazgan2006.measure import (
    ENGINES,
    FITTED,
    INVERSE_H,
    MAIN,
    METHODS,
    SCALINGS,
    SEARCH,
    STANDARD,
    Found,
    Measured,
    as_measured,
    measure,
    measure_draws,
)
from experiments.harness import Pieces, Result, Table, curve_panels, headline, load_sets

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
# Title, note and digits of the headline.
HEADLINE = (
    "Table 2: mean error on the real sets, %",
    "Five of the six sets, standardised features, all graphs cut by METIS.",
    1,
)


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
    draws = as_measured(pieces.get("draws", lambda: measure_draws(FITTED, starts)))
    simulated = data["Two-Gaussian"]
    example = example_table(*simulated)
    return Result(
        [*judge(data, found, draws), *example_entries(example, *simulated)],
        [
            average_table(found),
            *(set_table(called, found, draws) for called in data),
            curve_table(found),
            choices_table(found),
            example,
        ],
        top(found),
        [
            *(picture(out, unit, found[unit]) for unit in UNITS),
            example_picture(out / "figures04_06.png", *simulated),
        ],
        missing,
        seconds=pieces.seconds,
    )


def top(found: Found) -> Table:
    """Table 2 in the unit that nothing picked."""
    rows = average_rows(our_figures(found[STANDARD]), printed_figures(found[STANDARD]))
    return headline(
        HEADLINE, [(row["method"], row["error % (printed)"], row["error %"]) for row in rows]
    )


def set_table(called: str, found: Found, draws: Measured) -> Table:
    """A row per function, unit and cut, and what LAC did alone."""
    theirs = as_printed(called)
    alone = printed_figures([called]).alone[called]
    units = {unit: found[unit][called] for unit in UNITS}
    if called == "Two-Gaussian":
        units[f"{FITTED}, {len(draws.runs)} draws"] = draws
    rows = []
    for unit, measured in units.items():
        ours = our_figures({called: measured})
        cells = {**{m: measured.mean(m) for m in (*METHODS, "HGPA")}}
        cells[f"WBPA, {SEARCH}"] = measured.mean("WBPA", SEARCH)
        for method, score in cells.items():
            there = theirs.get(method.partition(",")[0])
            row: dict[str, Any] = {"method": method, "features": unit, "NMI": score.nmi}
            row["NMI (printed)"] = None if there is None else float(there["ens_nmi"])
            row["error %"] = score.error
            row["error % (printed)"] = None if there is None else float(there["ens_er_pct"])
            rows.append(row)
        for word, score in ours.alone[called].items():
            row = {"method": f"LAC {word}", "features": unit, "NMI": score.nmi}
            row["NMI (printed)"] = float(alone[word].nmi)
            row["error %"], row["error % (printed)"] = score.error, float(alone[word].error)
            rows.append(row)
    return Table(TABLES[called], called, rows, digits=2)


def curve_table(found: Found) -> Table:
    """Figures 5 and 10 to 16: the error of LAC by 1/h."""
    rows = [
        {
            "set": called,
            "features": unit,
            **{f"1/h = {n}": run.error for n, run in zip(INVERSE_H, m.by_inverse_h(), strict=True)},
        }
        for unit in UNITS
        for called, m in found[unit].items()
    ]
    return Table("figures05_16_lac_error", "Error of LAC, %, by 1/h", rows, digits=1)


def average_table(found: Found) -> Table:
    """Table 2 in both units, and with our own search for the cut of WBPA."""
    rows = [
        {"features": unit, "graphs cut by": engine, **row}
        for unit in UNITS
        for engine in (MAIN, SEARCH)
        for row in average_rows(our_figures(found[unit], engine), printed_figures(found[unit]))
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
                row[method] = float(
                    np.mean([one.mean(method, engine).error for one in measured.values()])
                )
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
        out / f"figures05_16_{unit.replace(' ', '_')}.png",
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
