"""The consensus matrix as a picture, of a sample of objects or of whole clusters."""

from dataclasses import KW_ONLY, dataclass
from typing import Any, Self

import numpy as np

from consilience._utils._declare import Choice, Declaration, Integer, Seed, check_parameters
from consilience._utils._random import RandomState, spawn
from consilience._utils._types import Array
from consilience.ensemble import Ensemble
from consilience.plot._consensus import ClusterCounts, Tree, average_tree, consensus_of_rows
from consilience.plot._display import EnsembleDisplay, few_ticks, objects_shown, runs
from consilience.plot._given import (
    mean_base_clusters,
    read_clusters,
    remark_on_members,
    stratified_rows,
)
from consilience.plot._palette import INK, MISSING, SEQUENTIAL, cluster_colours, shortened

_DECLARED: dict[str, Declaration] = {
    "kind": Choice("objects", "blocks"),
    "max_samples": Integer(2),
    "random_state": Seed(),
}
# Numbers are written into the blocks of at most so many clusters.
_WRITTEN = 10
# A smaller spread of the heights of a tree is of no consequence.
_VISIBLE = 0.02


@dataclass(eq=False, repr=False)
class ConsensusHeatmapDisplay(EnsembleDisplay):
    """How often pairs go together, in the order of a dendrogram.

    Dark blocks on the diagonal are clusters on which the members agree; a grey cross shows two clusters
    that share objects. Either every row is an object, of all of them or of a sample stratified by
    cluster, or every row is a cluster and the picture shows exact means over its pairs.

    Parameters
    ----------
    matrix : array (q, q)
        Consensus, from 0 to 1, rows and columns in the order drawn; NaN where no member labels a pair.
    labels : array (q,)
        Cluster of every row drawn.
    tree : Tree
        The dendrogram behind the order.
    cluster_names : sequence of str
        Names of the clusters.
    cluster_sizes : array (K,)
        Objects in every cluster, of all n.
    kind : {"objects", "blocks"}
        What a row is.
    rows : array (q,) or None
        Positions of the objects drawn; None for blocks.
    n_samples : int
        Objects that have a cluster.
    base_clusters : float, default nan
        Mean number of clusters of the members.

    Attributes
    ----------
    caption : str
        What is shown, and how it misleads.
    ax_, axes_, figure_
        Where it was drawn: tree, bar of clusters, matrix, scale.

    See Also
    --------
    ConsensusBarsDisplay : The same for single clusters and objects.
    MembershipDisplay : The members behind it.

    Notes
    -----
    A picture of objects takes q^2 numbers, q at most `max_samples`; blocks take K^2 numbers and one pass
    over the ensemble. No n x n matrix is made. Missing labels: a pair is judged by the members
    that know both; in a block, pairs count by the number of these members. Soft members are taken by
    their most likely labels. Members with more clusters than the consensus join fewer pairs, so that
    even perfect clusters are pale. An order that is made from the matrix shows blocks even where there
    are none: compare with a picture of `consilience.diagnose.structureless_data`.

    References
    ----------
    [monti2003]_

    Examples
    --------
    >>> from consilience.datasets import make_planted_ensemble
    >>> from consilience.plot import ConsensusHeatmapDisplay
    >>> ensemble, truth = make_planted_ensemble(5000, 10, 3, noise=0.1, random_state=0)
    >>> display = ConsensusHeatmapDisplay.from_ensemble(ensemble, truth, kind="blocks")
    >>> display.matrix.shape, bool(display.matrix[0, 0] > display.matrix[0, 1])
    ((3, 3), True)
    """

    matrix: Array
    labels: Array
    _: KW_ONLY
    tree: Tree
    cluster_names: tuple[str, ...]
    cluster_sizes: Array
    kind: str
    rows: Array | None
    n_samples: int
    base_clusters: float = np.nan

    @classmethod
    def from_ensemble(
        cls,
        ensemble: Any,
        labels: Any,
        *,
        kind: str = "objects",
        max_samples: int = 1000,
        random_state: RandomState = 0,
    ) -> Self:
        """Compute the consensus of objects or clusters.

        Parameters
        ----------
        ensemble : Ensemble or array-like of labels
            The members.
        labels : vector of n labels
            The consensus; objects without a label are left out.
        kind : {"objects", "blocks"}, default "objects"
            What a row is.
        max_samples : int, default 1000
            Most objects drawn; of more, a sample stratified by cluster.
        random_state : int, generator or None, default 0
            Draws the sample.
        """
        given = {"kind": kind, "max_samples": max_samples, "random_state": random_state}
        check_parameters(cls.__name__, _DECLARED, given)
        ensemble = Ensemble.from_labels(ensemble)
        clusters = read_clusters(labels, ensemble.n_samples, cls.__name__)
        shared: dict[str, Any] = {
            "cluster_names": clusters.names,
            "cluster_sizes": clusters.sizes,
            "kind": kind,
            "n_samples": int(clusters.sizes.sum()),
            "base_clusters": mean_base_clusters(ensemble),
        }
        if kind == "blocks":
            matrix = ClusterCounts(ensemble, clusters.labels, len(clusters.names)).block_means()
            upper = np.triu_indices(len(matrix), 1)
            tree = average_tree(1.0 - np.nan_to_num(matrix[upper]))
            drawn = matrix[np.ix_(tree.order, tree.order)]
            return cls(drawn, tree.order, tree=tree, rows=None, **shared)
        rows = stratified_rows(clusters.labels, max_samples, spawn(random_state, 1)[0])
        matrix, tree = consensus_of_rows(ensemble, rows)
        rows = rows[tree.order]
        drawn = matrix[np.ix_(tree.order, tree.order)]
        return cls(drawn, clusters.labels[rows], tree=tree, rows=rows, **shared)

    @property
    def caption(self) -> str:
        """Say what is shown, and how it misleads."""
        text = (
            f"{self._what()}, in the order of average linkage. An order made from the matrix itself "
            "shows blocks even in data without clusters."
        )
        remark = remark_on_members(self.base_clusters, len(self.cluster_names))
        if remark:
            text += f" Blocks are pale because {remark}, more than these {len(self.cluster_names)}."
        return text

    def plot(self, ax: Any = None, **kwargs: Any) -> Self:
        """Draw the matrix below its dendrogram.

        Parameters
        ----------
        ax : Axes, optional
            Axes to draw on; None: a new figure.
        **kwargs : dict
            For `Axes.imshow` of the matrix.
        """
        ax = self._open(ax)
        remark = remark_on_members(self.base_clusters, len(self.cluster_names))
        self._write(ax, title=self._what() + (f"\n({remark})" if remark else ""), frame=True)
        branches, bar, image, scale = self._split(
            ax,
            [
                (0.0, 0.86, 0.88, 0.14),
                (0.0, 0.80, 0.88, 0.045),
                (0.0, 0.0, 0.88, 0.79),
                (0.91, 0.0, 0.03, 0.79),
            ],
        )
        colours = cluster_colours(len(self.cluster_names))
        lines = self._matplotlib("collections").LineCollection(
            self.tree.lines(), colors=INK, linewidths=0.6
        )
        branches.add_collection(lines)
        edge = len(self.labels) - 0.5
        branches.set_xlim(-0.5, edge)
        heights = self.tree.merges[:, 2] if len(self.tree.merges) else np.ones(1)
        low, high = float(heights.min()), float(heights.max())
        # The mean consensus between clusters is low, so a tree from 0 would be a comb. It is kept where
        # heights hardly differ, since magnified they would look like structure.
        zoomed = self.kind == "blocks" and high - low > _VISIBLE
        low = max(0.0, low - 0.3 * (high - low)) if zoomed else 0.0
        branches.set_ylim(low, high + 0.05 * max(high - low, 1e-9))
        self._no_axis(branches)
        bar.imshow(
            self.labels[None, :], cmap=self._listed(colours), vmin=-0.5, vmax=len(colours) - 0.5,
            aspect="auto", interpolation="nearest",
        )  # fmt: skip
        self._no_axis(bar)
        colour_map = self._colour_map(SEQUENTIAL).with_extremes(bad=MISSING)
        settings = {"cmap": colour_map, "vmin": 0.0, "vmax": 1.0, "aspect": "auto", **kwargs}
        drawn = image.imshow(self.matrix, **settings)
        self._colour_bar(drawn, scale, "Consensus (share of members)")
        self._name_rows(image, bar, colours)
        return self

    def _what(self) -> str:
        if self.kind == "blocks":
            return f"Mean consensus of the pairs of {self.n_samples:,} objects, by cluster"
        return f"Consensus of {objects_shown(len(self.labels), self.n_samples)}"

    def _name_rows(self, image: Any, bar: Any, colours: list[str]) -> None:
        names = shortened(self.cluster_names, 12)
        if self.kind == "objects":
            self._write(image, x="Objects", y="Objects", frame=True)
            image.set_xticks([])
            image.set_yticks([])
            # A run of one cluster carries its name where there is room for it.
            for start, stop, cluster in runs(self.labels):
                if (stop - start) / len(self.labels) >= 0.0105 * len(names[cluster]) + 0.011:
                    middle = (start + stop - 1) / 2
                    self._name(bar, middle, 0, names[cluster], colours[cluster], fontsize=7)
            return
        titles = [f"{names[c]} (n = {self.cluster_sizes[c]:,})" for c in self.labels]
        self._write(image, x="Cluster", y="Cluster and its objects", frame=True)
        image.set_yticks(*few_ticks(titles, 20))
        places, shown = few_ticks([names[cluster] for cluster in self.labels], 20)
        crowded = sum(len(name) + 1 for name in shown) > 60
        image.set_xticks(places, shown, rotation=90 if crowded else 0)
        if len(titles) <= _WRITTEN:
            for (row, column), value in np.ndenumerate(self.matrix):
                text = "-" if np.isnan(value) else f"{value:.2f}"
                self._name(image, column, row, text, color="white" if value > 0.6 else "black")
