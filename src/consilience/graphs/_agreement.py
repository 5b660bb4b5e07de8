"""How far members agree on every edge of a graph."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from consilience._utils._types import Array
from consilience.ensemble import Ensemble
from consilience.exceptions import InvalidInputError
from consilience.graphs._graph import Graph, read_graph


@dataclass(frozen=True, eq=False)
class EdgeAgreement:
    """Agreement of the members on every edge.

    Attributes
    ----------
    edges : array (m, 2)
        Positions of the two ends.
    together : array (m,)
        Members that put both ends into one cluster; whole numbers, or summed weights.
    known : array (m,)
        Members that label both ends.
    """

    edges: Array
    together: Array
    known: Array

    @property
    def agreement(self) -> Array:
        """Return together / known; NaN where no member labels both ends."""
        known = np.asarray(self.known, dtype=np.float64)
        with np.errstate(invalid="ignore", divide="ignore"):
            shares: Array = np.where(known > 0, self.together / known, np.nan)
        return shares

    @property
    def settled(self) -> float:
        """Return the share of known edges on which all members agree."""
        known = self.known > 0
        same = (self.together == 0) | (self.together == self.known)
        return float(np.mean(same[known])) if known.any() else float("nan")


def edge_agreement(graph: Any, ensemble: Any) -> EdgeAgreement:
    """Return how many members put the ends of every edge together, by the weights of the members.

    Parameters
    ----------
    graph : anything that `read_graph` takes, or an array (m, 2) of positions
        The graph whose edges are used. An array of whole numbers names objects by position.
    ensemble : Ensemble or array-like of labels
        One object per node, in the order of the nodes.

    Notes
    -----
    O(edges x members) on all threads; exact counts, and no matrix of all pairs. Soft members count by
    the products of the memberships.

    Examples
    --------
    >>> from consilience.graphs import edge_agreement
    >>> members = [[0, 0, 1, 1], [0, 0, 0, 1], [0, 0, 1, -1]]
    >>> found = edge_agreement([(0, 1), (1, 2), (2, 3)], members)
    >>> found.together.tolist(), found.known.tolist()
    ([3, 1, 1], [3, 3, 2])
    """
    ensemble = Ensemble.from_labels(ensemble)
    if isinstance(graph, np.ndarray) and graph.ndim == 2 and graph.dtype.kind in "iu":
        pairs = graph[:, :2]
    else:
        read = read_graph(graph)
        check_objects(read, ensemble)
        pairs = read.edges
    votes = ensemble.incidence.edges(pairs, ensemble.weights)
    return EdgeAgreement(pairs, votes.together, votes.known)


def check_objects(graph: Graph, ensemble: Ensemble) -> None:
    """Refuse an ensemble of other objects than the nodes."""
    if ensemble.n_samples != graph.n_nodes:
        raise InvalidInputError(
            f"The ensemble must have one object for each of the {graph.n_nodes} nodes; it has "
            f"{ensemble.n_samples}."
        )


def agreement_of(graph: Graph, ensemble: Ensemble) -> Array:
    """Return the share of members on every edge; 0 where no member labels both ends."""
    return ensemble.incidence.edges(graph.edges, ensemble.weights).shares(unknown=0.0)
