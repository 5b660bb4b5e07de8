"""Words and cells, sparse as they come: the default, and what k-means and a spectral cut make of tf-idf.

Beside them the default of before, members by k-means on columns divided by their standard deviation. It
is kept in the file of rivals, like them: as it was when it was first measured.
"""

import warnings

import numpy as np
from sklearn.cluster import KMeans, SpectralClustering
from sklearn.feature_extraction.text import TfidfTransformer

from .end_to_end import KEY, ROWS, VALUES, failures, keep, measure_default
from .ours import DEFAULT, measure_ours
from .pages import Page, table
from .records import Records
from .rivals import SECONDS, scored
from .sets import chosen, load
from .workers import side_by_side, within

SETS = ["cstr", "k1a", "r8", "webkb4", "pbmc3k"]
BEFORE = "k-means members, columns standardised"
ON_WEIGHTS = {
    "k-means on tf-idf rows": lambda k, seed: KMeans(k, n_init=10, random_state=seed),
    "spectral, nearest neighbours, on tf-idf rows": lambda k, seed: SpectralClustering(
        k, affinity="nearest_neighbors", random_state=seed
    ),
}
METHODS = [DEFAULT, BEFORE, *ON_WEIGHTS]


def run(options):
    n_rows = options.rows or ROWS
    names = [name for name in SETS if name in chosen(options.sets)]
    if not names:
        print("counts: none of the sets is here, or among those chosen.")
        return
    cases = [(name, seed) for name in names for seed in options.seeds(3)]
    rivals = Records(options.cache, KEY, VALUES)
    ours = Records(options.out / "default.csv", KEY, VALUES)
    if options.only != "default" and not options.read:
        measure_rivals(rivals, cases, n_rows, options.processes)
    if options.only != "rivals" and not options.read:
        measure_default(ours, cases, n_rows, options)
    found = {**rivals.read(), **ours.read()}
    keep(options.out / "counts.csv", found, cases, n_rows, METHODS)
    summarise(found, names, n_rows, options.seeds(3)).write(options.out / "counts.md")


def measure_rivals(rivals, cases, n_rows, n_processes):
    """Measure what is not in the file yet."""
    known = rivals.read()
    tasks = [
        (name, n_rows, seed, method)
        for method in (*ON_WEIGHTS, BEFORE)  # the slow one last
        for name, seed in cases
        if (name, str(n_rows), str(seed), method) not in known
    ]
    for row in side_by_side(measure, tasks, n_processes):
        rivals.append([row])
        print(f"{row['set']}, seed {row['seed']}: {row['method']} {row['nmi']:.3f}", flush=True)


def measure(name, n_rows, seed, method):
    warnings.simplefilter("ignore")
    if method == BEFORE:
        parameters = {"generator": "kmeans-restarts", "scaling": "standard"}
        return measure_ours(name, n_rows, seed, method, parameters)
    X, y = load(name, n_rows, seed)
    k = int(y.max()) + 1
    labels, seconds, note = within(SECONDS, _labels, ON_WEIGHTS[method], X, k, seed)
    where = {"set": name, "rows": n_rows, "seed": seed, "method": method}
    return where | scored(labels, y) | {"seconds": round(seconds, 3), "note": note}


def _labels(make, X, k, seed):
    return make(k, seed).fit_predict(TfidfTransformer().fit_transform(X))


def summarise(found, names, n_rows, seeds):
    page = Page(f"Counts, at most {n_rows:,} rows")
    lines, used = [], []
    for method in METHODS:
        keys = [[(name, str(n_rows), str(seed), method) for seed in seeds] for name in names]
        if any(key not in found for line in keys for key in line):
            page.say(f"Not measured on all sets and seeds: {method}.")
            continue
        rows = [[found[key] for key in line] for line in keys]
        values = [np.mean([float(row["nmi"]) for row in line]) for line in rows]
        seconds = np.mean([float(row["seconds"]) for line in rows for row in line])
        shown = [f"{value:.3f}" for value in (*values, np.mean(values))]
        lines.append([method, *shown, f"{seconds:.1f}"])
        used += [row for line in rows for row in line]
    page.add(table(["NMI", *names, "mean", "seconds"], lines))
    failures(page, used)
    return page
