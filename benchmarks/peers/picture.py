"""Time against n, both logarithmic, a panel for every kind of method."""

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt

from .bars import is_ours
from .settings import BUILD, KINDS, N_MEMBERS, SECONDS

OURS = "#0b6e4f"
PEERS = ("#c8553d", "#4464ad", "#8d6a9f", "#7a7a7a")
COLUMNS = 4


def draw(rows):
    """Save build/peers/peers.svg and .png; their paths."""
    kinds = [kind for kind in KINDS if _lines(rows, kind)]
    if not kinds:
        return []
    n_rows = -(-len(kinds) // COLUMNS)
    figure, axes = plt.subplots(
        n_rows,
        COLUMNS,
        figsize=(3.4 * COLUMNS, 2.9 * n_rows),
        sharex=True,
        sharey=True,
        squeeze=False,
        layout="constrained",
    )
    for axis, kind in zip(axes.flat, kinds, strict=False):
        _panel(axis, KINDS[kind], _lines(rows, kind))
    for axis in axes.flat[len(kinds) :]:
        axis.set_visible(False)
    figure.supxlabel("objects, n")
    figure.supylabel("seconds")
    paths = [BUILD / f"peers.{kind}" for kind in ("svg", "png")]
    for path in paths:
        figure.savefig(path, dpi=110)
    plt.close(figure)
    return paths


def _lines(rows, kind):
    """Label -> sorted (n, seconds); ours first."""
    lines = {}
    for row in sorted(rows, key=lambda row: not is_ours(row)):
        wanted = row["kind"] == kind and row.get("timed") and row["ensemble"] == "planted"
        if wanted and row["n_members"] == N_MEMBERS and "seconds" in row:
            label = f"ours, {kind}" if is_ours(row) else f"{row['package']}, {row['method']}"
            lines.setdefault(label, []).append((row["n_samples"], row["seconds"]))
    return {label: sorted(points) for label, points in lines.items()}


def _panel(axis, title, lines):
    colours = iter(PEERS)
    for label, points in lines.items():
        ours = label.startswith("ours")
        axis.plot(
            *zip(*points, strict=True),
            marker="o" if ours else "s",
            markersize=4,
            linewidth=2 if ours else 1.2,
            color=OURS if ours else next(colours),
            label=label,
            zorder=3 if ours else 2,
        )
    axis.axhline(SECONDS, color="#bbbbbb", linewidth=0.8, linestyle=":")
    axis.set(xscale="log", yscale="log", xlim=(700, 1.5e6), ylim=(5e-4, 400))
    axis.set_title(title, fontsize=10, loc="left")
    axis.grid(which="major", color="#eeeeee", linewidth=0.8)
    axis.tick_params(labelbottom=True, labelleft=True, labelsize=8)
    axis.spines[["top", "right"]].set_visible(False)
    axis.legend(fontsize=7, frameon=False, loc="lower right")
