"""What the paper says, judged by rules."""

from collections.abc import Mapping, Sequence

import numpy as np

from experiments.fern2004.measure import FUNCTIONS
from experiments.fern2004.ranking import agreeing_pairs, ranking
from experiments.fern2004.tables import Measured, pooled_improvement
from experiments.harness import Claim, printed, verdict

_RANKED = {"RP": "table05_improvement_rate_RP", "PCASS": "table06_improvement_rate_PCASS"}
_MOST = "Rule: all, reproduced; more than half, partly."
# Sets that need no file; a claim that holds on them is tested.
_EVERYWHERE = ("CHART", "DIGITS")


def claims(names: Sequence[str], measured: Measured) -> list[Claim]:
    """Judge all claims on the sets with these names."""
    return [
        more_diverse(names, measured),
        better_ensembles(names, measured),
        larger_improvement(names, measured),
        graph_functions_above(names, measured, "RP"),
        graph_functions_above(names, measured, "PCASS"),
        best_function(names, measured),
        rankings(names, measured),
        axes_of_projections(names, measured),
    ]


def more_diverse(names: Sequence[str], measured: Measured) -> Claim:
    """Figure 2."""
    pairs = {
        name: [measured[name][constructor].cloud.mean_nmi for constructor in ("RP", "PCASS")]
        for name in names
    }
    holds = sum(rp < pcass for rp, pcass in pairs.values())
    each = ", ".join(f"{name} {rp:.2f} / {pcass:.2f}" for name, (rp, pcass) in pairs.items())
    return Claim(
        "RP ensembles are more diverse than PCASS ensembles (figure 2).",
        most(holds, len(names)),
        f"On {holds} of {len(names)} sets; mean NMI between members, RP / PCASS: {each}. {_MOST}",
    )


def better_ensembles(names: Sequence[str], measured: Measured) -> Claim:
    """Figures 3 and 4, at the largest size."""
    counts, means = {}, {}
    for what in ("upper_bound", "realistic"):
        ends = np.array(
            [[_end(measured, name, c, what) for c in ("RP", "PCASS")] for name in names]
        )
        counts[what] = int((ends[:, 0] > ends[:, 1]).sum())
        means[what] = ends.mean(axis=0)
    of = len(names)
    return Claim(
        "RP ensembles end in better clusterings than PCASS ensembles (figures 3 and 4).",
        most(sum(counts.values()), 2 * of),
        f"By the upper bound on {counts['upper_bound']} of {of} sets (mean NMI "
        f"{means['upper_bound'][0]:.3f} against {means['upper_bound'][1]:.3f}), by the realistic choice "
        f"on {counts['realistic']} of {of} ({means['realistic'][0]:.3f} against "
        f"{means['realistic'][1]:.3f}), ensembles of the largest size. {_MOST}",
    )


def larger_improvement(names: Sequence[str], measured: Measured) -> Claim:
    """Tables 5 and 6, cell by cell."""
    higher = [
        measured[name]["RP"].improvement[function].mean()
        > measured[name]["PCASS"].improvement[function].mean()
        for name in names
        for function in FUNCTIONS
    ]
    return Claim(
        "Every function improves more on the members of RP ensembles than on those of PCASS ensembles, "
        "on every set (tables 5 and 6).",
        most(sum(higher), len(higher)),
        f"In {sum(higher)} of {len(higher)} cells. {_MOST}",
    )


def graph_functions_above(names: Sequence[str], measured: Measured, constructor: str) -> Claim:
    """The Average row of table 5 or 6."""
    means = mean_improvement(names, measured, constructor)
    beaten = [(a, b) for a in ("HBGF", "IBGF") for b in ("CBGF", "KMCF") if means[a] > means[b]]
    everywhere = mean_improvement(_EVERYWHERE, measured, constructor)
    return Claim(
        f"On average HBGF and IBGF stand above CBGF and KMCF for {constructor} ensembles (table "
        f"{5 if constructor == 'RP' else 6}).",
        verdict(len(beaten), 4),
        f"{len(beaten)} of 4 comparisons; mean improvement rates {_listed(means)}. "
        f"Rule: 4, reproduced; 0, not. On {' and '.join(_EVERYWHERE)} alone: {_listed(everywhere)}.",
    )


def best_function(names: Sequence[str], measured: Measured) -> Claim:
    """HBGF in the Average rows."""
    text, holds = [], 0
    for constructor in ("RP", "PCASS"):
        values = pooled_improvement(measured, names, constructor)
        order = ranking(values)
        holds += order.endswith("H")
        text.append(f"{constructor}: {order}")
    return Claim(
        "HBGF is the best of the four functions on average, for RP and for PCASS ensembles.",
        verdict(holds, 2),
        f"From worst to best, {'; '.join(text)}. Rule: both, reproduced; none, not.",
    )


def rankings(names: Sequence[str], measured: Measured) -> Claim:
    """The rankings of tables 5 and 6, set by set."""
    same, of = 0, 0
    for constructor, table in _RANKED.items():
        theirs = {
            row["dataset"]: row["ranking_worst_to_best"] for row in printed("fern2004", table)
        }
        for name in names:
            ours = ranking(measured[name][constructor].improvement)
            pairs = agreeing_pairs(ours, theirs[name])
            same, of = same + pairs[0], of + pairs[1]
    return Claim(
        "The functions rank as printed, set by set (tables 5 and 6).",
        most(same, of),
        f"{same} of {of} pairs that a printed < parts stand in the printed order. {_MOST}",
    )


def axes_of_projections(names: Sequence[str], measured: Measured) -> Claim:
    """Table 4: signs of the differences between RP and RPPCA."""
    theirs = {row["dataset"]: row for row in printed("fern2004", "table04_diversity_quality")}
    agree = {"diversity": 0, "quality": 0}
    for name in names:
        rp, both = (measured[name][constructor].cloud for constructor in ("RP", "RPPCA"))
        for what, ours in (
            ("diversity", both.mean_nmi - rp.mean_nmi),
            ("quality", both.mean_quality - rp.mean_quality),
        ):
            there = theirs[name][f"RPPCA_{what}_nmi"] - theirs[name][f"RP_{what}_nmi"]
            agree[what] += bool(ours * there > 0)
    of = len(names)
    return Claim(
        "Principal axes after the projection (RPPCA) change diversity and quality in the printed "
        "direction (table 4): better and less diverse members on some sets, worse ones on others.",
        most(sum(agree.values()), 2 * of),
        f"Sign of RPPCA minus RP as printed for diversity on {agree['diversity']} of {of} sets, for "
        f"quality on {agree['quality']} of {of}. {_MOST}",
    )


def mean_improvement(
    names: Sequence[str], measured: Measured, constructor: str
) -> dict[str, float]:
    """Return the mean improvement rate of every function over some sets."""
    values = pooled_improvement(measured, names, constructor)
    return {function: float(rates.mean()) for function, rates in values.items()}


def most(holds: int, of: int) -> str:
    """All: reproduced. More than half: partly, because half is what chance would give."""
    return "reproduced" if holds == of else "partly" if 2 * holds > of else "not"


def _end(measured: Measured, name: str, constructor: str, what: str) -> float:
    one = measured[name][constructor]
    return one.curve(getattr(one.comparison, what))[1][-1]


def _listed(means: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {value:+.3f}" for name, value in means.items())
