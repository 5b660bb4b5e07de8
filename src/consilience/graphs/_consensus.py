"""The answer of a consensus on a graph."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from consilience._utils._types import Array
from consilience._utils._words import plural
from consilience.ensemble import Ensemble
from consilience.graphs._communities import communities_of_labels
from consilience.graphs._graph import Graph


@dataclass(frozen=True, eq=False)
class GraphConsensus:
    """Communities on which many runs agree.

    Attributes
    ----------
    labels : array (n,) of int32
        Community of every node, 0, 1, ... by first appearance.
    graph : Graph
        The graph; its weights are those with which the last run was made.
    agreement : array (m,)
        Share of the members that put the ends of every edge of the given graph together.
    ensemble : Ensemble
        The members, for every other consensus function.
    method : str
        "ecg" or "fast_consensus".
    n_iter : int
        Rounds.
    """

    labels: Array
    graph: Graph
    agreement: Array
    ensemble: Ensemble
    method: str
    n_iter: int = 1

    @property
    def n_clusters(self) -> int:
        """Return the number of communities."""
        return int(self.labels.max(initial=-1)) + 1

    @property
    def communities(self) -> list[list[Any]]:
        """Return lists of nodes, the largest community first."""
        return communities_of_labels(self.labels, self.graph)

    @property
    def strength(self) -> float:
        """Return 1 - 2 mean(min(a, 1 - a)) over the edges: 1 if members agree on all edges, else less.

        The community strength index of Poulin and Théberge, with shares of members as they are.
        """
        if not len(self.agreement):
            return float("nan")
        doubt = np.minimum(self.agreement, 1 - self.agreement)
        return float(1 - 2 * np.mean(doubt))

    @property
    def sentence(self) -> str:
        """Say what was found."""
        sizes = np.sort(np.bincount(self.labels))[::-1]
        shown = ", ".join(f"{size:,}" for size in sizes[:8]) + (", ..." if len(sizes) > 8 else "")
        word = "community" if self.n_clusters == 1 else "communities"
        found = f"{self.n_clusters:,} {word} of {shown} nodes"
        if not len(self.agreement):
            return f"{found}; the graph has no edges, on which runs could agree."
        return (
            f"{found}; {plural(self.ensemble.n_members, 'run')} agree on the edges with a strength of "
            f"{self.strength:.2f} (1: all runs say the same)."
        )
