"""What a user would pick instead: scikit-learn's algorithms, columns standardised or as given."""

import warnings

import numpy as np
from scipy import sparse
from sklearn.cluster import (
    HDBSCAN,
    AgglomerativeClustering,
    Birch,
    KMeans,
    SpectralClustering,
)
from sklearn.decomposition import TruncatedSVD
from sklearn.mixture import GaussianMixture
from sklearn.preprocessing import StandardScaler

from consilience.metrics import ari, nmi

from .sets import load
from .workers import within

SECONDS = 120
_AXES, _MOST_COLUMNS = 50, 2000

ALGORITHMS = {
    "k-means": lambda k, seed: KMeans(k, n_init=10, random_state=seed),
    "Ward": lambda k, _: AgglomerativeClustering(k, linkage="ward"),
    "spectral, nearest neighbours": lambda k, seed: SpectralClustering(
        k, affinity="nearest_neighbors", random_state=seed
    ),
    "Gaussian mixture, full": lambda k, seed: GaussianMixture(k, random_state=seed),
    "Gaussian mixture, diagonal": lambda k, seed: GaussianMixture(
        k, covariance_type="diag", random_state=seed
    ),
    "HDBSCAN": lambda *_: HDBSCAN(copy=True),
    "Birch": lambda k, _: Birch(n_clusters=k),
}
_TAKE_SPARSE = ("k-means", "spectral, nearest neighbours", "Birch")
SCALINGS = ("standardised", "as given")
RIVALS = [f"{name}, {scaling}" for name in ALGORITHMS for scaling in SCALINGS]


def measure(name, n_rows, seed, wanted):
    """Return a row of results for every rival wanted; one that fails or takes too long scores 0."""
    warnings.simplefilter("ignore")
    X, y = load(name, n_rows, seed)
    k = int(y.max()) + 1
    rows = []
    for scaling in SCALINGS:
        whole, reduced = features(X, scaling)
        for algorithm, make in ALGORITHMS.items():
            method = f"{algorithm}, {scaling}"
            if method not in wanted:
                continue
            data = whole if algorithm in _TAKE_SPARSE else reduced
            labels, seconds, note = within(SECONDS, _labels, make, data, k, seed)
            scores = scored(labels, y)
            where = {"set": name, "rows": n_rows, "seed": seed, "method": method}
            rows.append(where | scores | {"seconds": round(seconds, 3), "note": note})
    return rows


def features(X, scaling):
    """Return what algorithms that take sparse data get, and what the others get.

    Sparse columns are divided, not shifted. Sparse data of more than 2,000 columns are projected on 50
    singular vectors for all, others for those that cannot take sparse data.
    """
    if not sparse.issparse(X):
        X = StandardScaler().fit_transform(X) if scaling == "standardised" else X
        return X, X
    X = X.astype(float)
    if scaling == "standardised":
        X = StandardScaler(with_mean=False).fit_transform(X)
    reduced = TruncatedSVD(_AXES, random_state=0).fit_transform(X)
    return (reduced if X.shape[1] > _MOST_COLUMNS else X), reduced


def _labels(make, X, k, seed):
    return make(k, seed).fit_predict(X)


def scored(labels, y):
    """NMI and ARI with the classes; noise, -1, is one cluster; no labels are worth 0."""
    if labels is None:
        return {"nmi": 0.0, "ari": 0.0}
    labels = np.unique(labels, return_inverse=True)[1]
    return {"nmi": round(nmi(labels, y), 6), "ari": round(ari(labels, y), 6)}
