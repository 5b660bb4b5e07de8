"""Repair labels so that every constraint is satisfied."""

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from consilience._utils._types import Array
from consilience.consensus._constraints import Constraints
from consilience.exceptions import InvalidInputError

# Maximum number of steps of the colouring search; an error is raised if it needs more.
_SEARCH_STEPS = 200_000


def require_possible(constraints: Constraints, n_clusters: int, ids: Array | None = None) -> None:
    """Raise if a greedy search finds more groups that exclude each other than clusters."""
    clique = _clique(constraints)
    if len(clique) > n_clusters:
        rows = [int(np.argmax(constraints.group == group)) for group in clique[:8]]
        named = ", ".join(str(row) if ids is None else repr(ids[row]) for row in rows)
        objects = f"the objects {'at positions ' if ids is None else ''}{named}"
        raise InvalidInputError(
            f"{len(clique)} groups of objects must all be apart from each other, but n_clusters is "
            f"{n_clusters}: ask for at least {len(clique)} clusters or drop constraints (the groups of "
            f"{objects}{', ...' if len(clique) > 8 else ''}).",
            parameter="n_clusters",
        )


def enforce(labels: Array, scores: Array, constraints: Constraints) -> Array:
    """Return labels that satisfy all constraints, with high scores.

    Groups that all exclude each other get the best assignment. Of other groups, none has a higher score
    in a cluster that no group it excludes uses.

    Parameters
    ----------
    labels : array (n,)
        Labels to repair; objects without constraints keep their label.
    scores : array (groups, K)
        How well every group fits every cluster, summed over its objects; higher is better.
    constraints : Constraints
        Constraints to satisfy.
    """
    n_groups, n_clusters = scores.shape
    chosen = scores.argmax(axis=1)
    neighbours = _neighbours(constraints)
    edges = constraints.apart
    graph = coo_array((np.ones(len(edges)), (edges[:, 0], edges[:, 1])), (n_groups, n_groups))
    block = connected_components(graph, directed=False)[1]
    for part in range(int(block.max(initial=-1)) + 1):
        groups = np.flatnonzero(block == part)
        if len(groups) == 1:
            continue
        if all(len(neighbours[g]) == len(groups) - 1 for g in groups) and len(groups) <= n_clusters:
            # All exclude each other: an assignment problem.
            chosen[groups] = linear_sum_assignment(-scores[groups])[1]
        else:
            coloured = _colour(groups, scores, neighbours)
            chosen[groups] = [coloured[group] for group in groups.tolist()]
    repaired = labels.copy()
    bound = constraints.bound
    repaired[bound] = chosen[constraints.group[bound]]
    return repaired


def _neighbours(constraints: Constraints) -> list[set[int]]:
    neighbours: list[set[int]] = [set() for _ in range(constraints.n_groups)]
    for first, second in constraints.apart.tolist():
        neighbours[first].add(second)
        neighbours[second].add(first)
    return neighbours


def _clique(constraints: Constraints) -> list[int]:
    """Return a large set of groups that exclude each other: greedy from every group."""
    neighbours = _neighbours(constraints)
    best: list[int] = []
    for start in sorted(range(len(neighbours)), key=lambda g: -len(neighbours[g]))[:100]:
        clique, candidates = [start], set(neighbours[start])
        while candidates:
            group = max(sorted(candidates), key=lambda g: len(neighbours[g] & candidates))
            clique.append(group)
            candidates &= neighbours[group]
        best = max(best, clique, key=len)
    return best


def _colour(groups: Array, scores: Array, neighbours: list[set[int]]) -> dict[int, int]:
    """Assign every group to a cluster so that no two groups that exclude each other share one.

    Depth first with backtracking: the next group is the one with the fewest clusters left, ties the
    most neighbours, and it tries its clusters by score. So no group can be moved to a free cluster with
    a higher score: with that cluster, the search would have ended earlier.
    """
    n_clusters = scores.shape[1]
    chosen: dict[int, int] = {}
    steps = 0

    def options(group: int) -> list[int]:
        taken = {chosen[g] for g in neighbours[group] if g in chosen}
        return [k for k in np.argsort(-scores[group], kind="stable").tolist() if k not in taken]

    def next_group() -> int:
        left = (int(g) for g in groups if int(g) not in chosen)
        return min(left, key=lambda g: (len(options(g)), -len(neighbours[g]), g))

    # An explicit stack, because the number of groups may exceed Python's recursion limit.
    first = next_group()
    stack = [(first, iter(options(first)))]
    while stack:
        steps += 1
        if steps > _SEARCH_STEPS:
            raise InvalidInputError(
                f"The cannot-links among {len(groups)} groups are too complex to decide whether "
                f"{n_clusters} clusters can satisfy them; ask for more clusters, drop some of them, or "
                "set enforce=False.",
                parameter="enforce",
            )
        group, left = stack[-1]
        chosen.pop(group, None)
        cluster = next(left, None)
        if cluster is None:
            stack.pop()
            continue
        chosen[group] = cluster
        if len(chosen) == len(groups):
            return chosen
        following = next_group()
        stack.append((following, iter(options(following))))
    raise InvalidInputError(
        f"No labelling with {n_clusters} clusters satisfies all cannot-links among {len(groups)} "
        "groups of objects; ask for more clusters or drop some of them."
    )
