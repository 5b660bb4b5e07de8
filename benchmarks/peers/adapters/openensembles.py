"""OpenEnsembles: co-occurrence linkage, mixture model, majority vote and graph closure.

Linkage, vote and closure are cut at a threshold, 0.5, and cannot be given a number of clusters.
"""

import numpy as np

PACKAGE = "OpenEnsembles"
# Its pins (NumPy 1.19, scikit-learn 0.24, pandas 1.2) have no wheels for this Python. With networkx 3
# the graph closure ends in an AttributeError.
LOOSE = ("numpy", "scipy", "scikit-learn", "pandas", "matplotlib", "networkx<3", "hdbscan")
METHODS = {
    "linkage": "HAC",
    "mixture_model": "MultinomialMixture",
    "majority_vote": "PluralityVoting",
    "graph_closure": "other",
}
GROWTH = {"linkage": 2, "majority_vote": 2, "graph_closure": 2}  # fill an n x n matrix


def _ensemble(labels):
    import matplotlib as mpl

    mpl.use("Agg")
    import openensembles
    import pandas as pd

    data = openensembles.data(pd.DataFrame(np.zeros((len(labels), 1))), [0])
    ensemble = openensembles.cluster(data)
    for j, member in enumerate(labels.T):
        ensemble.labels[j] = member
        ensemble.params[j] = {}
    return ensemble


def linkage(labels, **_):
    return _ensemble(labels).finish_co_occ_linkage(0.5, "average").labels["co_occ_linkage"]


def mixture_model(labels, n_clusters, seed, **_):
    np.random.seed(seed)  # noqa: NPY002 - the package draws from the global state
    return _ensemble(labels).mixture_model(n_clusters, 10).labels["mixture_model"]


def majority_vote(labels, **_):
    return _ensemble(labels).finish_majority_vote(0.5).labels["majority_vote"]


def graph_closure(labels, **_):
    return _ensemble(labels).finish_graph_closure(0.5, 3).labels["graph_closure"]
