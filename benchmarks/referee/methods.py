"""The default and the rivals that can be installed, the number of clusters given and chosen."""

import functools
import warnings
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as version_of
from typing import NamedTuple

import numpy as np
from benchmarks.choice_of_k.rivals import RIVALS
from benchmarks.quality.rivals import ALGORITHMS
from benchmarks.quality.workers import attempt

from consilience import ConsensusClustering

OURS = "ConsensusClustering"
KEY = ["set", "method", "mode", "seed"]
VALUES = ["n", "d", "true", "k", "ari", "ami", "seconds", "version", "note"]


class Method(NamedTuple):
    """The package that has to be installed, and `labels(X, k, seed)`; k is "auto" if it is chosen."""

    package: str
    labels: Callable
    seeded: bool = True

    def version(self):
        """Return the version of the package that is installed, or None."""
        try:
            return version_of(self.package)
        except PackageNotFoundError:
            return None


def _ours(X, k, seed):
    return ConsensusClustering(n_clusters=k, random_state=seed, n_jobs=1, verbose=0).fit_predict(X)


def _sklearn(name, *, seeded=True):
    labels = RIVALS.get(name) or (lambda X, k, seed: ALGORITHMS[name](k, seed).fit_predict(X))
    chosen = lambda X, _, seed: labels(X, seed)  # noqa: E731
    return Method("scikit-learn", chosen if name in RIVALS else labels, seeded)


def _optional(package, name, options, *, seeded=False):
    """Return the method of a class that is imported when it is used; `options(X, k, seed)`."""
    make = lambda *args: getattr(import_module(package), name)(**options(*args))  # noqa: E731
    return Method(package, lambda X, k, seed: make(X, k, seed).fit_predict(X), seeded)


def _given(_, k, __):
    return {"n_clusters": k}


def _evoc(X, _, seed):
    # Its default is an embedding with four columns, and it fails where the data have fewer.
    return {"random_state": seed, "node_embedding_dim": X.shape[1] if X.shape[1] < 4 else None}


METHODS = {
    "given": {
        OURS: Method("consilience", _ours),
        "k-means": _sklearn("k-means"),
        "Gaussian mixture": _sklearn("Gaussian mixture, full"),
        "spectral": _sklearn("spectral, nearest neighbours"),
        "Ward": _sklearn("Ward", seeded=False),
        "genieclust": _optional("genieclust", "Genie", _given),
        "lumbermark": _optional("lumbermark", "Lumbermark", _given),
    },
    "auto": {
        OURS: Method("consilience", _ours),
        "k-means, silhouette": _sklearn("silhouette, k-means"),
        "Gaussian mixture, BIC": _sklearn("mixture, BIC"),
        "spectral, eigengap": _sklearn("eigengap"),
        "HDBSCAN of scikit-learn": _sklearn("HDBSCAN", seeded=False),
        "hdbscan": _optional("hdbscan", "HDBSCAN", lambda *_: {"core_dist_n_jobs": 1}),
        "fast_hdbscan": _optional("fast_hdbscan", "HDBSCAN", lambda *_: {}),
        "evoc": _optional("evoc", "EVoC", _evoc, seeded=True),
    },
}


def measure(case, name, mode, seed):
    """Return a row: one fit, or one for every number of clusters that is right; a failure scores 0."""
    warnings.simplefilter("ignore")
    _compiled(name, mode, many=case.X.shape[1] > 20)
    method, one = METHODS[mode][name], np.zeros(len(case.X), dtype=int)
    fits = {
        k: attempt(method.labels, case.X, k, seed)
        for k in (case.numbers() if mode == "given" else ["auto"])
    }
    answers = {k: one if labels is None else labels for k, (labels, *_) in fits.items()}
    ari, ami, _ = case.scores(answers)
    labels = next(iter(answers.values()))
    values = [
        *case.X.shape, " ".join(map(str, case.numbers())), len(np.unique(labels[labels >= 0])),
        round(ari, 4), round(ami, 4), round(np.mean([fit[1] for fit in fits.values()]), 3),
        method.version(), "; ".join(sorted({fit[2] for fit in fits.values()} - {""})),
    ]  # fmt: skip
    return dict(zip(KEY + VALUES, [case.name, name, mode, seed, *values], strict=True))


@functools.cache
def _compiled(name, mode, *, many):
    """Fit something small first, of few or many columns, so that no seconds are those of compiling."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((300, 40 if many else 3)) + 9 * (np.arange(300) % 3)[:, None]
    attempt(METHODS[mode][name].labels, X, 3 if mode == "given" else "auto", 0)
