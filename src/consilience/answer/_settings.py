"""All numbers of the answer: what was fitted to data, and the grids and sample sizes."""

from typing import NamedTuple


class Weights(NamedTuple):
    """How a score weighs its parts; see `consilience.answer._score`.

    unshared  what information that two clusterings do not share costs
    border    what borders cost
    kinds     share of the other kinds that count, the most favourable ones
    """

    unshared: float
    border: float
    kinds: float


# --- fitted ---------------------------------------------------------------------------------------

# The score by which a number of clusters is chosen, and the one among answers of the same number.
CHOOSING = Weights(unshared=1.0, border=1.5, kinds=0.5)
OF_ONE_NUMBER = Weights(unshared=0.5, border=1.0, kinds=0.34)
# The log odds that there are clusters: constant, less so much times cost / gain of the best answer.
LOG_ODDS = (3.4, 11.5)
# Below the first probability the answer is "one", above the second one "clusters", else "unsure".
UNSURE = (0.3, 0.8)

# --- grids and sizes ------------------------------------------------------------------------------

# Rows on which candidates and borders are judged.
JUDGED_ROWS = 2_000
# Numbers of clusters for which clusterings are made.
GRID = (*range(2, 17), 18, 20, 22, 25, 28, 32, 36, 40, 45)
# At most one cluster for so many rows, but always up to four.
ROWS_PER_CLUSTER, FEWEST = 5, 4
# Data with more columns are reduced to so many axes.
MANY_COLUMNS, AXES = 100, 50
# Neighbours of the graphs for spectral clusterings, and which of them gives the width of the kernel.
GRAPH_NEIGHBOURS, WIDTH_NEIGHBOUR = 20, 7
EIGENVECTORS = 46
# Merging along a spanning tree: the neighbour that gives the core distance, the largest Gini index.
CORE_NEIGHBOUR, MOST_UNEQUAL = 5, 0.3
# Links across borders: neighbours, and in small data.
LINKS, FEW_LINKS, SMALL_DATA = 10, 5, 50
# Numbers of neighbours by whose distances the intrinsic dimension is estimated.
DIMENSION_NEIGHBOURS = (10, 14, 20, 28, 40, 56, 80)
# Numbers of clusters that are examined in full, those whose best clusterings score best.
EXAMINED = 4
# Share of the rows that the smallest cluster has at least when the number is chosen.
LEAST_SHARE = 0.01
# Of fewer rows, nobody can be sure that there are clusters.
FEW_ROWS = 10
# Rows whose pairs give the distribution of the consensus.
PAIR_ROWS = 300
# From labels alone: the fewest members, the largest number, the power of the support; the share of
# the information that halves of the members have in common where the answer is sure, and the share of
# random orders of the objects that may do as well.
FEWEST_MEMBERS, MOST_FROM_LABELS, SUPPORT_POWER = 4, 30, 3
LEAST_SHARED, HALVES_BY_CHANCE = 0.3, 0.01
# Rounds of k-means and of mixtures.
KMEANS_ROUNDS, MIXTURE_ROUNDS = 100, 40
