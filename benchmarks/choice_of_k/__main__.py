"""How often "auto" is right.

    python -m benchmarks.choice_of_k structureless [--draws 100] [--first 0]
    python -m benchmarks.choice_of_k planted [--draws 100] [--only columns]
    python -m benchmarks.choice_of_k real [--sets design] [--seeds 3] [--rivals FILE]
    python -m benchmarks.choice_of_k speed

Real data need the folder CONSILIENCE_DATA; see benchmarks/quality/sets.py for the two halves.
"""

import argparse
import csv
import time
import warnings
from pathlib import Path

import numpy as np
from benchmarks.choice_of_k.made_data import (
    DISCRETE,
    ONE_CURVED,
    SHAPES,
    STRUCTURELESS,
    in_one_column,
    mixture,
    moons,
    tens,
)
from benchmarks.choice_of_k.rivals import RIVALS
from benchmarks.quality import sets
from joblib import Parallel, delayed
from sklearn.decomposition import PCA
from sklearn.metrics import adjusted_mutual_info_score

from consilience import ConsensusClustering
from consilience.answer import choose_k
from consilience.exceptions import ConsilienceWarning

N_ROWS = 2000


def choose(make, n, seed):
    """Return the number and the kind of answer."""
    warnings.simplefilter("ignore", ConsilienceWarning)
    choice = choose_k(make(np.random.default_rng(seed), n), random_state=seed, n_jobs=1)
    return choice.n_clusters, choice.answer


def on_all_cores(function, jobs):
    """Return the results of a function for several arguments, in order, as soon as each is known."""
    pool = Parallel(n_jobs=-1, return_as="generator", batch_size=1)
    return pool(delayed(function)(*job) for job in jobs)


def answers(cases, options):
    """Return every case with what was chosen for its draws; a case is ..., objects, function."""
    cases = [case for case in cases if options.only in case[0]]
    draws = [max(1, options.draws // (5 if n == N_ROWS else 1)) for *_, n, _ in cases]
    found = on_all_cores(
        choose,
        (
            (make, n, seed)
            for (*_, n, make), times in zip(cases, draws, strict=True)
            for seed in range(options.first, options.first + times)
        ),
    )
    for case, times in zip(cases, draws, strict=True):
        yield case[:-1], [next(found) for _ in range(times)]


def structureless(options):
    print("| data | columns | objects | one | too few to tell | several |\n" + "| --- " * 6 + "|")
    cases = [
        (name, d, n, lambda rng, n, make=make, d=d: make(rng, n, d))
        for name, make in STRUCTURELESS.items()
        for d in (2, 10, 50)
        for n in (50, 200, 500, 2000)
    ]
    cases += [(name, 2, n, make) for name, make in ONE_CURVED.items() for n in (200, 500, 2000)]
    cases += [(name, "", n, make) for name, make in DISCRETE.items() for n in (200, 600)]
    for (name, d, n), found in answers(cases, options):
        kinds = [kind for _, kind in found]
        shares = [f"{kinds.count(kind) / len(kinds):.0%}" for kind in ("one", "unsure", "clusters")]
        print(f"| {name} | {d} | {n} | {' | '.join(shares)} | {len(kinds)} draws", flush=True)


def planted(options):
    print("| data | objects | right | within one | unsure | wrong answers |\n" + "| --- " * 6 + "|")
    cases = []
    for apart in (6, 4):
        for d in (2, 10):
            for k in (2, 3, 5, 8, 12, 20):
                n = 500 if k <= 5 else 1000 if k <= 8 else 2000
                cases.append(
                    (
                        f"mixture of {k}, {d} columns, {apart} sd",
                        k,
                        n,
                        lambda rng, n, k=k, d=d, apart=apart: mixture(rng, k, n, d, apart),
                    )
                )
    cases += [(name, k, n, make) for name, (make, k) in SHAPES.items() for n in (300, 1000)]
    cases += [
        (f"{k} blobs of ten", k, 10 * k, lambda rng, n, k=k: tens(rng, k))  # noqa: ARG005
        for k in (4, 6, 8, 10)
    ]
    cases += [
        (
            f"{sizes[0]} : {sizes[1]} objects, {apart} sd apart in one of {d} columns",
            2,
            sum(sizes),
            lambda rng, n, s=sizes, d=d, a=apart: in_one_column(rng, s, d, a),  # noqa: ARG005
        )
        for sizes, d, apart in (
            ((300, 300), 6, 4),
            ((300, 300), 6, 3.5),
            ((576, 24), 4, 6),
            ((1000, 30), 10, 6),
            ((500, 50), 5, 5),
        )
    ]
    for (name, k, n), found in answers(cases, options):
        numbers = np.array([number for number, _ in found])
        unsure = sum(kind == "unsure" for _, kind in found)
        wrong = sorted(numbers[numbers != k].tolist())
        print(
            f"| {name} | {n} | {np.mean(numbers == k):.0%} | {np.mean(abs(numbers - k) <= 1):.0%} | "
            f"{unsure} | {wrong or ''} | {len(found)} draws",
            flush=True,
        )


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
        "moons, 2,000 x 2": moons(rng, 2000),
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
    parts = {"structureless": structureless, "planted": planted, "real": real, "speed": speed}
    parser.add_argument("part", choices=parts)
    parser.add_argument("--draws", type=int, default=100)
    parser.add_argument("--first", type=int, default=0, help="seed of the first draw")
    parser.add_argument("--only", default="", help="only data whose names have this text")
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
