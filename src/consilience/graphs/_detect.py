"""One run of community detection: the algorithms that igraph, leidenalg and networkx have."""

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from consilience._utils._optional import require
from consilience._utils._types import Array
from consilience.exceptions import InvalidParameterError
from consilience.graphs._graph import Graph

ALGORITHMS = ("leiden", "louvain", "label_propagation")
LIBRARIES = ("igraph", "leidenalg", "networkx")
_OFFERED = {
    "igraph": ALGORITHMS,
    "leidenalg": ("leiden",),
    "networkx": ("louvain", "label_propagation"),
}


class Task(NamedTuple):
    """One member: its resolution, its seed, and the nodes it sees (None: all)."""

    resolution: float
    seed: int
    rows: Array | None = None


@dataclass(frozen=True)
class Detection:
    """What is run.

    algorithm     "leiden", "louvain" or "label_propagation"
    library       "igraph", "leidenalg" or "networkx"
    first_level   keep the finest partition of Louvain, before communities are merged
    n_iterations  rounds of Leiden; -1: until nothing changes
    """

    algorithm: str
    library: str = "igraph"
    first_level: bool = False
    n_iterations: int = 2

    def check(self, owner: str) -> None:
        """Raise if the library does not have the algorithm, or is not installed."""
        offered = _OFFERED[self.library]
        if self.algorithm not in offered:
            others = [name for name in LIBRARIES if self.algorithm in _OFFERED[name]]
            raise InvalidParameterError(
                f"{owner}: library={self.library!r} has no algorithm {self.algorithm!r}, only "
                f"{', '.join(map(repr, offered))}; {' and '.join(map(repr, others))} "
                f"{'has' if len(others) == 1 else 'have'} it."
            )
        if self.first_level and self.algorithm != "louvain":
            raise InvalidParameterError(
                f"{owner}: first_level=True needs algorithm='louvain'; got {self.algorithm!r}."
            )
        if self.library == "leidenalg":
            require("igraph", extra="graphs", owner=owner)
        require(self.library, extra="graphs", owner=owner)

    def run(self, graph: Graph, tasks: Sequence[Task]) -> Array:
        """Return the labels of every task, (n, tasks) int32; nodes that a task does not see have -1."""
        found = np.full((graph.n_nodes, len(tasks)), -1, dtype=np.int32)
        whole: _Library | None = None
        for j, task in enumerate(tasks):
            if task.rows is None:
                whole = self._open(graph) if whole is None else whole
                found[:, j] = whole.labels(self, task)
            else:
                found[task.rows, j] = self._open(graph.induced(task.rows)).labels(self, task)
        return found

    def _open(self, graph: Graph) -> "_Library":
        if self.library == "networkx":
            return _NetworkX(graph)
        return _IGraph(graph) if self.library == "igraph" else _LeidenAlg(graph)


class _Library(Protocol):
    def labels(self, detection: Detection, task: Task) -> Array: ...


def as_igraph(graph: Graph) -> Any:
    """Return the graph as igraph has it; weights are the attribute "weight"."""
    import igraph

    made = igraph.Graph(n=graph.n_nodes, edges=graph.edges, directed=False)
    if graph.weights is not None:
        made.es["weight"] = graph.weights.tolist()
    return made


class _IGraph:
    """igraph: one random generator for the whole process, replaced during a run."""

    def __init__(self, graph: Graph) -> None:
        self._graph = as_igraph(graph)
        self._weights = None if graph.weights is None else "weight"

    def labels(self, detection: Detection, task: Task) -> Array:
        with _igraph_seed(task.seed):
            found = self._communities(detection, task)
        return np.asarray(found.membership, dtype=np.int32)

    def _communities(self, detection: Detection, task: Task) -> Any:
        if detection.algorithm == "leiden":
            return self._graph.community_leiden(
                objective_function="modularity",
                weights=self._weights,
                resolution=task.resolution,
                n_iterations=detection.n_iterations,
            )
        if detection.algorithm == "label_propagation":
            return self._graph.community_label_propagation(weights=self._weights)
        if not detection.first_level:
            return self._graph.community_multilevel(
                weights=self._weights, resolution=task.resolution
            )
        levels = self._graph.community_multilevel(
            weights=self._weights, resolution=task.resolution, return_levels=True
        )
        # A graph without edges has no levels.
        return levels[0] if levels else self._graph.connected_components()


@contextmanager
def _igraph_seed(number: int) -> Iterator[None]:
    import igraph

    igraph.set_random_number_generator(random.Random(number))  # noqa: S311 - not for secrets
    try:
        yield
    finally:
        igraph.set_random_number_generator(random)


class _LeidenAlg:
    """leidenalg: every call takes its own seed."""

    def __init__(self, graph: Graph) -> None:
        self._graph = as_igraph(graph)
        self._weights = None if graph.weights is None else "weight"

    def labels(self, detection: Detection, task: Task) -> Array:
        import leidenalg

        found = leidenalg.find_partition(
            self._graph,
            leidenalg.RBConfigurationVertexPartition,
            weights=self._weights,
            resolution_parameter=task.resolution,
            n_iterations=detection.n_iterations,
            seed=task.seed,
        )
        return np.asarray(found.membership, dtype=np.int32)


class _NetworkX:
    """networkx: plain Python, under the BSD licence."""

    def __init__(self, graph: Graph) -> None:
        import networkx as nx

        self._graph = nx.Graph()
        self._graph.add_nodes_from(range(graph.n_nodes))
        weights = np.ones(graph.n_edges) if graph.weights is None else graph.weights
        first, second = graph.edges.T.tolist()
        self._graph.add_weighted_edges_from(zip(first, second, weights.tolist(), strict=True))

    def labels(self, detection: Detection, task: Task) -> Array:
        from networkx.algorithms import community

        given = {"weight": "weight", "seed": task.seed}
        if detection.algorithm == "label_propagation":
            groups = community.asyn_lpa_communities(self._graph, **given)
        else:
            options = {**given, "resolution": task.resolution}
            levels = community.louvain_partitions(self._graph, **options)
            groups = next(levels) if detection.first_level else list(levels)[-1]
        labels = np.full(self._graph.number_of_nodes(), -1, dtype=np.int32)
        for number, group in enumerate(groups):
            labels[list(group)] = number
        return labels
