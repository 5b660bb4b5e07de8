"""Label matrices and features in every form that Python has for them."""

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from benchmarks.fuzzing.outcomes import READ, Rng, pick, require, several, size
from scipy import sparse

from consilience import Ensemble
from consilience.consensus import IVC, KMCF, MCLA
from consilience.datasets import make_planted_ensemble
from consilience.exceptions import (
    ConsilienceWarning,
    FewerClustersWarning,
    NoDiversityWarning,
    NoSignalWarning,
    NotConvergedWarning,
    UnlabelledObjectsWarning,
)
from consilience.generate import KMeansRestarts
from consilience.metrics import ari

METHODS = (IVC, KMCF, MCLA)


def label_matrix(rng: Rng) -> Any:
    """Return labels in one of many forms; not all of them are legal."""
    n, r = size(rng, 30), size(rng, 6)
    labels = rng.integers(-1 if rng.random() < 0.5 else 0, 1 + int(rng.integers(1, 6)), (n, r))
    mixed = np.array(["a", "b", None, 1, 1.5, -1, np.nan, True, "", b"x", pd.NA], dtype=object)
    types = ("i1", "i2", "i4", "u1", "u8", "f2", "f4", "f8", "?", "c8", "M8[D]", "S3", "U3")
    order = rng.permutation(n) if rng.random() < 0.5 else np.arange(n)
    makers = (
        lambda: labels,
        lambda: labels.astype(pick(rng, types)),
        lambda: labels * int(rng.choice([1, 10**6, 2**40, 2**62, -1])),
        lambda: labels + 0.5 * (rng.random(labels.shape) < 0.1),
        lambda: np.where(rng.random(labels.shape) < 0.2, np.nan, labels),
        lambda: np.ma.masked_array(labels, mask=rng.random(labels.shape) < 0.3),
        lambda: mixed[rng.integers(0, len(mixed), labels.shape)],
        lambda: [column.tolist() for column in labels.T],
        lambda: [pd.Series(c, index=order if j else np.arange(n)) for j, c in enumerate(labels.T)],
        lambda: pd.DataFrame(
            labels, columns=[pick(rng, ("a", "b", "c", "d", 1)) for _ in range(r)]
        ),
        lambda: pa.table({f"m{j}": [f"c{v}" for v in c] for j, c in enumerate(labels.T.tolist())}),
        lambda: labels.reshape(-1) if rng.random() < 0.5 else labels[:, :, None],
        lambda: pick(
            rng, (None, 3, "text", {}, [], [[]], [[1], [1, 2]], sparse.csr_matrix(labels))
        ),
        lambda: np.zeros((n, r), dtype=int),
        lambda: np.arange(n * r).reshape(n, r),
        lambda: pd.DataFrame(labels).astype(pick(rng, ("category", "string", "Int64", "float32"))),
    )
    return pick(rng, makers)()


def any_labels(rng: Rng, _: Path) -> str:
    """Make an ensemble of anything, and combine it."""
    given = label_matrix(rng)
    arguments: dict[str, Any] = {}
    if rng.random() < 0.2:
        arguments["weights"] = pick(
            rng, ([1.0, 2.0], [0.0], np.ones(3), [-1], [np.nan, 1], "ab", None)
        )
    if rng.random() < 0.2:
        arguments["ids"] = pick(rng, (list("abc"), range(10), np.arange(30.0), [None], [1, 1]))
    method = pick(rng, METHODS)
    n_clusters = int(rng.integers(1, 6))
    direct = rng.random() < 0.3

    def combine() -> None:
        noise = "missing" if direct else pick(rng, ("missing", "missing", "own"))
        ensemble = Ensemble(given, noise=noise, **arguments)
        shape = getattr(given, "shape", None)
        require(
            shape is None or shape == (ensemble.n_samples, ensemble.n_members),
            "shape of an ensemble",
        )
        known = ensemble.labels.max(axis=0, initial=-1)
        require(np.all(known == ensemble.n_clusters - 1), "labels without gaps")
        function = method(n_clusters=n_clusters, random_state=0)
        labels = function.fit(given if direct else ensemble).labels_
        require(len(labels) == ensemble.n_samples, "number of labels")
        require(labels.min() >= 0 and labels.max() < n_clusters, "labels out of range")

    return several(combine)


def planted(rng: Rng, folder: Path) -> str:
    """Combine noisy copies of known clusters: they must be found, without a false warning."""
    k, r = int(rng.integers(2, 5)), int(rng.integers(6, 12))
    n = k * int(rng.integers(15, 40))
    ensemble, truth = make_planted_ensemble(
        n, r, k, noise=0.1, random_state=int(rng.integers(2**31))
    )
    labels = ensemble.labels.astype(np.int64)
    if rng.random() < 0.3:
        labels[rng.random(labels.shape) < 0.1] = -1
    renamed = np.where(labels >= 0, labels * int(rng.choice([1, 7, 10**9])), -1)
    names = np.array(["north", "south", "east", "west", ""], dtype=object)
    given: Any = renamed if rng.random() < 0.7 else names[np.where(labels >= 0, labels, 4)]
    if given is not renamed:
        given = np.where(given == "", None, given)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        made = Ensemble(given)
        found = pick(rng, METHODS)(n_clusters=k, random_state=0).fit(made).labels_
    score = ari(found, truth)
    require(score > 0.8, f"planted clusters are not found (ARI {score:.2f})")
    false = {NoSignalWarning, NoDiversityWarning, FewerClustersWarning, NotConvergedWarning}
    if (labels >= 0).any(axis=1).all():
        false.add(UnlabelledObjectsWarning)
    said = {warning.category for warning in caught}
    require(not said & false, f"false warnings {[c.__name__ for c in said & false]}")
    require(all(issubclass(category, ConsilienceWarning) for category in said), f"warnings {said}")
    made.to_parquet(folder / "p.parquet", overwrite=True)
    require(
        Ensemble.from_parquet(folder / "p.parquet").fingerprint == made.fingerprint,
        "saved and loaded",
    )
    return READ


def any_features(rng: Rng, _: Path) -> str:
    """Cluster anything."""
    n, d = size(rng, 30), size(rng, 5)
    X: Any = rng.normal(size=(n, d)) * 10.0 ** rng.integers(-5, 6)
    kind = int(rng.integers(14))
    if kind == 0:
        with np.errstate(all="ignore"):
            X = X.astype(
                pick(rng, ("f4", "f2", "i8", "u1", "?", "c16", "M8[D]", "m8[s]", "U5", "O", "S4"))
            )
    elif kind == 1:
        X[rng.random(X.shape) < 0.02] = pick(rng, (np.nan, np.inf, -np.inf))
    elif kind == 2:
        X = np.ma.masked_array(X, mask=rng.random(X.shape) < 0.02)
    elif kind == 3:
        X = pick(rng, (sparse.csr_matrix, sparse.csc_array, sparse.coo_matrix))(X)
    elif kind == 4:
        X = pd.DataFrame(X, columns=[pick(rng, ("a", "b", "c", "d", "e", 1)) for _ in range(d)])
    elif kind == 5:
        X = pick(
            rng, (X.tolist(), X.ravel(), X[:, :, None], None, "text", 3, [["a"]], [[1], [1, 2]])
        )
    elif kind == 6:
        X = pa.table({f"x{j}": column for j, column in enumerate(X.T)})
    elif kind == 7:
        X = np.full((n, d), 3.0)
    elif kind == 8:
        X = X * 1e300

    def cluster() -> None:
        generator = KMeansRestarts(n_members=2, n_clusters=2, random_state=0)
        ensemble = generator.fit(X).ensemble_
        require(
            ensemble.n_samples == X.shape[0] if hasattr(X, "shape") else len(X), "number of rows"
        )

    return several(cluster)
