"""Tables 4 to 6, figures 2 to 4, and section 5.2."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from experiments.fern2004 import robustness
from experiments.fern2004.claims import entries
from experiments.fern2004.measure import CONSTRUCTORS, FULL, FULL_CURVE, QUICK, baseline, measure
from experiments.fern2004.sets import LabelledSet, sets_at_hand
from experiments.fern2004.tables import (
    Measured,
    diversity_table,
    improvement_table,
    performance_table,
    robustness_table,
)
from experiments.harness import Pieces, Result, claims_of, cloud_panels, curve_panels
from experiments.harness._binary_pieces import BinaryPieces

# Members whose pairs are drawn; more would only make the picture heavy.
_DRAWN = 25


def run(*, full: bool, out: Path) -> Result:
    """Run the protocol on the sets at hand."""
    sets, missing = sets_at_hand()
    if full:
        # Sets that decide nothing are shown by the quick version.
        sets = [data for data in sets if data.in_paper]
    pieces = BinaryPieces("fern2004" if full else None)
    measured, tried, baselines = measure_all(sets, pieces, full=full)
    command = f"make reproduce PAPER=fern2004{' FULL=1' if full else ''}"
    found = entries(sets, measured, tried, baselines, command)
    return Result(
        # The page shows tables and figures that have a verdict beside the claims.
        claims=claims_of(replace(entry, kind="claim") for entry in found),
        tables=[
            diversity_table(sets, measured),
            improvement_table(sets, measured, "RP", "Table 5: improvement rates, RP ensembles"),
            improvement_table(
                sets, measured, "PCASS", "Table 6: improvement rates, PCASS ensembles"
            ),
            performance_table(sets, measured, baselines),
            robustness_table(tried),
        ],
        figures=[
            curves(out / "figure02_upper_bound.png", measured, baselines, "upper_bound"),
            clouds(out / "figure03_diversity_quality.png", measured),
            curves(out / "figure04_realistic.png", measured, baselines, "realistic"),
        ],
        missing=missing,
        audit=found,
        seconds=pieces.seconds,
    )


def measure_all(
    sets: Sequence[LabelledSet], pieces: Pieces, *, full: bool
) -> tuple[Measured, list[robustness.Tried], dict[str, float]]:
    """Measure every set, piece by piece."""
    sizes = robustness.FULL if full else robustness.QUICK
    plans = dict.fromkeys(CONSTRUCTORS, FULL if full else QUICK)
    if full:
        plans["RPPCA"] = FULL_CURVE
    measured: dict[str, dict[str, Any]] = {}
    tried: list[robustness.Tried] = []
    for data in sets:
        measured[data.name] = {
            name: pieces.get(f"{data.name} {name}", partial(measure, data, name, plan))
            for name, plan in plans.items()
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
