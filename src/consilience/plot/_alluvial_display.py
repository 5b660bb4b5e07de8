"""Where objects go between members and the consensus."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, Self

import numpy as np

from consilience._utils._declare import Integer, check_parameters
from consilience._utils._types import Array
from consilience.ensemble import Ensemble
from consilience.exceptions import InvalidInputError
from consilience.metrics import nmi
from consilience.plot._display import EnsembleDisplay
from consilience.plot._given import Clusters, overlap_table, read_clusters
from consilience.plot._palette import INK, MISSING, cluster_colours, in_lines, shortened

_GAP = 0.015
# Half the width of a node, as a share of the picture.
_NODE = 0.022
_LAST = {"other": 1, "missing": 2}


class Column(NamedTuple):
    """One labelling as a column of nodes, from top to bottom.

    title    name of the labelling
    names    of the nodes; small clusters are one node "other", objects without a label "missing"
    sizes    objects in every node
    colours  number of the colour of every node, -1 = grey
    """

    title: str
    names: tuple[str, ...]
    sizes: Array
    colours: Array


class AlluvialDisplay(EnsembleDisplay):
    """Changes between labellings: columns are labellings, ribbons are objects that change cluster.

    Parameters
    ----------
    labellings : mapping of str -> vector of n labels
        The columns, from left to right, at least two; -1 = missing.
    reference : str or None, default None
        The column whose clusters give the colours; None: the last.
    max_nodes : int, default 12
        Most clusters of a column; smaller ones are joined into "other".

    Attributes
    ----------
    columns : list of Column
        Nodes of every column, in the order drawn.
    flows : list of arrays
        Objects that go from the nodes of a column to those of the next.
    caption : str
        How to read it, and how it misleads.
    ax_, axes_, figure_
        Where it was drawn.

    See Also
    --------
    TrackingDisplay : Over the number of clusters.
    MembershipDisplay : All members at once.

    Notes
    -----
    Only counts are drawn, so n does not matter. A node has the colour of the cluster of the reference
    with which it shares most objects. Nodes are ordered to stay near the nodes they come from, going out
    from the reference; another order would draw the same flows with more or fewer crossings.

    Examples
    --------
    >>> from consilience.plot import AlluvialDisplay
    >>> display = AlluvialDisplay({"old": [0, 0, 1, 1], "new": ["a", "a", "a", "b"]})
    >>> display.flows[0].tolist()
    [[2, 0], [1, 1]]
    """

    def __init__(
        self, labellings: Mapping[str, Any], *, reference: str | None = None, max_nodes: int = 12
    ) -> None:
        check_parameters("AlluvialDisplay", {"max_nodes": Integer(2)}, {"max_nodes": max_nodes})
        titles = list(labellings)
        if len(titles) < 2:
            raise InvalidInputError(
                f"AlluvialDisplay: labellings must hold at least two columns; got {len(titles)}."
            )
        chosen = titles[-1] if reference is None else reference
        if chosen not in labellings:
            raise InvalidInputError(
                f"AlluvialDisplay: reference must be one of {titles}; got {reference!r}."
            )
        n_samples = len(labellings[titles[0]])
        read = [read_clusters(labellings[title], n_samples, "AlluvialDisplay") for title in titles]
        self.reference = chosen
        self.n_samples = n_samples
        self.n_colours = len(read[titles.index(chosen)].names)
        self.columns, self.flows = _arranged(titles, read, titles.index(chosen), max_nodes)

    @classmethod
    def from_ensemble(
        cls,
        ensemble: Any,
        labels: Any,
        *,
        members: Sequence[int | str] | None = None,
        n_members: int = 4,
        **options: Any,
    ) -> Self:
        """Show some members and the consensus, which stands last.

        Parameters
        ----------
        ensemble : Ensemble or array-like of labels
            The members.
        labels : vector of n labels
            The consensus.
        members : sequence of positions or names, optional
            Which members; default those from the least to the most like the consensus, evenly spread.
        n_members : int, default 4
            How many, if `members` is not given.
        **options : dict
            `max_nodes`.
        """
        check_parameters(cls.__name__, {"n_members": Integer(1)}, {"n_members": n_members})
        ensemble = Ensemble.from_labels(ensemble)
        chosen = ensemble if members is None else ensemble.select(members)
        shared = read_clusters(labels, ensemble.n_samples, cls.__name__).labels >= 0
        known = np.flatnonzero(np.any((chosen.labels >= 0) & shared[:, None], axis=0))
        if members is None:
            likeness = np.array([nmi(chosen.labels[:, member], labels) for member in known])
            order = known[np.argsort(likeness.round(9), kind="stable")]
            known = order[np.unique(np.linspace(0, len(order) - 1, n_members).round().astype(int))]
        columns = {chosen.names[member]: chosen.labels[:, member] for member in known}
        # A member may have that name already.
        name = "consensus" + "'" * ("consensus" in columns)
        return cls({**columns, name: labels}, reference=name, **options)

    @property
    def caption(self) -> str:
        """Return how to read the picture, and its limitations."""
        return (
            "Ribbons are objects that go from cluster to cluster; colours are those of "
            f"{self.reference}. The order of the nodes is only chosen to avoid crossings."
        )

    def plot(self, ax: Any = None, **kwargs: Any) -> Self:
        """Draw nodes and ribbons.

        Parameters
        ----------
        ax : Axes, optional
            Axes to draw on; None: a new figure.
        **kwargs : dict
            For the `PolyCollection` of the ribbons.
        """
        ax = self._open(ax)
        colours = [*cluster_colours(self.n_colours), MISSING]
        places = [_stacked(column.sizes) for column in self.columns]
        collection = self._matplotlib("collections").PolyCollection
        for gap, flow in enumerate(self.flows):
            shapes, numbers = _ribbons(flow, places[gap], places[gap + 1], (gap, self._half))
            owners = self.columns[gap].colours[numbers]
            settings = {"alpha": 0.45, "linewidths": 0, **kwargs}
            ax.add_collection(
                collection(shapes, facecolors=[colours[owner] for owner in owners], **settings)
            )
        for place, (column, ends) in enumerate(zip(self.columns, places, strict=True)):
            self._draw_nodes(ax, place, column, ends, colours)
        margin = 1.2 * self._half
        ax.set_xlim(-margin, len(self.columns) - 1 + margin)
        ax.set_ylim(1 + _GAP, -_GAP)
        # The more columns, the less room there is for the name of each.
        room = max(6, 60 // len(self.columns))
        titles = in_lines([column.title for column in self.columns], room)
        ax.set_xticks(range(len(titles)), titles)
        ax.set_yticks([])
        self._write(
            ax,
            y=f"{self.n_samples:,} objects",
            title=f"Objects between {len(self.columns)} labellings (colours: {self.reference})",
        )
        ax.spines[:].set_visible(False)
        ax.tick_params(length=0)
        return self

    @property
    def _half(self) -> float:
        """Return half the width of a node."""
        return _NODE * (len(self.columns) - 1)

    def _draw_nodes(
        self, ax: Any, place: int, column: Column, ends: Array, colours: list[str]
    ) -> None:
        """Draw the nodes of a column; short names stand on them, long ones beside them, inwards."""
        names = shortened(column.names, 14)
        last = place == len(self.columns) - 1
        aside = place + (-1 if last else 1) * 1.3 * self._half
        for node, (top, bottom) in enumerate(ends):
            colour = colours[column.colours[node]]
            ax.bar(
                place, bottom - top, bottom=top, width=2 * self._half, color=colour, edgecolor="white",
                linewidth=0.8,
            )  # fmt: skip
            level = (top + bottom) / 2
            if bottom - top > 0.031 and len(names[node]) <= 2:
                self._name(ax, place, level, names[node], colour, fontsize=7.5)
            elif bottom - top > 0.031:
                side = "right" if last else "left"
                self._name(ax, aside, level, names[node], color=INK, ha=side, fontsize=7.5)


def _arranged(
    titles: list[str], read: list[Clusters], reference: int, max_nodes: int
) -> tuple[list[Column], list[Array]]:
    """Join small clusters, order nodes outwards from the reference, and count flows."""
    nodes = [_nodes(clusters, max_nodes) for clusters in read]
    # The others stand last, and the missing behind them.
    last = [np.array([_LAST.get(name, 0) for name in one.names]) for one in nodes]
    orders = {reference: np.arange(len(nodes[reference].names))}
    outwards = [(p, p + 1) for p in range(reference - 1, -1, -1)]
    outwards += [(p, p - 1) for p in range(reference + 1, len(read))]
    for place, beside in outwards:
        table = overlap_table(nodes[place].labels, nodes[beside].labels)
        rank = np.argsort(orders[beside])
        centre = table @ rank / np.maximum(table.sum(axis=1), 1)
        orders[place] = np.lexsort((centre, last[place]))
    columns = []
    for place, title in enumerate(titles):
        order, one = orders[place], nodes[place]
        shares = overlap_table(one.labels, read[reference].labels)
        coloured = (shares.max(axis=1) > 0) & (last[place] == 0)
        colours = np.where(coloured, shares.argmax(axis=1), -1)
        names = tuple(one.names[node] for node in order)
        columns.append(Column(title, names, one.sizes[order], colours[order]))
    flows = [
        overlap_table(first.labels, second.labels)[np.ix_(orders[place], orders[place + 1])]
        for place, (first, second) in enumerate(pairwise(nodes))
    ]
    return columns, flows


def _nodes(clusters: Clusters, max_nodes: int) -> Clusters:
    """Number the nodes of a labelling: its large clusters, then "other", then "missing"."""
    labels, names = clusters.labels, list(clusters.names)
    if len(names) > max_nodes:
        largest = np.sort(np.argsort(-clusters.sizes, kind="stable")[: max_nodes - 1])
        node_of = np.full(len(names) + 1, len(largest))
        node_of[largest] = np.arange(len(largest))
        names = [names[cluster] for cluster in largest] + ["other"]
        labels = np.where(labels >= 0, node_of[labels], -1)
    if np.any(labels < 0):
        labels = np.where(labels >= 0, labels, len(names))
        names = [*names, "missing"]
    return Clusters(labels, tuple(names))


def _stacked(sizes: Array) -> Array:
    """Return top and bottom of every node; all columns fill the same height."""
    room = 1.0 - _GAP * (len(sizes) - 1)
    heights = sizes / sizes.sum() * room
    tops = np.concatenate([[0.0], np.cumsum(heights + _GAP)[:-1]])
    return np.column_stack([tops, tops + heights])


def _ribbons(
    flow: Array, left: Array, right: Array, gap: tuple[int, float]
) -> tuple[list[Array], Array]:
    """Return the outline of every flow that is not zero, and the node it starts from.

    gap: number of the column on the left, and half the width of a node.
    """
    place, half = gap
    steps = np.linspace(0, 1, 25)
    bend = steps**2 * (3 - 2 * steps)
    across = place + half + steps * (1 - 2 * half)
    # Columns with more nodes have more gaps, so an object is a little thinner there.
    thick_left = (left[:, 1] - left[:, 0]).sum() / flow.sum()
    thick_right = (right[:, 1] - right[:, 0]).sum() / flow.sum()
    from_top, to_top = left[:, 0].copy(), right[:, 0].copy()
    shapes, owners = [], []
    for source, target in np.argwhere(flow > 0):
        amount = flow[source, target]
        start, stop = from_top[source], to_top[target]
        from_top[source] += amount * thick_left
        to_top[target] += amount * thick_right
        upper = start + bend * (stop - start)
        lower = from_top[source] + bend * (to_top[target] - from_top[source])
        outline = np.r_[across, across[::-1]], np.r_[upper, lower[::-1]]
        shapes.append(np.column_stack(outline))
        owners.append(source)
    return shapes, np.array(owners, dtype=np.int64)
