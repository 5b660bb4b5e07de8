"""Measure the answers of ConsensusClustering, the number of clusters given and chosen.

    python -m benchmarks.judge.measure OUT.csv [--suites made normals referee real] [--half design]
        [--modes given auto] [--seeds 3] [--processes 2]
    python -m benchmarks.judge.measure OUT.csv --compare BEFORE.csv

Rows that are in the file already are kept, so a run can be interrupted. A given number is that of the
first reference, or of each of several; the score is the best over the references. Data without clusters
score 1 for one cluster and 0 for more. Real tables need the folder CONSILIENCE_DATA.
"""

import argparse
import csv
import time
import warnings
from collections import defaultdict
from pathlib import Path

import numpy as np
from benchmarks.judge.suites import cases
from joblib import Parallel, delayed

from consilience import ConsensusClustering

FIELDS = [
    "suite", "set", "n", "d", "mode", "seed", "true", "k", "answer", "ari", "ami", "nmi", "doubts",
    "seconds",
]  # fmt: skip
KEY = ["suite", "set", "mode", "seed"]


def measure(case, mode, seed):
    """Return a row for one case: one fit, or one for every number of clusters that is right."""
    warnings.simplefilter("ignore")
    numbers = case.numbers()
    if mode == "given" and numbers == [1]:
        return None
    start = time.perf_counter()
    fits = {
        k: ConsensusClustering(n_clusters=k, random_state=seed, n_jobs=1, verbose=0).fit(case.X)
        for k in (numbers if mode == "given" else ["auto"])
    }
    seconds = (time.perf_counter() - start) / len(fits)
    ari, ami, nmi = case.scores({k: model.labels_ for k, model in fits.items()})
    model = next(iter(fits.values()))
    answer = "given" if mode == "given" else model.answer_
    row = [
        case.suite, case.name, *case.X.shape, mode, seed, " ".join(map(str, numbers)),
        model.n_clusters_, answer, f"{ari:.4f}", f"{ami:.4f}", f"{nmi:.4f}", len(model.doubts_),
        f"{seconds:.2f}",
    ]  # fmt: skip
    return dict(zip(FIELDS, row, strict=True))


def read(path):
    """Return the rows of a file by their key."""
    if not Path(path).exists():
        return {}
    with Path(path).open(newline="") as file:
        return {tuple(row[name] for name in KEY): row for row in csv.DictReader(file)}


def run(options):
    known = read(options.out)
    jobs = [
        (case, mode, seed)
        for seed in range(options.seeds)
        for suite in options.suites
        for case in cases(suite, folder=options.folder, half=options.half)
        for mode in options.modes
        if (suite, case.name, mode, str(seed)) not in known
    ]
    rows = Parallel(options.processes, return_as="generator_unordered", batch_size=1)(
        delayed(measure)(*job) for job in jobs
    )
    with Path(options.out).open("a", newline="") as file:
        writer = csv.DictWriter(file, FIELDS)
        if not known:
            writer.writeheader()
        for row in rows:
            if row is not None:
                writer.writerow(row)
                file.flush()


def figures(rows):
    """Return lines of mean figures by suite and mode."""
    groups = defaultdict(list)
    for row in rows.values():
        structured = "clusters" if row["true"] != "1" else "none"
        groups[row["suite"], structured, row["mode"]].append(row)
    lines = []
    for (suite, structured, mode), found in sorted(groups.items()):
        mean = {name: np.mean([float(row[name]) for row in found]) for name in FIELDS[9:]}
        right = np.mean([row["k"] in row["true"].split() for row in found])
        said = [row["answer"] for row in found]
        shares = {word: said.count(word) / len(said) for word in ("clusters", "unsure", "one")}
        doubted = np.mean([row["doubts"] != "0" for row in found if float(row["ari"]) > 0.9] or [0])
        lines.append(
            f"{suite:8s} {structured:9s} {mode:6s} {len(found):4d}  ARI {mean['ari']:.3f}  AMI "
            f"{mean['ami']:.3f}  NMI {mean['nmi']:.3f}  k right {right:.2f}  clusters "
            f"{shares['clusters']:.2f}  unsure {shares['unsure']:.2f}  one {shares['one']:.2f}  "
            f"doubts where right {doubted:.2f}  {mean['seconds']:.2f} s"
        )
    return lines


def compare(after, before):
    """Return lines for the sets whose mean ARI differs by more than .1, the worst first."""
    means = []
    for rows in (before, after):
        found = defaultdict(list)
        for row in rows.values():
            found[row["suite"], row["set"], row["mode"]].append((float(row["ari"]), row["k"]))
        means.append(found)
    gaps = []
    for key in means[0].keys() & means[1].keys():
        old, new = (np.mean([score for score, _ in found[key]]) for found in means)
        if abs(new - old) > 0.1:
            numbers = " ".join(k for _, k in means[1][key])
            gaps.append(
                (new - old, f"{new - old:+.2f}  {old:.2f} -> {new:.2f}  {key}  k {numbers}")
            )
    return [line for _, line in sorted(gaps)]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out")
    parser.add_argument("--suites", nargs="+", default=["made", "normals", "referee", "real"])
    parser.add_argument("--modes", nargs="+", default=["given", "auto"])
    parser.add_argument("--half", default="all", choices=["design", "unseen", "all"])
    parser.add_argument("--folder", help="of the referee's batteries")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--processes", type=int, default=-1)
    parser.add_argument("--compare", help="a file of an earlier run; nothing is measured")
    options = parser.parse_args()
    if options.compare:
        print("\n".join(compare(read(options.out), read(options.compare))))
    else:
        run(options)
        print("\n".join(figures(read(options.out))))


if __name__ == "__main__":
    main()
