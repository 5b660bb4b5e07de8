"""Objects followed over the number of clusters."""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from consilience._utils._types import Array
from consilience.answer import KChoice
from consilience.exceptions import InvalidInputError
from consilience.plot._consensus_cdf_display import choice_of
from consilience.plot._display import Display, thousands
from consilience.plot._given import Clusters, read_clusters
from consilience.plot._palette import MISSING, cluster_colours, text_colour


class TrackingDisplay(Display):
    """Which objects change their cluster from one number of clusters to the next.

    A row for every k, objects from left to right, colours matched between rows. Objects that take the
    same path over all k stand together, so a block that keeps its colour downwards is stable, and a
    narrow stripe of another colour is a group that moves.

    Parameters
    ----------
    labels : mapping of int -> vector of m labels
        A labelling of the same objects for every k.
    n_clusters : int or None, default None
        The k whose colours the others follow; None: the smallest.
    reference : vector of m labels or None, default None
        Colours for that k, such as those of the final model.
    n_samples : int or None, default None
        Objects of which these m are a sample; None: m.

    Attributes
    ----------
    candidates : array (p,)
        All k.
    paths : array (q, p)
        The distinct paths, matched cluster numbers, -1 = missing, in the order drawn.
    counts : array (q,)
        Objects that take every path.
    caption : str
        How to read it, and how it misleads.
    ax_, axes_, figure_
        Where it was drawn.

    See Also
    --------
    ConsensusCDFDisplay : The evidence for every k.
    AlluvialDisplay : The same view of members and consensus.

    Notes
    -----
    Clusters of neighbouring k are matched one to one by the objects they share (linear assignment);
    clusters without a partner get the first free number. Paths are counted, so that the picture has one
    stripe per path however many objects there are.

    References
    ----------
    [monti2003]_

    Examples
    --------
    >>> from consilience.plot import TrackingDisplay
    >>> display = TrackingDisplay({2: [0, 0, 0, 1], 3: [1, 1, 2, 0]})
    >>> display.paths.tolist(), display.counts.tolist()
    ([[0, 0], [0, 2], [1, 1]], [2, 1, 1])
    """

    def __init__(
        self,
        labels: Mapping[int, Any],
        *,
        n_clusters: int | None = None,
        reference: Any = None,
        n_samples: int | None = None,
    ) -> None:
        if not labels:
            raise InvalidInputError("TrackingDisplay: labels must hold at least one k; got none.")
        self.candidates: Array = np.array(sorted(labels))
        n_rows = len(labels[int(self.candidates[0])])
        read = {
            int(k): read_clusters(labels[k], n_rows, "TrackingDisplay") for k in self.candidates
        }
        self.n_clusters = n_clusters
        self.n_rows = n_rows
        self.n_samples = n_rows if n_samples is None else n_samples
        anchor = n_clusters if n_clusters in read else int(self.candidates[0])
        first = None if reference is None else read_clusters(reference, n_rows, "TrackingDisplay")
        matched = _matched(read, anchor, first)
        table = np.column_stack([matched[int(k)] for k in self.candidates])
        self.paths, self.counts = np.unique(table, axis=0, return_counts=True)

    @classmethod
    def from_choice(cls, choice: KChoice, *, n_samples: int | None = None) -> Self:
        """Take the consensus for every candidate of `choose_k`."""
        return cls(choice.labels, n_clusters=choice.n_clusters, n_samples=n_samples)

    @classmethod
    def from_estimator(cls, estimator: Any) -> Self:
        """Take a ConsensusClustering that chose its number of clusters, in its colours."""
        choice = choice_of(estimator, cls.__name__)
        return cls(
            choice.labels,
            n_clusters=choice.n_clusters,
            reference=estimator.labels_[choice.rows],
            n_samples=len(estimator.labels_),
        )

    @property
    def caption(self) -> str:
        """Return how to read the picture, and its limitations."""
        return (
            "Stripes that change colour from row to row are objects that move. Colours are matched "
            "between rows one to one, so a cluster that splits keeps its colour in one part only."
        )

    def plot(self, ax: Any = None, **kwargs: Any) -> Self:
        """Draw a row for every k.

        Parameters
        ----------
        ax : Axes, optional
            Axes to draw on; None: a new figure.
        **kwargs : dict
            For `Axes.pcolormesh`.
        """
        ax = self._open(ax)
        colours = cluster_colours(int(self.paths.max()) + 1)
        edges = np.concatenate([[0], np.cumsum(self.counts)]) / self.counts.sum()
        settings = {
            "cmap": self._listed([MISSING, *colours]),
            "vmin": -1.5,
            "vmax": len(colours) - 0.5,
            **kwargs,
        }
        levels = np.arange(len(self.candidates) + 1) - 0.5
        ax.pcolormesh(edges, levels, self.paths.T, **settings)
        ax.hlines(levels[1:-1], 0, 1, color="white", linewidth=2)
        for row in range(len(self.candidates)):
            self._name_runs(ax, row, edges, colours)
        ax.set_xlim(0, 1)
        ax.set_ylim(len(self.candidates) - 0.5, -0.5)
        step = max(1, -(-len(self.candidates) // 20))
        places = np.arange(0, len(self.candidates), step)
        ax.set_yticks(places, [self._name(int(self.candidates[place])) for place in places])
        what = f"{thousands(self.n_rows)} objects"
        if self.n_rows < self.n_samples:
            what = f"{thousands(self.n_rows)} of {thousands(self.n_samples)} objects"
        self._write(
            ax,
            x="Share of objects, ordered by path",
            y="Number of clusters k",
            title=f"Clusters of {what} for every k, on {thousands(len(self.counts))} paths",
            frame=True,
        )
        ax.spines[:].set_visible(False)
        return self

    def _name(self, k: int) -> str:
        return f"{k} (chosen)" if k == self.n_clusters else str(k)

    def _name_runs(self, ax: Any, row: int, edges: Array, colours: list[str]) -> None:
        """Write the number of a cluster where its colour is wide enough."""
        values = self.paths[:, row]
        starts = np.flatnonzero(np.diff(values, prepend=-2))
        stops = np.append(starts[1:], len(values))
        for start, stop in zip(starts, stops, strict=True):
            left, right, cluster = edges[start], edges[stop], int(values[start])
            if right - left > 0.035:
                colour = MISSING if cluster < 0 else colours[cluster]
                ax.text(
                    (left + right) / 2, row, "?" if cluster < 0 else str(cluster),
                    ha="center", va="center", fontsize=8, color=text_colour(colour),
                )  # fmt: skip


def _matched(
    read: Mapping[int, Clusters], anchor: int, reference: Clusters | None
) -> dict[int, Array]:
    """Renumber the clusters of all k, outwards from one of them."""
    order = sorted(read)
    start = order.index(anchor)
    found = {anchor: read[anchor].labels}
    if reference is not None:
        found[anchor] = _follow(read[anchor].labels, reference.labels)
    for place in range(start + 1, len(order)):
        found[order[place]] = _follow(read[order[place]].labels, found[order[place - 1]])
    for place in range(start - 1, -1, -1):
        found[order[place]] = _follow(read[order[place]].labels, found[order[place + 1]])
    return found


def _follow(labels: Array, guide: Array) -> Array:
    """Give clusters the numbers of their partners in another labelling."""
    from scipy.optimize import linear_sum_assignment

    n_own, n_guide = int(labels.max()) + 1, int(guide.max()) + 1
    both = (labels >= 0) & (guide >= 0)
    cells = labels[both] * n_guide + guide[both]
    table = np.bincount(cells, minlength=n_own * n_guide).reshape(n_own, n_guide)
    own, partner = linear_sum_assignment(table, maximize=True)
    numbers = np.full(n_own, -1)
    shared = table[own, partner] > 0
    numbers[own[shared]] = partner[shared]
    free = np.setdiff1d(np.arange(n_own + n_guide), numbers)
    alone = np.flatnonzero(numbers < 0)
    numbers[alone] = free[: len(alone)]
    return np.where(labels >= 0, numbers[labels], -1)
