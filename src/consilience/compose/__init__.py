"""A generator and a consensus function as one estimator."""

from consilience.compose._consensus_clustering import ConsensusClustering
from consilience.compose._views import View, ViewChoice

__all__ = ["ConsensusClustering", "View", "ViewChoice"]
