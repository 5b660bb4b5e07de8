"""From an incidence, an affinity or a graph to k groups."""

from consilience.partition._kmeans import KMeansResult, incidence_kmeans

__all__ = ["KMeansResult", "incidence_kmeans"]
