"""One run of community detection: the algorithms that igraph, leidenalg and networkx have."""

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

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
        start = {"igraph": _igraph, "leidenalg": _leidenalg, "networkx": _networkx}[self.library]
        found = np.full((graph.n_nodes, len(tasks)), -1, dtype=np.int32)
        whole: Callable[[Task], Array] | None = None
        for j, task in enumerate(tasks):
            if task.rows is None:
                whole = start(self, graph) if whole is None else whole
                found[:, j] = whole(task)
            else:
                found[task.rows, j] = start(self, graph.induced(task.rows))(task)
        return found


def _as_igraph(graph: Graph) -> tuple[Any, str | None]:
    """Return the graph as igraph has it, and the name of its weights."""
    import igraph

    made = igraph.Graph(n=graph.n_nodes, edges=graph.edges, directed=False)
    if graph.weights is None:
        return made, None
    made.es["weight"] = graph.weights.tolist()
    return made, "weight"


def _igraph(detection: Detection, graph: Graph) -> Callable[[Task], Array]:
    """igraph: one random generator for the whole process, replaced during a run."""
    made, weights = _as_igraph(graph)

    def communities(task: Task) -> Any:
        if detection.algorithm == "leiden":
            return made.community_leiden(
                objective_function="modularity",
                weights=weights,
                resolution=task.resolution,
                n_iterations=detection.n_iterations,
            )
        if detection.algorithm == "label_propagation":
            return made.community_label_propagation(weights=weights)
        options = {"weights": weights, "resolution": task.resolution}
        if not detection.first_level:
            return made.community_multilevel(**options)
        levels = made.community_multilevel(**options, return_levels=True)
        # A graph without edges has no levels.
        return levels[0] if levels else made.connected_components()

    def labels(task: Task) -> Array:
        with _igraph_seed(task.seed):
            return np.asarray(communities(task).membership, dtype=np.int32)

    return labels


@contextmanager
def _igraph_seed(number: int) -> Iterator[None]:
    import igraph

    igraph.set_random_number_generator(random.Random(number))  # noqa: S311 - not for secrets
    try:
        yield
    finally:
        igraph.set_random_number_generator(random)


def _leidenalg(detection: Detection, graph: Graph) -> Callable[[Task], Array]:
    """leidenalg: every call takes its own seed."""
    import leidenalg

    made, weights = _as_igraph(graph)

    def labels(task: Task) -> Array:
        found = leidenalg.find_partition(
            made,
            leidenalg.RBConfigurationVertexPartition,
            weights=weights,
            resolution_parameter=task.resolution,
            n_iterations=detection.n_iterations,
            seed=task.seed,
        )
        return np.asarray(found.membership, dtype=np.int32)

    return labels


def _networkx(detection: Detection, graph: Graph) -> Callable[[Task], Array]:
    """networkx: plain Python, under the BSD licence."""
    import networkx as nx
    from networkx.algorithms import community

    made = nx.Graph()
    made.add_nodes_from(range(graph.n_nodes))
    weights = np.ones(graph.n_edges) if graph.weights is None else graph.weights
    first, second = graph.edges.T.tolist()
    made.add_weighted_edges_from(zip(first, second, weights.tolist(), strict=True))

    def labels(task: Task) -> Array:
        given = {"weight": "weight", "seed": task.seed}
        if detection.algorithm == "label_propagation":
            groups = community.asyn_lpa_communities(made, **given)
        else:
            levels = community.louvain_partitions(made, **given, resolution=task.resolution)
            groups = next(levels) if detection.first_level else list(levels)[-1]
        found = np.full(graph.n_nodes, -1, dtype=np.int32)
        for number, group in enumerate(groups):
            found[list(group)] = number
        return found

    return labels
