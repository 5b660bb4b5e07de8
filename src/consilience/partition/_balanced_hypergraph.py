"""Balanced parts of the hypergraph of base clusters, by recursive bisection."""

from typing import NamedTuple

import numpy as np

from consilience._utils._types import Array
from consilience.incidence import Incidence
from consilience.partition._balanced_bipartite import hbgf_vectors
from consilience.partition._graphs import Hypergraph
from consilience.partition._rows import Rows
from consilience.partition._solution import Solution
from consilience.partition._starts import run_starts

# Weight factor of a hyperedge that an earlier bisection has cut. It only decides ties: among equal
# cuts, the one with base clusters in fewer pieces is preferred. A power of two, so that integer
# weights stay exact.
_ALREADY_CUT = 2.0**-20


def balanced_hypergraph(
    graph: Hypergraph,
    n_clusters: int,
    *,
    imbalance: float,
    n_init: int,
    max_iter: int,
    rng: np.random.Generator,
) -> Solution:
    """Put objects into K parts so that few base clusters are cut.

    The objective, to be minimised, is the weight of the base clusters that do not lie inside one part.
    Parts hold at most (1 + imbalance) n / K objects, or ceil(n / K). Every bisection starts from the
    second vector of HBGF, split at the position that cuts the fewest base clusters (ties: at its
    change of sign), in both directions, and from n_init random halves. It then moves single objects by
    the rule of Fiduccia and Mattheyses.
    """
    n_samples = graph.H.n_rows
    ceiling = -(-n_samples // n_clusters)
    largest = max(ceiling, int((1 + imbalance) * n_samples / n_clusters * (1 + 1e-12)))
    labels = np.empty(n_samples, dtype=np.int32)
    search = _Search(graph.edge_weight, largest, n_init, max_iter, labels)
    rows = Rows.of(graph.H)
    _split(search, rows, np.arange(n_samples), 0, n_clusters, rng)
    return Solution.minimised(labels, broken_weight(graph, labels, n_clusters))


def broken_weight(graph: Hypergraph, labels: Array, n_clusters: int) -> float:
    """Weight of the base clusters with objects in more than one part."""
    H = Incidence(graph.H.source, graph.H.blocks)  # without object weights
    return float(graph.edge_weight @ ((H.count(labels, n_clusters) > 0).sum(axis=1) > 1))


class _Search(NamedTuple):
    """State of the recursive bisection; labels are filled as parts are found."""

    edge_weight: Array
    largest: int
    n_init: int
    max_iter: int
    labels: Array


def _split(
    search: _Search, rows: Rows, members: Array, first: int, n_parts: int, rng: np.random.Generator
) -> None:
    """Number the parts of some objects first, first + 1, ..."""
    if n_parts == 1:
        search.labels[members] = first
        return
    n_parts_of = np.array([n_parts // 2, n_parts - n_parts // 2])
    inside = rows.take(members)
    # Each half must be able to fill all of its parts within the limits.
    largest = np.minimum(n_parts_of * search.largest, len(members) - n_parts_of[::-1])
    here, *halves = rng.spawn(3)
    whole = inside.H.sizes == rows.H.sizes
    cost = search.edge_weight * np.where(whole, 1.0, _ALREADY_CUT)
    # Relative to the largest, so that the tolerances of the search do not depend on the scale.
    cost /= max(float(cost.max()), 1e-300)
    order = _spectral_order(inside.H, search.edge_weight, n_parts)
    side = _bisect(
        inside, cost, n_parts_of, largest, order, here.spawn(search.n_init), search.max_iter
    )
    for half, stream in enumerate(halves):
        begin = first + half * int(n_parts_of[0])
        _split(search, rows, members[side == half], begin, int(n_parts_of[half]), stream)


def _bisect(
    rows: Rows,
    cost: Array,
    n_parts_of: Array,
    largest: Array,
    spectral: tuple[Array, int],
    streams: list[np.random.Generator],
    max_iter: int,
) -> Array:
    """Return the side, 0 or 1, of every row: the best result of all starts."""
    from consilience._kernels._bisect import bisect_pass, list_pins

    n_rows = len(rows.codes)
    weight = rows.padded(cost)
    starts, pins = list_pins(rows.codes, rows.offsets, len(weight))

    def search(start: tuple[Array, int]) -> tuple[float, Array]:
        """Put the first rows of an order on side 0, then make passes."""
        order, n_first = start
        side = np.ones(n_rows, dtype=np.int8)
        side[order[:n_first]] = 0
        for _ in range(max_iter):
            if not bisect_pass(rows.codes, rows.offsets, weight, starts, pins, side, largest):
                break
        return broken_weight(Hypergraph(rows.H, cost), side.astype(np.int32), 2), side

    feasible = np.arange(n_rows - largest[1], largest[0] + 1)
    share = round(n_rows * n_parts_of[0] / n_parts_of.sum())
    orders: list[tuple[Array, int]] = []
    order, n_positive = spectral
    for direction, zero in ((order, n_positive), (order[::-1], n_rows - n_positive)):
        cuts = _cuts_of_prefixes(direction, weight, starts, pins)[feasible]
        # Ties: cut where the vector changes its sign.
        best = np.lexsort((np.abs(feasible - zero), cuts))[0]
        orders.append((direction, int(feasible[best])))
    orders += [
        (stream.permutation(n_rows), int(np.clip(share, feasible[0], feasible[-1])))
        for stream in streams
    ]
    return min(run_starts(search, orders), key=lambda result: result[0])[1]


def _spectral_order(H: Incidence, edge_weight: Array, n_parts: int) -> tuple[Array, int]:
    """Order the objects by HBGF's second left vector; also return how many entries are not negative.

    Groups without a common base cluster may have equal entries in a vector; later vectors separate them.
    """
    links = H @ edge_weight
    vectors = H @ hbgf_vectors(H, edge_weight, n_parts) / np.where(links > 0, links, 1.0)[:, None]
    vectors = np.round(vectors / max(float(np.abs(vectors).max()), 1e-300), 9)[:, 1:]
    if not vectors.shape[1]:
        return np.arange(H.n_rows), H.n_rows
    return np.lexsort(-vectors.T[::-1]), int(np.count_nonzero(vectors[:, 0] >= 0))


def _cuts_of_prefixes(order: Array, weight: Array, starts: Array, pins: Array) -> Array:
    """Weight of the hyperedges that are cut if the first 0, 1, ... n objects are one side."""
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    used = np.flatnonzero(np.diff(starts))
    first = np.minimum.reduceat(rank[pins], starts[used])
    last = np.maximum.reduceat(rank[pins], starts[used])
    change = np.bincount(first + 1, weights=weight[used], minlength=len(order) + 2)
    change -= np.bincount(last + 1, weights=weight[used], minlength=len(order) + 2)
    return np.round(np.cumsum(change)[: len(order) + 1], 9)
