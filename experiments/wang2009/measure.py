"""One run: a new ensemble, new labelled objects, the accuracy of every column of table 3."""

import math
import warnings
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.cluster import SpectralClustering
from sklearn.metrics import pairwise_distances
from sklearn.preprocessing import normalize

from consilience.consensus import CSPA, GWCA, HGPA, NMFC, WC
from consilience.generate import KMeansRestarts
from consilience.metrics import accuracy
from experiments.harness import quietly

N_MEMBERS = 30
FINE = 20
DIVERGENCES = {"EGWCA": "euclidean", "eGWCA": "exponential"}
UNLABELLED = "unlabelled"
ENFORCED = "enforced"
NEIGHBOUR = 7
# Rows of the text sets: the paper does not say.
LENGTH, COUNTS = "texts to length 1", "texts as raw counts"
TEXTS = (LENGTH, COUNTS)


def prepare(X: Any, texts: str = LENGTH) -> Any:
    """Rows of sparse sets to length 1, or as they are; others as they are."""
    if not sparse.issparse(X):
        return X
    return normalize(X.astype(float)) if texts == LENGTH else X.astype(float)


def members(X: Any, n_clusters: int, seed: int, *, scaling: str | None = None) -> Any:
    """Thirty runs of k-means, or of as many clusters as the rows allow."""
    made = KMeansRestarts(
        n_members=N_MEMBERS,
        n_clusters=min(n_clusters, X.shape[0] - 1),
        scaling=scaling,
        random_state=seed,
        verbose=0,
    )
    with quietly():
        return made.fit(X).ensemble_


def draw_labels(y: Any, seed: int, share: float = 0.1) -> Any:
    """Classes of a tenth of the objects, drawn at random; -1 for the others."""
    known = np.full(len(y), -1)
    rng = np.random.default_rng(seed)
    chosen = rng.choice(len(y), math.ceil(share * len(y)), replace=False)
    known[chosen] = y[chosen]
    return known


def weighted(ensemble: Any, y: Any, known: Any, *, enforce: bool = True) -> dict[str, float]:
    """GWCA without and with constraints, on all objects and on those without a label.

    `ENFORCED`, if asked for: labels are repaired until they satisfy all constraints; otherwise
    constraints shape M alone, as in the paper.
    """
    n_clusters, hidden = len(np.unique(y)), known < 0
    found = {}
    for name, divergence in DIVERGENCES.items():
        model = GWCA(n_clusters, divergence=divergence, random_state=0)
        strict = GWCA(n_clusters, divergence=divergence, enforce=True, random_state=0)
        with quietly():
            labels = {
                name: model.fit(ensemble).labels_,
                f"SS{name}": model.fit(ensemble, partial_labels=known).labels_,
            }
            if enforce:
                strict.fit(ensemble, partial_labels=known)
                labels[f"SS{name}, {ENFORCED}"] = strict.labels_
        for column, given in labels.items():
            found[column] = accuracy(given, y)
            found[f"{column}, {UNLABELLED}"] = accuracy(given[hidden], y[hidden])
    return found


def others(ensemble: Any, y: Any) -> dict[str, float]:
    """The functions of others."""
    n_clusters = len(np.unique(y))
    functions: dict[str, Any] = {
        "CSPA": CSPA(n_clusters, partitioner="metis", random_state=0),
        "HGPA": HGPA(n_clusters, partitioner="hypergraph", random_state=0),
        "NMFC": NMFC(n_clusters, random_state=0),
        "WC": WC(n_clusters, random_state=0),
    }
    with quietly():
        return {name: accuracy(f.fit(ensemble).labels_, y) for name, f in functions.items()}


def spectral_accuracy(X: Any, y: Any) -> float:
    """Spectral clustering of the data themselves."""
    distance = pairwise_distances(X)
    width = np.median(np.partition(distance, NEIGHBOUR, axis=1)[:, NEIGHBOUR])
    kernel = np.exp(-np.square(distance / width) / 2)
    model = SpectralClustering(
        len(np.unique(y)), affinity="precomputed", assign_labels="discretize", random_state=0
    )
    with warnings.catch_warnings():
        # Rows far from all others have weights that round to zero.
        warnings.filterwarnings("ignore", message="Graph is not fully connected")
        return accuracy(model.fit(kernel).labels_, y)


def one_run(X: Any, y: Any, seed: int) -> dict[str, dict[str, float]]:
    """Accuracies by setting (clusters of the members) and column of table 3."""
    n_classes, known = len(np.unique(y)), draw_labels(y, seed)
    coarse = members(X, n_classes, seed)
    settings = {"20": coarse if n_classes == FINE else members(X, FINE, seed), "classes": coarse}
    single = float(np.mean([accuracy(labels, y) for labels in coarse.labels.T]))
    found: dict[str, dict[str, float]] = {}
    for setting, ensemble in settings.items():
        if setting == "classes" and n_classes == FINE:
            found[setting] = found["20"]
            continue
        found[setting] = {"KMeans": single, **others(ensemble, y), **weighted(ensemble, y, known)}
    return found


def descents(X: Any, y: Any) -> dict[str, bool]:
    """Whether the objective of GWCA never rises, by divergence, on one ensemble."""
    ensemble, found = members(prepare(X), FINE, 0), {}
    for name in ("euclidean", "exponential", "kl", "itakura-saito", "logistic"):
        model = GWCA(len(np.unique(y)), divergence=name, random_state=0)
        with quietly():
            history = np.asarray(model.fit(ensemble).history_)
        found[name] = bool(np.all(np.diff(history) <= 1e-9 * np.abs(history[:-1]) + 1e-12))
    return found


def measure(X: Any, y: Any, n_runs: int, texts: str = LENGTH) -> dict[str, dict[str, float]]:
    """Means over runs; spectral clustering of the data has nothing random worth repeating."""
    X = prepare(X, texts)
    runs = [one_run(X, y, seed) for seed in range(n_runs)]
    alone = spectral_accuracy(X, y)
    return {
        setting: {
            "SC": alone,
            **{name: float(np.mean([run[setting][name] for run in runs])) for name in columns},
        }
        for setting, columns in runs[0].items()
    }


def measure_choice(
    X: Any, y: Any, n_runs: int, *, fine: bool, scaling: str | None, enforce: bool = True
) -> dict[str, float]:
    """GWCA alone, with members of 20 clusters or of as many as classes, and scaled features."""
    n_clusters = FINE if fine else len(np.unique(y))
    runs = [
        weighted(
            members(X, n_clusters, seed, scaling=scaling),
            y,
            draw_labels(y, seed),
            enforce=enforce,
        )
        for seed in range(n_runs)
    ]
    return {name: float(np.mean([run[name] for run in runs])) for name in runs[0]}
