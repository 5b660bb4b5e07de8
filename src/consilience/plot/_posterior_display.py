"""Soft memberships as points."""

from typing import Any, Self

import numpy as np

from consilience._utils._declare import Declaration, Integer, Seed, check_parameters
from consilience._utils._random import RandomState, spawn
from consilience._utils._types import Array
from consilience.exceptions import InvalidInputError
from consilience.plot._display import Display, thousands
from consilience.plot._given import read_clusters, stratified_rows
from consilience.plot._palette import FAINT, cluster_colours, shortened

# Corners of the triangle of three clusters.
_CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(0.75)]])


class PosteriorDisplay(Display):
    """The memberships of objects in a soft clustering.

    Two clusters: a line from one to the other, a row of points per cluster. Three: a triangle with a
    cluster in every corner. More: the plane of the two that overlap most, or of two that are asked for.
    Objects in corners and at ends are decided; those in between are not.

    Parameters
    ----------
    posteriors : array (n, K)
        P(cluster | object), rows summing to one; rows of zeros or NaN are left out.
    labels : vector of n labels, optional
        Colours; default the most likely cluster.
    clusters : pair of int, optional
        The two clusters on the axes, if K is above 3.
    max_samples : int, default 5000
        Most points drawn; of more, a sample stratified by label.
    random_state : int, generator or None, default 0
        Draws the sample, and the heights of points on a line.

    Attributes
    ----------
    points : array (m, 2)
        Where the objects drawn stand.
    rows : array (m,)
        Their positions.
    labels : array (m,)
        Their labels.
    shown : tuple of int
        The clusters on the axes or in the corners.
    caption : str
        How to read it, and how it misleads.
    ax_, axes_, figure_
        Where it was drawn.

    See Also
    --------
    FeatureWeightsDisplay : Which features make the clusters.
    consilience.generate.LACSweep : Makes soft members.

    Notes
    -----
    Heights of points on a line mean nothing; they only part points that coincide. Posteriors of LAC
    depend on the units of the data and on h.

    References
    ----------
    [alrazgan2006]_, figures 4 and 6

    Examples
    --------
    >>> from consilience.plot import PosteriorDisplay
    >>> display = PosteriorDisplay([[1, 0, 0], [0, 1, 0], [0, 0.5, 0.5]])
    >>> display.points.round(2).tolist()
    [[0.0, 0.0], [1.0, 0.0], [0.75, 0.43]]
    """

    def __init__(
        self,
        posteriors: Any,
        labels: Any = None,
        *,
        clusters: tuple[int, int] | None = None,
        max_samples: int = 5000,
        random_state: RandomState = 0,
    ) -> None:
        declared: dict[str, Declaration] = {"max_samples": Integer(1), "random_state": Seed()}
        given = {"max_samples": max_samples, "random_state": random_state}
        check_parameters("PosteriorDisplay", declared, given)
        table = np.nan_to_num(np.asarray(posteriors, dtype=np.float64))
        if table.ndim != 2 or table.shape[1] < 2:
            raise InvalidInputError(
                "PosteriorDisplay: posteriors must be a matrix of n objects and at least 2 clusters; "
                f"got shape {table.shape}."
            )
        known = table.sum(axis=1) > 0
        colours = table.argmax(axis=1) if labels is None else labels
        read = read_clusters(colours, len(table), "PosteriorDisplay")
        numbers = table.argmax(axis=1) if labels is None else read.labels
        self.label_names: tuple[str, ...] = (
            tuple(str(k) for k in range(table.shape[1])) if labels is None else read.names
        )
        rng = spawn(random_state, 1)[0]
        self.rows: Array = stratified_rows(np.where(known, numbers, -1), max_samples, rng)
        self.labels: Array = numbers[self.rows]
        self.n_samples = int(np.count_nonzero(known))
        self.n_clusters = table.shape[1]
        self.shown = _shown(table, clusters)
        self.points: Array = self._place(table[self.rows], rng)

    @classmethod
    def from_ensemble(
        cls, ensemble: Any, member: int = 0, labels: Any = None, **options: Any
    ) -> Self:
        """Take the memberships of one soft member; options as in the constructor."""
        columns = ensemble.layout.columns(member)
        return cls(ensemble.memberships[:, columns], labels, **options)

    @classmethod
    def from_estimator(cls, estimator: Any, X: Any, **options: Any) -> Self:
        """Take `predict_proba` of a fitted model, such as LAC or ConsensusClustering, for rows X."""
        return cls(estimator.predict_proba(X), **options)

    @property
    def caption(self) -> str:
        """Return how to read the picture, and its limitations."""
        text = "Objects in corners and at ends are decided, those in between are not."
        if self.n_clusters == 2:
            return f"{text} Heights within a row mean nothing."
        if self.n_clusters > 3:
            return f"{text} Objects near the origin belong to clusters that are not on the axes."
        return text

    def plot(self, ax: Any = None, **kwargs: Any) -> Self:
        """Draw the points.

        Parameters
        ----------
        ax : Axes, optional
            Axes to draw on; None: a new figure.
        **kwargs : dict
            For `Axes.scatter`.
        """
        ax = self._open(ax)
        colours = cluster_colours(len(self.label_names))
        names = shortened(self.label_names)
        opacity = float(np.clip(20 / np.sqrt(max(1, len(self.rows))), 0.3, 0.9))
        settings = {"s": 12, "alpha": opacity, "linewidths": 0, **kwargs}
        for cluster in np.unique(self.labels):
            inside = self.labels == cluster
            ax.scatter(
                *self.points[inside].T, color=colours[cluster], label=names[cluster], **settings
            )
        self._frame(ax)
        # Two clusters are named on the axis.
        if self.n_clusters > 2 and len(names) <= 20:
            columns = 1 if len(names) <= 10 else 2
            self._legend(
                ax, title="Label", title_fontsize=8, loc="upper left", bbox_to_anchor=(1.0, 1.0),
                ncols=columns, markerscale=1.6,
            )  # fmt: skip
            for handle in ax.get_legend().legend_handles:
                handle.set_alpha(1)
        what = f"{thousands(len(self.rows))} objects"
        if len(self.rows) < self.n_samples:
            what = f"{thousands(len(self.rows))} of {thousands(self.n_samples)} objects"
        ax.set_title("")
        self._write(ax, x=ax.get_xlabel(), y=ax.get_ylabel(), title=f"Posteriors of {what}")
        return self

    def _place(self, table: Array, rng: np.random.Generator) -> Array:
        if self.n_clusters == 2:
            heights = self.labels + rng.uniform(-0.35, 0.35, len(table))
            return np.column_stack([table[:, 1], heights])
        if self.n_clusters == 3:
            return np.asarray(table @ _CORNERS)
        return table[:, list(self.shown)]

    def _frame(self, ax: Any) -> None:
        if self.n_clusters == 2:
            ax.set_xlabel("P(cluster 1 | object); P(cluster 0 | object) = 1 - this")
            ax.set_ylabel("Label")
            ax.set_yticks(range(len(self.label_names)), shortened(self.label_names))
            ax.set_xlim(-0.02, 1.02)
            return
        if self.n_clusters == 3:
            outline = np.vstack([_CORNERS, _CORNERS[:1]])
            ax.plot(*outline.T, color=FAINT, linewidth=0.8, zorder=0)
            for cluster, (x, y) in enumerate(_CORNERS):
                above = y > 0
                ax.text(
                    x, y + (0.025 if above else -0.025), f"P(cluster {cluster} | object) = 1",
                    ha="center", va="bottom" if above else "top", fontsize=8,
                )  # fmt: skip
            ax.set_aspect("equal")
            ax.set_xlim(-0.25, 1.25)
            ax.set_ylim(-0.1, 0.97)
            self._no_axis(ax)
            return
        first, second = self.shown
        ax.plot([0, 1], [1, 0], color=FAINT, linewidth=0.8, zorder=0)
        ax.set_xlabel(f"P(cluster {first} | object)")
        ax.set_ylabel(f"P(cluster {second} | object)")
        ax.set_xlim(-0.02, 1.02)
        ax.set_ylim(-0.02, 1.02)


def _shown(table: Array, clusters: tuple[int, int] | None) -> tuple[int, ...]:
    n_clusters = table.shape[1]
    if n_clusters <= 3:
        return tuple(range(n_clusters))
    if clusters is None:
        overlap = table.T @ table
        np.fill_diagonal(overlap, -1.0)
        first, second = divmod(int(overlap.argmax()), n_clusters)
        return first, second
    if len(clusters) != 2 or not all(0 <= cluster < n_clusters for cluster in clusters):
        raise InvalidInputError(
            f"PosteriorDisplay: clusters must be two numbers from 0 to {n_clusters - 1}; got {clusters}."
        )
    return int(clusters[0]), int(clusters[1])
