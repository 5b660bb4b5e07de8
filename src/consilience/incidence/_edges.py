"""Agreement of the members on given pairs of rows, such as the edges of a graph."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from consilience._utils._memory import require_memory
from consilience._utils._types import Array
from consilience.exceptions import InvalidInputError
from consilience.incidence._executor import threaded

if TYPE_CHECKING:
    from consilience.incidence._operator import Incidence


# Number of edges per task of a thread.
_SLICE_EDGES = 65_536


class EdgeVotes(NamedTuple):
    """Agreement of the members on the edges.

    together  (m,) members that put both ends into one cluster, or their summed weight
    known     (m,) members that label both ends, or their summed weight
    """

    together: Array
    known: Array

    def shares(self, unknown: float = float("nan")) -> Array:
        """Return together / known; `unknown` where no member labels both ends."""
        known = np.asarray(self.known, dtype=np.float64)
        seen = known > 0
        shares = np.full(len(known), unknown)
        shares[seen] = self.together[seen] / known[seen]
        return shares


def edge_votes(incidence: "Incidence", edges: Any, member_weights: Array | None) -> EdgeVotes:
    """Count the members on every edge; O(edges x members), on threads."""
    first, second = _checked(edges, incidence.n_rows)
    stored, first, second = _rows_at_hand(incidence, first, second)
    weights = None if member_weights is None or np.all(member_weights == 1) else member_weights
    dtype = incidence.blocks.edge_dtype if weights is None else np.float64
    together, known = np.empty(len(first), dtype), np.empty(len(first), dtype)

    def on_edges(places: tuple[int, int]) -> None:
        inside = slice(*places)
        incidence.blocks.edges(
            stored, first[inside], second[inside], weights, together[inside], known[inside]
        )

    for _ in threaded(on_edges, list(_ranges(len(first)))):
        pass
    return EdgeVotes(together, known)


def _ranges(n_edges: int) -> Iterator[tuple[int, int]]:
    for low in range(0, n_edges, _SLICE_EDGES):
        yield low, min(low + _SLICE_EDGES, n_edges)


def _rows_at_hand(
    incidence: "Incidence", first: Array, second: Array
) -> tuple[Array, Array, Array]:
    """Return the rows at the ends of edges, and their positions; rows in memory are not copied."""
    if not incidence.source.by_stripe and not hasattr(incidence.source, "executor"):
        return incidence.source.read(0, incidence.n_rows), first, second
    chosen = np.zeros(incidence.n_rows, dtype=bool)
    chosen[first] = chosen[second] = True
    require_memory(
        8 * incidence.layout.n_members * int(np.count_nonzero(chosen)),
        f"The labels of {int(np.count_nonzero(chosen))} objects at the ends of edges",
        "Pass fewer edges at a time.",
    )
    place = np.cumsum(chosen) - 1
    return incidence.stored_rows(chosen), place[first], place[second]


def _checked(edges: Any, n_rows: int) -> tuple[Array, Array]:
    pairs = np.asarray(edges)
    if pairs.ndim != 2 or pairs.shape[1] != 2 or pairs.dtype.kind not in "iu":
        if pairs.size == 0:
            return np.empty(0, np.int64), np.empty(0, np.int64)
        raise InvalidInputError(
            "edges must be an array (m, 2) of whole numbers, the rows at the two ends of every edge; "
            f"got shape {pairs.shape} of {pairs.dtype}."
        )
    if len(pairs) and not (pairs.min() >= 0 and pairs.max() < n_rows):
        raise InvalidInputError(
            f"edges must name rows from 0 to {n_rows - 1}; got {pairs.min()} to {pairs.max()}."
        )
    ends = pairs.astype(np.int64, copy=False)
    return np.ascontiguousarray(ends[:, 0]), np.ascontiguousarray(ends[:, 1])


def two_core(edges: Array, n_nodes: int) -> Array:
    """Return a mask of the 2-core: nodes left after removing nodes with fewer than two edges."""
    from consilience._kernels._pairs import peel_leaves

    first, second = _checked(edges, n_nodes)
    ends = np.concatenate([first, second])
    order = np.argsort(ends, kind="stable")
    neighbours = np.concatenate([second, first])[order]
    degrees = np.bincount(ends, minlength=n_nodes)
    starts = np.concatenate([[0], np.cumsum(degrees)])
    peel_leaves(starts, neighbours, degrees, np.empty(n_nodes, dtype=np.int64))
    return np.asarray(degrees > 0)
