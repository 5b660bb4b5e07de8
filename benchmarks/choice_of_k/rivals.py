"""Other ways to find the number of clusters, k from 1 or 2 to 20, with default settings."""

import numpy as np
from scipy.sparse import identity
from scipy.sparse.csgraph import laplacian
from scipy.sparse.linalg import eigsh
from sklearn.cluster import (
    HDBSCAN,
    AgglomerativeClustering,
    KMeans,
    MeanShift,
    spectral_clustering,
)
from sklearn.metrics import silhouette_score
from sklearn.mixture import GaussianMixture
from sklearn.neighbors import kneighbors_graph

LARGEST = 20
# The silhouette needs all distances between rows, so it is that of a sample of larger data.
SILHOUETTE_ROWS = 5000


def eigengap(X, seed):
    """The largest gap of the eigenvalues of a graph of nearest neighbours, and spectral clustering."""
    graph = kneighbors_graph(X, min(10, len(X) - 1))
    graph = (graph + graph.T) / 2
    flipped = identity(len(X)) - laplacian(graph, normed=True)
    values = eigsh(flipped, min(LARGEST + 2, len(X) - 2), which="LA", return_eigenvectors=False)
    gaps = np.diff(np.sort(1 - values))[1:LARGEST]
    return spectral_clustering(graph, n_clusters=int(np.argmax(gaps)) + 2, random_state=seed)


def mixture_bic(X, seed):
    """Gaussian mixtures with full covariances, by BIC."""
    fits = (
        GaussianMixture(k, random_state=seed, reg_covar=1e-4).fit(X)
        for k in range(1, min(LARGEST, len(X) // 2) + 1)
    )
    return min(fits, key=lambda fit: fit.bic(X)).predict(X)


def gap(X, seed, n_null=10):
    """The gap statistic of k-means against uniform boxes."""
    rng = np.random.default_rng(seed)
    numbers = range(1, min(LARGEST, len(X) // 2) + 1)
    low, high = X.min(axis=0), X.max(axis=0)

    def spread(rows):
        fits = (KMeans(k, n_init=1, random_state=seed).fit(rows) for k in numbers)
        return np.log([max(fit.inertia_, 1e-12) for fit in fits])

    null = np.array([spread(rng.uniform(low, high, X.shape)) for _ in range(n_null)])
    fits = [KMeans(k, n_init=3, random_state=seed).fit(X) for k in numbers]
    gaps = null.mean(axis=0) - np.log([max(fit.inertia_, 1e-12) for fit in fits])
    error = null.std(axis=0) * np.sqrt(1 + 1 / n_null)
    for place in range(len(numbers) - 1):
        if gaps[place] >= gaps[place + 1] - error[place + 1]:
            return fits[place].labels_
    return fits[-1].labels_


def _silhouette(X, make):
    answers = [make(k).fit_predict(X) for k in range(2, min(LARGEST, len(X) - 1) + 1)]
    answers = [labels for labels in answers if len(set(labels)) > 1]
    rows = SILHOUETTE_ROWS if len(X) > SILHOUETTE_ROWS else None
    return max(
        answers, key=lambda labels: silhouette_score(X, labels, sample_size=rows, random_state=0)
    )


RIVALS = {
    "eigengap": eigengap,
    "mixture, BIC": mixture_bic,
    "gap statistic": gap,
    "silhouette, k-means": lambda X, seed: _silhouette(
        X, lambda k: KMeans(k, n_init=3, random_state=seed)
    ),
    "silhouette, Ward": lambda X, seed: _silhouette(X, AgglomerativeClustering),  # noqa: ARG005
    "HDBSCAN": lambda X, seed: HDBSCAN(copy=True).fit_predict(X),  # noqa: ARG005
    "mean shift": lambda X, seed: MeanShift(bin_seeding=True).fit_predict(X),  # noqa: ARG005
}
