"""Results and mean ranks as pictures."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from experiments.harness import COLOURS, save_figure
from experiments.nguyen2007.measure import CRITERIA, METHODS, PROPOSED, Case
from experiments.nguyen2007.tables import mean_ranks

_MARKERS = ("o", "s", "^")


def rank_picture(path: Path, cases: Sequence[Case]) -> Path:
    """Draw a line per method, the best by consensus Rand distance on top, and a mark per criterion."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    ranks, names = mean_ranks(cases), list(METHODS)
    order = np.argsort(ranks[:, 0], kind="stable")[::-1]
    figure = Figure(figsize=(6.4, 4.2), layout="constrained")
    FigureCanvasAgg(figure)
    axis = figure.subplots()
    places = np.arange(len(order))
    axis.hlines(places, ranks[order].min(axis=1), ranks[order].max(axis=1), color="#cccccc", lw=1)
    for column, name in enumerate(CRITERIA):
        style: dict[str, Any] = {
            "color": COLOURS[column],
            "marker": _MARKERS[column],
            "s": 28,
            "zorder": 3,
        }
        axis.scatter(ranks[order, column], places, label=name, **style)
    axis.set_yticks(places, [names[k] for k in order])
    for tick, k in zip(axis.get_yticklabels(), order, strict=True):
        tick.set_fontweight("bold" if names[k] in PROPOSED else "normal")
    axis.set_xlim(0.5, len(names) + 0.5)
    axis.set_xlabel(f"mean rank over {len(cases)} ensembles, 1 is best")
    axis.spines[["top", "right"]].set_visible(False)
    axis.tick_params(labelsize=9)
    figure.legend(loc="outside lower center", ncols=len(CRITERIA), fontsize=9)
    return save_figure(figure, path)


def result_picture(path: Path, cases: Sequence[Case]) -> Path:
    """Figure 2: a column per set, a row per criterion, a mark per method and generator."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    sets = list(dict.fromkeys(case.data for case in cases))
    generators = list(dict.fromkeys(case.generator for case in cases))
    figure = Figure(figsize=(3.4 * len(sets), 2.3 * len(CRITERIA) + 0.8), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots(len(CRITERIA), len(sets), sharex=True, squeeze=False)
    places = np.arange(len(METHODS))
    for row, criterion in enumerate(CRITERIA):
        for column, name in enumerate(sets):
            axis = axes[row, column]
            for k, generator in enumerate(generators):
                here = [c.scores for c in cases if (c.data, c.generator) == (name, generator)]
                axis.scatter(
                    places,
                    np.mean(here, axis=0)[:, row],
                    color=COLOURS[k],
                    marker=_MARKERS[k],
                    s=16,
                    label=f"{generator} ensembles" if row == column == 0 else None,
                )
            axis.spines[["top", "right"]].set_visible(False)
            axis.grid(color="#e6e6e6", linewidth=0.6)
            axis.set_axisbelow(True)
            axis.tick_params(labelsize=8)
            axis.set_xticks(places, list(METHODS), rotation=90)
        axes[row, 0].set_ylabel(criterion)
    for axis, name in zip(axes[0], sets, strict=True):
        axis.set_title(name, fontsize=10)
    figure.legend(loc="outside lower center", ncols=len(generators), fontsize=9)
    return save_figure(figure, path)
