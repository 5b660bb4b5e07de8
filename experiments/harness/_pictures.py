"""Pictures in one style."""

from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

# Okabe and Ito's colours, told apart by the colour-blind, as in consilience.plot.
COLOURS = ("#0072b2", "#e69f00", "#009e73", "#d55e00", "#56b4e9", "#cc79a7", "#b8ac00", "#333333")

_IN_A_ROW = 4

Curves = Mapping[str, tuple[Sequence[float], Sequence[float]]]


def curve_panels(
    path: Path,
    panels: Mapping[str, Curves],
    *,
    xlabel: str,
    ylabel: str,
    dashed: Mapping[str, Curves] | None = None,
    dashed_means: str = "printed",
    levels: Mapping[str, Mapping[str, float]] | None = None,
) -> Path:
    """Draw one panel per key, four in a row: a line per method, (x, y), and dashed ones for comparison.

    `levels` are values that do not depend on x: level lines. A name has the same colour in all panels.
    Returns `path`.
    """
    dashed, levels = dashed or {}, levels or {}
    tables = (panels, dashed, levels)
    names = list(dict.fromkeys(name for t in tables for panel in t.values() for name in panel))
    colour = {name: COLOURS[k % len(COLOURS)] for k, name in enumerate(names)}
    figure, axes = _panels(len(panels), len(names))
    for axis, (title, curves) in zip(axes, panels.items(), strict=True):
        for name, (x, y) in dashed.get(title, {}).items():
            axis.plot(x, y, color=colour[name], linestyle="--", linewidth=1, alpha=0.7)
        for name, level in levels.get(title, {}).items():
            axis.axhline(level, color=colour[name], linewidth=1.6)
        for name, (x, y) in curves.items():
            axis.plot(x, y, color=colour[name], marker="o", markersize=3, linewidth=1.6)
        axis.set_title(title, fontsize=10)
        axis.set_xlabel(xlabel)
    for axis in axes[::_IN_A_ROW]:
        axis.set_ylabel(ylabel)
    handles = [_handle(color=colour[name], marker="o", markersize=3) for name in names]
    if dashed:
        handles.append(_handle(color="#777777", linestyle="--", linewidth=1))
        names = [*names, dashed_means]
    figure.legend(handles, names, loc="outside lower center", ncols=min(len(names), 6), fontsize=9)
    return save_figure(figure, path)


def cloud_panels(
    path: Path,
    panels: Mapping[str, Curves],
    *,
    xlabel: str,
    ylabel: str,
    size: float = 6.0,
) -> Path:
    """Draw one panel per key, four in a row: a cloud of points per name, (x, y). Returns `path`."""
    names = list(dict.fromkeys(name for clouds in panels.values() for name in clouds))
    colour = {name: COLOURS[k % len(COLOURS)] for k, name in enumerate(names)}
    figure, axes = _panels(len(panels), len(names))
    for axis, (title, clouds) in zip(axes, panels.items(), strict=True):
        for name, (x, y) in clouds.items():
            axis.scatter(x, y, s=size, color=colour[name], alpha=0.5, linewidths=0)
        axis.set_title(title, fontsize=10)
        axis.set_xlabel(xlabel)
    for axis in axes[::_IN_A_ROW]:
        axis.set_ylabel(ylabel)
    handles = [_handle(color=colour[name], marker="o", linestyle="") for name in names]
    figure.legend(handles, names, loc="outside lower center", ncols=min(len(names), 6), fontsize=9)
    return save_figure(figure, path)


def save_figure(figure: Any, path: Path) -> Path:
    """Write a small PNG of 256 colours, without a date or a program's name in it. Returns `path`."""
    from PIL import Image

    path.parent.mkdir(parents=True, exist_ok=True)
    drawn = BytesIO()
    figure.savefig(drawn, dpi=90, format="png")
    with Image.open(drawn) as image:
        image.convert("RGB").quantize(256).save(path, optimize=True)
    return path


def _panels(n_panels: int, n_names: int) -> tuple[Any, list[Any]]:
    """A figure that is never shown, and its axes, row by row."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    n_columns = min(n_panels, _IN_A_ROW)
    n_rows = -(-n_panels // n_columns)
    height = 2.7 * n_rows + 0.2 + 0.22 * -(-n_names // 6)
    figure = Figure(figsize=(max(4.6, 2.9 * n_columns), height), layout="constrained")
    FigureCanvasAgg(figure)
    places = range(1, n_panels + 1)
    axes = [figure.add_subplot(n_rows, n_columns, place) for place in places]
    for axis in axes:
        axis.spines[["top", "right"]].set_visible(False)
        axis.grid(color="#e6e6e6", linewidth=0.6)
        axis.set_axisbelow(True)
        axis.tick_params(labelsize=8)
    return figure, axes


def _handle(**style: Any) -> Any:
    from matplotlib.lines import Line2D

    return Line2D([], [], **style)
