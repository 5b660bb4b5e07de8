"""Tables 4 to 6, the figures behind pictures 3 and 4, ours beside the printed ones."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from experiments.fern2004.measure import FUNCTIONS, Measurement
from experiments.fern2004.ranking import agreeing_pairs, ranking
from experiments.fern2004.sets import LabelledSet
from experiments.harness import Table, printed

Array = np.ndarray[Any, Any]
# By the name of the set, then by the constructor.
Measured = Mapping[str, Mapping[str, Measurement]]

AVERAGE = "average of the paper's sets above"
_PRINTED = {"RP": "table05_improvement_rate_RP", "PCASS": "table06_improvement_rate_PCASS"}


def diversity_table(sets: Sequence[LabelledSet], measured: Measured) -> Table:
    """Table 4, with PCASS beside it."""
    theirs = {row["dataset"]: row for row in printed("fern2004", "table04_diversity_quality")}
    rows = []
    for data in sets:
        row: dict[str, Any] = {"set": data.name}
        for constructor in ("RP", "RPPCA", "PCASS"):
            cloud = measured[data.name][constructor].cloud
            for what, value in (("diversity", cloud.mean_nmi), ("quality", cloud.mean_quality)):
                row[f"{constructor} {what}"] = value
                if constructor != "PCASS":
                    there = theirs.get(data.name, {}).get(f"{constructor}_{what}_nmi")
                    row[f"{constructor} {what} (printed)"] = there
        rows.append(row)
    note = (
        "Diversity is the mean NMI between two members, smaller is more diverse; quality is the mean "
        "NMI of a member with the classes. The printed table has no PCASS."
    )
    return Table("table04_diversity_quality", "Table 4: diversity and quality", rows, note)


def improvement_table(
    sets: Sequence[LabelledSet], measured: Measured, constructor: str, title: str
) -> Table:
    """Table 5 (RP) or 6 (PCASS)."""
    theirs = {row["dataset"]: row for row in printed("fern2004", _PRINTED[constructor])}
    rows = []
    paper = [data.name for data in sets if data.in_paper]
    for name in [*paper, AVERAGE, *(data.name for data in sets if not data.in_paper)]:
        if name == AVERAGE:
            values = pooled_improvement(measured, paper, constructor)
            there = {f: np.mean([theirs[one][f] for one in paper]) for f in FUNCTIONS}
        else:
            values = measured[name][constructor].improvement
            there = theirs.get(name, {})
        rows.append({"set": name, **_beside(values, there)})
    over_all = theirs["Average"]
    note = (
        "I, C, H, K: the four functions from worst to best; < is a significant step, <= is not. Printed "
        f"averages over all eight sets: {', '.join(f'{f} {over_all[f]:.3f}' for f in FUNCTIONS)}; "
        f"{over_all['ranking_worst_to_best']}."
    )
    return Table(_PRINTED[constructor], title, rows, note)


def pooled_improvement(
    measured: Measured, names: Sequence[str], constructor: str
) -> dict[str, Array]:
    """Return the improvement rates of every function over all ensembles of some sets."""
    each = [measured[name][constructor].improvement for name in names]
    return {function: np.concatenate([one[function] for one in each]) for function in FUNCTIONS}


def performance_table(
    sets: Sequence[LabelledSet], measured: Measured, baselines: Mapping[str, float]
) -> Table:
    """NMI with the classes at the largest size: the right ends of the curves of figures 3 and 4."""
    rows = []
    for data in sets:
        row: dict[str, Any] = {"set": data.name, "PCA, k-means": baselines[data.name]}
        for constructor, one in measured[data.name].items():
            row[f"{constructor} upper bound"] = one.curve(one.comparison.upper_bound)[1][-1]
            row[f"{constructor} realistic"] = one.curve(one.comparison.realistic)[1][-1]
        rows.append(row)
    largest = max(int(one.sizes.max()) for by in measured.values() for one in by.values())
    title = f"Figures 3 and 4: NMI with the classes, ensembles of {largest} members"
    return Table("figure03_04_performance", title, rows, "The paper prints no figures for these.")


def _beside(values: Mapping[str, Array], there: Mapping[str, Any]) -> dict[str, Any]:
    cells: dict[str, Any] = {}
    for function in FUNCTIONS:
        cells[function] = float(values[function].mean())
        cells[f"{function} (printed)"] = there.get(function)
    cells["ranking"] = ranking(values)
    cells["ranking (printed)"] = there.get("ranking_worst_to_best")
    if cells["ranking (printed)"]:
        same, of = agreeing_pairs(cells["ranking"], cells["ranking (printed)"])
        cells["pairs as printed"] = f"{same} of {of}"
    return cells
