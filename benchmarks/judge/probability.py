"""Fit the probability that there are clusters, and measure how far it can be relied on.

    python -m benchmarks.judge.probability OUT.csv [--draws 2] [--processes -1]

New data sets are drawn from the families of made_sets.py, with other seeds than the fixed sets. The log
odds are a constant, the best score and the evidence of the tests, each with a number that is fitted by
logistic regression. For the reliability, every family is left out once: OUT.csv has ten bins of what was
said, and the share of data sets with clusters that was observed. Put the fitted numbers into LOG_ODDS of
src/consilience/answer/_settings.py.
"""

import argparse
import csv
import warnings
from pathlib import Path

import numpy as np
from benchmarks.judge.made_sets import FAMILIES
from joblib import Parallel, delayed
from sklearn.linear_model import LogisticRegression

from consilience.answer import _settings as settings
from consilience.answer._choose import Asked, choose, gather
from consilience.answer._choose_k import judged_places, least_rows

# Tells these draws from the fixed sets.
_SEED = 33


def features(place, number):
    """Return the score of the best candidate, the evidence, and whether there are clusters."""
    warnings.simplefilter("ignore")
    _, make = list(FAMILIES.values())[place]
    X, *references = make(np.random.default_rng([_SEED, place, number]), number)
    rows = judged_places(len(X), settings.JUDGED_ROWS, 0)
    least = least_rows(None, len(rows), len(X))
    X = np.asarray(X, dtype=float)[rows]
    evidence = gather(X, Asked(None, "auto", least, None, None, 30, 0, 1))
    choice = choose(evidence)
    best = choice.best.get(choice.n_clusters)
    score = -1.0 if best is None else float(np.clip(best.score, -1, 1))
    return place, score, evidence.density.evidence, np.max(references[0]) > 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out")
    parser.add_argument("--draws", type=int, default=2, help="times the size of the fixed mix")
    parser.add_argument("--processes", type=int, default=-1)
    options = parser.parse_args()
    jobs = [
        (place, number)
        for place, (times, _) in enumerate(FAMILIES.values())
        for number in range(options.draws * times)
    ]
    rows = Parallel(options.processes, batch_size=1)(delayed(features)(*job) for job in jobs)
    family, score, evidence, truth = map(np.array, zip(*rows, strict=True))
    seen = np.column_stack([score, evidence])
    model = LogisticRegression(C=1e6, class_weight=None).fit(seen, truth)
    numbers = [*model.intercept_, *model.coef_[0]]
    print("LOG_ODDS =", tuple(round(float(number), 2) for number in numbers))
    said = np.empty(len(truth))
    for one in np.unique(family):
        out = family == one
        said[out] = (
            LogisticRegression(C=1e6).fit(seen[~out], truth[~out]).predict_proba(seen[out])[:, 1]
        )
    low, high = settings.UNSURE
    for name, those in (("without clusters", ~truth), ("with clusters", truth)):
        one, sure = np.mean(said[those] < low), np.mean(said[those] >= high)
        print(f"{name}: one {one:.3f}, clusters {sure:.3f}")
    with Path(options.out).open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["from", "to", "sets", "said", "observed"])
        for low in np.arange(10) / 10:
            inside = (said >= low) & ((said < low + 0.1) | (low == 0.9))
            means = [
                f"{np.mean(values[inside]):.3f}" if inside.any() else "" for values in (said, truth)
            ]
            writer.writerow([f"{low:.1f}", f"{low + 0.1:.1f}", int(inside.sum()), *means])


if __name__ == "__main__":
    main()
