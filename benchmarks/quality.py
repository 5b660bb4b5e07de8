"""Every consensus function on every constructor and labelled set: agreement with the classes, and ranks.

    CONSILIENCE_DATA=folder python benchmarks/quality.py [--seeds 1] [--rows 1500] [--out results.csv]

Sets are read from the folder (NAME.csv.gz, last column `class`; NAME.npz, sparse, with
NAME.labels.txt.gz); without it, those that ship with scikit-learn are used. Columns are standardised;
sparse sets are weighed by tf-idf and reduced to 50 axes. At most 1,500 rows, drawn at random, so that
quadratic functions can take part. Fifty members each, by four constructors. The number of classes is
given to every function. The same file of results, given with --read, is only summarised again.
"""

import argparse
import csv
import gzip
import os
import time
import warnings
from collections import defaultdict
from pathlib import Path

import numpy as np
from scipy import sparse
from scipy.optimize import linear_sum_assignment
from scipy.stats import rankdata, wilcoxon
from sklearn import datasets
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.metrics import roc_auc_score
from sklearn.metrics.cluster import contingency_matrix
from sklearn.preprocessing import normalize

from consilience.compose._parts import cluster_range
from consilience.consensus import catalogue
from consilience.generate import KMeansRestarts, RandomProjection, Subsample
from consilience.metrics import accuracy, ari, nmi

DENSE = [
    "iris", "wine", "glass", "ionosphere", "soybean_small", "zoo", "new_thyroid", "breast_w", "wdbc",
    "letter_AB", "letter_IJL", "digits389", "satimage_train", "segmentation", "chart",
    "mfeat_fourier", "optdigits", "pendigits", "isolet", "covertype_20k", "fashion_mnist_t10k",
]  # fmt: skip
TEXT = ["cstr", "k1a", "webkb4", "r8"]
COUNTS = ["pbmc3k", "pbmc68k_reduced"]
DEFAULT = "Concord"
COLUMNS = ["set", "constructor", "seed", "function", "nmi", "ari", "accuracy", "seconds", "auroc"]


def load_sets(n_rows, seed):
    """Yield name, features and classes."""
    folder = os.environ.get("CONSILIENCE_DATA")
    rng = np.random.default_rng(seed)
    if folder is None:
        for name in ("iris", "wine", "breast_cancer", "digits"):
            X, y = getattr(datasets, f"load_{name}")(return_X_y=True)
            yield name, *prepare(name, X, y, n_rows, rng)
        return
    for name in DENSE:
        with gzip.open(Path(folder) / f"{name}.csv.gz", "rt") as file:
            rows = list(csv.reader(file))[1:]
        X = np.array([row[:-1] for row in rows], dtype=float)
        yield name, *prepare(name, X, [row[-1] for row in rows], n_rows, rng)
    for name in TEXT + COUNTS:
        X = sparse.load_npz(Path(folder) / f"{name}.npz").tocsr()
        with gzip.open(Path(folder) / f"{name}.labels.txt.gz", "rt") as file:
            y = file.read().split("\n")[: X.shape[0]]
        yield name, *prepare(name, X, y, n_rows, rng)


def prepare(name, X, y, n_rows, rng):
    y = np.asarray(y)
    if len(y) > n_rows:
        chosen = np.sort(rng.choice(len(y), n_rows, replace=False))
        X, y = X[chosen], y[chosen]
    y = np.unique(y, return_inverse=True)[1]
    if not sparse.issparse(X):
        spread = X.std(axis=0)
        return (X - X.mean(axis=0)) / np.where(spread > 0, spread, 1), y
    if name in TEXT:
        X = TfidfTransformer(sublinear_tf=True).fit_transform(abs(X))
    X = TruncatedSVD(min(50, X.shape[1] - 1), random_state=0).fit_transform(X)
    return (normalize(X) if name in TEXT else X), y


def constructors(n_samples, n_columns, n_classes, seed):
    fine = cluster_range(n_classes, n_samples)
    width = min(n_columns, 20) if n_columns >= 20 else -(-n_columns // 2)
    pieces = min(max(15, n_classes), n_samples // 4)
    common = {"n_members": 50, "random_state": seed, "verbose": 0}
    return {
        "random projection": RandomProjection(n_clusters=pieces, n_components=width, **common),
        "k-means, K to sqrt(n)": KMeansRestarts(n_clusters=fine, **common),
        "k-means, K": KMeansRestarts(n_clusters=n_classes, **common),
        "subsamples, K to sqrt(n)": Subsample(n_clusters=fine, left_out="missing", **common),
    }


def functions():
    for name, function in catalogue().items():
        # More than labels, or the same as another on labels alone.
        if not function.capabilities.needs and name not in ("WSPA", "WBPA"):
            yield name, function


def fit(function, ensemble, n_classes):
    chance = {"random_state": 0} if "random_state" in function.parameters else {}
    start = time.perf_counter()
    fitted = function(n_clusters=n_classes, **chance).fit(ensemble)
    return fitted, time.perf_counter() - start


def confidence_auroc(fitted, ensemble, y):
    """AUROC of the share of votes for being right; clusters matched to classes."""
    table = contingency_matrix(fitted.labels_, y)
    clusters, classes = linear_sum_assignment(table, maximize=True)
    right = dict(zip(clusters.tolist(), classes.tolist(), strict=True))
    correct = np.array([right.get(k, -1) for k in fitted.labels_.tolist()]) == y
    shares = fitted.predict_proba(ensemble)[np.arange(len(y)), fitted.labels_]
    return float("nan") if correct.all() or not correct.any() else roc_auc_score(correct, shares)


def run(options):
    with options.out.open("a", newline="") as file:
        writer = csv.writer(file)
        for seed in range(options.first, options.first + options.seeds):
            for name, X, y in load_sets(options.rows, seed):
                n_classes = int(y.max()) + 1
                for made, constructor in constructors(*X.shape, n_classes, seed).items():
                    ensemble = constructor.fit(X).ensemble_
                    for called, function in functions():
                        fitted, seconds = fit(function, ensemble, n_classes)
                        scores = (
                            nmi(fitted.labels_, y),
                            ari(fitted.labels_, y),
                            accuracy(y, fitted.labels_),
                        )
                        sure = confidence_auroc(fitted, ensemble, y) if called == DEFAULT else ""
                        writer.writerow([name, made, seed, called, *scores, seconds, sure])
                file.flush()
                print(name, flush=True)


def tables(results):
    """Return functions, cases and (case, function) matrices of NMI, ARI, accuracy and seconds."""
    cells = defaultdict(list)
    for row in results:
        cells[(row["set"], row["constructor"]), row["function"]].append(
            [float(row[column]) for column in COLUMNS[4:8]]
        )
    cases = sorted({case for case, _ in cells})
    names = sorted({name for _, name in cells})
    found = np.array([[np.mean(cells[case, name], axis=0) for name in names] for case in cases])
    return names, cases, found


def summarise(path):
    with path.open() as file:
        results = list(csv.DictReader(file, fieldnames=COLUMNS))
    names, cases, found = tables(results)
    ranks = np.array([rankdata(-row) for row in found[:, :, 0].round(6)])
    mean_rank, means = ranks.mean(axis=0), found.mean(axis=0)
    order = np.argsort(mean_rank)
    print(f"{len(cases)} ensembles of {len({case[0] for case in cases})} sets\n")
    print("| function | mean rank | NMI | ARI | accuracy | seconds |")
    print("| --- | --- | --- | --- | --- | --- |")
    for k in order:
        print(
            f"| {names[k]} | {mean_rank[k]:.2f} | "
            + " | ".join(f"{v:.3f}" for v in means[k])
            + " |"
        )
    first, second = order[:2]
    test = wilcoxon(found[:, first, 0], found[:, second, 0])
    print(f"\n{names[first]} against {names[second]}, NMI, paired Wilcoxon: p = {test.pvalue:.2g}")
    sets = sorted({case[0] for case in cases})
    winners = []
    for left_out in sets:
        rest = [i for i, case in enumerate(cases) if case[0] != left_out]
        winners.append(names[int(np.argmin(ranks[rest].mean(axis=0)))])
    chosen = {name: winners.count(name) for name in sorted(set(winners))}
    print(f"best mean rank with one set left out at a time: {chosen}")
    by_constructor(names, cases, ranks, found)
    confidence(results)


def by_constructor(names, cases, ranks, found):
    made = sorted({case[1] for case in cases})
    print("\n| mean NMI (mean rank) | " + " | ".join(made) + " |\n|" + " --- |" * (len(made) + 1))
    for k in np.argsort(ranks.mean(axis=0)):
        cells = []
        for name in made:
            here = [i for i, case in enumerate(cases) if case[1] == name]
            cells.append(f"{found[here, k, 0].mean():.3f} ({ranks[here, k].mean():.1f})")
        print(f"| {names[k]} | " + " | ".join(cells) + " |")


def confidence(results):
    """AUROC of the default's confidence, by set, over its ensembles by k-means with many clusters."""
    values = defaultdict(list)
    for row in results:
        if row["function"] == DEFAULT and row["constructor"] == "k-means, K to sqrt(n)":
            values[row["set"]].append(float(row["auroc"]))
    means = {name: np.mean(found) for name, found in values.items() if np.isfinite(found).all()}
    low = {name: round(float(value), 2) for name, value in means.items() if value <= 0.5}
    print(
        f"\nconfidence: AUROC for being right above 0.5 on {sum(v > 0.5 for v in means.values())} of "
        f"{len(means)} sets, median {np.median(list(means.values())):.2f}; exceptions: {low or 'none'}"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--rows", type=int, default=1500)
    parser.add_argument("--out", type=Path, default=Path("quality.csv"))
    parser.add_argument("--read", type=Path, help="summarise these results, run nothing")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    if options.read is None:
        options.out.unlink(missing_ok=True)
        run(options)
    summarise(options.read or options.out)


if __name__ == "__main__":
    main()
