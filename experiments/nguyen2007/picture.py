"""Mean ranks as a picture."""

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
