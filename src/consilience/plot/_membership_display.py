"""All members at once: objects by members, in the colours of the consensus."""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from textwrap import fill
from typing import Any, Self

import numpy as np

from consilience._utils._declare import Declaration, Integer, Seed, check_parameters
from consilience._utils._random import RandomState, spawn
from consilience._utils._types import Array
from consilience.diagnose.internals import hard_view
from consilience.ensemble import Ensemble
from consilience.plot._consensus import ClusterCounts
from consilience.plot._display import EnsembleDisplay, few_ticks, objects_shown, runs
from consilience.plot._given import read_clusters, stratified_rows
from consilience.plot._palette import MISSING, cluster_colours, in_lines, shortened

_DECLARED: dict[str, Declaration] = {"max_samples": Integer(1), "random_state": Seed()}


@dataclass(eq=False, repr=False)
class MembershipDisplay(EnsembleDisplay):
    """Which members disagree with the consensus, and on which objects.

    A row per object, a column per member, each base cluster in the colour of the consensus cluster
    that holds most of its objects. A column that differs from the rest is a member that disagrees, a
    noisy row an object in doubt.

    Parameters
    ----------
    votes : array (m, r)
        Consensus cluster of the vote of every member, -1 = missing; rows and columns in the order
        drawn.
    labels : array (m,)
        The consensus of the objects drawn.
    rows : array (m,)
        Their positions.
    members : array (r,)
        Positions of the members, the most agreeing first.
    member_names : sequence of str
        Names of the members, in the order drawn.
    agreement : array (r,)
        Share of all objects that a member knows on which it speaks for the consensus, in that order;
        NaN if it knows none.
    cluster_names : sequence of str
        Names of the clusters.
    n_samples : int
        Objects that have a cluster.

    Attributes
    ----------
    caption : str
        How to read it, and how it misleads.
    ax_, axes_, figure_
        Where it was drawn: consensus, members, agreement.

    See Also
    --------
    ConsensusHeatmapDisplay : The same as pairs of objects.
    AlluvialDisplay : A few members in detail.

    Notes
    -----
    At most `max_samples` objects, sampled by cluster; base clusters are matched, and agreement is
    computed, on all. Matching is by majority, so several clusters of a member may have one colour: a
    member with very many clusters agrees by itself.

    Examples
    --------
    >>> from consilience.plot import MembershipDisplay
    >>> members = [[0, 0, 1, 1], [1, 1, 0, 0], [0, 0, 0, 1]]
    >>> display = MembershipDisplay.from_ensemble(members, [0, 0, 1, 1])
    >>> display.members.tolist(), display.agreement.tolist()
    ([0, 1, 2], [1.0, 1.0, 0.75])
    """

    votes: Array
    labels: Array
    _: KW_ONLY
    rows: Array
    members: Array
    member_names: tuple[str, ...]
    agreement: Array
    cluster_names: tuple[str, ...]
    n_samples: int

    @classmethod
    def from_ensemble(
        cls, ensemble: Any, labels: Any, *, max_samples: int = 500, random_state: RandomState = 0
    ) -> Self:
        """Match base clusters with the consensus.

        Parameters
        ----------
        ensemble : Ensemble or array-like of labels
            The members.
        labels : vector of n labels
            The consensus; objects without a label are left out.
        max_samples : int, default 500
            Most objects drawn; of more, a sample stratified by cluster.
        random_state : int, generator or None, default 0
            Draws the sample.
        """
        given = {"max_samples": max_samples, "random_state": random_state}
        check_parameters(cls.__name__, _DECLARED, given)
        ensemble = hard_view(Ensemble.from_labels(ensemble))
        clusters = read_clusters(labels, ensemble.n_samples, cls.__name__)
        counts = ClusterCounts(ensemble, clusters.labels, len(clusters.names))
        layout = ensemble.layout
        winner = np.where(counts.counts.max(axis=1) > 0, counts.counts.argmax(axis=1), -1)
        # A last member that knows nothing begins behind the last base cluster.
        winner = np.append(winner, -1)
        right, known = layout.sum_by_member(counts.counts.max(axis=1)), counts.known.sum(axis=1)
        agreement = np.divide(right, known, out=np.full(len(known), np.nan), where=known > 0)
        members = np.argsort(-np.nan_to_num(agreement, nan=-1.0).round(9), kind="stable")
        rows = stratified_rows(clusters.labels, max_samples, spawn(random_state, 1)[0])
        drawn = ensemble.codes[rows].astype(np.int64) - 1
        votes = np.where(drawn >= 0, winner[layout.starts[:-1] + np.maximum(drawn, 0)], -1)
        own = clusters.labels[rows]
        support = np.mean(votes == own[:, None], axis=1).round(9)
        order = np.lexsort((-support, own))
        return cls(
            votes[order][:, members],
            own[order],
            rows=rows[order],
            members=members,
            member_names=tuple(ensemble.names[member] for member in members),
            agreement=agreement[members],
            cluster_names=clusters.names,
            n_samples=int(clusters.sizes.sum()),
        )

    @property
    def caption(self) -> str:
        """Return how to read the picture, and its limitations."""
        return (
            "A column that differs is a member that disagrees, a noisy row an object in doubt. Base "
            "clusters have the colour of the consensus cluster that holds most of their objects, so "
            "members with very many clusters agree by themselves."
        )

    def plot(self, ax: Any = None, **kwargs: Any) -> Self:
        """Draw the consensus, the members, and their agreement above.

        Parameters
        ----------
        ax : Axes, optional
            Axes to draw on; None: a new figure.
        **kwargs : dict
            For `Axes.imshow` of the members.
        """
        ax = self._open(ax)
        bar, image, top = self._split(
            ax, [(0.0, 0.0, 0.05, 0.78), (0.065, 0.0, 0.935, 0.78), (0.065, 0.81, 0.935, 0.19)]
        )
        colours = cluster_colours(len(self.cluster_names))
        settings: dict[str, Any] = {
            "cmap": self._listed([MISSING, *colours]),
            "vmin": -1.5,
            "vmax": len(colours) - 0.5,
            "aspect": "auto",
            # Colours of clusters must not be mixed where rows are thinner than pixels.
            "interpolation": "nearest",
        }
        bar.imshow(self.labels[:, None], **settings)
        image.imshow(self.votes, **{**settings, **kwargs})
        self._name_clusters(bar, colours)
        names = in_lines(self.member_names)
        places, shown = few_ticks(names, 25)
        broken = _wrapped(shown, 58)
        image.set_xticks(places, broken or shown, rotation=0 if broken else 90)
        image.set_yticks([])
        missing = " (grey: missing)" if np.any(self.votes < 0) else ""
        self._write(image, x=f"Member, the most agreeing first{missing}", frame=True)
        top.bar(np.arange(len(names)), np.nan_to_num(self.agreement), color="#8a8a8a", width=0.8)
        top.set_xlim(-0.5, len(names) - 0.5)
        top.set_ylim(0, 1)
        top.set_xticks([])
        top.set_yticks([0, 1])
        what = objects_shown(len(self.labels), self.n_samples)
        self._write(top, y="Agrees", title=f"Members on {what}")
        return self

    def _name_clusters(self, bar: Any, colours: list[str]) -> None:
        """Name the clusters that are tall enough: short names on their colours, long ones beside."""
        self._no_axis(bar)
        names = shortened(self.cluster_names, 12)
        n_rows = len(self.labels)
        tall = [run for run in runs(self.labels) if (run[1] - run[0]) / n_rows > 0.045]
        centres = [(start + stop - 1) / 2 for start, stop, _ in tall]
        shown = [cluster for _, _, cluster in tall]
        if any(len(names[cluster]) > 2 for cluster in shown):
            bar.set_yticks(centres, [names[cluster] for cluster in shown])
        else:
            for centre, cluster in zip(centres, shown, strict=True):
                self._name(bar, 0, centre, names[cluster], colours[cluster])
        self._write(bar, y="Objects, by consensus cluster")
        bar.spines[:].set_visible(False)


def _wrapped(names: Sequence[str], room: int) -> list[str] | None:
    """Break names at spaces so that they fit side by side on `room` letters; None if they do not."""
    width = room // max(1, len(names)) - 1
    if any(len(word) > width for name in names for word in name.split()):
        return None
    return [fill(name, max(1, width)) for name in names]
