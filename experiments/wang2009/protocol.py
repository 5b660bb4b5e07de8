"""Table 3 with the semi-supervised columns, and the toys."""

from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from experiments.harness import Pieces, Result, Table, claims_of, load_sets
from experiments.wang2009.judge import (
    COLUMNS,
    MISSING,
    SETTINGS,
    UNITS,
    Accuracies,
    as_printed,
    judge,
    mean,
)
from experiments.wang2009.measure import (
    DIVERGENCES,
    ENFORCED,
    UNLABELLED,
    measure,
    measure_choice,
)
from experiments.wang2009.toys import toys

KEY = "wang2009"
SETS = {
    "CSTR": "cstr",
    "Digits 389": "digits389_456_s0",
    "Glass": "glass",
    "Ionosphere": "ionosphere",
    "Iris": "iris",
    "Letter IJL": "letter_IJL_227_s0",
    "Soybean": "soybean_small",
    "WebACE": "k1a_ig1000",
    "WebKB4": "webkb4_ig1000",
    "Wine": "wine",
    "Zoo": "zoo",
    **{called: f"!{reason}" for called, reason in MISSING.items()},
}
# GWCA, and GWCA with constraints whose labels need not and must satisfy them.
GAINS = tuple(
    f"{column}{objects}"
    for name in DIVERGENCES
    for column in (name, f"SS{name}", f"SS{name}, {ENFORCED}")
    for objects in ("", f", {UNLABELLED}")
)
LARGE = 1000


def run(*, full: bool, out: Path) -> Result:
    """Run the protocol."""
    data, missing = load_sets(SETS)
    pieces = Pieces(KEY if full else None)
    found = {
        called: pieces.get(
            _file(called), lambda X=X, y=y: measure(X, y, number_of_runs(len(y), full=full))
        )
        for called, (X, y) in data.items()
    }
    standardised = {
        called: pieces.get(
            f"{_file(called)}_standardised",
            lambda X=X, y=y: _scaled(X, y, number_of_runs(len(y), full=full)),
        )
        for called, (X, y) in data.items()
        if not sparse.issparse(X)
    }
    toy_table, figure, toy_entries = toys(20 if full else 3, out, pieces)
    entries = [*judge(data, found, standardised), *toy_entries]
    return Result(
        claims_of(entries),
        [
            *(accuracy_table(found, setting) for setting in SETTINGS),
            unlabelled_table(found),
            choices_table(found, standardised),
            toy_table,
        ],
        [figure],
        missing,
        audit=entries,
        seconds=pieces.seconds,
    )


def number_of_runs(n_objects: int, *, full: bool) -> int:
    """Fewer for large sets, whose values vary little."""
    if n_objects > LARGE:
        return 5 if full else 1
    return 20 if full else 3


def _file(called: str) -> str:
    return called.replace(" ", "_")


def _scaled(X: Any, y: Any, n_runs: int) -> dict[str, dict[str, float]]:
    return {
        setting: measure_choice(X, y, n_runs, fine=setting == "20", scaling="standard")
        for setting in SETTINGS
    }


def accuracy_table(found: Accuracies, setting: str) -> Table:
    """Table 3, a row per set, and the means of the sets at hand."""
    theirs, rows = as_printed(), []
    for called, one in found.items():
        row: dict[str, Any] = {"set": called}
        for column in COLUMNS:
            row[column] = one[setting][column]
            row[f"{column} (printed)"] = theirs[called][column]
        rows.append(row)
    average: dict[str, Any] = {"set": "mean"}
    for column in rows[0]:
        if column != "set":
            average[column] = float(np.mean([row[column] for row in rows]))
    name = f"table03_accuracy_{setting}"
    return Table(name, f"Accuracy, {SETTINGS[setting]}", [*rows, average], digits=2)


def unlabelled_table(found: Accuracies) -> Table:
    """What constraints do for the objects without a label."""
    rows = []
    for called, one in found.items():
        row: dict[str, Any] = {"set": called}
        for setting in SETTINGS:
            for column in ("EGWCA", "SSEGWCA", "eGWCA", "SSeGWCA"):
                row[f"{column}, {setting}"] = one[setting][f"{column}, {UNLABELLED}"]
        rows.append(row)
    title = "Accuracy on the 90 % of objects without a label, by clusters of the members"
    return Table("unlabelled", title, rows, digits=2)


def choices_table(found: Accuracies, standardised: Accuracies) -> Table:
    """Mean accuracy over the dense sets, with features as given (from above) and standardised."""
    units = {
        UNITS[0]: {called: found[called] for called in standardised},
        UNITS[1]: standardised,
    }
    rows = [
        {
            "features": unit,
            "clusters of members": setting,
            **{column: mean(accuracies, setting, column) for column in GAINS},
        }
        for unit, accuracies in units.items()
        for setting in SETTINGS
    ]
    note = f"Means over {', '.join(standardised)}."
    return Table("choices", "Mean accuracy of GWCA by what is not printed", rows, note)
