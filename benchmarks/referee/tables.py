"""A table of mean scores for each battery, with the place among the published methods."""

import numpy as np
from benchmarks.referee.methods import OURS

PUBLISHED_SHOWN = 5
TITLES = {"given": "Number of clusters given", "auto": "Number of clusters chosen"}


def table(mode, measured, published, names):
    """Return the table of one mode: `measured` has rows by method, `published` scores by method."""
    # A method with labels for less than half of the sets is not compared.
    published = {
        method: {name: scores[name] for name in names if name in scores}
        for method, scores in published.items()
        if 2 * len(scores.keys() & set(names)) >= len(names)
    }
    lines = []
    for method, found in measured.items():
        rows = [row for row in found if row["set"] in names]
        right = np.mean([row["k"] in row["true"].split() for row in rows])
        seconds = np.mean([float(row["seconds"]) for row in rows])
        shown = f"**{method}**" if method == OURS else method
        lines.append((shown, _by_set(rows), f"{right:.2f}", f"{seconds:.2f}"))
    best = sorted(published, key=lambda method: _means(published[method])[0], reverse=True)
    lines += [(f"{name}, published", published[name], "", "") for name in best[:PUBLISHED_SHOWN]]
    lines.sort(key=lambda line: _means(line[1])[0], reverse=True)

    batteries = sorted({name.split("/")[0] for name in names})
    heads = ["method", "sets", *batteries, "ARI", "AMI", "place", "k right", "seconds"]
    text = [
        f"{TITLES[mode]}: {len(names)} sets, {len(published)} published methods\n",
        f"| {' | '.join(heads)} |",
        "| --- " * len(heads) + "|",
    ]
    for method, scores, right, seconds in lines:
        figures = [_means(scores, f"{battery}/")[0] for battery in batteries] + [*_means(scores)]
        place = 1 + sum(_is_above(theirs, scores) for theirs in published.values())
        cells = [method, len(scores), *(f"{value:.3f}" for value in figures)]
        cells += [place if published else "", right, seconds]
        text.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(text) + "\n"


def _by_set(rows):
    """Return {set: (ARI, AMI)}, means over seeds."""
    found = {}
    for row in rows:
        found.setdefault(row["set"], []).append((float(row["ari"]), float(row["ami"])))
    return {name: np.mean(scores, axis=0) for name, scores in found.items()}


def _means(scores, start=""):
    found = [score for name, score in scores.items() if name.startswith(start)]
    return np.mean(found, axis=0) if found else (np.nan, np.nan)


def _is_above(theirs, scores):
    """Return whether their mean ARI is higher on the sets that both have."""
    gaps = [theirs[name][0] - scores[name][0] for name in scores.keys() & theirs.keys()]
    return bool(gaps) and np.mean(gaps) > 1e-9
