"""Mean consensus of clusters and of objects."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from consilience._utils._declare import Integer, check_parameters
from consilience._utils._types import Array
from consilience.ensemble import Ensemble
from consilience.plot._consensus import ClusterCounts
from consilience.plot._display import EnsembleDisplay, few_ticks
from consilience.plot._given import mean_base_clusters, read_clusters, remark_on_members
from consilience.plot._palette import INK, cluster_colours, shortened


@dataclass(eq=False, repr=False, kw_only=True)
class ConsensusBarsDisplay(EnsembleDisplay):
    """Consensus inside every cluster, and of the most uncertain objects with every cluster.

    Left, the mean consensus of the pairs inside a cluster: near 1 the members agree on it. Right, the
    objects that come nearest to another cluster than their own: upwards the mean consensus with
    their own cluster, downwards that with the best other, in the colours of the two.

    Parameters
    ----------
    cluster_consensus : array (K,)
        Mean consensus of the pairs inside every cluster; NaN for a single object.
    cluster_sizes : array (K,)
        Objects in every cluster.
    cluster_names : sequence of str
        Names of the clusters.
    item_consensus : array (m, K)
        Mean consensus of the objects shown with every cluster, themselves left out.
    item_labels : array (m,)
        Their own clusters.
    item_margins : array (m,)
        Consensus with their own cluster minus that with the best other; negative: they are nearer to
        another.
    rows : array (m,)
        Positions of these objects, the most uncertain first.
    n_samples : int
        Objects that have a cluster.
    base_clusters : float, default nan
        Mean number of clusters of the members.

    Attributes
    ----------
    caption : str
        How to read it, and how it misleads.
    ax_, axes_, figure_
        Where it was drawn: clusters, objects.

    See Also
    --------
    ConsensusHeatmapDisplay : All pairs of clusters.
    consilience.diagnose.stability : Whether clusters are found again.

    Notes
    -----
    Exact for any n, from count tables; O(n r K). Missing labels: pairs are judged by the members that
    know both, and count by their number. Small clusters score high by chance: mind n.

    References
    ----------
    [monti2003]_

    Examples
    --------
    >>> from consilience.plot import ConsensusBarsDisplay
    >>> members = [[0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 0, 1]]
    >>> display = ConsensusBarsDisplay.from_ensemble(members, [0, 0, 1, 1])
    >>> display.cluster_consensus.round(2).tolist(), int(display.rows[0])
    ([1.0, 0.67], 2)
    """

    figure_size = (8.0, 4.0)

    cluster_consensus: Array
    cluster_sizes: Array
    cluster_names: tuple[str, ...]
    item_consensus: Array
    item_labels: Array
    item_margins: Array
    rows: Array
    n_samples: int
    base_clusters: float = np.nan

    @classmethod
    def from_ensemble(cls, ensemble: Any, labels: Any, *, n_items: int = 50) -> Self:
        """Compute the consensus of clusters and objects.

        Parameters
        ----------
        ensemble : Ensemble or array-like of labels
            The members.
        labels : vector of n labels
            The consensus; objects without a label are left out.
        n_items : int, default 50
            Most objects shown.
        """
        check_parameters(cls.__name__, {"n_items": Integer(1)}, {"n_items": n_items})
        ensemble = Ensemble.from_labels(ensemble)
        clusters = read_clusters(labels, ensemble.n_samples, cls.__name__)
        counts = ClusterCounts(ensemble, clusters.labels, len(clusters.names))
        margins = counts.margins()
        # Rounded, so that equal margins keep the order of their rows.
        order = np.argsort(margins.round(9), kind="stable")
        rows = order[: min(n_items, int(np.count_nonzero(np.isfinite(margins))))]
        items = counts.item_means(rows) if len(rows) else np.empty((0, counts.n_clusters))
        return cls(
            cluster_consensus=np.diag(counts.block_means()).copy(),
            cluster_sizes=clusters.sizes,
            cluster_names=clusters.names,
            item_consensus=items,
            item_labels=clusters.labels[rows],
            item_margins=margins[rows],
            rows=rows,
            n_samples=int(clusters.sizes.sum()),
            base_clusters=mean_base_clusters(ensemble),
        )

    @property
    def caption(self) -> str:
        """Return how to read the picture, and its limitations."""
        text = (
            "Left: near 1, the members agree on the cluster; small clusters score high by chance. "
            "Right: objects whose bar reaches as far down as up sit between two clusters."
        )
        remark = remark_on_members(self.base_clusters, len(self.cluster_names))
        if remark:
            text += f" Values are low because {remark}, more than these {len(self.cluster_names)}."
        return text

    def plot(self, ax: Any = None, **kwargs: Any) -> Self:
        """Draw clusters and objects side by side.

        Parameters
        ----------
        ax : Axes, optional
            Axes to draw on; None: a new figure.
        **kwargs : dict
            For `Axes.barh` of the clusters.
        """
        ax = self._open(ax)
        left, right = self._split(ax, [(0.0, 0.0, 0.37, 1.0), (0.49, 0.0, 0.51, 1.0)])
        colours = cluster_colours(len(self.cluster_names))
        self._draw_clusters(left, colours, kwargs)
        places = np.arange(len(self.rows))
        own, other, nearest = self._own_and_other()
        right.bar(places, own, color=[colours[cluster] for cluster in self.item_labels], width=0.85)
        right.bar(places, -other, color=[colours[cluster] for cluster in nearest], width=0.85)
        right.axhline(0, color=INK, linewidth=0.8)
        reach = 1.08 * max(0.1, float(own.max(initial=0.0)), float(other.max(initial=0.0)))
        right.set_ylim(-reach, reach)
        right.set_xlim(-1, max(1, len(places)))
        right.set_xticks([])
        right.yaxis.set_major_formatter(lambda value, _: f"{abs(value):.3g}")
        shown = f"Objects, most uncertain first\n({len(self.rows):,} of {self.n_samples:,})"
        self._write(right, x=shown, y="Best other (down), own cluster (up)", title="Item consensus")
        remark = remark_on_members(self.base_clusters, len(colours))
        if remark:
            self._write(ax, title=f"Values are low: {remark}\n", frame=True)
        return self

    def _own_and_other(self) -> tuple[Array, Array, Array]:
        """Return the consensus with the own and with the best other cluster, and which that is."""
        items = np.arange(len(self.rows))
        means = np.nan_to_num(self.item_consensus)
        own = means[items, self.item_labels]
        others = means.copy()
        others[items, self.item_labels] = -1.0
        nearest = others.argmax(axis=1) if len(items) else np.empty(0, dtype=np.int64)
        return own, np.maximum(others[items, nearest], 0.0), nearest

    def _draw_clusters(self, ax: Any, colours: list[str], options: dict[str, Any]) -> None:
        places = np.arange(len(colours))
        width = np.nan_to_num(self.cluster_consensus)
        ax.barh(places, width, **{"color": colours, "height": 0.8, **options})
        names = shortened(self.cluster_names, 14)
        ticks, shown = few_ticks(names, 20)
        ax.set_yticks(ticks, shown)
        if len(colours) <= 20:
            for place, (value, size) in enumerate(zip(width, self.cluster_sizes, strict=True)):
                alone = np.isnan(self.cluster_consensus[place])
                text = " one object" if alone else f"n = {size:,}"
                self._name(ax, value + 0.015, place, text, color=INK, ha="left", clip_on=False)
        ax.set_ylim(len(colours) - 0.4, -0.6)
        ax.set_xlim(0, 1.25)
        ax.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0", "0.25", "0.5", "0.75", "1"])
        self._write(ax, x="Mean consensus of its pairs", y="Cluster", title="Cluster consensus")
