"""Tables 4 to 6 and figures 2 to 4."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from experiments.fern2004.claims import claims
from experiments.fern2004.measure import CONSTRUCTORS, FULL, QUICK, Plan, baseline, measure
from experiments.fern2004.sets import LabelledSet, sets_at_hand
from experiments.fern2004.tables import (
    Measured,
    diversity_table,
    improvement_table,
    performance_table,
)
from experiments.harness import Result, cloud_panels, curve_panels

# Members whose pairs are drawn; more would only make the picture heavy.
_DRAWN = 25


def run(*, full: bool, out: Path) -> Result:
    """Run the protocol on the sets at hand."""
    sets, missing = sets_at_hand()
    measured = measure_all(sets, FULL if full else QUICK)
    baselines = {data.name: baseline(data) for data in sets}
    return Result(
        claims=claims([data.name for data in sets if data.in_paper], measured),
        tables=[
            diversity_table(sets, measured),
            improvement_table(sets, measured, "RP", "Table 5: improvement rates, RP ensembles"),
            improvement_table(
                sets, measured, "PCASS", "Table 6: improvement rates, PCASS ensembles"
            ),
            performance_table(sets, measured, baselines),
        ],
        figures=[
            clouds(out / "figure02_diversity_quality.png", measured),
            curves(out / "figure03_upper_bound.png", measured, baselines, "upper_bound"),
            curves(out / "figure04_realistic.png", measured, baselines, "realistic"),
        ],
        missing=missing,
    )


def measure_all(sets: Sequence[LabelledSet], plan: Plan) -> Measured:
    """Measure every set under every constructor."""
    return {data.name: {name: measure(data, name, plan) for name in CONSTRUCTORS} for data in sets}


def clouds(path: Path, measured: Measured) -> Path:
    """Figure 2: a point for every pair of members."""
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
    """Figure 3 (`upper_bound`) or 4 (`realistic`): NMI with the classes against ensemble size."""
    panels: dict[str, dict[str, Any]] = {}
    for name, by in measured.items():
        panels[name] = {
            constructor: one.curve(getattr(one.comparison, what)) for constructor, one in by.items()
        }
        sizes = next(iter(panels[name].values()))[0]
        panels[name]["PCA, k-means"] = ([sizes[0], sizes[-1]], [baselines[name]] * 2)
    return curve_panels(path, panels, xlabel="members", ylabel="NMI with the classes")
