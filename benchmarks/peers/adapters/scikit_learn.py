"""scikit-learn: the three consensus functions that its estimators give once labels are encoded.

The encoding is timed with the fit, in the fastest form that NumPy and SciPy offer.
"""

import numpy as np

PACKAGE = "scikit-learn"
METHODS = {"kmeans": "KMCF", "spectral": "IBGF", "agglomerative": "HAC"}
GROWTH = {"spectral": 2, "agglomerative": 2}  # fill an n x n matrix


def _one_hot(labels, dtype):
    from scipy import sparse

    n_samples, n_members = labels.shape
    sizes = labels.max(axis=0).astype(np.int64) + 1
    columns = labels + (np.cumsum(sizes) - sizes).astype(np.int32)
    starts = np.arange(0, n_samples * n_members + 1, n_members, dtype=np.int32)
    ones = np.ones(n_samples * n_members, dtype=dtype)
    return sparse.csr_matrix((ones, columns.ravel(), starts), (n_samples, int(sizes.sum())))


def _coassociation(labels):
    # float32: half the memory, and what a careful user would choose.
    features = _one_hot(labels, np.float32)
    if features.shape[1] <= features.shape[0]:
        features = features.toarray()
        return features @ features.T / labels.shape[1]
    return (features @ features.T).toarray() / labels.shape[1]


def kmeans(labels, n_clusters, n_init, seed):
    """To convergence, as KMCF: no tolerance, the same starts, the same most rounds."""
    from sklearn.cluster import KMeans

    estimator = KMeans(
        n_clusters, init="k-means++", n_init=n_init, max_iter=300, tol=0.0, random_state=seed
    )
    return estimator.fit_predict(_one_hot(labels, np.float64))


def spectral(labels, n_clusters, n_init, seed):
    from sklearn.cluster import SpectralClustering

    estimator = SpectralClustering(
        n_clusters, affinity="precomputed", n_init=n_init, random_state=seed
    )
    return estimator.fit_predict(_coassociation(labels))


def agglomerative(labels, n_clusters, **_):
    from sklearn.cluster import AgglomerativeClustering

    estimator = AgglomerativeClustering(n_clusters, metric="precomputed", linkage="average")
    return estimator.fit_predict(1 - _coassociation(labels))
