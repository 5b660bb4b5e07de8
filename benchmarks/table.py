"""Print the tables of the speed of functions: `make bench`.

Everything in one run, as ratios: machines are noisy, ratios within a run are less so.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np
from baselines import sweep_take_in_blocks, sweep_whole_array

from consilience import Ensemble, consensus, set_config
from consilience.exceptions import ConsilienceWarning

N, R, K0, K = 1_000_000, 50, 15, 10
# Functions without rounds to count: whole fits, k-means of the spectral step at most ten rounds.
WHOLE_FITS = {
    "IBGF": {"max_iter": 10},
    "HBGF": {"max_iter": 10},
    "LWGP": {"max_iter": 10},
    "CBGF": {"max_iter": 10},
    "MCLA": {"max_iter": 10},
    "CCC": {},
    "CCU": {},
    "CCSVD": {},
    "NMFC": {"max_iter": 5},
    "WC": {"max_iter": 1},
}
# What is not meant for a million objects: (objects, function, parameters).
SINGLE_FITS = [
    (100_000, "CSPA", {}),
    (100_000, "HGPA", {}),
    (100_000, "HBGF", {"partitioner": "balanced"}),
    (100_000, "HBGF", {"partitioner": "metis"}),
    (20_000, "HAC", {"max_samples": None}),
    (20_000, "LWEA", {"max_samples": None}),
    (20_000, "FC", {}),
]
HERE = Path(__file__).parent
METHODS = {
    "IVC": {"n_init": 1},
    "IPC": {"n_init": 1},
    "IPVC": {"n_init": 1},
    "KMCF": {"n_init": 1, "random_state": 1},  # a start that takes more than six rounds
    "MultinomialMixture": {"n_init": 1, "tol": 0},
}


def random_projection_like(n_samples, seed=0):
    """Labels with structure and enough noise that no method comes to rest within ten rounds."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, K, n_samples)
    labels = np.empty((n_samples, R), dtype=np.uint8)
    for j in range(R):
        spread = rng.integers(0, K0, (K, 4), dtype=np.uint8)
        labels[:, j] = spread[truth, rng.integers(0, 4, n_samples)]
        noise = rng.random(n_samples) < 0.4
        labels[noise, j] = rng.integers(0, K0, np.count_nonzero(noise))
    return labels


def best_time(function, repeats=9):
    """Best of several runs, after one to warm up."""
    function()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times)


def sweep_rows(labels, n_threads):
    """Sweep against both baselines and the floor."""
    set_config(n_threads=n_threads)
    ensemble = Ensemble(labels)
    H = ensemble.incidence
    table = np.random.default_rng(1).random((ensemble.n_base_clusters, K))
    # The same table for the baselines, under the given labels instead of the canonical ones.
    plain = np.empty((R, K0, K))
    for j, values in enumerate(ensemble.values):
        plain[j, values] = table[ensemble.layout.columns(j)]
    ours = H.argmax(table)
    for baseline in (sweep_whole_array, sweep_take_in_blocks):
        winners, _ = baseline(labels, plain, K)
        assert np.array_equal(winners, ours.labels)
    words = ensemble.codes.reshape(-1).view(np.uint64)
    seconds = {
        "floor": best_time(words.sum),
        "ours": best_time(lambda: H.argmax(table)),
        "few move": best_time(lambda: H.argmax(table, ours._replace(moved=0.0))),
        "one thread": None,
        "take in blocks": best_time(lambda: sweep_take_in_blocks(labels, plain, K), 3),
        "whole array": best_time(lambda: sweep_whole_array(labels, plain, K), 2),
    }
    set_config(n_threads=1)
    seconds["one thread"] = best_time(lambda: H.argmax(table))
    set_config(n_threads=n_threads)
    yield "| one sweep, n = 1e6 | ms | ours is faster by | times the floor |"
    yield "| --- | --- | --- | --- |"
    names = {
        "floor": "read the label matrix once (sum of its 64-bit words)",
        "ours": f"ours, {n_threads} threads",
        "few move": f"ours, {n_threads} threads, in a round where no row moves",
        "one thread": "ours, 1 thread",
        "take in blocks": "NumPy `take` in blocks",
        "whole array": "NumPy whole-array",
    }
    for key, name in names.items():
        ratio = seconds[key] / seconds["ours"]
        faster = f"{ratio:.1f}x" if key in ("take in blocks", "whole array") else ""
        floor = seconds[key] / seconds["floor"]
        yield f"| {name} | {1e3 * seconds[key]:.1f} | {faster} | {floor:.0f} |"


def round_time(name, parameters, ensemble, repeats=3):
    """Seconds per round: the difference between six and two rounds, over four; and a fit of six."""
    function = getattr(consensus, name)
    times = {2: [], 6: []}
    parameters = {"random_state": 0, **parameters}
    function(K, max_iter=2, **parameters).fit(ensemble)
    for _ in range(repeats):
        for max_iter, seen in times.items():
            fitted = function(K, max_iter=max_iter, **parameters)
            start = time.perf_counter()
            fitted.fit(ensemble)
            seen.append(time.perf_counter() - start)
            assert fitted.n_iter_ == max_iter, (name, fitted.n_iter_)
    return (min(times[6]) - min(times[2])) / 4, min(times[6])


def growth_rows(labels):
    """Seconds per round at 1e5 and 1e6."""
    small, large = Ensemble(labels[: N // 10]), Ensemble(labels)
    yield "| rounds | ms a round, 1e5 | ms a round, 1e6 | growth | s a fit of 6 rounds, 1e6 |"
    yield "| --- | --- | --- | --- | --- |"
    for name, parameters in METHODS.items():
        few, _ = round_time(name, parameters, small)
        many, fit = round_time(name, parameters, large)
        yield f"| {name} | {1e3 * few:.1f} | {1e3 * many:.0f} | {many / few:.1f}x | {fit:.2f} |"


def fit_time(name, parameters, ensemble, repeats=1):
    """Seconds of a whole fit, best of some."""
    function = getattr(consensus, name)
    given = {"random_state": 0} if "random_state" in function.parameters else {}
    fitted = function(K, **given, **parameters)
    return best_time(lambda: fitted.fit(ensemble), repeats)


def whole_fit_rows(labels):
    """Seconds of whole fits at 1e5 and 1e6."""
    small, large = Ensemble(labels[: N // 10]), Ensemble(labels)
    yield "| whole fits, 10 starts | s, 1e5 | s, 1e6 | growth |"
    yield "| --- | --- | --- | --- |"
    for name, parameters in WHOLE_FITS.items():
        few, many = (fit_time(name, parameters, ensemble) for ensemble in (small, large))
        yield f"| {name} | {few:.2f} | {many:.2f} | {many / few:.1f}x |"


def fresh_fit(labels, name, parameters):
    """Fit in a fresh process on a memory-mapped matrix; seconds and bytes above import."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "labels.npy"
        np.save(path, labels)
        command = [
            sys.executable,
            str(HERE / "fit_once.py"),
            str(path),
            name,
            json.dumps(parameters),
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def single_fit_rows(labels):
    """Fits that need more than linear time, or balance."""
    yield "| single fits, fresh process | n | s | MB above import |"
    yield "| --- | --- | --- | --- |"
    for n_samples, name, parameters in SINGLE_FITS:
        result = fresh_fit(labels[:n_samples], name, {"n_clusters": K, **parameters})
        title = " ".join([name, *map(str, parameters.values())])
        yield f"| {title} | {n_samples} | {result['seconds']:.1f} | {result['bytes'] / 1e6:.0f} |"


def memory_rows(labels):
    """Peak memory of a fresh process on a memory-mapped matrix, minus that after import."""
    yield "| memory, n = 1e6 | MB above import | bound 6 n r + 300 MB |"
    yield "| --- | --- | --- |"
    for name, parameters in {**METHODS, **WHOLE_FITS}.items():
        declared = getattr(consensus, name).parameters
        given = {"random_state": 0, "max_iter": 6, **parameters, "n_init": 10}
        given = {key: value for key, value in given.items() if key in declared}
        given["n_clusters"] = K
        result = fresh_fit(labels, name, given)
        bound = 6 * result["label_bytes"] + 300e6
        yield f"| {name} | {result['bytes'] / 1e6:.0f} | {bound / 1e6:.0f} |"


def import_rows():
    """Wall time of importing, in fresh processes, caches warm."""
    yield "| import, fresh process | s |"
    yield "| --- | --- |"
    for statement in ("pass", "import consilience", "from consilience.consensus import IPC"):
        command = [sys.executable, "-c", statement]
        seconds = best_time(lambda command=command: subprocess.run(command, check=True))
        yield f"| `{statement}` | {seconds:.2f} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=2)
    threads = parser.parse_args().threads
    warnings.simplefilter("ignore", ConsilienceWarning)
    set_config(n_threads=threads)
    print(f"n = {N}, r = {R}, k0 = {K0}, K = {K}; {threads} threads of {os.cpu_count()} cores, ")
    print(f"Python {platform.python_version()}, NumPy {np.__version__}.\n")
    labels = random_projection_like(N)
    parts = (
        sweep_rows(labels, threads),
        growth_rows(labels),
        whole_fit_rows(labels),
        memory_rows(labels),
        single_fit_rows(labels),
        import_rows(),
    )
    for part in parts:
        for row in part:
            print(row, flush=True)
        print()


if __name__ == "__main__":
    main()
