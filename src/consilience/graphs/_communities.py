"""Communities as lists of nodes, the form of networkx and cdlib, and labels."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from consilience._utils._types import Array
from consilience.ensemble import Ensemble
from consilience.exceptions import InvalidInputError, InvalidLabelsError
from consilience.graphs._graph import read_graph


def labels_of_communities(communities: Any, nodes: Any) -> Array:
    """Return the number of the community of every node; -1 for nodes that are in none.

    Parameters
    ----------
    communities : list of lists (or sets) of nodes, or an object with such an attribute `communities`
        As networkx and cdlib return them. No node may be in two communities.
    nodes : graph, or sequence of node names
        All nodes, in the order of the labels.

    Examples
    --------
    >>> from consilience.graphs import labels_of_communities
    >>> labels_of_communities([["a", "c"], ["d"]], ["a", "b", "c", "d"]).tolist()
    [0, -1, 0, 1]
    """
    names = _names(nodes)
    place = {name: i for i, name in enumerate(names)}
    labels = np.full(len(place), -1, dtype=np.int32)
    for number, community in enumerate(_listed(communities)):
        for node in community:
            if node not in place:
                raise InvalidInputError(
                    f"Community {number} has the node {node!r}, which the graph does not have."
                )
            if labels[place[node]] >= 0:
                raise InvalidLabelsError(
                    f"The node {node!r} is in communities {labels[place[node]]} and {number}; "
                    "communities must not overlap. Soft members are made by Ensemble.from_memberships."
                )
            labels[place[node]] = number
    return labels


def communities_of_labels(labels: Any, nodes: Any) -> list[list[Any]]:
    """Return the communities as lists of nodes, the largest first; nodes labelled -1 are in none.

    Parameters
    ----------
    labels : sequence of int
        A label for every node.
    nodes : graph, or sequence of node names
        The nodes in the same order.

    Examples
    --------
    >>> from consilience.graphs import communities_of_labels
    >>> communities_of_labels([0, 1, 1, -1], ["a", "b", "c", "d"])
    [['b', 'c'], ['a']]
    """
    names = _names(nodes)
    labels = np.asarray(labels)
    if labels.shape != (len(names),):
        raise InvalidLabelsError(
            f"There must be one label for each of the {len(names)} nodes; got shape {labels.shape}."
        )
    groups: dict[int, list[Any]] = {}
    for name, label in zip(names, labels.tolist(), strict=True):
        if label >= 0:
            groups.setdefault(label, []).append(name)
    return sorted(groups.values(), key=len, reverse=True)


def ensemble_of_communities(
    clusterings: Sequence[Any], nodes: Any, *, weights: Any = None, names: Any = None
) -> Ensemble:
    """Return an ensemble with a member for every clustering, given as communities.

    Parameters
    ----------
    clusterings : sequence
        Each a list of lists of nodes, or an object with an attribute `communities`, as cdlib has.
    nodes : graph, or sequence of node names
        All nodes; a node that a clustering leaves out is missing in this member.
    weights, names : optional
        Weights and names of the members.

    Examples
    --------
    >>> from consilience.graphs import ensemble_of_communities
    >>> runs = [[["a", "b"], ["c"]], [["a"], ["b", "c"]]]
    >>> ensemble_of_communities(runs, ["a", "b", "c"]).labels.tolist()
    [[0, 0], [0, 1], [1, 1]]
    """
    known = _names(nodes)
    members = [labels_of_communities(one, known) for one in clusterings]
    if not members:
        raise InvalidInputError("clusterings is empty; at least one is needed.")
    numbered = list(known) == list(range(len(known)))
    ids = None if numbered else np.array([str(name) for name in known], dtype=object)
    return Ensemble(members, ids=ids, weights=weights, names=names)


def _listed(communities: Any) -> list[Iterable[Any]]:
    found = getattr(communities, "communities", communities)
    if isinstance(found, str | bytes) or not isinstance(found, Iterable):
        raise InvalidInputError(
            "Communities must be a list of lists of nodes, or have an attribute `communities` that is "
            f"one; got {type(communities).__name__}."
        )
    groups = list(found)
    for number, group in enumerate(groups):
        if isinstance(group, str | bytes) or not isinstance(group, Iterable):
            raise InvalidInputError(
                f"Community {number} must be a list or set of nodes; got {group!r}. Labels go to "
                "Ensemble as they are."
            )
    return groups


def _names(nodes: Any) -> list[Any]:
    if isinstance(nodes, np.ndarray):
        nodes = nodes.tolist()
    return list(
        nodes if isinstance(nodes, list | tuple | range) else read_graph(nodes).nodes.tolist()
    )
