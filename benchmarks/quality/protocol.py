"""The published protocol: ten members drawn from a hundred runs of k-means, twenty times over.

Each labelled set, at most 2,000 rows, columns standardised, text by tf-idf on 50 axes, has a pool of 100
members by k-means with the number of clusters drawn from 2 .. sqrt(n). Functions of linear cost, and the
linkage functions, combine ten members drawn at random; the number of classes is given. Pools are kept in
the folder. With --functions only those named are measured, again if they have been before; the other
rows stay.
"""

import math
import warnings
from collections import defaultdict

import numpy as np
from scipy.stats import rankdata

from consilience import Ensemble
from consilience.consensus import catalogue
from consilience.generate import KMeansRestarts

from .pages import Page, table
from .records import Records
from .rivals import scored
from .sets import chosen, load, prepare
from .workers import attempt, side_by_side

ROWS = 2000
POOL, N_MEMBERS, N_DRAWS = 100, 10, 20
LINKAGE = ("HAC", "LWEA", "LWCL")
KEY = ["set", "rows", "seed", "draw", "function"]
COMPARED = ("Concord", "LWEA")


def run(options):
    n_rows = options.rows or ROWS
    records = Records(options.out / "protocol.csv", KEY, ["nmi", "ari", "seconds", "note"])
    if not options.functions and not options.read:
        records.path.unlink(missing_ok=True)
    cases = [
        (_pool_path(options.out, name, n_rows, seed), name, n_rows, seed)
        for name in chosen(options.sets)
        for seed in options.seeds(1)
    ]
    missing = [case for case in cases if not case[0].exists()]
    for path in side_by_side(make_pool, missing, options.processes):
        print(f"pool: {path}", flush=True)
    functions = options.functions or usual()
    unknown = set(functions) - set(catalogue())
    if unknown:
        raise SystemExit(f"--functions: no function called {', '.join(sorted(unknown))}.")
    draws = range(options.draws or N_DRAWS)
    tasks = [(*case, draw, functions) for case in cases for draw in draws if not options.read]
    for rows in side_by_side(measure, tasks, options.processes):
        records.append(rows)
        if rows[0]["draw"] == draws[-1]:
            print(f"{rows[0]['set']}, seed {rows[0]['seed']}", flush=True)
    wanted = {(case[1], str(n_rows), str(case[3]), str(draw)) for case in cases for draw in draws}
    found = [row for key, row in records.read().items() if key[:4] in wanted]
    summarise(found, len(wanted)).write(options.out / "protocol.md")


def usual():
    """Return the names of all functions that take part unless others are named."""
    return [
        name
        for name, function in catalogue().items()
        if (function.capabilities.cost == "linear" or name in LINKAGE)
        and not function.capabilities.needs
        and name not in ("WSPA", "WBPA")  # the same as others on labels alone
    ]


def _pool_path(folder, name, n_rows, seed):
    return folder / "pools" / f"{name}-{n_rows}-{seed}.npz"


def make_pool(path, name, n_rows, seed):
    """Write the labels of a hundred members, and the classes."""
    warnings.simplefilter("ignore")
    X, y = load(name, n_rows, seed)
    pool = KMeansRestarts(
        n_members=POOL, n_clusters=(2, math.isqrt(len(y))), random_state=seed, verbose=0
    ).fit(prepare(name, X))
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(path, labels=pool.ensemble_.labels, classes=y)
    return path


def measure(path, name, n_rows, seed, draw, functions):
    """Return a row for every function on one draw of ten members."""
    warnings.simplefilter("ignore")
    with np.load(path) as file:
        pool, y = file["labels"], file["classes"]
    rng = np.random.default_rng([seed, draw])
    ensemble = Ensemble(pool[:, rng.choice(POOL, N_MEMBERS, replace=False)])
    rows = []
    for called in functions:
        function = catalogue()[called]
        chance = {"random_state": draw} if "random_state" in function.parameters else {}
        fit = function(n_clusters=int(y.max()) + 1, **chance).fit_predict
        labels, seconds, note = attempt(fit, ensemble)
        where = {"set": name, "rows": n_rows, "seed": seed, "draw": draw, "function": called}
        rows.append(where | scored(labels, y) | {"seconds": round(seconds, 4), "note": note})
    return rows


def summarise(rows, n_draws):
    """Means by function; a function that was not measured on all draws is left out, and named."""
    page = Page(f"The published protocol: {N_MEMBERS} of {POOL} members by k-means")
    cells, counted = defaultdict(list), defaultdict(int)
    for row in rows:
        scores = [float(row[column]) for column in ("nmi", "ari", "seconds")]
        cells[row["function"], row["set"]].append(scores)
        counted[row["function"]] += 1
    functions = sorted(name for name in counted if counted[name] == n_draws)
    partly = sorted(set(counted) - set(functions))
    if partly:
        page.say(f"Not measured on all draws, left out: {', '.join(partly)}.")
    sets = sorted({row["set"] for row in rows})
    page.say(f"{n_draws} draws of {len(sets)} sets. Rank by mean NMI on a set.")
    if not functions:
        return page
    found = np.array(
        [[np.mean(cells[name, where], axis=0) for name in functions] for where in sets]
    )
    means = found.mean(axis=0)
    ranks = np.array([rankdata(-line) for line in found[:, :, 0].round(6)]).mean(axis=0)
    lines = [
        [functions[i], *(f"{v:.4f}" for v in means[i, :2]), f"{ranks[i]:.2f}", f"{means[i, 2]:.3f}"]
        for i in np.argsort(-means[:, 0])
    ]
    page.add(table(["function", "mean NMI", "mean ARI", "mean rank", "seconds"], lines))
    failed = [row for row in rows if row["note"]]
    if failed:
        named = sorted({f"{row['function']} on {row['set']}: {row['note'][:90]}" for row in failed})
        page.say(f"{len(failed)} fits failed and count as NMI 0. {'; '.join(named)}")
    if set(COMPARED) <= set(functions):
        compare(page, functions, sets, found[:, :, 0])
    return page


def compare(page, functions, sets, scores):
    """Every set: the default function against the one to beat, the worst first."""
    ours, other = (scores[:, functions.index(name)] for name in COMPARED)
    lead = ours - other
    page.say(
        f"{COMPARED[0]} against {COMPARED[1]}: {lead.mean():+.4f}, better on {np.sum(lead > 0)} of "
        f"{len(sets)} sets."
    )
    lines = []
    for i in np.argsort(lead):
        values = [f"{ours[i]:.3f}", f"{other[i]:.3f}", f"{lead[i]:+.3f}", f"{scores[i].max():.3f}"]
        lines.append([sets[i], *values, functions[int(scores[i].argmax())]])
    page.add(table(["set", *COMPARED, "difference", "best", "which"], lines))
