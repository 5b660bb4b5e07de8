"""A generator and a consensus function as one estimator."""

from consilience.compose._consensus_clustering import ConsensusClustering

__all__ = ["ConsensusClustering"]
