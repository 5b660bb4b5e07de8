"""Cluster_Ensembles by Giecold: the best of CSPA, HGPA and MCLA by programs of METIS."""

PACKAGE = "Cluster_Ensembles"
LOOSE = ("numpy", "scipy", "scikit-learn", "tables", "numexpr", "psutil", "setuptools<80", "wheel")
METHODS = {"best_of_three": "MCLA"}


def best_of_three(labels, n_clusters, **_):
    from Cluster_Ensembles import cluster_ensembles

    return cluster_ensembles(labels.T.astype(int), N_clusters_max=n_clusters)
