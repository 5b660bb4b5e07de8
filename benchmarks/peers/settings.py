"""What is measured: kinds of method, sizes, limits, and packages that give no comparison."""

from pathlib import Path

BUILD = Path("build/peers")

# Kind (the name of our function) -> title of its panel. A peer belongs to the kind of its function.
KINDS = {
    "KMCF": "k-means on base clusters",
    "HBGF": "bipartite graph, HBGF",
    "MCLA": "meta-clusters, MCLA",
    "LWGP": "locally weighted graph, LWGP",
    "IBGF": "co-association, spectral",
    "CSPA": "co-association, balanced cut",
    "NMFC": "co-association, factors",
    "HAC": "co-association, average linkage",
    "HGPA": "hypergraph cut, HGPA",
    "PluralityVoting": "voting",
    "MultinomialMixture": "mixture model",
    "other": "chooses k itself",
}
PAIRWISE = ("IBGF", "CSPA", "NMFC")
LINEAR = ("KMCF", "HBGF", "MCLA", "LWGP")

N_CLUSTERS = 10
N_INIT = 10  # of every method that has starts
N_MEMBERS = 50
SIZES = (1_000, 10_000, 30_000, 100_000, 1_000_000)
OTHER_MEMBERS = (20, 100)  # at n = 10,000
N_SEEDS = 10  # ensembles of n = 1,000, r = 20 for the mean NMI

ALWAYS = 10_000  # sizes up to this are begun whatever a guess says, where something is promised
SECONDS = 100.0  # most for one (method, ensemble), all repeats together
SECONDS_ELSE = 15.0  # the same where nothing is promised
REPEATS = 5
REPEAT_SECONDS = 15.0  # no further repeat begins after so many
SEEDS_SECONDS = 30.0  # no further seed begins after so many
MEMORY_GIB = 12  # address space of a worker: what a machine of 16 leaves

# Names that were looked up on the index: each install is tried again, the error is what is listed.
LOOKED_UP = (
    "ClusterEnsembles",
    "consensus-clustering",
    "ensemble-clustering",
    "scikit-ensemble",
    "cluster-ensemble",
    "LWEA",
    "LWGP",
    "evidence-accumulation-clustering",
)

# On the index, but nothing that takes labels and gives labels; seen in the release named.
NOT_COMPARABLE = {
    "consensusclustering 0.2.4": "clusters data itself; gives consensus matrices and k, no labels",
    "kemlglearn 0.4.3": "clusters data itself; members cannot be given",
    "pyrea 1.0.12": "clusters views itself; `consensus` intersects members, k cannot be given",
    "pec 2.0.1": "clusters data itself, progressively",
    "sc3s 0.1.1": "clusters single-cell data itself",
    "usenc, eac, wec, parea, fast-ensemble": "other subjects under names that sound alike",
    "clue 0.3-64, ConsensusClusterPlus 1.62 (R)": (
        "not on PyPI; Debian has r-cran-clue and r-bioc-consensusclusterplus, which need R"
    ),
}
