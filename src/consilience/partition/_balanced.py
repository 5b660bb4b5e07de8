"""A partitioner whose parts have equal sizes, by one local search for all kinds of graphs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from consilience._utils._declare import Integer, Real
from consilience._utils._types import Array
from consilience.incidence import Incidence
from consilience.incidence.internals import ThreadExecutor
from consilience.partition._graphs import (
    BipartiteGraph,
    ClusterGraph,
    Hypergraph,
    ObjectGraph,
    sparse_rows,
)
from consilience.partition._partitioner import Partitioner, SizeBounds
from consilience.partition._solution import Solution
from consilience.partition._spectral_partitioner import Spectral, njw_dense

# Passes over an objective that only leads to the next one; later passes hardly change anything.
_EARLY_PASSES = 2
_KMEANS_RUNS, _KMEANS_ROUNDS = 10, 300


class Stage(NamedTuple):
    """An objective of the table T of the sums of parts, (t, K), to be maximised.

    weight  (t,) of the columns
    floor   None: sum_c weight_c |T_c|^2; else (t,): sum_c weight_c max(floor_c, max_k T_ck)
    """

    weight: Array
    floor: Array | None = None

    def value(self, table: Array) -> float:
        """Return the objective."""
        if self.floor is None:
            return float(self.weight @ np.square(table).sum(axis=1))
        return float(self.weight @ np.maximum(table.max(axis=1), self.floor))


@dataclass(frozen=True)
class Balanced(Partitioner):
    """Cut into parts of equal size by moves and swaps with exact gains; no edges are stored.

    Parameters
    ----------
    imbalance : float, default 0
        How far parts may exceed equal sizes: n_k <= (1 + imbalance) ceil(n / K); 0 means n / K objects
        in every part, rounded down or up.
    n_init : int, default 10
        Number of starts: a spectral solution, and parts filled with similar objects in random orders.
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
        """Minimise the weight of the links between parts.

        With T_k the sum of the rows of H diag(sqrt c) in part k it is (1' W 1 - sum_k |T_k|^2) / 2.
        """
        start = graph.start
        if start is None:
            start = Spectral(n_init=self.n_init).cut_objects(graph, n_clusters, rng)[0].labels
        weight = graph.column_weight.astype(np.float64)
        bounds = SizeBounds.of(graph.H.n_rows, n_clusters, self.imbalance)
        rows, stages = sparse_rows(graph.H, np.int8), [Stage(weight)]
        starts = [start, *self._fill(rows, weight, n_clusters, rng)]
        found = self._search(rows, stages, starts, n_clusters, bounds)
        return [_as_cost(solution, graph.cut_of_squares) for solution in found]

    def cut_bipartite(
        self, graph: BipartiteGraph, n_clusters: int, rng: np.random.Generator
    ) -> list[Solution]:
        """Maximise the weight of the links inside parts; only objects are balanced.

        A base cluster joins the part with most of its objects: the objective is
        sum_c column_weight_c max_k T_ck, with T_ck the objects of base cluster c in part k.
        """
        bounds = SizeBounds.of(graph.H.n_rows, n_clusters, self.imbalance)
        return self._search_columns(graph.H, graph.column_weight, [np.inf], n_clusters, bounds, rng)

    def cut_clusters(
        self, graph: ClusterGraph, n_clusters: int, rng: np.random.Generator
    ) -> list[Solution]:
        """Minimise the weight of the links between parts of about equal summed weight.

        No part weighs more than (1 + imbalance) total / K, or than the heaviest part if vertices,
        heaviest first, are put into the lightest part.
        """
        affinity = np.array(graph.dense_affinity(), dtype=np.float64)
        np.fill_diagonal(affinity, 0.0)
        weight = np.maximum(graph.vertex_weight, 1e-9 * max(1.0, float(graph.vertex_weight.max())))
        packed = _lightest_first(weight, np.argsort(-weight, kind="stable"), n_clusters)
        heaviest = np.bincount(packed, weights=weight, minlength=n_clusters).max()
        largest = max((1 + self.imbalance) * weight.sum() / n_clusters, heaviest) * (1 + 1e-12)
        bounds = SizeBounds(0.5 * weight.min(), largest)
        kmeans_stream, *streams = rng.spawn(self.n_init)
        start = njw_dense(
            affinity, n_clusters, n_init=_KMEANS_RUNS, max_iter=_KMEANS_ROUNDS, rng=kmeans_stream
        )
        orders = [stream.permutation(len(weight)) for stream in streams]
        starts = [start.labels, *(_lightest_first(weight, order, n_clusters) for order in orders)]
        # The diagonal does not change the cut; with this one the matrix is B B', as in `cut_objects`.
        shift = 1e-9 - min(0.0, float(np.linalg.eigvalsh(affinity)[0]))
        rows = csr_array(np.linalg.cholesky(affinity + 1.01 * shift * np.eye(len(weight))))
        everything = float(affinity.sum()) + 1.01 * shift * len(weight)
        stage = Stage(np.ones(len(weight)))
        # Vertices of different weights may not fit from every start, but they do from the last.
        starts.append(packed)
        found = self._search(rows, [stage], starts, n_clusters, bounds, weight)
        loads = [np.bincount(one.labels, weights=weight, minlength=n_clusters) for one in found]
        found = [one for one, load in zip(found, loads, strict=True) if bounds.hold(load)]
        return [_as_cost(solution, lambda value: (everything - value) / 2) for solution in found]

    def cut_hypergraph(
        self, graph: Hypergraph, n_clusters: int, rng: np.random.Generator
    ) -> list[Solution]:
        """Minimise the weight of the cut base clusters: those that do not lie inside one part.

        A local search on this objective alone stops where no base cluster lacks only one object, so
        base clusters first count if at most half, an eighth, ... of their objects are elsewhere.
        """
        H = graph.H
        bounds = SizeBounds.of_share(H.n_rows, n_clusters, self.imbalance)
        largest = float(H.sizes.max(initial=1))
        slack = [0.5]
        while slack[-1] * largest > 1:
            slack.append(slack[-1] / 4)
        slack[-1] = 0.0
        found = self._search_columns(H, graph.edge_weight, slack, n_clusters, bounds, rng)
        everything = float(graph.edge_weight @ Incidence(H.source, H.blocks).sizes)
        return [_as_cost(solution, lambda value: everything - value) for solution in found]

    def _search_columns(
        self,
        H: Incidence,
        column_weight: Array,
        slack: Sequence[float],
        n_clusters: int,
        bounds: SizeBounds,
        rng: np.random.Generator,
    ) -> list[Solution]:
        """Maximise sum_c weight_c max(floor_c, max_k T_ck), for one floor after the other.

        `slack` is the share of the objects of a base cluster that may be elsewhere, at least one
        object, for it to count; infinity = no floor. All weights are 1 / size at first, with squares
        instead of the maximum, since the maximum hardly distinguishes between random starts.
        """
        H = Incidence(H.source, H.blocks)  # balance counts rows, without weights
        weight, sizes = column_weight.astype(np.float64), H.sizes.astype(np.float64)
        kmeans_stream, start_stream = rng.spawn(2)
        links = H @ weight
        spectral = Spectral(objects_only=True, n_init=_KMEANS_RUNS, max_iter=_KMEANS_ROUNDS)
        graph = BipartiteGraph(H, weight, np.where(links > 0, links, 1.0))
        (free,) = spectral.cut_bipartite(graph, n_clusters, kmeans_stream)
        rows, stages = sparse_rows(H, np.int8), [Stage(weight / np.maximum(sizes, 1))]
        starts = [free.labels, *self._fill(rows, stages[0].weight, n_clusters, start_stream)]
        for share in slack:
            apart = np.maximum(np.minimum(share, 1) * sizes, 1)
            if share == np.inf:
                stages.append(Stage(weight, np.zeros(len(sizes))))
            else:
                scale = apart if share else 1.0
                stages.append(Stage(weight / scale, sizes - apart))
        return self._search(rows, stages, starts, n_clusters, bounds)

    def _fill(
        self, rows: Any, weight: Array, n_clusters: int, rng: np.random.Generator
    ) -> list[Array]:
        """Return parts of equal size, filled with the objects in random orders."""
        from consilience._kernels._swap import fill_parts

        n_rows, n_columns = rows.shape
        orders = [stream.permutation(n_rows) for stream in rng.spawn(self.n_init - 1)]

        def fill(place: tuple[int, int]) -> Array:
            table, loads = np.zeros((n_columns, n_clusters)), np.zeros(n_clusters)
            room = -(-n_rows // n_clusters)
            labels: Array = fill_parts(
                _parts_of(rows), weight, orders[place[0]], loads, table, room
            )
            return labels

        places = [(place, place + 1) for place in range(len(orders))]
        return list(ThreadExecutor().map(fill, places))

    def _search(
        self,
        rows: Any,
        stages: Sequence[Stage],
        starts: Sequence[Array],
        n_clusters: int,
        bounds: SizeBounds,
        masses: Array | None = None,
    ) -> list[Solution]:
        """Search from every start on the threads of this process; results are in their order."""
        sparse = _parts_of(rows)
        masses = np.ones(rows.shape[0]) if masses is None else masses

        def search(place: tuple[int, int]) -> Solution:
            labels = starts[place[0]].astype(np.int32)
            for stage in stages[:-1]:
                labels = _climb(
                    sparse, stage, labels, n_clusters, masses, bounds, _EARLY_PASSES
                ).labels
            return _climb(sparse, stages[-1], labels, n_clusters, masses, bounds, self.max_iter)

        places = [(place, place + 1) for place in range(len(starts))]
        return list(ThreadExecutor().map(search, places))


def _parts_of(rows: Any) -> tuple[Array, Array, Array]:
    return rows.indptr.astype(np.int64), rows.indices.astype(np.int32), rows.data


def _climb(
    sparse: tuple[Array, Array, Array],
    stage: Stage,
    labels: Array,
    n_clusters: int,
    masses: Array,
    bounds: SizeBounds,
    max_iter: int,
) -> Solution:
    """Pass over the pairs of parts until nothing changes; at first, until parts keep to the bounds."""
    from consilience._kernels._swap import add_up, swap_pass

    loads = np.bincount(labels, weights=masses, minlength=n_clusters)
    floor = np.empty(0) if stage.floor is None else stage.floor
    limits = (float(bounds.smallest), float(bounds.largest))
    settled = np.zeros((n_clusters, n_clusters), dtype=np.bool_)
    history: list[float] = []
    converged = False
    while not converged and (len(history) < max_iter or not bounds.hold(loads)):
        # Added up in every pass, so that rounding errors do not accumulate.
        table = np.zeros((len(stage.weight), n_clusters))
        add_up(sparse, labels, table)
        # Smaller gains are rounding errors.
        margin = 1e-12 * float(stage.weight.max(initial=0.0)) * max(1.0, float(table.max()))
        converged = not swap_pass(
            sparse, stage.weight, table, floor, labels, masses, loads, limits, margin, settled
        )
        history.append(stage.value(table))
    return Solution.maximised(
        labels, history[-1], len(history), converged=converged, history=history
    )


def _lightest_first(weight: Array, order: Array, n_clusters: int) -> Array:
    """Put vertices, one after the other, into the part that is lightest so far."""
    labels = np.empty(len(weight), dtype=np.int32)
    loads = np.zeros(n_clusters)
    for vertex in order:
        labels[vertex] = loads.argmin()
        loads[labels[vertex]] += weight[vertex]
    return labels


def _as_cost(solution: Solution, cost: Callable[[float], float]) -> Solution:
    """Return the solution with a cost, to be minimised, instead of the objective of the search."""
    assert solution.history is not None  # noqa: S101 - set by the search
    value = cost(solution.objective)
    history = [cost(one) for one in solution.history]
    return solution._replace(criterion=value, objective=value, history=history)
