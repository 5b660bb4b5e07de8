"""A tree of resolutions: which clusters split, which mix, and which level is stable."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, Self

import numpy as np

from consilience._utils._types import Array
from consilience.ensemble import Ensemble
from consilience.exceptions import InvalidInputError
from consilience.metrics import pairwise_ari
from consilience.plot._display import Display
from consilience.plot._given import Clusters, overlap_table, read_clusters
from consilience.plot._palette import FAINT, INK, ORDERED, shortened

# Flows of less than this share of both their ends are not drawn.
_LEAST_SHARE = 0.05
# A level with more clusters is preferred if it is less stable by no more than this.
_MARGIN = 0.01
# Sweeps in search of an order with few crossings.
_SWEEPS = 12


class Level(NamedTuple):
    """One level, nodes from left to right.

    title      name of the labelling
    names      of the clusters
    sizes      objects in every cluster
    stability  of every cluster, from 0 to 1
    level_stability  of the whole level: mean adjusted Rand index
    """

    title: str
    names: tuple[str, ...]
    sizes: Array
    stability: Array
    level_stability: float


class ResolutionTreeDisplay(Display):
    """Clusters at every resolution as a tree: nodes by size and stability, lines by flow of objects.

    Parameters
    ----------
    labellings : mapping of str -> vector of n labels, or of str -> array (n, q)
        A level for every entry; at least two. An array of several columns holds repeated runs of the
        same resolution: the level shows the run that is most like the others. -1 = missing.
    sort : bool, default True
        Order the levels by their number of clusters; False: as given.

    Attributes
    ----------
    levels : list of Level
        Names, sizes and stability of the clusters, in the order drawn; the first level is on top.
    flows : list of arrays
        Objects that go from the clusters of a level to those of the next.
    kind : {"runs", "neighbours"}
        What stability means: agreement of repeated runs if every level has some, else agreement with
        the levels above and below.
    stable_level : str
        Title of the most stable level.
    crossing : float
        Share of pairs of objects whose lines cross, in the order drawn.
    sentence : str
        Which level is stable.
    caption : str
        How to read it, and how it misleads.
    ax_, axes_, figure_
        Where it was drawn.

    See Also
    --------
    TrackingDisplay : Objects over the number of clusters.
    AlluvialDisplay : Flows between a few labellings.

    Notes
    -----
    The stability of a cluster is its largest Jaccard overlap with a cluster of another run (or of the
    levels above and below), averaged. The stability of a level is the mean adjusted Rand index. The
    stable level is the one with the largest; among levels within 0.01 of it, the one with most
    clusters. Levels of one cluster are left out of this, and the first and last level if levels are
    compared with their neighbours. Nodes are ordered by barycentres, so that few
    lines cross.

    References
    ----------
    [zappia2018]_

    Examples
    --------
    >>> from consilience.plot import ResolutionTreeDisplay
    >>> tree = ResolutionTreeDisplay(
    ...     {"low": [0, 0, 0, 1, 1, 1], "mid": [0, 0, 1, 2, 2, 2], "high": [0, 0, 1, 2, 2, 3]}
    ... )
    >>> tree.flows[0].tolist()
    [[2, 1, 0], [0, 0, 3]]
    >>> tree.stable_level
    'mid'
    """

    figure_size = (7.0, 5.0)

    def __init__(self, labellings: Mapping[str, Any], *, sort: bool = True) -> None:
        found = _read_levels(labellings)
        if sort:
            found.sort(key=lambda level: len(level[1].names))
        titles = [title for title, _, _ in found]
        shown, others = [one for _, one, _ in found], [rest for _, _, rest in found]
        self.n_samples = len(shown[0].labels)
        self.kind = "runs" if all(others) else "neighbours"
        if self.kind == "neighbours":
            others = [shown[max(0, i - 1) : i] + shown[i + 1 : i + 2] for i in range(len(shown))]
        flows = [overlap_table(first.labels, second.labels) for first, second in pairwise(shown)]
        nodes = ordered_nodes(flows)
        self.crossing = crossings(flows, nodes)
        self.flows = [
            flow[np.ix_(*ends)] for flow, ends in zip(flows, pairwise(nodes), strict=True)
        ]
        self.levels = [_level(*parts) for parts in zip(titles, shown, others, nodes, strict=True)]

    @classmethod
    def from_ensemble(cls, ensemble: Any, *, levels: Sequence[Any] | None = None) -> Self:
        """Make a level of all members that belong together.

        Parameters
        ----------
        ensemble : Ensemble or array-like of labels
            The members.
        levels : sequence of r values, optional
            What each member is a run of, such as its resolution; default its number of clusters, where
            numbers that only one member has are left out if at least two are left. Numbers are put into
            ascending order, other values stay in the order of their first member.
        """
        ensemble = Ensemble.from_labels(ensemble)
        given = [f"k = {k}" for k in ensemble.n_clusters] if levels is None else list(levels)
        if len(given) != ensemble.n_members:
            raise InvalidInputError(
                f"{cls.__name__}: levels must hold one value for each of the {ensemble.n_members} "
                f"members; got {len(given)}."
            )
        labellings: dict[str, list[Array]] = {}
        members = np.flatnonzero(ensemble.n_clusters > 0)
        if levels is not None and all(isinstance(one, int | float | np.number) for one in given):
            members = members[np.argsort([float(given[j]) for j in members], kind="stable")]
        for member in members:
            value = given[member]
            title = f"{value:g}" if isinstance(value, float | np.floating) else str(value)
            labellings.setdefault(title, []).append(ensemble.labels[:, member])
        repeated = {title: found for title, found in labellings.items() if len(found) > 1}
        if levels is None and len(repeated) > 1:
            labellings = repeated
        tables = {title: np.column_stack(found) for title, found in labellings.items()}
        return cls(tables, sort=levels is None)

    @property
    def stable_level(self) -> str:
        """Return the title of the most stable level."""
        return self._stable.title

    @property
    def _comparable(self) -> list[Level]:
        """Return the levels that can be compared; the ends cannot if they have one neighbour only."""
        ends = self.kind == "neighbours" and len(self.levels) > 2
        return self.levels[1:-1] if ends else self.levels

    @property
    def _stable(self) -> Level:
        proper = [level for level in self._comparable if len(level.names) > 1]
        if not proper:
            return self._comparable[0]
        best = max(level.level_stability for level in proper)
        near = [level for level in proper if level.level_stability >= best - _MARGIN]
        return max(near, key=lambda level: len(level.names))

    @property
    def sentence(self) -> str:
        """Say which level is stable."""
        stable = self._stable
        others = [
            level for level in self._comparable if level is not stable and len(level.names) > 1
        ]
        if len(stable.names) == 1:
            return "No level that can be compared has more than one cluster, so there is none to choose."
        whom = "repeated runs agree" if self.kind == "runs" else "it agrees with its neighbours"
        text = (
            f"The level {stable.title} with {len(stable.names)} clusters is the most stable: {whom} "
            f"with a mean adjusted Rand index of {stable.level_stability:.2f}"
        )
        # Two levels that are compared with each other are equally stable.
        if not others or (self.kind == "neighbours" and len(self.levels) == 2):
            return text + "."
        rival = max(others, key=lambda level: level.level_stability)
        return (
            f"{text}; the best of the other levels is {rival.title} with {len(rival.names)} clusters "
            f"and {rival.level_stability:.2f}."
        )

    @property
    def caption(self) -> str:
        """Return how to read the picture, and its limitations."""
        return (
            "Each row is a resolution, each circle a cluster; its area is its size, its colour its "
            "stability, and lines are objects that go from cluster to cluster. A cluster with one line "
            "from above comes from one cluster; several lines mean that clusters mix. "
            "A level that is stable need not be right: coarse levels are more stable by nature."
        )

    def plot(self, ax: Any = None, **kwargs: Any) -> Self:
        """Draw the tree.

        Parameters
        ----------
        ax : Axes, optional
            Axes to draw on; None: a new figure.
        **kwargs : dict
            For the `scatter` of the nodes.
        """
        outer = self._open(ax)
        ax, scale = self._split(outer, [(0.0, 0.0, 0.88, 1.0), (0.93, 0.1, 0.025, 0.8)])
        places = [(np.arange(len(level.names)) + 0.5) / len(level.names) for level in self.levels]
        self._draw_flows(ax, places)
        heights = np.repeat(np.arange(len(self.levels)), [len(place) for place in places])
        across = np.concatenate(places)
        sizes = np.concatenate([level.sizes for level in self.levels])
        colours = np.concatenate([level.stability for level in self.levels])
        settings = {
            "cmap": self._colour_map(ORDERED), "vmin": 0.0, "vmax": 1.0, "edgecolors": "white",
            "linewidths": 0.8, "zorder": 3, "clip_on": False, **kwargs,
        }  # fmt: skip
        drawn = ax.scatter(across, heights, s=40 + 460 * sizes / sizes.max(), c=colours, **settings)
        self._name_nodes(ax, places)
        self._name(ax, 1.03, -0.45, "ARI", color=FAINT, ha="left", fontsize=7.5)
        ax.set_xlim(-0.02, 1.02)
        ax.set_ylim(len(self.levels) - 0.5, -0.5)
        ax.set_xticks([])
        titles = shortened([level.title for level in self.levels], 14)
        ax.set_yticks(range(len(titles)), titles)
        for tick, level in zip(ax.get_yticklabels(), self.levels, strict=True):
            tick.set_fontweight("bold" if level.title == self.stable_level else "normal")
        self._colour_bar(drawn, scale, "stability of the cluster")
        self._write(
            ax,
            x=f"{self.n_samples:,} objects",
            y="level",
            title=f"Tree of {len(self.levels)} resolutions; most stable: "
            f"{shortened([self.stable_level], 14)[0]} ({len(self._stable.names)} clusters)",
        )
        ax.spines[:].set_visible(False)
        ax.tick_params(length=0)
        return self

    def _draw_flows(self, ax: Any, places: list[Array]) -> None:
        lines, widths, shades = [], [], []
        for level, flow in enumerate(self.flows):
            from_above = flow / np.maximum(flow.sum(axis=0, keepdims=True), 1)
            to_below = flow / np.maximum(flow.sum(axis=1, keepdims=True), 1)
            drawn = (from_above >= _LEAST_SHARE) | (to_below >= _LEAST_SHARE)
            for source, target in np.argwhere((flow > 0) & drawn):
                ends = (places[level][source], level), (places[level + 1][target], level + 1)
                lines.append(ends)
                widths.append(0.6 + 7 * flow[source, target] / self.n_samples)
                shades.append(0.15 + 0.75 * from_above[source, target])
        collection = self._matplotlib("collections").LineCollection
        ax.add_collection(
            collection(lines, linewidths=widths, colors=FAINT, alpha=np.array(shades), zorder=1)
        )

    def _name_nodes(self, ax: Any, places: list[Array]) -> None:
        """Write names into the circles that have room."""
        colour_map = self._colour_map(ORDERED)
        to_hex = self._matplotlib("colors").to_hex
        largest = max(int(level.sizes.max()) for level in self.levels)
        for height, (level, across) in enumerate(zip(self.levels, places, strict=True)):
            if len(level.names) > 20:
                continue
            nodes = zip(level.names, across, level.sizes, level.stability, strict=True)
            for name, place, size, share in nodes:
                if len(name) <= 2 and size >= 0.08 * len(name) * largest:
                    inside = to_hex(colour_map(float(share)))
                    self._name(ax, place, height, name, inside, fontsize=7, zorder=4)
            stability = f"{level.level_stability:.2f}"
            self._name(ax, 1.03, height, stability, color=INK, ha="left", fontsize=7.5)


def _read_levels(labellings: Mapping[str, Any]) -> list[tuple[str, Clusters, list[Clusters]]]:
    """Read the title of every level, the run that is most like the others, and the others."""
    owner = "ResolutionTreeDisplay"
    if len(labellings) < 2:
        raise InvalidInputError(
            f"{owner}: labellings must hold at least two levels; got {len(labellings)}."
        )
    n_samples = len(next(iter(labellings.values())))
    levels = []
    for title, given in labellings.items():
        table = np.asarray(given)
        columns = [given] if table.ndim == 1 else list(table.T)
        runs = [read_clusters(one, n_samples, owner) for one in columns]
        shown = 0
        if len(runs) > 2:
            alike = pairwise_ari(np.column_stack([run.labels for run in runs]))
            shown = int(np.argmax(alike.mean(axis=1).round(9)))
        levels.append((str(title), runs[shown], runs[:shown] + runs[shown + 1 :]))
    return levels


def _level(title: str, clusters: Clusters, beside: list[Clusters], order: Array) -> Level:
    """Judge every cluster by its best overlap, and the level by its mean adjusted Rand index."""
    nodes = np.mean([_best_jaccard(clusters, other) for other in beside], axis=0)
    alike = pairwise_ari(np.column_stack([one.labels for one in (clusters, *beside)]))
    names = tuple(clusters.names[node] for node in order)
    return Level(title, names, clusters.sizes[order], nodes[order], float(alike[0, 1:].mean()))


def _best_jaccard(own: Clusters, other: Clusters) -> Array:
    """Return for every cluster the largest share that an intersection has in the union."""
    table = overlap_table(own.labels, other.labels)
    either = table.sum(axis=1)[:, None] + table.sum(axis=0)[None, :] - table
    best: Array = (table / np.maximum(either, 1)).max(axis=1, initial=0.0)
    return best


def ordered_nodes(flows: list[Array]) -> list[Array]:
    """Return the nodes of every level from left to right, so that few flows cross.

    Levels are swept downwards and upwards; nodes are sorted by the mean place of what flows into them
    (barycentres). The best order of all sweeps is kept.
    """
    sizes = [flows[0].shape[0], *(flow.shape[1] for flow in flows)]
    orders = [np.arange(size) for size in sizes]
    best, fewest = [order.copy() for order in orders], crossings(flows, orders)
    for sweep in range(_SWEEPS):
        downwards = sweep % 2 == 0
        levels = range(1, len(sizes)) if downwards else range(len(sizes) - 2, -1, -1)
        for level in levels:
            table = flows[level - 1].T if downwards else flows[level]
            beside = orders[level - 1 if downwards else level + 1]
            place = np.empty(len(beside))
            # Shares, so that levels of many nodes are as wide as those of few.
            place[beside] = (np.arange(len(beside)) + 0.5) / len(beside)
            total = table.sum(axis=1)
            now = np.empty(len(total))
            now[orders[level]] = (np.arange(len(total)) + 0.5) / len(total)
            centre = np.where(total > 0, table @ place / np.maximum(total, 1), now)
            orders[level] = np.argsort(centre, kind="stable")
        found = crossings(flows, orders)
        if found < fewest:
            best, fewest = [order.copy() for order in orders], found
    return best


def crossings(flows: list[Array], orders: list[Array]) -> float:
    """Return how many pairs of objects cross between neighbouring levels, as a share of all pairs."""
    total, pairs = 0.0, 0.0
    for level, flow in enumerate(flows):
        table = flow[np.ix_(orders[level], orders[level + 1])].astype(np.float64)
        # Objects that start further right and end further left.
        right_of = table[::-1].cumsum(axis=0)[::-1]
        below = np.vstack([right_of[1:], np.zeros((1, table.shape[1]))])
        left_of = np.hstack([np.zeros((len(table), 1)), below.cumsum(axis=1)[:, :-1]])
        total += float((table * left_of).sum())
        pairs += float(table.sum() * (table.sum() - 1) / 2)
    return total / pairs if pairs else 0.0
