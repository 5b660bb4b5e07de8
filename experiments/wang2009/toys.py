"""Section 4.1: five letters, and four clusters in subspaces."""

from pathlib import Path
from typing import Any

import numpy as np

from consilience.consensus import GCA
from consilience.generate import KMeansRestarts
from consilience.metrics import accuracy
from experiments.harness import Claim, Table, cloud_panels, load, quietly, verdict
from experiments.wang2009.measure import FINE, members

FINALS = {"spectral": "spectral", "k-means on the rows of M": "kmeans", "linkage": "linkage"}
SOLVED = 0.95
# Which two features a picture shows.
TOYS = {"letters": (0, 1), "subspaces": (1, 2)}


def toys(n_runs: int, out: Path) -> tuple[Table, Path, Claim]:
    """Accuracy of k-means and of the aggregate under three last steps, a picture, and the claim."""
    rows, panels = [], {}
    for name, shown in TOYS.items():
        X, y = load(name)
        runs = [_one(X, y, seed) for seed in range(n_runs)]
        rows.append(
            {"toy": name, **{key: float(np.mean([run[key][0] for run in runs])) for key in runs[0]}}
        )
        for key in ("one k-means", "spectral"):
            title = f"{name}: {key if key == 'one k-means' else 'GCA, spectral'}"
            panels[title] = _coloured(X[:, shown], runs[0][key][1])
    table = Table("toys", "Accuracy on the toys of section 4.1, members of 20 clusters", rows)
    figure = cloud_panels(out / "toys.png", panels, xlabel="", ylabel="", size=4)
    return table, figure, _claim(rows)


def _one(X: Any, y: Any, seed: int) -> dict[str, tuple[float, Any]]:
    n_clusters = len(np.unique(y))
    ensemble = members(X, FINE, seed)
    with quietly():
        single = KMeansRestarts(
            n_members=1, n_clusters=n_clusters, n_init=10, random_state=seed, verbose=0
        )
        found = {"one k-means": single.fit(X).ensemble_.labels[:, 0]}
        for called, final in FINALS.items():
            model = GCA(n_clusters, divergence="euclidean", final=final, random_state=0)
            found[called] = model.fit(ensemble).labels_
    return {key: (accuracy(labels, y), labels) for key, labels in found.items()}


def _coloured(points: Any, labels: Any) -> dict[str, tuple[Any, Any]]:
    return {f"cluster {k + 1}": tuple(points[labels == k].T) for k in np.unique(labels)}


def _claim(rows: list[dict[str, Any]]) -> Claim:
    tried = ("k-means on the rows of M", "spectral")
    solved = sum(row[key] >= SOLVED for row in rows for key in tried)
    figures = "; ".join(
        f"{row['toy']}: {', '.join(f'{key} {row[key]:.2f}' for key in ('one k-means', *FINALS))}"
        for row in rows
    )
    return Claim(
        "Aggregation solves both toys, where k-means fails (the paper: k-means on the rows of M).",
        verdict(solved, len(rows) * len(tried)),
        f"Accuracy: {figures}. Rule: at least {SOLVED} on both toys, by k-means on the rows and by "
        "the spectral step.",
    )
