"""Features: base clusters are mapped to numbers, which are clustered by k-means."""

from consilience.consensus.features._bagged_clustering import BaggedClustering
from consilience.consensus.features._labelling import Labelling

__all__ = ["BaggedClustering", "Labelling"]
