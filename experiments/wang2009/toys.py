"""Section 4.1: five letters, and four clusters in subspaces."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from consilience.consensus import GCA, GWCA
from consilience.generate import KMeansRestarts
from consilience.metrics import accuracy
from experiments.harness import Entry, Pieces, Table, cloud_panels, load, quietly, verdict
from experiments.wang2009.measure import DIVERGENCES, FINE, members

COMMAND = "make reproduce PAPER=wang2009 FULL=1"
FINALS = {"spectral": "spectral", "k-means on the rows of M": "kmeans", "linkage": "linkage"}
# The paper's method, its last step in the toys, and the one of its table.
JUDGED = [f"{name}, {final}" for name in DIVERGENCES for final in list(FINALS)[:2]]
SINGLE = "one k-means"
SOLVED = 0.95
# Which two features a picture shows, and the figure of the paper.
TOYS = {"letters": ((0, 1), "figure01"), "subspaces": ((1, 2), "figure02")}


def toys(n_runs: int, out: Path, pieces: Pieces) -> tuple[Table, Path, list[Entry]]:
    """Accuracy of k-means, GCA and GWCA under three last steps, a picture, and the entries."""
    rows, panels = [], {}
    for name, (shown, _) in TOYS.items():
        X, y = load(name)
        runs = pieces.get(f"toy_{name}", lambda X=X, y=y: [_one(X, y, s) for s in range(n_runs)])
        rows.append(
            {"toy": name, **{key: float(np.mean([run[key] for run in runs])) for key in runs[0]}}
        )
        for key in (SINGLE, JUDGED[0]):
            panels[f"{name}: {key}"] = _coloured(X[:, shown], _functions(X, y, 0)[key]())
    table = Table("toys", "Accuracy on the toys of section 4.1, members of 20 clusters", rows)
    figure = cloud_panels(out / "toys.png", panels, xlabel="", ylabel="", size=4)
    return table, figure, _entries(rows)


def _functions(X: Any, y: Any, seed: int) -> dict[str, Callable[[], Any]]:
    """Labels by every method; all combine the same members."""
    n_clusters = len(np.unique(y))
    ensemble = members(X, FINE, seed)
    single = KMeansRestarts(
        n_members=1, n_clusters=n_clusters, n_init=10, random_state=seed, verbose=0
    )
    found: dict[str, Callable[[], Any]] = {SINGLE: lambda: single.fit(X).ensemble_.labels[:, 0]}
    for words, final in FINALS.items():
        models = {"GCA": GCA(n_clusters, final=final, random_state=0)}
        for name, divergence in DIVERGENCES.items():
            models[name] = GWCA(n_clusters, divergence=divergence, final=final, random_state=0)
        for name, model in models.items():
            found[f"{name}, {words}"] = lambda model=model: model.fit(ensemble).labels_
    return found


def _one(X: Any, y: Any, seed: int) -> dict[str, float]:
    with quietly():
        return {name: accuracy(find(), y) for name, find in _functions(X, y, seed).items()}


def _coloured(points: Any, labels: Any) -> dict[str, tuple[Any, Any]]:
    return {f"cluster {k + 1}": tuple(points[labels == k].T) for k in np.unique(labels)}


def _entries(rows: list[dict[str, Any]]) -> list[Entry]:
    """A figure for every toy, and the claim for both."""
    figures, solved = [], 0
    for row in rows:
        holds = sum(row[key] >= SOLVED for key in JUDGED)
        solved += holds
        figures.append(
            Entry(
                TOYS[row["toy"]][1],
                "figure",
                f"Toy of {row['toy']}: aggregation finds the clusters where k-means fails",
                verdict(holds, len(JUDGED)),
                ", ".join(f"{key} {row[key]:.2f}" for key in (SINGLE, *JUDGED)),
                "",
                f"accuracy of at least {SOLVED} for both divergences, by k-means on the rows of M and "
                "by the spectral step; partly for any",
                COMMAND,
                "the paper clusters the rows of M by k-means; the shapes of the toys are our reading",
            )
        )
    of = len(rows) * len(JUDGED)
    means = {key: np.mean([row[key] for row in rows]) for key in rows[0] if key != "toy"}
    claim = Entry(
        "claim-toys",
        "claim",
        "GWCA solves both toys, where k-means fails",
        verdict(solved, of),
        f"{solved} of {of} cases of a toy, a divergence and a last step; mean accuracy "
        + ", ".join(f"{key} {value:.2f}" for key, value in means.items()),
        "",
        f"accuracy of at least {SOLVED} in all cases; partly in any",
        COMMAND,
        "the paper clusters the rows of M by k-means",
    )
    return [*figures, claim]
