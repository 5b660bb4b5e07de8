"""Clusterings of several platforms, partly of the same samples, combined into one.

Platforms are kinds of measurements of the same samples: expression, methylation, proteins, images.
"""

from consilience.platforms._cluster_of_clusters import cluster_of_clusters
from consilience.platforms._platform_consensus import PlatformConsensus, PlatformRow

__all__ = ["PlatformConsensus", "PlatformRow", "cluster_of_clusters"]
