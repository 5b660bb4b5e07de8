"""Balanced parts of the hypergraph of base clusters, by recursive bisection (methods P4)."""

from typing import Any, NamedTuple

import numpy as np

from consilience.incidence import Incidence
from consilience.partition._balanced_bipartite import hbgf_vectors
from consilience.partition._partition import Partition, run_starts
from consilience.partition._rows import Rows

Array = np.ndarray[Any, Any]

_MAX_PASSES = 20
# A hyperedge that an earlier bisection has cut cannot be saved. It still breaks ties: among equal cuts,
# the one that leaves base clusters in fewer pieces. A power of two, so that whole weights stay exact.
_ALREADY_CUT = 2.0**-20


def balanced_hypergraph(
    H: Incidence,
    edge_weight: Array,
    n_clusters: int,
    *,
    imbalance: float,
    n_init: int,
    rng: np.random.Generator,
) -> Partition:
    """Put objects into K parts so that few base clusters are broken.

    The objective, to be minimised, is the weight of the base clusters that do not lie inside one part.
    Parts hold at most (1 + imbalance) n / K objects, or ceil(n / K). Every bisection starts from the
    second vector of HBGF, cut at zero, and from n_init random halves, and moves single objects by the
    rule of Fiduccia and Mattheyses.
    """
    n_samples = H.n_rows
    ceiling = -(-n_samples // n_clusters)
    largest = max(ceiling, int((1 + imbalance) * n_samples / n_clusters * (1 + 1e-12)))
    search = _Search(edge_weight, largest, n_init, np.empty(n_samples, dtype=np.int32))
    rows = Rows.of(H)
    _split(search, rows, np.arange(n_samples), 0, n_clusters, rng)
    cut = broken_weight(rows.H, edge_weight, search.labels, n_clusters)
    return Partition(search.labels, cut, [cut])


def broken_weight(H: Incidence, edge_weight: Array, labels: Array, n_clusters: int) -> float:
    """Weight of the base clusters with objects in more than one part."""
    return float(edge_weight @ ((H.count(labels, n_clusters) > 0).sum(axis=1) > 1))


class _Search(NamedTuple):
    """What all bisections share; labels fill up as parts are found."""

    edge_weight: Array
    largest: int
    n_init: int
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
    # Each half must be able to give every one of its parts an object and no part too many.
    largest = np.minimum(n_parts_of * search.largest, len(members) - n_parts_of[::-1])
    here, *halves = rng.spawn(3)
    whole = inside.H.sizes == rows.H.sizes
    edge_weight = search.edge_weight * np.where(whole, 1.0, _ALREADY_CUT)
    side = _bisect(inside, edge_weight, n_parts_of, largest, search.n_init, here)
    for half, stream in enumerate(halves):
        begin = first + half * int(n_parts_of[0])
        _split(search, rows, members[side == half], begin, int(n_parts_of[half]), stream)


def _bisect(
    rows: Rows,
    edge_weight: Array,
    n_parts_of: Array,
    largest: Array,
    n_init: int,
    rng: np.random.Generator,
) -> Array:
    from consilience._kernels._bisect import bisect_pass, list_pins

    n_rows = len(rows.codes)
    weight = rows.padded(edge_weight)
    starts, pins = list_pins(rows.codes, rows.offsets, len(weight))

    def search(order: Array, n_first: int) -> tuple[float, Array]:
        """Put the first rows of an order on side 0, then make passes."""
        side = np.ones(n_rows, dtype=np.int8)
        side[order[: int(np.clip(n_first, n_rows - largest[1], largest[0]))]] = 0
        for _ in range(_MAX_PASSES):
            if not bisect_pass(rows.codes, rows.offsets, weight, starts, pins, side, largest):
                break
        return broken_weight(rows.H, edge_weight, side.astype(np.int32), 2), side

    share = round(n_rows * n_parts_of[0] / n_parts_of.sum())
    orders = [(stream.permutation(n_rows), share) for stream in rng.spawn(n_init)]
    results = run_starts(lambda start: search(*start), [_sign_split(rows.H, edge_weight), *orders])
    return min(results, key=lambda result: result[0])[1]


def _sign_split(H: Incidence, edge_weight: Array) -> tuple[Array, int]:
    """Order the objects by HBGF's second left vector, and say how many are not negative."""
    table = hbgf_vectors(H, edge_weight, 2)
    if table.shape[1] < 2:
        return np.arange(H.n_rows), H.n_rows
    second = H @ table[:, 1]
    return np.argsort(-second, kind="stable"), int(np.count_nonzero(second >= 0))
