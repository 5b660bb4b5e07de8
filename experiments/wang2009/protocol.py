"""Table 3 with the semi-supervised columns, and the toys."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from experiments.harness import Pieces, Result, Table, headline, load_sets
from experiments.wang2009.judge import (
    COLUMNS,
    MISSING,
    SETTINGS,
    Accuracies,
    as_printed,
    judge,
    means,
)
from experiments.wang2009.measure import (
    COUNTS,
    DIVERGENCES,
    ENFORCED,
    LENGTH,
    TEXTS,
    UNLABELLED,
    descents,
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
# Title, note and digits of the headline.
HEADLINE = (
    "Table 3: mean accuracy",
    "Eleven of the fourteen sets; members of 20 clusters, rows of the texts to length 1.",
    3,
)


def run(*, full: bool, out: Path) -> Result:
    """Run the protocol."""
    data, missing = load_sets(SETS)
    pieces = Pieces(KEY if full else None)
    found: dict[str, dict[str, Any]] = {texts: {} for texts in TEXTS}
    for called, (X, y) in data.items():
        n_runs = number_of_runs(len(y), full=full)
        found[LENGTH][called] = found[COUNTS][called] = pieces.get(
            _file(called), lambda X=X, y=y, n=n_runs: measure(X, y, n)
        )
        if sparse.issparse(X):
            found[COUNTS][called] = pieces.get(
                f"{_file(called)}_counts", lambda X=X, y=y, n=n_runs: measure(X, y, n, COUNTS)
            )
    dense = {called: pair for called, pair in data.items() if not sparse.issparse(pair[0])}
    scaled = {
        called: pieces.get(
            f"{_file(called)}_standardised",
            lambda X=X, y=y: _scaled(X, y, number_of_runs(len(y), full=full)),
        )
        for called, (X, y) in dense.items()
    }
    descends = {
        called: pieces.get(f"{_file(called)}_descent", lambda X=X, y=y: descents(X, y))
        for called, (X, y) in dense.items()
    }
    readings = {
        f"{said}, {texts}": _of(found[texts], setting)
        for setting, said in SETTINGS.items()
        for texts in TEXTS
    }
    toy_table, figure, toy_entries = toys(20 if full else 3, out, pieces)
    standardised = {setting: _of(scaled, setting) for setting in SETTINGS}
    return Result(
        [*judge(data, readings, standardised, descends), *toy_entries],
        [
            *(accuracy_table(found, setting) for setting in SETTINGS),
            unlabelled_table(found[LENGTH]),
            choices_table(found[LENGTH], scaled),
            toy_table,
        ],
        top(readings),
        [figure],
        missing,
        pieces.seconds,
    )


def top(readings: Mapping[str, Accuracies]) -> Table:
    """Means of table 3."""
    ours = next(iter(readings.values()))
    here, there = means(ours), means(as_printed(ours))
    return headline(HEADLINE, [(column, there[column], here[column]) for column in COLUMNS])


def _of(found: Mapping[str, Any], setting: str) -> dict[str, Any]:
    return {called: one[setting] for called, one in found.items()}


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


def accuracy_table(found: Mapping[str, Any], setting: str) -> Table:
    """Table 3, a row per set, texts in both scales, and the means."""
    rows = []
    for texts in TEXTS:
        ours = _of(found[texts], setting)
        theirs, block = as_printed(ours), []
        for called, one in ours.items():
            row: dict[str, Any] = {"set": called, "texts": texts}
            for column in COLUMNS:
                row[column] = one[column]
                row[f"{column} (printed)"] = theirs[called][column]
            block.append(row)
        average: dict[str, Any] = {"set": "mean", "texts": texts}
        for column in list(block[0])[2:]:
            average[column] = float(np.mean([row[column] for row in block]))
        rows += [*block, average]
    name = f"table03_accuracy_{setting}"
    return Table(name, f"Accuracy, {SETTINGS[setting]}", rows, digits=2)


def unlabelled_table(found: Mapping[str, Any]) -> Table:
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


def choices_table(found: Mapping[str, Any], scaled: Mapping[str, Any]) -> Table:
    """Mean accuracy over the dense sets, with features as given (from above) and standardised."""
    units = {"as given": {called: found[called] for called in scaled}, "standardised": scaled}
    rows = []
    for unit, sets in units.items():
        for setting in SETTINGS:
            row: dict[str, Any] = {"features": unit, "clusters of members": setting}
            for column in GAINS:
                row[column] = float(np.mean([one[setting][column] for one in sets.values()]))
            rows.append(row)
    note = f"Means over {', '.join(scaled)}."
    return Table("choices", "Mean accuracy of GWCA by what is not printed", rows, note)
