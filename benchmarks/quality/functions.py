"""Every consensus function on every constructor and labelled set: agreement with the classes, and ranks.

Columns are standardised; sparse sets are weighed by tf-idf and reduced to 50 axes. At most 1,500 rows,
drawn at random, so that quadratic functions can take part. Fifty members each, by four constructors. The
number of classes is given to every function. With --read, results that are there are summarised again.
"""

import time
from collections import defaultdict

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.stats import rankdata, wilcoxon
from sklearn.metrics import roc_auc_score
from sklearn.metrics.cluster import contingency_matrix

from consilience.consensus import catalogue
from consilience.generate import KMeansRestarts, RandomProjection, Subsample
from consilience.metrics import accuracy, ari, nmi

from .pages import Page, table
from .records import Records
from .sets import chosen, load, prepare

ROWS = 1500
DEFAULT = "Concord"
FINE = "k-means, K to sqrt(n)"
KEY = ["set", "constructor", "seed", "function"]
SCORES = ["nmi", "ari", "accuracy", "seconds"]


def run(options):
    records = Records(options.out / "functions.csv", KEY, [*SCORES, "auroc"])
    if not options.read:
        records.path.unlink(missing_ok=True)
        for seed in options.seeds(1):
            for name in chosen(options.sets):
                X, y = load(name, options.rows or ROWS, seed)
                records.append(measure(name, prepare(name, X), y, seed, wanted(options.functions)))
                print(f"{name}, seed {seed}", flush=True)
    summarise(list(records.read().values())).write(options.out / "functions.md")


def wanted(names):
    """Return the functions named; all that need labels only, if none is."""
    # Not those that need more than labels, or are the same as another on labels alone.
    found = {
        name: function
        for name, function in catalogue().items()
        if not function.capabilities.needs and name not in ("WSPA", "WBPA")
    }
    return {name: found[name] for name in names} if names else found


def constructors(n_samples, n_columns, n_classes, seed):
    fine = n_classes, max(n_classes, min(60, int(np.sqrt(n_samples))))
    width = min(n_columns, 20) if n_columns >= 20 else -(-n_columns // 2)
    pieces = min(max(15, n_classes), n_samples // 4)
    common = {"n_members": 50, "random_state": seed, "verbose": 0}
    return {
        "random projection": RandomProjection(n_clusters=pieces, n_components=width, **common),
        FINE: KMeansRestarts(n_clusters=fine, **common),
        "k-means, K": KMeansRestarts(n_clusters=n_classes, **common),
        "subsamples, K to sqrt(n)": Subsample(n_clusters=fine, left_out="missing", **common),
    }


def measure(name, X, y, seed, functions):
    """Yield a row for every constructor and function."""
    n_classes = int(y.max()) + 1
    for made, constructor in constructors(*X.shape, n_classes, seed).items():
        ensemble = constructor.fit(X).ensemble_
        for called, function in functions.items():
            fitted, seconds = fit(function, ensemble, n_classes)
            row = {"set": name, "constructor": made, "seed": seed, "function": called}
            row |= {"nmi": nmi(fitted.labels_, y), "ari": ari(fitted.labels_, y)}
            row |= {"accuracy": accuracy(y, fitted.labels_), "seconds": seconds}
            if called == DEFAULT:
                row["auroc"] = confidence_auroc(fitted, ensemble, y)
            yield row


def fit(function, ensemble, n_classes):
    chance = {"random_state": 0} if "random_state" in function.parameters else {}
    start = time.perf_counter()
    fitted = function(n_clusters=n_classes, **chance).fit(ensemble)
    return fitted, time.perf_counter() - start


def confidence_auroc(fitted, ensemble, y):
    """AUROC of the share of votes for being right; clusters matched to classes."""
    counts = contingency_matrix(fitted.labels_, y)
    clusters, classes = linear_sum_assignment(counts, maximize=True)
    right = dict(zip(clusters.tolist(), classes.tolist(), strict=True))
    correct = np.array([right.get(k, -1) for k in fitted.labels_.tolist()]) == y
    shares = fitted.predict_proba(ensemble)[np.arange(len(y)), fitted.labels_]
    return float("nan") if correct.all() or not correct.any() else roc_auc_score(correct, shares)


def matrices(results):
    """Return functions, cases and (case, function) matrices of NMI, ARI, accuracy and seconds."""
    cells = defaultdict(list)
    for row in results:
        scores = [float(row[column]) for column in SCORES]
        cells[(row["set"], row["constructor"]), row["function"]].append(scores)
    cases = sorted({case for case, _ in cells})
    names = sorted({name for _, name in cells})
    found = np.array([[np.mean(cells[case, name], axis=0) for name in names] for case in cases])
    return names, cases, found


def summarise(results):
    names, cases, found = matrices(results)
    ranks = np.array([rankdata(-row) for row in found[:, :, 0].round(6)])
    mean_rank, means = ranks.mean(axis=0), found.mean(axis=0)
    order = np.argsort(mean_rank)
    sets = sorted({case[0] for case in cases})
    page = Page("Every function on every constructor")
    page.say(f"{len(cases)} ensembles of {len(sets)} sets.")
    lines = [[names[k], f"{mean_rank[k]:.2f}", *(f"{v:.3f}" for v in means[k])] for k in order]
    page.add(table(["function", "mean rank", "NMI", "ARI", "accuracy", "seconds"], lines))
    if len(names) > 1:
        first, second = order[:2]
        p_value = wilcoxon(found[:, first, 0], found[:, second, 0]).pvalue
        page.say(
            f"{names[first]} against {names[second]}, NMI, paired Wilcoxon: p = {p_value:.2g}."
        )
    winners = []
    for left_out in sets if len(sets) > 1 else []:
        rest = [i for i, case in enumerate(cases) if case[0] != left_out]
        winners.append(names[int(np.argmin(ranks[rest].mean(axis=0)))])
    best = {name: winners.count(name) for name in sorted(set(winners))}
    page.say(f"Best mean rank with one set left out at a time: {best}.")
    by_constructor(page, names, cases, ranks, found)
    confidence(page, results)
    return page


def by_constructor(page, names, cases, ranks, found):
    made = sorted({case[1] for case in cases})
    lines = []
    for k in np.argsort(ranks.mean(axis=0)):
        cells = []
        for name in made:
            here = [i for i, case in enumerate(cases) if case[1] == name]
            cells.append(f"{found[here, k, 0].mean():.3f} ({ranks[here, k].mean():.1f})")
        lines.append([names[k], *cells])
    page.add(table(["mean NMI (mean rank)", *made], lines))


def confidence(page, results):
    """AUROC of the default's confidence, by set, over its ensembles by k-means with many clusters."""
    values = defaultdict(list)
    for row in results:
        if row["function"] == DEFAULT and row["constructor"] == FINE:
            values[row["set"]].append(float(row["auroc"]))
    means = {name: np.mean(found) for name, found in values.items() if np.isfinite(found).all()}
    low = {name: round(float(value), 2) for name, value in means.items() if value <= 0.5}
    if means:
        page.say(
            f"Confidence: AUROC for being right above 0.5 on {sum(v > 0.5 for v in means.values())} of "
            f"{len(means)} sets, median {np.median(list(means.values())):.2f}; exceptions: "
            f"{low or 'none'}."
        )
