"""The default, data as given, beside what a user would pick instead; the number of classes is given.

Rivals are measured once and kept in rivals.csv, so that the default alone can be run again, with
--only default.
Their seconds are those of one processor on one thread, features ready; the default's are by the clock.
"""

import numpy as np
from scipy.stats import rankdata

from .ours import DEFAULT, measure_ours
from .pages import Page, table
from .records import Records
from .rivals import RIVALS, SECONDS, measure
from .sets import chosen
from .workers import side_by_side

ROWS = 3000
KEY = ["set", "rows", "seed", "method"]
VALUES = ["nmi", "ari", "seconds", "note"]
MUCH = 0.05


def run(options):
    n_rows = options.rows or ROWS
    cases = [(name, seed) for name in chosen(options.sets) for seed in options.seeds(3)]
    rivals = Records(options.cache, KEY, VALUES)
    ours = Records(options.out / "default.csv", KEY, VALUES)
    if options.only != "default" and not options.read:
        measure_rivals(rivals, cases, n_rows, options.processes)
    if options.only != "rivals" and not options.read:
        measure_default(ours, cases, n_rows, options)
    found = {**rivals.read(), **ours.read()}
    methods = RIVALS if options.only == "rivals" else [DEFAULT, *RIVALS]
    keep(options.out / "end-to-end.csv", found, cases, n_rows, methods)
    summarise(found, cases, n_rows, methods).write(options.out / "end-to-end.md")


def measure_rivals(rivals, cases, n_rows, n_processes):
    """Measure what is not in the file yet."""
    known = rivals.read()
    tasks = []
    for name, seed in cases:
        wanted = [m for m in RIVALS if (name, str(n_rows), str(seed), m) not in known]
        if wanted:
            tasks.append((name, n_rows, seed, wanted))
    for rows in side_by_side(measure, tasks, n_processes):
        rivals.append(rows)
        notes = {row["method"]: row["note"] for row in rows if row["note"]}
        best = max(rows, key=lambda row: row["nmi"])
        print(
            f"{best['set']}, seed {best['seed']}: {best['method']} {best['nmi']:.3f} {notes or ''}",
            flush=True,
        )


def measure_default(ours, cases, n_rows, options):
    """Measure the default on every case; what was measured on them before is dropped."""
    stale = {(name, str(n_rows), str(seed)) for name, seed in cases}
    ours.replace([row for key, row in ours.read().items() if key[:3] not in stale])
    tasks = [(name, n_rows, seed) for name, seed in cases]
    # With one process, all threads are free for it and its seconds mean something.
    n_processes = options.processes if options.hurry else 1
    n_threads = 1 if options.hurry else options.processes
    for row in side_by_side(measure_ours, tasks, n_processes, n_threads=n_threads):
        ours.append([row])
        print(
            f"{row['set']}, seed {row['seed']}: default {row['nmi']:.3f}, {row['seconds']:.1f} s "
            f"{row['note']}",
            flush=True,
        )


def keep(path, found, cases, n_rows, methods):
    """Write the rows of these cases and methods."""
    keys = [(name, str(n_rows), str(seed), m) for name, seed in cases for m in methods]
    Records(path, KEY, VALUES).replace([found[key] for key in keys if key in found])


def summarise(found, cases, n_rows, methods):
    page = Page(f"End to end, at most {n_rows:,} rows")
    names = list(dict.fromkeys(name for name, _ in cases))
    seeds = sorted({seed for _, seed in cases})
    whole = [
        name
        for name in names
        if all((name, str(n_rows), str(s), m) in found for s in seeds for m in methods)
    ]
    if len(whole) < len(names):
        missing = [name for name in names if name not in whole]
        page.say(f"Not all methods and seeds have been measured on {', '.join(missing)}: left out.")
    if not whole:
        return page
    rows = [
        [[found[name, str(n_rows), str(s), m] for s in seeds] for m in methods] for name in whole
    ]
    by_set = np.array(
        [
            [[np.mean([float(row[v]) for row in cell]) for v in VALUES[:3]] for cell in line]
            for line in rows
        ]
    )
    page.say(f"{len(whole)} sets, seeds {', '.join(map(str, seeds))}. Rank by mean NMI on a set.")
    ranks = np.array([rankdata(-line) for line in by_set[:, :, 0].round(6)])
    page.add(by_method(methods, by_set.mean(axis=0), ranks.mean(axis=0)))
    if DEFAULT in methods:
        page.say(*margins(methods, by_set.mean(axis=0), ranks.mean(axis=0)))
        beside_the_best(page, whole, methods, by_set)
    else:
        best = by_set[:, :, 0].argmax(axis=1)
        lines = [[n, f"{by_set[i, best[i], 0]:.3f}", methods[best[i]]] for i, n in enumerate(whole)]
        page.add(table(["set", "best rival", "which"], lines))
    failures(page, [row for line in rows for cell in line for row in cell])
    return page


def by_method(methods, means, mean_ranks):
    lines = [
        [
            methods[i],
            *(f"{v:.3f}" for v in means[i, :2]),
            f"{mean_ranks[i]:.2f}",
            f"{means[i, 2]:.2f}",
        ]
        for i in np.argsort(-means[:, 0])
    ]
    return table(["method", "mean NMI", "mean ARI", "mean rank", "seconds"], lines)


def margins(methods, means, mean_ranks):
    """Say which rival is best, and by how much the default leads or trails."""
    best = 1 + int(np.argmax(means[1:, 0]))
    ranked = 1 + int(np.argmin(mean_ranks[1:]))
    yield (
        f"Best single rival by mean NMI: {methods[best]}, {means[best, 0]:.3f}; the default "
        f"{means[0, 0] - means[best, 0]:+.3f}."
    )
    yield (
        f"Best rival by mean rank: {methods[ranked]}, {mean_ranks[ranked]:.2f}; the default "
        f"{mean_ranks[0]:.2f}."
    )


def beside_the_best(page, names, methods, by_set):
    """Every set: the default against the best of all rivals, the worst first."""
    best = 1 + by_set[:, 1:, 0].argmax(axis=1)
    top = by_set[np.arange(len(names)), best, 0]
    lead = by_set[:, 0, 0] - top
    lines = [
        [names[i], f"{by_set[i, 0, 0]:.3f}", f"{top[i]:.3f}", f"{lead[i]:+.3f}", methods[best[i]]]
        for i in np.argsort(lead)
    ]
    page.add(table(["set", "default", "best rival", "difference", "which"], lines))
    lost = [i for i in np.argsort(lead) if lead[i] < -MUCH]
    which = ", ".join(f"{names[i]} {lead[i]:+.3f}" for i in lost)
    page.say(
        f"The default loses by more than {MUCH} to the best of all {len(RIVALS)} rivals on {len(lost)} "
        f"of {len(names)} sets{': ' + which if lost else ''}."
    )


def failures(page, rows):
    """Name what failed, or took too long; it counts as NMI 0."""
    lines = {}
    for row in rows:
        if row["note"]:
            where = f"{row['set']} ({row['seed']})"
            lines.setdefault((row["method"], row["note"][:90]), []).append(where)
    if lines:
        page.say(f"Counted as NMI 0, failed or over {SECONDS} s of processor time:")
        shown = [[method, note, ", ".join(where)] for (method, note), where in lines.items()]
        page.add(table(["method", "why", "sets (seeds)"], shown))
