"""A label matrix that is nowhere as a whole, on worker processes with little memory.

    python benchmarks/chunks.py [--rows 200000000] [--members 20] [--memory 2GB] [--workers 2]
                                [--threads 1] [--functions IPC KMCF HBGF]

Labels are made chunk by chunk from the numbers of the rows, so that a chunk can be made again by any
process. Prints what each fit took, the peak memory of workers and of this process, how much of the
latter there is per object above what it held after reading, and the agreement with the planted
clusters. Where the system can start the count of a peak anew (Linux), peaks of this process are those
of single steps.
"""

import argparse
import contextlib
import gc
import resource
import time
import warnings
from pathlib import Path

import dask.array as da
import numba
import numpy as np
from distributed import Client, LocalCluster

from consilience import Ensemble
from consilience.consensus import HBGF, IPC, KMCF
from consilience.exceptions import ConsilienceWarning
from consilience.metrics import ari
from consilience.partition import Spectral

CLUSTERS = 8
CHUNK_ROWS = 1_671_168


def truth(start, stop):
    """Return the planted clusters of some rows."""
    rows = np.arange(start, stop, dtype=np.uint64)
    return ((rows * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(61)).astype(np.uint8)


@numba.njit(nogil=True)
def write_labels(start, names, labels):
    """Write three labels in four as planted, under the member's names, the others at random."""
    for i in range(labels.shape[0]):
        row = np.uint64(start + i) * np.uint64(0x9E3779B97F4A7C15)
        planted, state = row >> np.uint64(61), row ^ (row >> np.uint64(29))
        for j in range(labels.shape[1]):
            state = state * np.uint64(0x5851F42D4C957F2D) + np.uint64(0x14057B7EF767814F)
            byte = np.uint8(state >> np.uint64(56))
            labels[i, j] = byte & np.uint8(7) if byte < 64 else names[j, planted]


def make_chunk(block_info=None):
    """Return the labels of a chunk, which depend on its place alone."""
    (start, stop), (_, members) = block_info[None]["array-location"]
    names = [np.random.default_rng(j).permutation(CLUSTERS) for j in range(members)]
    labels = np.empty((stop - start, members), dtype=np.uint8)
    write_labels(start, np.array(names, dtype=np.uint8), labels)
    return labels


def peak():
    """Return the peak memory of this process in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def here(name):
    """Return a figure of this process, VmRSS or VmHWM, in MB; the peak since its start elsewhere."""
    with contextlib.suppress(FileNotFoundError):
        for text in Path("/proc/self/status").read_text().splitlines():
            if text.startswith(f"{name}:"):
                return int(text.split()[1]) / 1024
    return peak()


def forget_peak():
    """Start the count of the peak of this process anew, where the system can."""
    gc.collect()
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


FUNCTIONS = {
    "IPC": lambda: IPC(CLUSTERS, max_iter=5, n_init=1, random_state=0),
    "KMCF": lambda: KMCF(CLUSTERS, max_iter=5, n_init=1, random_state=0),
    "HBGF": lambda: HBGF(CLUSTERS, partitioner=Spectral(n_init=1, max_iter=10), random_state=0),
}


def main():
    """Fit, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=200_000_000)
    parser.add_argument("--members", type=int, default=20)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--threads", type=int, default=1, help="threads of every worker")
    parser.add_argument("--memory", default="2GB")
    parser.add_argument("--functions", nargs="+", choices=FUNCTIONS, default=list(FUNCTIONS))
    given = parser.parse_args()
    warnings.simplefilter("ignore", ConsilienceWarning)
    cluster = LocalCluster(
        n_workers=given.workers,
        threads_per_worker=given.threads,
        memory_limit=given.memory,
        dashboard_address=None,
    )
    with cluster, Client(cluster) as client:
        pids = client.run(lambda: __import__("os").getpid())
        labels = da.map_blocks(
            make_chunk,
            chunks=(da.core.normalize_chunks((CHUNK_ROWS, -1), (given.rows, given.members))),
            dtype=np.uint8,
            meta=np.empty((0, 0), np.uint8),
        )
        print(
            f"n = {given.rows:.0e}, r = {given.members}, {given.workers} workers of {given.memory} "
            f"and {given.threads} thread(s)\n"
        )
        print(
            "| step | s | worker peak, MB | here, MB | bytes per object here | ARI, a million rows |"
        )
        print("| --- | --- | --- | --- | --- | --- |")
        start = time.perf_counter()
        ensemble = Ensemble.from_dask(labels)
        line("read", start, client)
        before = here("VmRSS")
        planted = truth(0, min(1_000_000, given.rows))
        for name in given.functions:
            forget_peak()
            start = time.perf_counter()
            found = FUNCTIONS[name]().fit(ensemble).labels_
            per_object = (here("VmHWM") - before) * 2**20 / given.rows
            agreement = ari(found[: len(planted)].compute(scheduler="threads"), planted)
            line(name, start, client, f"{per_object:.1f}", f"{agreement:.4f}")
            del found
        assert client.run(lambda: __import__("os").getpid()) == pids, "a worker was restarted"


def line(name, start, client, per_object="", agreement=""):
    """Print one row of the table."""
    worker = max(client.run(peak).values())
    figures = f"{time.perf_counter() - start:.0f} | {worker:.0f} | {here('VmHWM'):.0f}"
    print(f"| {name} | {figures} | {per_object} | {agreement} |", flush=True)


if __name__ == "__main__":
    main()
