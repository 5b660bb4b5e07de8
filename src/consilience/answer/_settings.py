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
OF_ONE_NUMBER = Weights(unshared=0.5, border=1.0, kinds=0.5)
# The log odds that there are clusters: constant, times the score, times the evidence of the tests.
LOG_ODDS = (-1.34, 3.0, 0.61)
# Below the first probability the answer is "one", above the second one "clusters", else "unsure".
UNSURE = (0.5, 0.9)

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
# A diffusion map: how many steps, and on how many axes.
DIFFUSION_STEPS, DIFFUSION_AXES = 8, 30
# Merging along a spanning tree: the neighbour that gives the core distance, the largest Gini index.
CORE_NEIGHBOUR, MOST_UNEQUAL = 5, 0.3
# Links across borders: neighbours, and in small data.
LINKS, FEW_LINKS, SMALL_DATA = 10, 5, 50
# Numbers of neighbours by which densities are estimated.
DENSITY_NEIGHBOURS = (10, 14, 20, 28, 40, 56, 80)
# Peaks that stand out by less, in standard errors, are no peaks; more peaks are no clustering.
LEAST_PROMINENCE, MOST_PEAKS = 4.5, 60
# Held-out lines: numbers of centres, the intrinsic dimension from which they are used, and the share
# and the least number of the rows between two centres whose distance gives a density.
LINE_CENTRES, LINE_DIMENSION, LINE_SHARE, LINE_ROWS = (2, 3, 5), 5.0, 0.1, 10
# How often data without clusters exceed a prominence z, 0.03 exp(-(z - a - b log(n / 200)) / s), by
# a, b and s.
PEAK_TAIL, LINE_TAIL = (2.6, 1.0, 0.5), (3.2, 0.3, 0.25)
# The evidence of the tests, -log10 of that, counts up to this.
MOST_EVIDENCE = 4.0
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
