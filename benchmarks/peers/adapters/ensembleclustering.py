"""ensembleclustering: ClusterEnsembles by Sano, which itself has left the index, under a new name."""

import warnings

PACKAGE = "ensembleclustering"
# Its pins (scikit-learn < 1.1, pymetis 2020.1) have no wheels for this Python: the oldest that have.
# With SciPy 1.17, CSPA, MCLA and HBGF end in an AttributeError.
LOOSE = ("numpy<2", "scipy<1.11", "scikit-learn<1.3", "kahypar", "pymetis")
METHODS = {"cspa": "CSPA", "hgpa": "HGPA", "mcla": "MCLA", "hbgf": "HBGF", "nmf": "NMFC"}
GROWTH = {
    "cspa": 2,
    "nmf": 2,
    "mcla": 0,
}  # n x n matrices; MCLA's time goes to pairs of base clusters


def _solve(solver, labels, n_clusters, seed):
    from ensembleclustering import cluster_ensembles

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return cluster_ensembles(labels.T, nclass=n_clusters, solver=solver, random_state=seed)


def cspa(labels, n_clusters, seed, **_):
    return _solve("cspa", labels, n_clusters, seed)


def hgpa(labels, n_clusters, seed, **_):
    return _solve("hgpa", labels, n_clusters, seed)


def mcla(labels, n_clusters, seed, **_):
    return _solve("mcla", labels, n_clusters, seed)


def hbgf(labels, n_clusters, seed, **_):
    return _solve("hbgf", labels, n_clusters, seed)


def nmf(labels, n_clusters, seed, **_):
    return _solve("nmf", labels, n_clusters, seed)
