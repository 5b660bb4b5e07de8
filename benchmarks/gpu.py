"""Fits on one NVIDIA GPU: labels made there, and the same labels on all cores of the machine.

    python benchmarks/gpu.py [--rows 1000000000] [--members 50] [--compare 10000000] [--starts 3 1]

Three labels in four are as planted, under the names of the member, the others at random. Prints the
seconds of every fit (the second of two, so that kernels are compiled), the peak memory of the GPU beside
the labels, and the agreement with the planted clusters; then, for every function, how long each verb
took, and how much of it was kernels, copies and Python. For these tables the host waits for
every kernel, so that their sums are a little larger than the seconds above.
"""

import argparse
import os
import threading
import time
import warnings

import numpy as np
from device_clock import DeviceClock
from numba import cuda

import consilience
from consilience import Ensemble
from consilience.consensus import HBGF, IPC, IVC, KMCF
from consilience.exceptions import ConsilienceWarning
from consilience.metrics import ari
from consilience.partition import Spectral

CLUSTERS = 10
SEEN = 10_000_000


@cuda.jit
def write_labels(names, n_rows, labels, truth):
    """Write the labels of every row, which depend on its number alone."""
    for i in range(cuda.grid(1), n_rows, cuda.gridsize(1)):
        state = (np.uint64(i) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
        state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        state ^= state >> np.uint64(27)
        planted = np.int64(((state >> np.uint64(40)) * np.uint64(names.shape[1])) >> np.uint64(24))
        if i < truth.shape[0]:
            truth[i] = planted
        for j in range(names.shape[0]):
            state = state * np.uint64(0x5851F42D4C957F2D) + np.uint64(0x14057B7EF767814F)
            draw = np.int64(state >> np.uint64(48))
            if draw < 16384:
                labels[i, j] = draw % names.shape[1]
            else:
                labels[i, j] = names[j, planted]


def make(n_rows, n_members):
    """Return labels on the GPU, and the planted clusters of the first rows."""
    names = [np.random.default_rng(j).permutation(CLUSTERS) for j in range(n_members)]
    labels = cuda.device_array((n_rows, n_members), np.uint8)
    truth = cuda.device_array(min(SEEN, n_rows), np.uint8)
    write_labels[4096, 128](cuda.to_device(np.array(names, np.uint8)), n_rows, labels, truth)
    cuda.synchronize()
    return labels, truth.copy_to_host()


def free():
    """Return the free bytes of the GPU."""
    return cuda.current_context().get_memory_info()[0]


class Peak:
    """Looks at the free memory of the GPU many times a second."""

    def __enter__(self):
        self.before = self.least = free()
        self.running = True
        self.thread = threading.Thread(target=self.look)
        self.thread.start()
        return self

    def look(self):
        while self.running:
            self.least = min(self.least, free())
            time.sleep(0.005)

    def __exit__(self, *_):
        self.running = False
        self.thread.join()


def functions(starts):
    """Return what is fitted."""
    return [
        IPC(CLUSTERS, n_init=starts, random_state=0),
        IVC(CLUSTERS, n_init=starts, random_state=0),
        KMCF(CLUSTERS, n_init=starts, random_state=0),
        HBGF(CLUSTERS, partitioner=Spectral(n_init=starts), random_state=0),
    ]


def timed(function, ensemble):
    """Return the seconds of a fit, and its labels."""
    start = time.perf_counter()
    labels = function.fit(ensemble).labels_
    return time.perf_counter() - start, labels


def breakdown(ensemble, n_rows, starts):
    """Print where the time of every function goes."""
    for function in functions(starts):
        name = type(function).__name__
        with DeviceClock().installed() as clock:
            function.fit(ensemble)
        print(f"\n{name}, n = {n_rows:.0e}, {starts} start(s), {function.n_iter_} rounds\n")
        print("\n".join(clock.lines()), flush=True)


def large(n_rows, n_members, starts):
    """Fit labels that were made on the GPU."""
    print(
        f"\nn = {n_rows:.0e}, r = {n_members}, K = {CLUSTERS}, {starts} start(s), labels on the GPU\n"
    )
    labels, truth = make(n_rows, n_members)
    start = time.perf_counter()
    ensemble = Ensemble.from_device(labels)
    print(f"from_device: {time.perf_counter() - start:.2f} s\n")
    print("| function | s | rounds | bytes per object beside labels | ARI, first rows |")
    print("| --- | --- | --- | --- | --- |")
    for function in functions(starts):
        with Peak() as peak:
            seconds, found = timed(function, ensemble)
        beside = (peak.before - peak.least) / n_rows
        agreement = ari(found[: len(truth)], truth)
        name = type(function).__name__
        print(
            f"| {name} | {seconds:.2f} | {function.n_iter_} | {beside:.1f} | {agreement:.4f} |",
            flush=True,
        )
        del found
    breakdown(ensemble, n_rows, starts)


def compare(n_rows, n_members, starts):
    """Fit the same labels on the GPU and on all cores."""
    print(f"\nn = {n_rows:.0e}, r = {n_members}, K = {CLUSTERS}, {starts} start(s)\n")
    there, _ = make(n_rows, n_members)
    here = there.copy_to_host()
    consilience.set_config(engine="cpu")
    threads = len(os.sched_getaffinity(0))
    on_cores = Ensemble(here)
    consilience.set_config(engine="auto")
    on_device = Ensemble.from_device(there)
    print(
        f"| function | {threads} threads, s | sent to the GPU, s | on the GPU, s | ratio | equal |"
    )
    print("| --- | --- | --- | --- | --- | --- |")
    for function in functions(starts):
        consilience.set_config(engine="cpu")
        cores, expected = timed(function, Ensemble(here[:100_000])), None
        cores, expected = timed(function, on_cores)
        consilience.set_config(engine="cuda")
        copied = on_cores.with_weights(on_cores.weights)
        sent, first = timed(function, copied)
        timed(function, on_device)
        device, second = timed(function, on_device)
        equal = np.array_equal(first, expected) and np.array_equal(second, expected)
        print(
            f"| {type(function).__name__} | {cores:.2f} | {sent:.2f} | {device:.3f} | "
            f"{cores / device:.0f} | {equal} |",
            flush=True,
        )
    consilience.set_config(engine="auto")
    breakdown(on_device, n_rows, starts)


def main():
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=1_000_000_000)
    parser.add_argument("--members", type=int, default=50)
    parser.add_argument("--compare", type=int, default=10_000_000)
    parser.add_argument("--starts", type=int, nargs="+", default=[3, 1])
    given = parser.parse_args()
    warnings.simplefilter("ignore", ConsilienceWarning)
    print(cuda.get_current_device().name)
    for function in functions(given.starts[0]):  # compile everything
        function.fit(Ensemble.from_device(make(1_000_000, given.members)[0]))
    if given.compare:
        compare(given.compare, given.members, given.starts[0])
    if given.rows:
        for starts in given.starts:
            large(given.rows, given.members, starts)


if __name__ == "__main__":
    main()
