"""Members by random projection and k-means: this library against the loop a user would write.

    python benchmarks/generation.py [--rows 100000] [--columns 50] [--members 50] [--repeats 3]

The loop, per member: project, `KMeans(init="random", n_init=1)` of scikit-learn with the same tol and
max_iter, on two threads. Ours: `RandomProjection(n_jobs=2)`, with the projections that the loop uses.
Both are measured in turn in one process; the table has the median ratio of their times (least to
largest) and the ratio of their mean inertias in the projections. k-means restarts on the data
themselves are measured in the same way.
"""

import argparse
import os
import time

os.environ.setdefault("OMP_NUM_THREADS", "2")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "2")

import numpy as np
from sklearn.cluster import KMeans

from consilience.generate import KMeansRestarts, RandomProjection

MAX_ITER, TOL = 300, 1e-4


def make_data(n_rows, n_columns, dtype):
    rng = np.random.default_rng(0)
    centres = rng.normal(size=(10, n_columns)) * 2
    return (
        (centres[rng.integers(10, size=n_rows)] + rng.normal(size=(n_rows, n_columns)) * 1.5)
        .astype(dtype)
    )  # fmt: skip


def plain_loop(X, projections, n_clusters):
    """Labels of the loop; the data themselves where a projection is None."""
    rng = np.random.default_rng(1)
    labels = []
    for projection in projections:
        model = KMeans(
            n_clusters, init="random", n_init=1, max_iter=MAX_ITER, tol=TOL,
            random_state=int(rng.integers(2**31)),
        )  # fmt: skip
        labels.append(model.fit_predict(X if projection is None else X @ projection))
    return labels


def ours(X, n_members, n_clusters, width):
    common = {"n_members": n_members, "n_clusters": n_clusters, "random_state": 0, "verbose": 0}
    if width is None:
        return KMeansRestarts(n_jobs=2, **common).fit(X)
    return RandomProjection(n_components=width, n_jobs=2, **common).fit(X)


def mean_inertia(X, projections, labels):
    """Sum of squares inside clusters as a share of the whole, so that projections compare."""
    shares = []
    for projection, own in zip(projections, labels, strict=True):
        space = (X if projection is None else X @ projection).astype(np.float64)
        space -= space.mean(axis=0)
        sizes = np.bincount(own)
        sums = np.stack([np.bincount(own, weights=column) for column in space.T], axis=1)
        shares.append(1 - ((sums**2).sum(axis=1) / sizes).sum() / (space**2).sum())
    return np.mean(shares)


def compare(X, options, width):
    ours(X[:2000], 2, options.clusters, width)  # compile before the clock runs
    loop_seconds, our_seconds = [], []
    for _ in range(options.repeats):
        start = time.perf_counter()
        generator = ours(X, options.members, options.clusters, width)
        our_seconds.append(time.perf_counter() - start)
        projections = getattr(generator, "projections_", [None] * options.members)
        start = time.perf_counter()
        labels = plain_loop(X, projections, options.clusters)
        loop_seconds.append(time.perf_counter() - start)
    mine = mean_inertia(X, projections, [member.labels for member in generator.members_])
    theirs = mean_inertia(X, projections, labels)
    ratios = np.array(loop_seconds) / our_seconds
    name = "restarts" if width is None else f"random projection to {width}"
    print(
        f"| {name} | {X.dtype} | {min(loop_seconds):.2f} s | {min(our_seconds):.2f} s | "
        f"{np.median(ratios):.2f} ({ratios.min():.2f} to {ratios.max():.2f}) | {mine / theirs:.4f} |",
        flush=True,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--columns", type=int, default=50)
    parser.add_argument("--members", type=int, default=50)
    parser.add_argument("--clusters", type=int, default=15)
    parser.add_argument("--width", type=int, default=10)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    print("| members | data | loop | ours | loop / ours | inertia, ours / loop |")
    print("| --- | --- | --- | --- | --- | --- |")
    for dtype in (np.float32, np.float64):
        X = make_data(options.rows, options.columns, dtype)
        compare(X, options, options.width)
        compare(X, options, None)


if __name__ == "__main__":
    main()
