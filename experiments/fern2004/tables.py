"""Tables 4 to 6, the figures behind pictures 2 and 4, ours beside the printed ones."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from experiments.fern2004.measure import CONSTRUCTORS, FUNCTIONS, UNIT, Measurement
from experiments.fern2004.ranking import agreeing_pairs, ranking
from experiments.fern2004.robustness import Tried
from experiments.fern2004.sets import LabelledSet
from experiments.harness import Table, printed

Array = np.ndarray[Any, Any]
# By the name of the set, then by the constructor.
Measured = Mapping[str, Mapping[str, Measurement]]

AVERAGE = "average of the paper's sets above"
IMPROVEMENT = {"RP": "table05_improvement_rate_RP", "PCASS": "table06_improvement_rate_PCASS"}


def diversity_table(sets: Sequence[LabelledSet], measured: Measured) -> Table:
    """Table 4, with PCASS beside it."""
    theirs = {row["dataset"]: row for row in printed("fern2004", "table04_diversity_quality")}
    rows = []
    for data in sets:
        row: dict[str, Any] = {"set": data.name}
        for constructor in CONSTRUCTORS:
            cloud = measured[data.name][constructor].cloud
            for what, value in (("diversity", cloud.mean_nmi), ("quality", cloud.mean_quality)):
                row[f"{constructor} {what}"] = value
                if constructor in ("RP", "RPPCA"):
                    there = theirs.get(data.name.partition(",")[0], {})
                    row[f"{constructor} {what} (printed)"] = there.get(f"{constructor}_{what}_nmi")
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
    kind = constructor.partition(",")[0]
    theirs = {row["dataset"]: row for row in printed("fern2004", IMPROVEMENT[kind])}
    rows = []
    paper = [data.name for data in sets if data.in_paper]
    for name in [*paper, AVERAGE, *(data.name for data in sets if not data.in_paper)]:
        if name == AVERAGE:
            there = {f: np.mean([theirs[one][f] for one in paper]) for f in FUNCTIONS}
        else:
            there = theirs.get(name, {})
        members = paper if name == AVERAGE else [name]
        ours, plain = (
            pooled_improvement(measured, members, constructor, one_start=one)
            for one in (False, True)
        )
        rows.append({"set": name, **_beside(ours, plain, there)})
    over_all = theirs["Average"]
    averages = ", ".join(f"{f} {over_all[f]:.3f}" for f in FUNCTIONS)
    note = (
        "I, C, H, K: the four functions from worst to best; < is a significant step, <= is not. One "
        "start: KMCF by one run of k-means from random rows, chosen after the printed figures were "
        f"seen. Printed averages over all eight sets: {averages}; {over_all['ranking_worst_to_best']}."
    )
    name = IMPROVEMENT[kind] + ("_unit_variance" if constructor.endswith(UNIT) else "")
    return Table(name, title, rows, note)


def pooled_improvement(
    measured: Measured, names: Sequence[str], constructor: str, *, one_start: bool = False
) -> dict[str, Array]:
    """Return the improvement rates of every function over all ensembles of some sets."""
    each = [measured[name][constructor].improvement(one_start=one_start) for name in names]
    return {function: np.concatenate([one[function] for one in each]) for function in FUNCTIONS}


def performance_table(
    sets: Sequence[LabelledSet], measured: Measured, baselines: Mapping[str, float]
) -> Table:
    """NMI with the classes at the largest size: the right ends of the curves of figures 2 and 4."""
    rows = []
    for data in sets:
        row: dict[str, Any] = {"set": data.name, "PCA, k-means": baselines[data.name]}
        for constructor, one in measured[data.name].items():
            row[f"{constructor} upper bound"] = one.curve(one.comparison.upper_bound)[1][-1]
            row[f"{constructor} realistic"] = one.curve(one.comparison.realistic)[1][-1]
        rows.append(row)
    largest = max(int(one.sizes.max()) for by in measured.values() for one in by.values())
    title = f"Figures 2 and 4: NMI with the classes, ensembles of {largest} members"
    return Table("figure02_04_performance", title, rows, "The paper prints no figures for these.")


def robustness_table(tried: Sequence[Tried]) -> Table:
    """Section 5.2, a row per set and constructor, a column per setting."""
    rows: dict[tuple[str, str], dict[str, Any]] = {}
    for one in tried:
        row = rows.setdefault((one.data, one.constructor), {})
        row |= {"set": one.data, "constructor": one.constructor, one.setting: one.nmi}
    note = "The paper prints no figures for these."
    title = "Section 5.2: NMI of HBGF with the classes under other settings"
    return Table("section52_robustness", title, list(rows.values()), note)


def _beside(
    ours: Mapping[str, Array], plain: Mapping[str, Array], there: Mapping[str, Any]
) -> dict[str, Any]:
    cells: dict[str, Any] = {}
    for function in FUNCTIONS:
        cells[function] = float(ours[function].mean())
        cells[f"{function} (printed)"] = there.get(function)
    cells["KMCF, one start"] = float(plain["KMCF"].mean())
    cells["ranking"], cells["ranking, one start"] = ranking(ours), ranking(plain)
    cells["ranking (printed)"] = there.get("ranking_worst_to_best")
    if cells["ranking (printed)"]:
        for name, mine in (("", ours), (", one start", plain)):
            same, of = agreeing_pairs(ranking(mine), cells["ranking (printed)"])
            cells[f"pairs as printed{name}"] = f"{same} of {of}"
    return cells
