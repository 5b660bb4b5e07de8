"""The two figures of the paper, from the tables that the benchmarks wrote: `make paper`.

speed.png    benchmarks/peers/results/results.csv, written by `make peers`
quality.png  benchmarks/results/end_to_end.csv, written from `make quality PART=end-to-end`
"""

import csv
from pathlib import Path

import matplotlib as mpl

mpl.use("agg")
import matplotlib.pyplot as plt

HERE = Path(__file__).parent
BENCHMARKS = HERE.parent / "benchmarks"
OURS, PEERS = "#0b6e4f", ("#c8553d", "#4464ad", "#8d6a9f", "#7a7a7a")
# Kinds with a peer that can be installed, and what they are called in the text.
KINDS = {
    "IBGF": "spectral, co-association (IBGF)",
    "HBGF": "bipartite graph (HBGF)",
    "MCLA": "meta-clusters (MCLA)",
    "KMCF": "k-means on base clusters (KMCF)",
    "NMFC": "factors (NMFC)",
    "HAC": "average linkage (HAC)",
}
MEMBERS = 50


def times() -> dict[str, dict[str, list[tuple[int, float]]]]:
    """Return, per kind and package, seconds at every n that came to an end, on planted ensembles."""
    found: dict[str, dict[str, dict[int, float]]] = {}
    with (BENCHMARKS / "peers/results/results.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["kind"] not in KINDS or row["timed"] != "True" or row["error"]:
                continue
            if row["ensemble"] != "planted" or int(row["n_members"]) != MEMBERS:
                continue
            line = found.setdefault(row["kind"], {}).setdefault(row["package"], {})
            n, seconds = int(row["n_samples"]), float(row["seconds"])
            # A package may have several methods of one kind: its fastest counts.
            line[n] = min(seconds, line.get(n, seconds))
    return {
        kind: {package: sorted(line.items()) for package, line in packages.items()}
        for kind, packages in found.items()
    }


def quality() -> list[tuple[str, float, float]]:
    """Return method, mean NMI and mean rank, best first."""
    with (BENCHMARKS / "results/end_to_end.csv").open(encoding="utf-8", newline="") as file:
        rows = [
            (row["method"], float(row["mean NMI"]), float(row["mean rank"]))
            for row in csv.DictReader(file)
        ]
    return sorted(rows, key=lambda row: -row[1])


def draw_speed(path: Path) -> None:
    """Draw a panel per kind: seconds against n, both logarithmic."""
    measured = times()
    figure, axes = plt.subplots(
        2, 3, figsize=(9, 5.2), sharex=True, sharey=True, layout="constrained"
    )
    for axis, (kind, title) in zip(axes.flat, KINDS.items(), strict=True):
        peers = iter(PEERS)
        for package, line in sorted(
            measured[kind].items(), key=lambda item: item[0] != "consilience"
        ):
            ours = package == "consilience"
            axis.loglog(
                *zip(*line, strict=True),
                marker="o" if ours else "s",
                markersize=4,
                color=OURS if ours else next(peers),
                label=package,
                linewidth=2 if ours else 1.2,
            )
        axis.set_title(title, fontsize=9)
        axis.legend(fontsize=7, frameon=False)
        axis.grid(alpha=0.25)
        axis.set_ylim(0.03, 600)  # room for the legend above the slowest
    figure.supxlabel(f"objects n, {MEMBERS} clusterings", fontsize=9)
    figure.supylabel("seconds", fontsize=9)
    figure.savefig(path, dpi=200)
    plt.close(figure)


def draw_quality(path: Path) -> None:
    """Draw a bar per method: mean NMI with the classes of 27 sets, rank beside it."""
    rows = quality()[::-1]
    figure, axis = plt.subplots(figsize=(7, 4), layout="constrained")
    colours = [OURS if name == "default" else "#b9b9b9" for name, _, _ in rows]
    names = ["ConsensusClustering (default)" if name == "default" else name for name, _, _ in rows]
    axis.barh(names, [nmi for _, nmi, _ in rows], color=colours)
    for place, (_, nmi, rank) in enumerate(rows):
        axis.text(nmi + 0.005, place, f"{nmi:.3f}, rank {rank + 1e-9:.1f}", va="center", fontsize=7)
    axis.set_xlim(0, 0.8)
    axis.set_xlabel("mean NMI with the classes, 27 labelled sets", fontsize=9)
    axis.tick_params(labelsize=8)
    axis.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=200)
    plt.close(figure)


if __name__ == "__main__":
    draw_speed(HERE / "speed.png")
    draw_quality(HERE / "quality.png")
