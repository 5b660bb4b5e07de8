"""What the paper says about consensus functions: tables 5 and 6, judged by rules."""

from collections.abc import Mapping, Sequence

import numpy as np

from experiments.fern2004.measure import FUNCTIONS
from experiments.fern2004.ranking import agreeing_pairs, ranking
from experiments.fern2004.tables import Measured, pooled_improvement
from experiments.harness import Entry, printed, verdict

TABLES = {"RP": "table05_improvement_rate_RP", "PCASS": "table06_improvement_rate_PCASS"}
# An improvement rate is as printed if it is that near.
_NEAR = 0.05
_LATER = (
    "One random start of KMCF was chosen after the printed figures were seen; the paper does not say "
    "how its k-means starts"
)


def entries(names: Sequence[str], measured: Measured) -> list[Entry]:
    """Judge both tables and the claims about functions, with both ways to start KMCF."""
    both = (False, True)
    return [
        *(rates(names, measured, constructor) for constructor in TABLES),
        *(
            graph_functions_above(names, measured, constructor, one_start=one)
            for constructor in TABLES
            for one in both
        ),
        *(best_function(names, measured, one_start=one) for one in both),
        *(rankings(names, measured, one_start=one) for one in both),
    ]


def rates(names: Sequence[str], measured: Measured, constructor: str) -> Entry:
    """Cells of table 5 or 6."""
    theirs = {row["dataset"]: row for row in printed("fern2004", TABLES[constructor])}
    text, near = [], {}
    for one_start in (False, True):
        apart = [
            measured[name][constructor].improvement(one_start=one_start)[f].mean() - theirs[name][f]
            for name in names
            for f in FUNCTIONS
        ]
        near[one_start] = sum(abs(value) <= _NEAR for value in apart)
        means = mean_improvement(names, measured, constructor, one_start=one_start)
        text.append(
            f"{near[one_start]} of {len(apart)} cells, mean distance {np.mean(np.abs(apart)):.3f}, "
            f"averages {_listed(means)}"
        )
    there = {f: float(np.mean([theirs[name][f] for name in names])) for f in FUNCTIONS}
    of = len(names) * len(FUNCTIONS)
    number = 5 if constructor == "RP" else 6
    return Entry(
        f"table0{number}",
        "table",
        f"Improvement rates of four functions on {constructor} ensembles (table {number})",
        "reproduced" if near[False] == of else "partly" if 2 * near[False] > of else "not",
        f"{text[0]}; with one start of KMCF: {text[1]}",
        printed=f"averages of the same sets {_listed(there)}",
        rule=f"cells at most {_NEAR} from the printed ones, KMCF with its usual starts: all, "
        "reproduced; more than half, partly",
        remark=_LATER,
    )


def graph_functions_above(
    names: Sequence[str], measured: Measured, constructor: str, *, one_start: bool
) -> Entry:
    """The row of averages of table 5 or 6."""
    means = mean_improvement(names, measured, constructor, one_start=one_start)
    theirs = {row["dataset"]: row for row in printed("fern2004", TABLES[constructor])}
    there = {f: float(np.mean([theirs[name][f] for name in names])) for f in FUNCTIONS}
    beaten = [(a, b) for a in ("HBGF", "IBGF") for b in ("CBGF", "KMCF") if means[a] > means[b]]
    number = 5 if constructor == "RP" else 6
    return Entry(
        f"claim-graph-functions-{constructor.lower()}{_suffix(one_start)}",
        "claim",
        f"On average HBGF and IBGF stand above CBGF and KMCF for {constructor} ensembles (table "
        f"{number}){_with(one_start)}",
        verdict(len(beaten), 4),
        f"{len(beaten)} of 4 comparisons; mean improvement rates {_listed(means)}",
        printed=f"over all eight sets {_listed({f: theirs['Average'][f] for f in FUNCTIONS})}; over the "
        f"sets at hand {_listed(there)}",
        rule="4, reproduced; 0, not",
        remark=_LATER if one_start else "",
    )


def best_function(names: Sequence[str], measured: Measured, *, one_start: bool) -> Entry:
    """HBGF in the rows of averages."""
    text, holds, there = [], 0, []
    for constructor, table in TABLES.items():
        values = pooled_improvement(measured, names, constructor, one_start=one_start)
        order = ranking(values)
        holds += order.endswith("H")
        text.append(f"{constructor}: {order}")
        (average,) = [row for row in printed("fern2004", table) if row["dataset"] == "Average"]
        there.append(f"{constructor}: {average['ranking_worst_to_best']}")
    return Entry(
        f"claim-best-function{_suffix(one_start)}",
        "claim",
        "HBGF is the best of the four functions on average, for RP and for PCASS ensembles"
        f"{_with(one_start)}",
        verdict(holds, 2),
        f"From worst to best, {'; '.join(text)}",
        printed=f"over all eight sets {'; '.join(there)}",
        rule="both, reproduced; none, not",
        remark=_LATER if one_start else "",
    )


def rankings(names: Sequence[str], measured: Measured, *, one_start: bool) -> Entry:
    """The rankings of tables 5 and 6, set by set."""
    same, of = 0, 0
    for constructor, table in TABLES.items():
        theirs = {
            row["dataset"]: row["ranking_worst_to_best"] for row in printed("fern2004", table)
        }
        for name in names:
            ours = ranking(measured[name][constructor].improvement(one_start=one_start))
            pairs = agreeing_pairs(ours, theirs[name])
            same, of = same + pairs[0], of + pairs[1]
    return Entry(
        f"claim-rankings{_suffix(one_start)}",
        "claim",
        f"The functions rank as printed, set by set (tables 5 and 6){_with(one_start)}",
        "reproduced" if same == of else "partly" if 2 * same > of else "not",
        f"{same} of {of} pairs that a printed < parts stand in the printed order",
        printed="rankings of tables 5 and 6",
        rule="all, reproduced; more than half, partly",
        remark=_LATER if one_start else "",
    )


def mean_improvement(
    names: Sequence[str], measured: Measured, constructor: str, *, one_start: bool = False
) -> dict[str, float]:
    """Return the mean improvement rate of every function over some sets."""
    values = pooled_improvement(measured, names, constructor, one_start=one_start)
    return {function: float(rates.mean()) for function, rates in values.items()}


def _suffix(one_start: bool) -> str:  # noqa: FBT001 - one of two ways
    return "-one-start" if one_start else ""


def _with(one_start: bool) -> str:  # noqa: FBT001 - one of two ways
    return ", KMCF from one random start" if one_start else ""


def _listed(means: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {value:+.3f}" for name, value in means.items())
