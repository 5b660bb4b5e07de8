"""A tree of resolutions: which clusters split, which mix, and which level is stable."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Self

import numpy as np

from consilience._utils._types import Array
from consilience.ensemble import Ensemble
from consilience.exceptions import InvalidInputError
from consilience.metrics import pairwise_ari
from consilience.plot._display import Display, thousands
from consilience.plot._given import Clusters, read_clusters
from consilience.plot._palette import FAINT, INK, ORDERED, shortened, text_colour
from consilience.plot._resolution_levels import (
    Level,
    crossings,
    ordered_nodes,
    overlap_table,
    stability_against,
)

# Flows of less than this share of both their ends are not drawn.
_LEAST_SHARE = 0.05
# A level with more clusters is preferred if it is less stable by no more than this.
_MARGIN = 0.01


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
        runs = _read_runs(labellings)
        chosen = [_representative(found) for _, found in runs]
        order = list(range(len(runs)))
        if sort:
            order.sort(key=lambda level: len(runs[level][1][chosen[level]].names))
        titles = [runs[level][0] for level in order]
        shown = [runs[level][1][chosen[level]] for level in order]
        others = [
            [run for place, run in enumerate(runs[level][1]) if place != chosen[level]]
            for level in order
        ]
        self.n_samples = len(shown[0].labels)
        self.n_runs = [1 + len(found) for found in others]
        self.kind = "runs" if all(others) else "neighbours"
        if self.kind == "neighbours":
            others = [shown[max(0, i - 1) : i] + shown[i + 1 : i + 2] for i in range(len(shown))]
        flows = [overlap_table(first, second) for first, second in pairwise(shown)]
        nodes = ordered_nodes(flows)
        self.crossing = crossings(flows, nodes)
        self.flows = [
            flow[np.ix_(nodes[level], nodes[level + 1])] for level, flow in enumerate(flows)
        ]
        self.levels = [
            _level(title, clusters, beside, placed)
            for title, clusters, beside, placed in zip(titles, shown, others, nodes, strict=True)
        ]

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
    def _stable(self) -> Level:
        # With one neighbour only, the ends cannot be compared with the others.
        ends = self.kind == "neighbours" and len(self.levels) > 2
        candidates = self.levels[1:-1] if ends else self.levels
        proper = [level for level in candidates if len(level.names) > 1]
        if not proper:
            return candidates[0]
        best = max(level.level_stability for level in proper)
        near = [level for level in proper if level.level_stability >= best - _MARGIN]
        return max(near, key=lambda level: len(level.names))

    @property
    def sentence(self) -> str:
        """Say which level is stable."""
        stable = self._stable
        ends = [] if self.kind == "runs" else [self.levels[0], self.levels[-1]]
        others = [
            level
            for level in self.levels
            if level is not stable
            and len(level.names) > 1
            and not any(level is end for end in ends)
        ]
        if len(stable.names) == 1:
            return "No level that can be compared has more than one cluster, so there is none to choose."
        whom = "repeated runs agree" if self.kind == "runs" else "it agrees with its neighbours"
        text = (
            f"The level {stable.title} with {len(stable.names)} clusters is the most stable: {whom} "
            f"with a mean adjusted Rand index of {stable.level_stability:.2f}"
        )
        if not others:
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
        ax.text(1.03, -0.45, "ARI", fontsize=7.5, color=FAINT, va="center")
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
            x=f"{thousands(self.n_samples)} objects",
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
            for name, place, size, share in zip(
                level.names, across, level.sizes, level.stability, strict=True
            ):
                if len(name) <= 2 and size >= 0.08 * len(name) * largest:
                    inside = text_colour(to_hex(colour_map(float(share))))
                    ax.text(
                        place, height, name, ha="center", va="center", fontsize=7, color=inside,
                        zorder=4,
                    )  # fmt: skip
            ax.text(
                1.03, height, f"{level.level_stability:.2f}", va="center", fontsize=7.5, color=INK
            )


def _read_runs(labellings: Mapping[str, Any]) -> list[tuple[str, list[Clusters]]]:
    """Read every level as one labelling or several."""
    owner = "ResolutionTreeDisplay"
    if len(labellings) < 2:
        raise InvalidInputError(
            f"{owner}: labellings must hold at least two levels; got {len(labellings)}."
        )
    n_samples = len(next(iter(labellings.values())))
    runs = []
    for title, given in labellings.items():
        table = np.asarray(given)
        columns = [given] if table.ndim == 1 else list(table.T)
        runs.append((str(title), [read_clusters(one, n_samples, owner) for one in columns]))
    return runs


def _representative(runs: list[Clusters]) -> int:
    """Return the run that is most like the others."""
    if len(runs) < 3:
        return 0
    alike = pairwise_ari(np.column_stack([run.labels for run in runs]))
    return int(np.argmax(alike.mean(axis=1).round(9)))


def _level(title: str, clusters: Clusters, beside: list[Clusters], order: Array) -> Level:
    nodes, whole = stability_against(clusters, beside)
    names = tuple(clusters.names[node] for node in order)
    return Level(title, names, clusters.sizes[order], nodes[order], whole)
