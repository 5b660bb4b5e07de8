"""The choice of the number of clusters: the consensus for every k, and who changes clusters."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any, Self

import numpy as np

from consilience._utils._types import Array
from consilience.answer import KChoice
from consilience.exceptions import InvalidInputError
from consilience.plot._consensus import AMBIGUOUS
from consilience.plot._display import Display, few_ticks, runs
from consilience.plot._given import Clusters, overlap_table, read_clusters
from consilience.plot._palette import ACCENT, INK, MISSING, ORDERED, cluster_colours


class ConsensusCDFDisplay(Display):
    """Whether pairs of objects are decided, for every number of clusters.

    Left, the share of pairs whose consensus is at most a value, a line for every k: flat in the middle
    means that pairs go either always or never together. Right, the relative gain in the area below that
    line from one k to the next, and the share of ambiguous pairs (PAC), with that of data without
    clusters.

    Parameters
    ----------
    choice : KChoice
        What `consilience.answer.choose_k` found.

    Attributes
    ----------
    candidates : array (p,)
        All k.
    caption : str
        How to read it, and how it misleads.
    ax_, axes_, figure_
        Where it was drawn: distribution, gain, PAC.

    See Also
    --------
    TrackingDisplay : Which objects change their cluster from k to k.
    consilience.answer.choose_k : Chooses k, by one score rather than by these curves.

    Notes
    -----
    The area grows with k by itself and PAC falls when clusters get small, so neither the largest area
    nor the smallest PAC names the right k.

    References
    ----------
    [monti2003]_; [senbabaoglu2014]_; [john2020]_

    Examples
    --------
    >>> from sklearn.datasets import make_blobs
    >>> from consilience.answer import choose_k
    >>> from consilience.plot import ConsensusCDFDisplay
    >>> X, _ = make_blobs(150, centers=[[0, 0], [9, 0], [0, 9]], random_state=0)
    >>> choice = choose_k(X, candidates=[2, 3, 4], random_state=0)
    >>> display = ConsensusCDFDisplay(choice)
    >>> display.candidates.tolist(), min(choice.table, key=lambda row: row.pac).n_clusters
    ([2, 3, 4], 3)
    """

    figure_size = (8.0, 4.0)

    def __init__(self, choice: KChoice) -> None:
        if not choice.table:
            raise InvalidInputError(
                "ConsensusCDFDisplay: choice must have at least one candidate k; got none."
            )
        self.choice = choice
        self.candidates = np.array([row.n_clusters for row in choice.table])

    @classmethod
    def from_estimator(cls, estimator: Any) -> Self:
        """Take what a ConsensusClustering found that chose its number of clusters."""
        return cls(_choice_of(estimator, cls.__name__))

    @property
    def caption(self) -> str:
        """Return how to read the picture, and its limitations."""
        return (
            "Flat in the middle: pairs are decided. PAC falls when clusters get small, also in data "
            "without clusters."
        )

    def plot(self, ax: Any = None, **kwargs: Any) -> Self:
        """Draw the two panels.

        Parameters
        ----------
        ax : Axes, optional
            Axes to draw on; None: a new figure.
        **kwargs : dict
            For `Axes.plot` of the lines of the distribution.
        """
        ax = self._open(ax)
        left, right = self._split(ax, [(0.0, 0.0, 0.53, 1.0), (0.68, 0.0, 0.32, 1.0)])
        self._draw_distribution(left, kwargs)
        candidates, rows = self.candidates, self.choice.table
        pac = [row.pac for row in rows]
        right.plot(candidates, pac, "o-", color=INK, markersize=4)
        right.set_ylim(0, 1.2 * max(0.01, float(np.nanmax(pac))))
        self._write(
            right, x="Number of clusters k", y="Share of pairs", title="Ambiguous pairs (PAC)"
        )
        shown = candidates[:: max(1, -(-len(candidates) // 10))]
        right.set_xticks(shown, [str(k) for k in shown])
        if self.choice.n_clusters in candidates:
            right.axvline(self.choice.n_clusters, color=ACCENT, linewidth=1, zorder=0)
        return self

    def _draw_distribution(self, ax: Any, options: Mapping[str, Any]) -> None:
        candidates = self.candidates
        shades = self._colour_map(ORDERED)(np.linspace(0, 0.92, len(candidates)))
        ax.axvspan(*AMBIGUOUS, color="#f0f0f0", zorder=0)
        for k, shade in zip(candidates, shades, strict=True):
            curve = np.concatenate([[0.0], self.choice.cdf[int(k)]])
            chosen = k == self.choice.n_clusters
            settings = {
                "color": ACCENT if chosen else shade,
                "linewidth": 2.4 if chosen else 1.2,
                "zorder": 3 if chosen else 2,
                "label": f"{k} (chosen)" if chosen else str(k),
                **options,
            }
            ax.plot(np.linspace(0, 1, len(curve)), curve, **settings)
        ax.set_xlim(0, 1)
        ax.set_ylim(0, 1.01)
        columns = 1 if len(candidates) <= 10 else 2
        self._legend(ax, title="k", loc="lower right", ncols=columns, title_fontsize=8)
        self._write(
            ax,
            x="Consensus of a pair (share of members)",
            y="Share of pairs at or below",
            title=f"Distribution (grey: ambiguous, {AMBIGUOUS[0]} to {AMBIGUOUS[1]})",
        )


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
        choice = _choice_of(estimator, cls.__name__)
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
        colour_map = self._listed([MISSING, *colours])
        settings = {"cmap": colour_map, "vmin": -1.5, "vmax": len(colours) - 0.5, **kwargs}
        levels = np.arange(len(self.candidates) + 1) - 0.5
        ax.pcolormesh(edges, levels, self.paths.T, **settings)
        ax.hlines(levels[1:-1], 0, 1, color="white", linewidth=2)
        for row in range(len(self.candidates)):
            self._name_runs(ax, row, edges, colours)
        ax.set_xlim(0, 1)
        ax.set_ylim(len(self.candidates) - 0.5, -0.5)
        ax.set_yticks(*few_ticks([self._title(int(k)) for k in self.candidates], 20))
        what = f"{self.n_rows:,} objects"
        if self.n_rows < self.n_samples:
            what = f"{self.n_rows:,} of {self.n_samples:,} objects"
        self._write(
            ax,
            x="Share of objects, ordered by path",
            y="Number of clusters k",
            title=f"Clusters of {what} for every k, on {len(self.counts):,} paths",
            frame=True,
        )
        ax.spines[:].set_visible(False)
        return self

    def _title(self, k: int) -> str:
        return f"{k} (chosen)" if k == self.n_clusters else str(k)

    def _name_runs(self, ax: Any, row: int, edges: Array, colours: list[str]) -> None:
        """Write the number of a cluster where its colour is wide enough."""
        for start, stop, cluster in runs(self.paths[:, row]):
            left, right = edges[start], edges[stop]
            if right - left > 0.035:
                colour = MISSING if cluster < 0 else colours[cluster]
                name = "?" if cluster < 0 else str(cluster)
                self._name(ax, (left + right) / 2, row, name, colour)


def _choice_of(estimator: Any, owner: str) -> KChoice:
    """Return how a model chose its number of clusters."""
    choice = getattr(estimator, "k_choice_", None)
    if choice is None:
        raise InvalidInputError(
            f"{owner}.from_estimator needs a fitted ConsensusClustering that chose its number of "
            f'clusters; got {type(estimator).__name__}. Fit one with n_clusters="auto", or show '
            "what choose_k(X) returns."
        )
    found: KChoice = choice
    return found


def _matched(
    read: Mapping[int, Clusters], anchor: int, reference: Clusters | None
) -> dict[int, Array]:
    """Renumber the clusters of all k, outwards from one of them."""
    order = sorted(read)
    start = order.index(anchor)
    found = {anchor: read[anchor].labels}
    if reference is not None:
        found[anchor] = _follow(read[anchor].labels, reference.labels)
    for before, k in [*pairwise(order[start:]), *pairwise(order[start::-1])]:
        found[k] = _follow(read[k].labels, found[before])
    return found


def _follow(labels: Array, guide: Array) -> Array:
    """Give clusters the numbers of their partners in another labelling."""
    from scipy.optimize import linear_sum_assignment

    table = overlap_table(labels, guide)
    own, partner = linear_sum_assignment(table, maximize=True)
    numbers = np.full(len(table), -1)
    shared = table[own, partner] > 0
    numbers[own[shared]] = partner[shared]
    free = np.setdiff1d(np.arange(sum(table.shape)), numbers)
    alone = np.flatnonzero(numbers < 0)
    numbers[alone] = free[: len(alone)]
    return np.where(labels >= 0, numbers[labels], -1)
