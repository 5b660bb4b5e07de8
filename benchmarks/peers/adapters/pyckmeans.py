"""pyckmeans: its consensus step (linkage of the consensus matrix), given a matrix counted as it counts.

The scores that it adds to a result (silhouette and others) need the data; they are taken on the labels.
"""

import warnings

import numpy as np

PACKAGE = "pyckmeans"
METHODS = {"consensus": "HAC"}
GROWTH = {"consensus": 2}  # fill an n x n matrix


def consensus(labels, n_clusters, **_):
    from pyckmeans.core.ckmeans import CKmeansResult

    together = np.zeros((len(labels), len(labels)))
    for member in labels.T:
        together += member[:, None] == member
    together /= labels.shape[1]
    result = CKmeansResult(together, np.zeros(len(labels), dtype=int), n_clusters)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return result.recalculate_cluster_memberships(labels, "average", in_place=True).cl
