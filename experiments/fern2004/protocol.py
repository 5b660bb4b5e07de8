"""Tables 4 to 6, figures 2 to 4, and section 5.2."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from experiments.fern2004 import robustness
from experiments.fern2004.judge import judge, mean_rates
from experiments.fern2004.measure import CONSTRUCTORS, FULL, QUICK, UNIT, baseline, measure
from experiments.fern2004.sets import LabelledSet, sets_at_hand
from experiments.fern2004.tables import (
    Measured,
    diversity_table,
    improvement_table,
    performance_table,
    robustness_table,
)
from experiments.harness import (
    BinaryPieces,
    Pieces,
    Result,
    Table,
    cloud_panels,
    curve_panels,
    headline,
)

# Title, note and digits of the headline.
HEADLINE = (
    "Tables 5 and 6: mean improvement rate",
    "Five of the eight sets; PCA scores as they are, KMCF from ten careful starts.",
    3,
)
# Members whose pairs are drawn; more would only make the picture heavy.
_DRAWN = 25


def run(*, full: bool, out: Path) -> Result:
    """Run the protocol on the sets at hand."""
    sets, missing = sets_at_hand()
    pieces = BinaryPieces("fern2004" if full else None)
    measured, tried, baselines = measure_all(sets, pieces, full=full)
    return Result(
        judge(sets, measured, tried, baselines),
        [
            diversity_table(sets, measured),
            improvement_table(sets, measured, "RP", "Table 5: improvement rates, RP ensembles"),
            *(
                improvement_table(
                    sets, measured, kind, f"Table 6: improvement rates, {kind} ensembles"
                )
                for kind in ("PCASS", f"PCASS{UNIT}")
            ),
            performance_table(sets, measured, baselines),
            robustness_table(tried),
        ],
        top([data.name for data in sets if data.in_paper], measured),
        [
            curves(out / "figure02_upper_bound.png", measured, baselines, "upper_bound"),
            clouds(out / "figure03_diversity_quality.png", measured),
            curves(out / "figure04_realistic.png", measured, baselines, "realistic"),
        ],
        missing,
        pieces.seconds,
    )


def top(names: Sequence[str], measured: Measured) -> Table:
    """The averages of tables 5 and 6."""
    rows = []
    for kind in ("RP", "PCASS"):
        means = mean_rates(measured, names, kind)
        rows += [
            (f"{kind} {function}", there, means["ours"][function])
            for function, there in means["printed"].items()
        ]
    return headline(HEADLINE, rows)


def measure_all(
    sets: Sequence[LabelledSet], pieces: Pieces, *, full: bool
) -> tuple[Measured, list[robustness.Tried], dict[str, float]]:
    """Measure every set, piece by piece."""
    sizes = robustness.FULL if full else robustness.QUICK
    plan = FULL if full else QUICK
    measured: dict[str, dict[str, Any]] = {}
    tried: list[robustness.Tried] = []
    for data in sets:
        measured[data.name] = {
            name: pieces.get(f"{data.name} {name}", partial(measure, data, name, plan))
            for name in CONSTRUCTORS
        }
    for data in sets:
        if data.in_paper:
            make = partial(robustness.try_settings, data, sizes)
            tried += pieces.get(f"{data.name} robustness", make)
    return measured, tried, {data.name: baseline(data) for data in sets}


def clouds(path: Path, measured: Measured) -> Path:
    """Figure 3: a point for every pair of members."""
    panels: dict[str, dict[str, Any]] = {}
    for name, by in measured.items():
        panels[name] = {}
        for constructor, one in by.items():
            few = (one.cloud.pairs < _DRAWN).all(axis=1)
            panels[name][constructor] = (one.cloud.quality[few], one.cloud.nmi[few])
    return cloud_panels(
        path, panels, xlabel="NMI with the classes", ylabel="NMI between two members"
    )


def curves(path: Path, measured: Measured, baselines: Mapping[str, float], what: str) -> Path:
    """Figure 2 (`upper_bound`) or 4 (`realistic`): NMI with the classes against ensemble size."""
    panels: dict[str, dict[str, Any]] = {}
    for name, by in measured.items():
        panels[name] = {
            constructor: one.curve(getattr(one.comparison, what)) for constructor, one in by.items()
        }
        sizes = next(iter(panels[name].values()))[0]
        panels[name]["PCA, k-means"] = ([sizes[0], sizes[-1]], [baselines[name]] * 2)
    return curve_panels(path, panels, xlabel="members", ylabel="NMI with the classes")
