"""How fits gain from threads.

    python benchmarks/threads.py [--rows 5000000] [--members 50] [--threads 1,2,4,8,16] [--starts 3]

Three labels in four are as planted, the others at random. Prints seconds by number of threads, and
checks that labels do not depend on it.
"""

import argparse
import time
import warnings

import numpy as np

import consilience
from consilience import Ensemble
from consilience.consensus import CBGF, HBGF, IPC, KMCF, LWGP, MCLA
from consilience.exceptions import ConsilienceWarning
from consilience.partition import Spectral

CLUSTERS = 10


def make(n_rows, n_members):
    """Return labels."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, CLUSTERS, n_rows, dtype=np.uint8)
    labels = np.empty((n_rows, n_members), dtype=np.uint8)
    for j in range(n_members):
        drawn = rng.integers(0, 4 * CLUSTERS, n_rows, dtype=np.uint8)
        labels[:, j] = np.where(
            drawn < CLUSTERS, drawn, rng.permutation(CLUSTERS).astype(np.uint8)[truth]
        )
    return labels


def starts_of(name, n_init):
    """Return the parameter that sets the number of starts."""
    return (
        {"partitioner": Spectral(n_init=n_init)} if name in ("HBGF", "MCLA") else {"n_init": n_init}
    )


def main():
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=5_000_000)
    parser.add_argument("--members", type=int, default=50)
    parser.add_argument("--threads", default="1,2,4,8,16")
    parser.add_argument("--starts", type=int, default=3)
    parser.add_argument("--functions", default="IPC,KMCF,HBGF,LWGP,CBGF,MCLA")
    given = parser.parse_args()
    warnings.simplefilter("ignore", ConsilienceWarning)
    consilience.set_config(engine="cpu")
    numbers = [int(number) for number in given.threads.split(",")]
    start = time.perf_counter()
    labels = make(given.rows, given.members)
    print(f"labels made in {time.perf_counter() - start:.1f} s")
    start = time.perf_counter()
    ensemble = Ensemble(labels)
    print(
        f"Ensemble in {time.perf_counter() - start:.1f} s; n = {given.rows:.0e}, r = {given.members}"
    )
    known = {function.__name__: function for function in (IPC, KMCF, HBGF, LWGP, CBGF, MCLA)}
    heads = " | ".join(f"{number}" for number in numbers)
    print(f"\n| function | {heads} | gain |\n|" + " --- |" * (len(numbers) + 2))
    for name in given.functions.split(","):
        function = known[name](CLUSTERS, random_state=0, **starts_of(name, given.starts))
        function.fit(Ensemble(labels[:100_000]))
        seconds, expected = [], None
        for number in numbers:
            consilience.set_config(n_threads=number)
            fresh = ensemble.with_weights(ensemble.weights)  # nothing is kept from the last fit
            start = time.perf_counter()
            found = function.fit(fresh).labels_
            seconds.append(time.perf_counter() - start)
            assert expected is None or np.array_equal(found, expected), "labels depend on threads"
            expected = found
        cells = " | ".join(f"{value:.2f}" for value in seconds)
        print(f"| {name} | {cells} | {seconds[0] / min(seconds):.1f} |", flush=True)


if __name__ == "__main__":
    main()
