# ruff: noqa: INP001 - R loads this file by its path
"""What the R package asks of Python: members from subsamples, the consensus of pairs, a consensus.

Numbers come and go as bytes: some versions of reticulate, 1.28 among them, cannot exchange arrays with
NumPy 2.
"""

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import pdist, squareform
from scipy.stats import rankdata

from consilience import Ensemble
from consilience.consensus import catalogue
from consilience.diagnose import ConsensusMatrix
from consilience.generate import Subsample

_DISTANCES = {"euclidean": "euclidean", "maximum": "chebyshev", "manhattan": "cityblock"}


class Members:
    """Labels by number of clusters, {k: array (reps, n)}, -1 is missing; R only holds on to it."""

    def __init__(self, labels):
        self.labels = labels

    def ensemble(self, k):
        """Return the members with k clusters."""
        return Ensemble(self.labels[k].T)


def _numbers(buffer, n_rows):
    return np.frombuffer(buffer, dtype=np.float64).reshape(n_rows, -1)


def _bytes(values):
    return bytearray(np.ascontiguousarray(values, dtype=np.float64).tobytes())


def distances(X, name):
    """Return the distances of all pairs of rows, condensed."""
    if name in _DISTANCES:
        return pdist(X, _DISTANCES[name])
    rows = rankdata(X, axis=1) if name == "spearman" else X
    return squareform(1.0 - np.corrcoef(rows), checks=False)


def tree_members(buffer, n, max_k, reps, p_item, p_feature, method, distance, seed):
    """Cut the tree of every subsample into 2 .. max_k clusters; `distance` "given": of a dist object."""
    rng = np.random.default_rng(seed)
    square = None
    if distance == "given":
        square = squareform(np.frombuffer(buffer, dtype=np.float64), checks=False)
    else:
        X = _numbers(buffer, n)
        if p_feature == 1:
            square = squareform(distances(X, distance), checks=False)
    labels = {k: np.full((reps, n), -1, dtype=np.int32) for k in range(2, max_k + 1)}
    for j in range(reps):
        rows = np.sort(rng.choice(n, int(n * p_item), replace=False))
        if square is not None:
            pairs = squareform(square[np.ix_(rows, rows)], checks=False)
        else:
            columns = np.sort(rng.choice(X.shape[1], int(X.shape[1] * p_feature), replace=False))
            pairs = distances(X[np.ix_(rows, columns)], distance)
        tree = linkage(pairs, method)
        # Ranks instead of heights: equal heights would give fewer clusters than asked for.
        tree[:, 2] = np.arange(len(tree))
        for k, found in labels.items():
            found[j, rows] = fcluster(tree, len(rows) - k - 0.5, "distance") - 1
    return Members(labels)


def kmeans_members(buffer, n, max_k, reps, p_item, p_feature, seed):
    """Run k-means on every subsample with 2 .. max_k clusters."""
    X = _numbers(buffer, n)
    settings = {"fraction": p_item, "left_out": "missing", "verbose": 0}
    seeds = np.random.SeedSequence(seed)
    result = {}
    for k in range(2, max_k + 1):
        rng = np.random.default_rng(seeds.spawn(1)[0])
        if p_feature == 1:
            members = [Subsample(n_members=reps, n_clusters=k, random_state=rng, **settings).fit(X)]
        else:
            size = int(X.shape[1] * p_feature)
            members = [
                Subsample(n_members=1, n_clusters=k, random_state=rng, **settings).fit(
                    X[:, np.sort(rng.choice(X.shape[1], size, replace=False))]
                )
                for _ in range(reps)
            ]
        result[k] = np.vstack([part.ensemble_.labels.T for part in members])
    return Members(result)


def given_members(buffer, n):
    """Take labels that exist, stored as numbers, clustering by clustering."""
    return Members({0: _numbers(buffer, len(buffer) // (8 * n)).astype(np.int32)})


def pair_consensus(members, k=0):
    """Return, condensed, the share of the members that know both objects in which they are together."""
    return _bytes(ConsensusMatrix(members.ensemble(k)).pairs)


def combine(members, k, method, seed):
    """Return labels from 0, and after them the confidence, of one consensus function."""
    kinds = {name.lower(): kind for name, kind in catalogue().items()}
    if method.lower() not in kinds:
        raise ValueError(f"There is no method {method!r}; there are {', '.join(catalogue())}.")
    function = kinds[method.lower()]()
    given = {"n_clusters": k, "random_state": seed, "verbose": 0}
    known = function.get_params(deep=False)
    function.set_params(**{name: value for name, value in given.items() if name in known})
    ensemble = members.ensemble(0)
    found = np.asarray(function.fit(ensemble).labels_)
    shares = np.asarray(function.predict_proba(ensemble))
    return _bytes(np.concatenate([found, shares[np.arange(len(found)), found]]))
