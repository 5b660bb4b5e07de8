"""The label matrices that every method gets: planted ones, and k-means on overlapping blobs."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sklearn.cluster import KMeans
from sklearn.datasets import make_blobs

from consilience.datasets import make_planted_ensemble

from .settings import BUILD, N_CLUSTERS, N_MEMBERS, N_SEEDS, OTHER_MEMBERS

NOISE = 0.6  # share of labels drawn at random: hard for r = 20, easy for r = 50


@dataclass(frozen=True)
class Case:
    """One label matrix: how it was made, its size, and whether it is timed or one of the seeds."""

    made: str
    n_samples: int
    n_members: int
    seed: int
    timed: bool

    @property
    def name(self):
        use = "timed" if self.timed else "seed"
        return f"{self.made}-{self.n_samples}-{self.n_members}-{use}{self.seed}"

    @property
    def main(self):
        """Whether a failure here means that nothing larger is tried."""
        return self.timed and self.made == "planted" and self.n_members == N_MEMBERS

    @property
    def labels_path(self):
        return BUILD / "labels" / f"{self.name}.npy"

    @property
    def truth_path(self):
        return BUILD / "labels" / f"{self.name}-truth.npy"


def cases(sizes):
    """All cases, in the order in which a worker takes them: the main size first, then variants."""
    for n_samples in sorted(sizes):
        yield Case("planted", n_samples, N_MEMBERS, 0, timed=True)
        if n_samples == 1_000:
            for seed in range(N_SEEDS):
                for made in ("planted", "k-means"):
                    yield Case(made, 1_000, 20, seed, timed=False)
        if n_samples == 10_000:
            yield Case("k-means", n_samples, N_MEMBERS, 0, timed=True)
            for n_members in OTHER_MEMBERS:
                yield Case("planted", n_samples, n_members, 0, timed=True)


def save(case):
    """Write the matrix and its classes, unless they are there."""
    if case.truth_path.exists():
        return
    Path(case.labels_path).parent.mkdir(parents=True, exist_ok=True)
    make = {"planted": _planted, "k-means": _kmeans}[case.made]
    labels, truth = make(case)
    np.save(case.labels_path, labels)
    np.save(case.truth_path, truth)


def save_warm_up():
    """A small matrix for the first call in a worker; its path."""
    case = Case("planted", 60, 8, 0, timed=True)
    save(case)
    return case.labels_path


def _planted(case):
    n_clusters, noise = (3, 0.1) if case.n_samples < 1_000 else (N_CLUSTERS, NOISE)
    ensemble, truth = make_planted_ensemble(
        case.n_samples, case.n_members, n_clusters, noise=noise, random_state=case.seed
    )
    return np.asarray(ensemble.labels).astype(np.uint8), truth


def _kmeans(case):
    """Single random starts, K to 2 K clusters, each on half of the columns."""
    rng = np.random.default_rng(case.seed)
    centres = rng.normal(scale=1.6, size=(N_CLUSTERS, 10))
    data, truth = make_blobs(case.n_samples, centers=centres, random_state=case.seed)
    labels = np.empty((case.n_samples, case.n_members), dtype=np.uint8)
    for j in range(case.n_members):
        columns = rng.choice(data.shape[1], data.shape[1] // 2, replace=False)
        estimator = KMeans(
            int(rng.integers(N_CLUSTERS, 2 * N_CLUSTERS + 1)),
            init="random",
            n_init=1,
            max_iter=20,
            random_state=int(rng.integers(2**31)),
        )
        labels[:, j] = estimator.fit_predict(data[:, columns])
    return labels, truth
