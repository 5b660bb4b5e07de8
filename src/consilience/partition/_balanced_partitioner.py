"""A partitioner whose parts have equal sizes, by a local search."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from consilience._utils._declare import Integer, Real
from consilience.partition._balanced_bipartite import balanced_bipartite
from consilience.partition._balanced_dense import balanced_dense
from consilience.partition._balanced_hypergraph import balanced_hypergraph
from consilience.partition._balanced_low_rank import balanced_low_rank
from consilience.partition._graphs import BipartiteGraph, ClusterGraph, Hypergraph, ObjectGraph
from consilience.partition._partitioner import Partitioner
from consilience.partition._solution import Solution
from consilience.partition._spectral_partitioner import Spectral
from consilience.partition._written_graph import written_affinity


@dataclass(frozen=True)
class Balanced(Partitioner):
    """Cut into parts of equal size by moves and swaps with exact gains; no edges are stored.

    Parameters
    ----------
    imbalance : float, default 0
        How far parts may exceed equal sizes: n_k <= (1 + imbalance) ceil(n / K); 0 means n / K objects
        in every part, rounded down or up.
    n_init : int, default 10
        Number of starts: a balanced spectral solution, and random parts.
    max_iter : int, default 100
        Maximum number of passes of the search from one start.

    Examples
    --------
    >>> from consilience.consensus import CSPA
    >>> from consilience.partition import Balanced
    >>> votes = [[0, 0, 0, 1, 1, 1], [1, 1, 1, 0, 0, 0], [0, 0, 1, 1, 1, 1]]
    >>> CSPA(2, partitioner=Balanced(imbalance=0.3), random_state=0).fit_predict(votes).tolist()
    [0, 0, 0, 1, 1, 1]
    """

    imbalance: float = 0.0
    n_init: int = 10
    max_iter: int = 100

    equal_parts: ClassVar[bool] = True
    parameters: ClassVar = {"imbalance": Real(0), "n_init": Integer(1), "max_iter": Integer(1)}

    def cut_objects(
        self, graph: ObjectGraph, n_clusters: int, rng: np.random.Generator
    ) -> list[Solution]:
        """Minimise the weight of the links between parts."""
        if graph.start is None:
            first = Spectral(n_init=self.n_init).cut_objects(graph, n_clusters, rng)[0]
            graph = graph._replace(start=first.labels)
        found = balanced_low_rank(graph, n_clusters, rng=rng, **vars(self))
        return [_as_cut(graph, solution) for solution in found]

    def cut_bipartite(
        self, graph: BipartiteGraph, n_clusters: int, rng: np.random.Generator
    ) -> list[Solution]:
        """Maximise the weight of the links inside parts; only objects are balanced."""
        return balanced_bipartite(graph, n_clusters, rng=rng, **vars(self))

    def cut_clusters(
        self, graph: ClusterGraph, n_clusters: int, rng: np.random.Generator
    ) -> list[Solution]:
        """Minimise the weight of the links between parts of about equal summed weight."""
        return balanced_dense(
            written_affinity(graph), graph.vertex_weight, n_clusters, rng=rng, **vars(self)
        )

    def cut_hypergraph(
        self, graph: Hypergraph, n_clusters: int, rng: np.random.Generator
    ) -> list[Solution]:
        """Minimise the weight of the cut base clusters by recursive bisection."""
        return [balanced_hypergraph(graph, n_clusters, rng=rng, **vars(self))]


def _as_cut(graph: ObjectGraph, solution: Solution) -> Solution:
    """Turn sums of squares, which are maximised, into the weight between parts."""
    assert solution.history is not None  # noqa: S101 - set by the search
    history = [graph.cut_of_squares(squares) for squares in solution.history]
    cut = graph.cut_of_squares(solution.objective)
    return solution._replace(criterion=cut, objective=cut, history=history)
