"""netneurotools: modularity of the thresholded agreement matrix. Chooses the number of clusters."""

PACKAGE = "netneurotools"
BESIDE = ("numpy<2.2",)  # its dependency bctpy sums generators, which newer releases refuse
METHODS = {"find_consensus": "other"}
GROWTH = {"find_consensus": 2}  # fill an n x n matrix


def find_consensus(labels, seed, **_):
    import numpy as np
    from netneurotools.modularity import find_consensus as find

    np.random.seed(seed)  # noqa: NPY002 - the package draws from the global state
    return find(labels.astype(int) + 1, seed=seed)
