"""Members of many clusters: seconds of every linear function, and how they grow with base clusters.

    python benchmarks/many_clusters.py [--rows 5000] [--members 10] [--base-clusters 600] [--clusters 10]
                                       [--random] [--only HBGF IVC]

Members are k-means partitions of blobs, or random labels. Every function is fitted to members of a
quarter as many clusters first; time that is linear in the number of base clusters grows at most
fourfold.
"""

import argparse
import time
import warnings

import numpy as np
from sklearn.cluster import KMeans
from sklearn.datasets import make_blobs

from consilience import Ensemble
from consilience.consensus import catalogue
from consilience.exceptions import ConsilienceWarning

N_BLOBS, N_FEATURES = 10, 8
# They run many functions.
EXCUSED = {"Concord", "Supra"}


def make_ensemble(points, n_members, n_clusters, *, random):
    """Return members with the centres of their clusters, which Labelling needs."""
    members, centres = [], []
    for j in range(n_members):
        if random:
            labels = np.random.default_rng(j).integers(0, n_clusters, len(points))
        else:
            kmeans = KMeans(n_clusters, init="random", n_init=1, max_iter=20, random_state=j)
            labels = kmeans.fit_predict(points)
        members.append(labels)
    ensemble = Ensemble(np.column_stack(members))
    for j in range(n_members):
        own = ensemble.labels[:, j]
        sums = np.zeros((ensemble.n_clusters[j], points.shape[1]))
        np.add.at(sums, own, points)
        centres.append(sums / np.bincount(own)[:, None])
    return ensemble.with_cluster_tables(centres=centres)


def linear_functions(only):
    """Return the functions whose time grows linearly with the number of objects, by name."""
    return {
        name: function
        for name, function in catalogue().items()
        if function.capabilities.cost == "linear" and name not in EXCUSED
        if not only or name in only
    }


def seconds_of(function, ensemble, n_clusters):
    """Fit once."""
    seeded = {"random_state": 0} if "random_state" in function.parameters else {}
    model = function(n_clusters, **seeded)
    start = time.perf_counter()
    model.fit(ensemble)
    return time.perf_counter() - start


def main():
    """Fit, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=5_000)
    parser.add_argument("--members", type=int, default=10)
    parser.add_argument("--base-clusters", type=int, default=600)
    parser.add_argument("--clusters", type=int, default=10)
    parser.add_argument("--random", action="store_true")
    parser.add_argument("--only", nargs="*")
    given = parser.parse_args()
    warnings.simplefilter("ignore", ConsilienceWarning)
    points, _ = make_blobs(given.rows, N_FEATURES, centers=N_BLOBS, cluster_std=3, random_state=0)
    few, many = (
        make_ensemble(points, given.members, n_clusters, random=given.random)
        for n_clusters in (given.base_clusters // 4, given.base_clusters)
    )
    print(f"n = {given.rows}, r = {given.members}, K = {given.clusters}\n")
    print(f"| function | s, t = {few.n_base_clusters} | s, t = {many.n_base_clusters} | growth |")
    print("| --- | --- | --- | --- |")
    for name, function in linear_functions(given.only).items():
        seconds_of(function, few, given.clusters)  # kernels are compiled on first use
        before, after = (seconds_of(function, e, given.clusters) for e in (few, many))
        print(f"| {name} | {before:.2f} | {after:.2f} | {after / before:.1f}x |", flush=True)


if __name__ == "__main__":
    main()
