"""The same fits on one NVIDIA GPU and on all cores: seconds, and whether labels agree.

    python benchmarks/gpu.py [--rows 10000000] [--members 50] [--starts 3]

Three labels in four are as planted, under the names of the member, the others at random. Prints two
tables: single sweeps (the best of three, so that kernels are compiled and labels are on the GPU), and
whole fits (the second of two). Ends with an error if labels differ, or if the GPU fails.
"""

import argparse
import os
import sys
import time
import warnings

import numpy as np

import consilience
from consilience import Ensemble
from consilience.consensus import HBGF, IPC, IVC, KMCF, MultinomialMixture
from consilience.exceptions import ConsilienceWarning, EngineWarning
from consilience.incidence import NearestCentres, responsibilities_step
from consilience.partition import Spectral

CLUSTERS = 10
PIECE = 1_000_000


def make(n_rows, n_members):
    """Return labels of one byte, a piece of rows at a time."""
    names = np.array([np.random.default_rng(j).permutation(CLUSTERS) for j in range(n_members)])
    labels = np.empty((n_rows, n_members), np.uint8)
    for start in range(0, n_rows, PIECE):
        part = labels[start : start + PIECE]
        rng = np.random.default_rng(start)
        truth = rng.integers(CLUSTERS, size=len(part))
        noise = rng.random(part.shape, np.float32) < 0.25
        drawn = rng.integers(CLUSTERS, size=part.shape, dtype=np.uint8)
        part[:] = np.where(noise, drawn, names.T[truth])
    return labels


def functions(starts):
    """Return a function of voting, two of mixture, and one of bipartite graphs, with k-means on rows."""
    return [
        IVC(CLUSTERS, n_init=starts, random_state=0),
        IPC(CLUSTERS, n_init=starts, random_state=0),
        KMCF(CLUSTERS, n_init=starts, random_state=0),
        MultinomialMixture(CLUSTERS, n_init=1, max_iter=20, random_state=0),
        HBGF(CLUSTERS, partitioner=Spectral(n_init=starts), random_state=0),
    ]


def sweeps(H):
    """Return sweeps of H by name; each gives something to compare."""
    rng = np.random.default_rng(0)
    table = rng.normal(size=(H.shape[1], CLUSTERS))
    logs = np.log(rng.dirichlet(np.ones(CLUSTERS), H.shape[1]))
    start = H.argmax(table)
    centres = rng.normal(size=(3, CLUSTERS, CLUSTERS))
    step = NearestCentres(centres, unit=True, wanted="sums")
    last = NearestCentres(centres[:1], unit=True, wanted="labels")
    return {
        "argmax and counts (voting)": lambda: H.argmax(table, start.labels).labels,
        "counts": lambda: H.count(start.labels, CLUSTERS),
        "responsibilities (mixture)": lambda: H.sweep(
            logs, responsibilities_step, (None,)
        ).scattered(),
        "overlaps (bipartite)": lambda: H._gram(None),  # noqa: SLF001 - `gram` keeps its result
        "nearest centres (k-means)": lambda: H.sweep(table, step, (None, None)).sums[0],
        "labels of nearest centres": lambda: H.sweep(table, last, (None, None)).labels,
    }


def agree(mine, theirs):
    """Whether integers are equal, and floats to nearly all digits."""
    if np.issubdtype(theirs.dtype, np.integer):
        return bool(np.array_equal(mine, theirs))
    return bool(np.allclose(mine, theirs, rtol=1e-9, atol=1e-9 * np.abs(theirs).max()))


def timed(function, repeats):
    """Return the seconds of the fastest call, and the last result."""
    seconds = []
    for _ in range(repeats):
        start = time.perf_counter()
        found = function()
        seconds.append(time.perf_counter() - start)
    return min(seconds), found


def compare(name, function, repeats):
    """Print a row for both engines; return whether they agree."""
    consilience.set_config(engine="cpu")
    cores, expected = timed(function, repeats)
    consilience.set_config(engine="cuda")
    first, _ = timed(function, 1)
    device, found = timed(function, repeats)
    same = agree(found, expected)
    ratio = cores / device
    print(
        f"| {name} | {cores:.3f} | {first:.3f} | {device:.3f} | {ratio:.1f} | {same} |", flush=True
    )
    return same


def main():
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--members", type=int, default=50)
    parser.add_argument("--starts", type=int, default=3)
    given = parser.parse_args()
    warnings.simplefilter("ignore", ConsilienceWarning)
    warnings.simplefilter("error", EngineWarning)
    consilience.set_config(engine="cuda")  # an error, if there is no GPU that works
    ensemble = Ensemble(make(given.rows, given.members))
    threads = len(os.sched_getaffinity(0))
    print(f"n = {given.rows}, r = {given.members}, K = {CLUSTERS}, {given.starts} start(s)")
    head = f"{threads} threads, s | GPU at first, s | GPU, s | ratio | agree |"
    print(f"\n| sweep | {head}\n| --- | --- | --- | --- | --- | --- |")
    same = [compare(name, sweep, 3) for name, sweep in sweeps(ensemble.incidence).items()]
    print(f"\n| fit | {head}\n| --- | --- | --- | --- | --- | --- |")
    for function in functions(given.starts):
        name = type(function).__name__
        same.append(compare(name, lambda f=function: f.fit(ensemble).labels_, 1))
    print(f"\nlabels and sums agree: {all(same)}")
    sys.exit(not all(same))


if __name__ == "__main__":
    main()
