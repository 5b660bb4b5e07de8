"""Fit one method on one data set in this process and print seconds and peak memory, as JSON.

Run by `speed.py`: peak memory cannot be taken back.
"""

import json
import re
import sys
import time
import warnings
from pathlib import Path

import numpy as np
from sklearn.cluster import KMeans, SpectralClustering
from sklearn.datasets import load_digits

from consilience import ConsensusClustering, generate

K = 10


def landmarks():
    return generate.LandmarkSpectral(n_members=20, n_jobs=2, random_state=0, verbose=0)


METHODS = {
    "default": lambda: ConsensusClustering(n_clusters=K, random_state=0, verbose=0),
    "one view": lambda: ConsensusClustering(
        n_clusters=K, generator="landmark-spectral", scaling="standard", random_state=0, verbose=0
    ),
    "20 landmark members": landmarks,
    "k-means": lambda: KMeans(K, n_init=10, random_state=0),
    "spectral": lambda: SpectralClustering(K, affinity="nearest_neighbors", random_state=0),
}
CASES = {
    "digits": ["default", "one view", "k-means", "spectral"],
    "10,000 x 50": ["20 landmark members", "k-means", "spectral"],
    "100,000 x 50": ["20 landmark members", "k-means"],
    "1,000,000 x 20": ["20 landmark members", "k-means"],
}


def features(data):
    """Digits, or ten Gaussians that overlap."""
    if data == "digits":
        return load_digits().data
    n_samples, n_columns = (int(part.replace(",", "")) for part in data.split(" x "))
    rng = np.random.default_rng(0)
    centres = rng.normal(0, 1.5, (K, n_columns))
    X = rng.standard_normal((n_samples, n_columns))
    for start in range(0, n_samples, 10_000):
        block = X[start : start + 10_000]
        block += centres[rng.integers(K, size=len(block))]
    return X


def kilobytes(what):
    """Resident size: VmRSS now, VmHWM at most; getrusage would include the process that started us."""
    status = Path("/proc/self/status").read_text()
    return int(re.search(rf"{what}:\s+(\d+) kB", status)[1])


def main(data, method):
    warnings.simplefilter("ignore")
    small = np.random.default_rng(0).standard_normal((500, 8))
    METHODS[method]().fit(small)
    X = features(data)
    model = METHODS[method]()
    Path("/proc/self/clear_refs").write_text("5")  # the peak starts again from here
    before = kilobytes("VmRSS")
    start = time.perf_counter()
    model.fit(X)
    seconds = time.perf_counter() - start
    print(json.dumps({"seconds": seconds, "bytes": (kilobytes("VmHWM") - before) * 1024}))


if __name__ == "__main__":
    main(*sys.argv[1:])
