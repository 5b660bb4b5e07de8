"""The consensus matrix as a picture, of a sample of objects or of whole clusters."""

from typing import Any, Self

import numpy as np

from consilience._utils._declare import Choice, Declaration, Integer, Seed, check_parameters
from consilience._utils._random import RandomState, spawn
from consilience._utils._types import Array
from consilience.diagnose import ConsensusMatrix
from consilience.diagnose.internals import hard_view
from consilience.ensemble import Ensemble
from consilience.plot._cluster_counts import ClusterCounts
from consilience.plot._display import Display, few_ticks, thousands
from consilience.plot._given import (
    mean_base_clusters,
    parts_of,
    read_clusters,
    remark_on_members,
    stratified_rows,
)
from consilience.plot._palette import (
    INK,
    MISSING,
    SEQUENTIAL,
    cluster_colours,
    shortened,
    text_colour,
)
from consilience.plot._tree import Tree, average_tree

_DECLARED: dict[str, Declaration] = {
    "kind": Choice("objects", "blocks"),
    "max_samples": Integer(2),
    "random_state": Seed(),
}
# Numbers are written into the blocks of at most so many clusters.
_WRITTEN = 10
# A smaller spread of the heights of a tree is of no consequence.
_VISIBLE = 0.02


class ConsensusHeatmapDisplay(Display):
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

    def __init__(
        self,
        matrix: Array,
        labels: Array,
        *,
        tree: Tree,
        cluster_names: tuple[str, ...],
        cluster_sizes: Array,
        kind: str,
        rows: Array | None,
        n_samples: int,
        base_clusters: float = np.nan,
    ) -> None:
        self.matrix = matrix
        self.labels = labels
        self.tree = tree
        self.cluster_names = cluster_names
        self.cluster_sizes = cluster_sizes
        self.kind = kind
        self.rows = rows
        self.n_samples = n_samples
        self.base_clusters = base_clusters

    @classmethod
    def from_estimator(cls, estimator: Any, **options: Any) -> Self:
        """Compute from a fitted ConsensusClustering; options as in `from_ensemble`."""
        return cls.from_ensemble(*parts_of(estimator, cls.__name__), **options)

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
            "n_samples": int(np.count_nonzero(clusters.labels >= 0)),
            "base_clusters": mean_base_clusters(ensemble),
        }
        if kind == "blocks":
            matrix = ClusterCounts(ensemble, clusters.labels, len(clusters.names)).block_means()
            upper = np.triu_indices(len(matrix), 1)
            tree = average_tree(1.0 - np.nan_to_num(matrix[upper]))
            drawn = matrix[np.ix_(tree.order, tree.order)]
            return cls(drawn, tree.order, tree=tree, rows=None, **shared)
        rows = stratified_rows(clusters.labels, max_samples, spawn(random_state, 1)[0])
        pairs = ConsensusMatrix(hard_view(ensemble).take(rows)).pairs
        tree = average_tree(np.maximum(1.0 - pairs, 0.0))
        matrix = _square(pairs, len(rows))[np.ix_(tree.order, tree.order)]
        rows = rows[tree.order]
        return cls(matrix, clusters.labels[rows], tree=tree, rows=rows, **shared)

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
            self.labels[None, :],
            cmap=self._listed(colours),
            vmin=-0.5,
            vmax=len(colours) - 0.5,
            aspect="auto",
            interpolation="nearest",
        )
        self._no_axis(bar)
        colour_map = self._colour_map(SEQUENTIAL).with_extremes(bad=MISSING)
        settings = {"cmap": colour_map, "vmin": 0.0, "vmax": 1.0, "aspect": "auto", **kwargs}
        drawn = image.imshow(self.matrix, **settings)
        self._colour_bar(drawn, scale, "Consensus (share of members)")
        self._name_rows(image, bar, colours)
        return self

    def _what(self) -> str:
        if self.kind == "blocks":
            return f"Mean consensus of the pairs of {thousands(self.n_samples)} objects, by cluster"
        n_drawn = len(self.labels)
        if n_drawn < self.n_samples:
            return (
                f"Consensus of {thousands(n_drawn)} of {thousands(self.n_samples)} objects, "
                "sampled by cluster"
            )
        return f"Consensus of all {thousands(n_drawn)} objects"

    def _name_rows(self, image: Any, bar: Any, colours: list[str]) -> None:
        names = shortened(self.cluster_names, 12)
        if self.kind == "objects":
            self._write(image, x="Objects", y="Objects", frame=True)
            image.set_xticks([])
            image.set_yticks([])
            # A run of one cluster carries its name where there is room for it.
            starts = np.flatnonzero(np.diff(self.labels, prepend=-1))
            stops = np.append(starts[1:], len(self.labels))
            for start, stop in zip(starts, stops, strict=True):
                cluster = int(self.labels[start])
                if (stop - start) / len(self.labels) >= 0.0105 * len(names[cluster]) + 0.011:
                    self._mark(bar, (start + stop - 1) / 2, names[cluster], colours[cluster])
            return
        titles = [
            f"{names[cluster]} (n = {thousands(int(self.cluster_sizes[cluster]))})"
            for cluster in self.labels
        ]
        places, shown = few_ticks(titles, 20)
        self._write(image, x="Cluster", y="Cluster and its objects", frame=True)
        image.set_yticks(places, shown)
        places, shown = few_ticks([names[cluster] for cluster in self.labels], 20)
        crowded = sum(len(name) + 1 for name in shown) > 60
        image.set_xticks(places, shown, rotation=90 if crowded else 0)
        if len(titles) <= _WRITTEN:
            for (row, column), value in np.ndenumerate(self.matrix):
                text = "-" if np.isnan(value) else f"{value:.2f}"
                dark = value > 0.6
                image.text(
                    column, row, text, ha="center", va="center", fontsize=8,
                    color="white" if dark else "black",
                )  # fmt: skip

    @staticmethod
    def _mark(bar: Any, place: float, name: str, colour: str) -> None:
        bar.text(place, 0, name, ha="center", va="center", fontsize=7, color=text_colour(colour))


def _square(pairs: Array, n_rows: int) -> Array:
    """Return the symmetric matrix of condensed pairs; an object goes with itself."""
    from scipy.spatial.distance import squareform

    if n_rows == 1:
        return np.ones((1, 1))
    matrix: Array = squareform(pairs)
    np.fill_diagonal(matrix, 1.0)
    return matrix
