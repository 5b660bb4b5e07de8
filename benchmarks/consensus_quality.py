"""Mean NMI of every consensus function on real sets, fifty members each.

    CONSILIENCE_DATA=folder python benchmarks/consensus_quality.py [--seeds 3] [--out table.csv]

Sets are read from the folder (NAME.csv.gz, last column `class`); without it, those that ship with
scikit-learn are used. Two ensembles per set: random projection (k-means with 15 clusters in a random
projection, as in fern2004) and k-means restarts with the number of classes. The number of classes is
given to every function; functions whose answer has fewer clusters without a warning are named.
"""

import argparse
import csv
import gzip
import os
import time
import warnings
from pathlib import Path

import numpy as np
from sklearn import datasets
from sklearn.cluster import KMeans
from sklearn.preprocessing import StandardScaler

from consilience import Ensemble
from consilience.consensus import catalogue
from consilience.exceptions import ConsilienceWarning, FewerClustersWarning
from consilience.metrics import nmi

NAMES = [
    "iris", "wine", "soybean_small", "new_thyroid", "glass", "ionosphere", "zoo", "wdbc", "breast_w",
    "chart", "letter_AB", "letter_IJL", "digits389", "segmentation", "mfeat_fourier", "satimage_test",
]  # fmt: skip
N_MEMBERS = 50


def load_sets():
    folder = os.environ.get("CONSILIENCE_DATA")
    if folder is None:
        loaders = {
            "iris": datasets.load_iris,
            "wine": datasets.load_wine,
            "wdbc": datasets.load_breast_cancer,
            "digits": datasets.load_digits,
        }
        for name, loader in loaders.items():
            yield name, *loader(return_X_y=True)
        return
    for name in NAMES:
        with gzip.open(Path(folder) / f"{name}.csv.gz", "rt") as file:
            rows = list(csv.reader(file))[1:]
        features = np.array([row[:-1] for row in rows], dtype=float)
        yield name, features, np.unique([row[-1] for row in rows], return_inverse=True)[1]


def random_projections(features, n_classes, rng):  # noqa: ARG001 - as `restarts`
    """k-means with 15 clusters in projections that keep about as many dimensions as 90 % of variance."""
    spread = np.linalg.svd(features - features.mean(axis=0), compute_uv=False) ** 2
    width = max(2, int(np.searchsorted(np.cumsum(spread) / spread.sum(), 0.9)) + 1)
    for _ in range(N_MEMBERS):
        projection = rng.normal(size=(features.shape[1], width))
        projection /= np.linalg.norm(projection, axis=0)
        yield cluster(features @ projection, min(15, len(features) // 3), rng)


def restarts(features, n_classes, rng):
    for _ in range(N_MEMBERS):
        yield cluster(features, n_classes, rng)


def cluster(features, n_clusters, rng):
    seed = int(rng.integers(2**31))
    kmeans = KMeans(n_clusters, init="random", n_init=1, random_state=seed)
    return kmeans.fit_predict(features)


def fit(function, ensemble, n_classes):
    """Fit by name; return labels, seconds, and whether clusters were lost in silence."""
    parameters = {"n_clusters": n_classes}
    if "random_state" in function.parameters:
        parameters["random_state"] = 0
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ConsilienceWarning)
        start = time.perf_counter()
        fitted = function(**parameters).fit(ensemble)
        seconds = time.perf_counter() - start
    warned = any(issubclass(warning.category, FewerClustersWarning) for warning in caught)
    return fitted.labels_, seconds, fitted.n_clusters_ < n_classes and not warned


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    results = []
    for name, raw, truth in load_sets():
        features = StandardScaler().fit_transform(raw)
        n_classes = len(np.unique(truth))
        for generate in (random_projections, restarts):
            for seed in range(options.seeds):
                rng = np.random.default_rng(seed)
                ensemble = Ensemble(list(generate(features, n_classes, rng)))
                base = np.mean([nmi(member, truth) for member in ensemble.labels.T])
                results.append((name, generate.__name__, seed, "a member", base, 0.0, False))
                for function_name, function in catalogue().items():
                    if function.capabilities.needs:
                        continue  # more than labels
                    labels, seconds, silent = fit(function, ensemble, n_classes)
                    row = (nmi(labels, truth), seconds, silent)
                    results.append((name, generate.__name__, seed, function_name, *row))
        print(name, flush=True)
    if options.out:
        with options.out.open("w", newline="") as file:
            csv.writer(file).writerows(results)
    summarise(results)


def summarise(results):
    functions = sorted({row[3] for row in results})
    generators = ["random_projections", "restarts"]
    print(
        "\n| function | NMI, random projections | NMI, k-means restarts | s a fit | silent losses |"
    )
    print("| --- | --- | --- | --- | --- |")
    rows = []
    for function in functions:
        means = [
            np.mean([row[4] for row in results if row[3] == function and row[1] == generator])
            for generator in generators
        ]
        seconds = np.mean([row[5] for row in results if row[3] == function])
        silent = sum(row[6] for row in results if row[3] == function)
        rows.append(
            (
                means[0],
                f"| {function} | {means[0]:.3f} | {means[1]:.3f} | {seconds:.2f} | {silent} |",
            )
        )
    for _, line in sorted(rows, reverse=True):
        print(line)


if __name__ == "__main__":
    main()
