"""Unequal blobs: does the default find clusters that are plainly there, whatever their sizes?

A hundred sets of 1,000 objects in 2 to 6 Gaussians of unit variance, in 2, 5 or 10 dimensions. Sizes are
drawn from Dirichlet(.5); a cluster of fewer than 10 objects is filled up to 10 from the largest. Centres
are drawn from a Gaussian and scaled so that the nearest two are 6 to 8 standard deviations apart.
"""

import warnings

import numpy as np
from scipy.spatial.distance import pdist
from sklearn.cluster import AgglomerativeClustering, KMeans

import consilience
from consilience import ConsensusClustering
from consilience.metrics import ari

from .pages import Page, table
from .records import Records
from .workers import side_by_side

N_SETS, N_SAMPLES, SMALLEST = 100, 1000, 10
RIGHT = 0.9
METHODS = ("default", "k-means", "Ward")
COLUMNS = ["sizes", "columns", *METHODS, "grade", "headline", "verdict"]


def run(options):
    if options.read:
        return
    tasks = [(seed,) for seed in range(options.blobs or N_SETS)]
    records = Records(options.out / "blobs.csv", ["seed"], COLUMNS)
    records.path.unlink(missing_ok=True)
    found = []
    for row in side_by_side(measure, tasks, options.processes):
        records.append([row])
        found.append(row)
        if row["default"] < RIGHT:
            print(
                f"set {row['seed']}: ARI {row['default']:.2f}, sizes {row['sizes']}: {row['headline']}",
                flush=True,
            )
    summarise(sorted(found, key=lambda row: row["seed"])).write(options.out / "blobs.md")


def blobs(seed):
    """Return the features and the true labels of one set."""
    rng = np.random.default_rng(seed)
    k = int(rng.integers(2, 7))
    n_columns = int(rng.choice([2, 5, 10]))
    sizes = rng.multinomial(N_SAMPLES, rng.dirichlet(np.full(k, 0.5)))
    sizes = np.maximum(sizes, SMALLEST)
    sizes[np.argmax(sizes)] -= sizes.sum() - N_SAMPLES
    centres = rng.standard_normal((k, n_columns))
    centres *= rng.uniform(6, 8) / pdist(centres).min()
    y = np.repeat(np.arange(k), sizes)
    return centres[y] + rng.standard_normal((N_SAMPLES, n_columns)), y


def measure(seed):
    warnings.simplefilter("ignore")
    X, y = blobs(seed)
    k = int(y.max()) + 1
    model = ConsensusClustering(n_clusters=k, random_state=0, verbose=0).fit(X)
    answer = consilience.report(model).summary["verdict"]
    return {
        "seed": seed,
        "sizes": " ".join(map(str, np.bincount(y))),
        "columns": X.shape[1],
        "default": ari(model.labels_, y),
        "k-means": ari(KMeans(k, n_init=10, random_state=0).fit_predict(X), y),
        "Ward": ari(AgglomerativeClustering(k).fit_predict(X), y),
        "grade": answer["grade"],
        "headline": answer["headline"],
        "verdict": model.verdict_,
    }


def summarise(rows):
    page = Page(f"Unequal blobs, {len(rows)} sets")
    lines = []
    for method in METHODS:
        values = np.array([row[method] for row in rows])
        lines.append([method, f"{np.mean(values >= RIGHT):.0%}", f"{values.mean():.3f}"])
    page.add(table(["method", f"share with ARI >= {RIGHT}", "mean ARI"], lines))
    failed = [row for row in rows if row["default"] < RIGHT]
    sure = [
        row for row in failed if "the clusterings agree" in f"{row['headline']} {row['verdict']}"
    ]
    green = [row for row in failed if row["grade"] == "clear"]
    page.say(
        f"The default fails on {len(failed)}; of these the verdict says that the clusterings agree on "
        f"{len(sure)}, and is green on {len(green)}."
    )
    if failed:
        names = ["seed", "sizes", "columns", *METHODS]
        shown = [
            [
                row[name] if isinstance(row[name], int | str) else f"{row[name]:.2f}"
                for name in names
            ]
            + [f"{row['headline']} ({row['grade']}). {row['verdict']}"]
            for row in failed
        ]
        page.add(table([*names, "verdict"], shown))
    return page
