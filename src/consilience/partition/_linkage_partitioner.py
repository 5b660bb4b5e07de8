"""A partitioner by average linkage."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from consilience.partition._graphs import ObjectGraph
from consilience.partition._membership_linkage import membership_linkage
from consilience.partition._partitioner import Partitioner
from consilience.partition._solution import Solution


@dataclass(frozen=True)
class Linkage(Partitioner):
    """Merge the two most similar clusters of objects until K are left; no balance, O(n^2)."""

    cost: ClassVar[Literal["linear", "quadratic"]] = "quadratic"

    def cut_objects(
        self,
        graph: ObjectGraph,
        n_clusters: int,
        rng: np.random.Generator,  # noqa: ARG002 - nothing is drawn
    ) -> list[Solution]:
        """Merge by the mean similarity of two clusters."""
        tree = membership_linkage(graph.H, graph.column_weight, graph.total)
        labels = tree.cut_into(n_clusters)
        return [Solution.minimised(labels, graph.cut_of_labels(labels, n_clusters))]
