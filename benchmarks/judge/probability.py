"""Fit the probability that there are clusters, and show how reliable it is.

    python -m benchmarks.judge.probability OUT.csv [--draws 2] [--processes 2]

The data are fresh draws of the families of made_sets.py, not the sets themselves. The two numbers that
are printed stand in `consilience.answer._settings.LOG_ODDS`. For the table of reliability every family
is left out once: its probabilities come from a fit to the others.
"""

import argparse
import csv
import warnings
from pathlib import Path

import numpy as np
from benchmarks.judge.made_sets import FAMILIES
from joblib import Parallel, delayed
from sklearn.linear_model import LogisticRegression

from consilience.answer._choose import Asked, answer_of, choose, gather

BINS = 10


def draw(place, number, times):
    """Return a family, whether it has clusters, and cost / gain of the best answer."""
    warnings.simplefilter("ignore")
    family, (_, make) = list(FAMILIES.items())[place]
    X, y, *_ = make(np.random.default_rng([2027, place, number, times]), number)
    X = np.asarray(X, dtype=float)
    least = max(2, 0.01 * len(X))
    evidence = gather(X, Asked(None, "auto", least, None, None, 30, times, 1))
    best = answer_of(evidence, choose(evidence).n_clusters)
    return family, bool(np.max(y) > 0), best.cost / max(best.gain, 0.02)


def fit(share, has_clusters):
    """Return constant and slope of the log odds."""
    model = LogisticRegression(C=10.0).fit(share[:, None], has_clusters)
    return float(model.intercept_[0]), -float(model.coef_[0, 0])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--draws", type=int, default=2)
    parser.add_argument("--processes", type=int, default=-1)
    options = parser.parse_args()
    jobs = [
        (place, number, times)
        for place, (n_sets, _) in enumerate(FAMILIES.values())
        for number in range(n_sets)
        for times in range(options.draws)
    ]
    found = Parallel(options.processes, batch_size=1)(delayed(draw)(*job) for job in jobs)
    family = np.array([row[0] for row in found])
    has_clusters = np.array([row[1] for row in found])
    share = np.array([row[2] for row in found])
    print("LOG_ODDS = ({:.2f}, {:.2f})".format(*fit(share, has_clusters)))
    said = np.empty(len(share))
    for left_out in np.unique(family):
        inside = family == left_out
        constant, slope = fit(share[~inside], has_clusters[~inside])
        said[inside] = 1 / (1 + np.exp(slope * share[inside] - constant))
    rows = []
    for place in range(BINS):
        inside = np.minimum((said * BINS).astype(int), BINS - 1) == place
        observed = f"{has_clusters[inside].mean():.2f}" if inside.any() else ""
        mean = f"{said[inside].mean():.2f}" if inside.any() else ""
        bounds = f"{place / BINS:.1f} to {(place + 1) / BINS:.1f}"
        rows.append((bounds, int(inside.sum()), mean, observed))
        print("{:12s} {:4d} sets, said {:4s} observed {}".format(*rows[-1]))
    with options.out.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["said", "sets", "mean said", "share with clusters"])
        writer.writerows(rows)


if __name__ == "__main__":
    main()
