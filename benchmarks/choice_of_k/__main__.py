"""How good the answers of "auto" are on labelled tables, beside other ways, and how long they take.

    python -m benchmarks.choice_of_k real [--sets design] [--seeds 3] [--rivals FILE]
    python -m benchmarks.choice_of_k speed

Real data need the folder CONSILIENCE_DATA; see benchmarks/quality/sets.py for the two halves.
Generated data with and without clusters are in benchmarks/judge.
"""

import argparse
import csv
import time
import warnings
from pathlib import Path

import numpy as np
from benchmarks.choice_of_k.rivals import RIVALS
from benchmarks.quality import sets
from joblib import Parallel, delayed
from sklearn.datasets import make_moons
from sklearn.decomposition import PCA
from sklearn.metrics import adjusted_mutual_info_score

from consilience import ConsensusClustering
from consilience.answer import choose_k
from consilience.exceptions import ConsilienceWarning

N_ROWS = 2000


def on_all_cores(function, jobs):
    """Return the results of a function for several arguments, in order, as soon as each is known."""
    pool = Parallel(n_jobs=-1, return_as="generator", batch_size=1)
    return pool(delayed(function)(*job) for job in jobs)


def real(options):
    """Mean AMI of the labels that are returned, beside rivals, on the same rows for every seed."""
    known = _read(options.rivals)
    names = sets.chosen(options.sets)
    ours = {}
    jobs = [(name, seed) for name in names for seed in range(options.seeds)]
    for (name, seed), row in zip(jobs, on_all_cores(end_to_end, jobs), strict=True):
        n_classes, n_clusters, answer, score, seconds = row
        ours.setdefault(name, []).append((n_clusters, score))
        print(
            f"{name} {seed}: {n_classes} classes, {n_clusters} clusters ({answer}), AMI {score:.3f}, "
            f"{seconds:.1f} s",
            flush=True,
        )
    means = {"auto": np.mean([score for rows in ours.values() for _, score in rows])}
    if options.rivals:
        missing = [
            (name, seed, rival)
            for name, seed in jobs
            for rival in RIVALS
            if (name, str(seed), rival) not in known
        ]
        for job, row in zip(missing, on_all_cores(ask_rival, missing), strict=True):
            known[job[0], str(job[1]), job[2]] = row
            with Path(options.rivals).open("a", newline="") as file:
                csv.writer(file).writerow([*job, *row])
        for rival in RIVALS:
            means[rival] = np.mean([float(known[name, str(seed), rival][1]) for name, seed in jobs])
    print("\n| method | mean AMI |\n| --- | --- |")
    for name, value in sorted(means.items(), key=lambda pair: -pair[1]):
        print(f"| {name} | {value:.3f} |")
    same = sum(len({k for k, _ in rows}) == 1 for rows in ours.values())
    print(f"\nThe same k for all seeds on {same} of {len(ours)} sets.")


def end_to_end(name, seed):
    """Return the classes, the clusters, the kind of answer, the AMI and the seconds of one fit."""
    warnings.simplefilter("ignore", ConsilienceWarning)
    X, y = sets.load(name, N_ROWS, seed=0)
    start = time.perf_counter()
    model = ConsensusClustering(random_state=seed, n_jobs=1).fit(X)
    seconds = time.perf_counter() - start
    score = adjusted_mutual_info_score(y, model.labels_)
    return len(np.unique(y)), model.n_clusters_, model.answer_, score, seconds


def ask_rival(name, seed, rival):
    """Return the clusters and the AMI of another method."""
    warnings.simplefilter("ignore", UserWarning)
    X, y = sets.load(name, N_ROWS, seed=0)
    seen = sets.prepare(name, X)
    if seen.shape[1] > 100:
        seen = PCA(50, random_state=0).fit_transform(seen)
    labels = RIVALS[rival](seen, seed)
    return len(set(labels.tolist())), adjusted_mutual_info_score(y, labels)


def _read(path):
    if not path or not Path(path).exists():
        return {}
    with Path(path).open(newline="") as file:
        return {tuple(row[:3]): tuple(row[3:]) for row in csv.reader(file)}


def speed(options):  # noqa: ARG001
    """Seconds of the whole choice."""
    rng = np.random.default_rng(0)
    centres = 5 * rng.standard_normal((4, 50))
    cases = {
        "4 clusters, 2,000 x 50": np.repeat(centres, 500, axis=0) + rng.standard_normal((2000, 50)),
        "no clusters, 2,000 x 50": rng.standard_normal((2000, 50)),
        "moons, 2,000 x 2": make_moons(2000, noise=0.07, random_state=0)[0],
        "4 clusters, 1,000,000 x 20": np.repeat(centres[:, :20], 250_000, axis=0)
        + rng.standard_normal((1_000_000, 20)),
    }
    choose_k(cases["moons, 2,000 x 2"][:300], random_state=0)  # compile
    for name, X in cases.items():
        seconds = []
        for _ in range(3):
            start = time.perf_counter()
            choice = choose_k(X, random_state=0)
            seconds.append(time.perf_counter() - start)
        print(f"| {name} | {np.median(seconds):.1f} s | {choice.n_clusters} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parts = {"real": real, "speed": speed}
    parser.add_argument("part", choices=parts)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--sets", default="design")
    parser.add_argument(
        "--rivals", default="", help="run other methods too; their results are kept here"
    )
    options = parser.parse_args()
    warnings.simplefilter("ignore", ConsilienceWarning)
    warnings.filterwarnings("ignore", category=UserWarning, module="sklearn")
    parts[options.part](options)


if __name__ == "__main__":
    main()
