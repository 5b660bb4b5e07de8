"""The distribution of the quality of members, and where a consensus stands in it."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from consilience.diagnose.internals import member_agreement
from consilience.ensemble import Ensemble
from consilience.metrics import anmi, nmi
from consilience.plot._display import Display
from consilience.plot._palette import FAINT, cluster_colours, shortened

if TYPE_CHECKING:
    from consilience._utils._types import Array

_MOST_BINS = 30
_LINES = ("-", "--", ":", "-.")


class MemberQualityDisplay(Display):
    """Whether a consensus is better than its members.

    A histogram of the quality of the members, a tick for every one of them, and a line for every
    consensus.

    Parameters
    ----------
    quality : array (r,)
        Quality of every member; NaN where it is not known.
    references : mapping of str -> float, optional
        Quality of consensus partitions.
    score : str, default "NMI with the known classes"
        What quality is.
    names : sequence of str, optional
        Names of the members.

    Attributes
    ----------
    counts, edges : array (b,), array (b + 1,)
        The histogram.
    better_than : dict of str -> float
        Share of the members that every consensus is better than; ties count half.
    caption : str
        How to read it, and how it misleads.
    ax_, axes_, figure_
        Where it was drawn.

    See Also
    --------
    DiversityQualityDisplay : Quality and diversity at once.

    Notes
    -----
    At most 30 bins. Members that know nothing are left out. Without known classes quality is agreement
    with the other members, which a wrong consensus that all members share has too.

    References
    ----------
    [nguyen2007]_, figure 2

    Examples
    --------
    >>> from consilience.plot import MemberQualityDisplay
    >>> members = [[0, 0, 1, 1], [0, 1, 0, 1], [0, 0, 0, 1]]
    >>> truth = [0, 0, 1, 1]
    >>> display = MemberQualityDisplay.from_ensemble(members, truth, consensus={"mine": truth})
    >>> display.quality.round(2).tolist(), display.references
    ([1.0, 0.0, 0.35], {'mine': 1.0})
    """

    def __init__(
        self,
        quality: Any,
        *,
        references: Mapping[str, float] | None = None,
        score: str = "NMI with the known classes",
        names: Sequence[str] | None = None,
    ) -> None:
        self.quality: Array = np.asarray(quality, dtype=np.float64)
        self.references = dict(references or {})
        self.score = score
        self.names = None if names is None else tuple(names)
        known = self.quality[np.isfinite(self.quality)]
        self.n_known = len(known)
        n_bins = int(np.clip(np.ceil(1.4 * np.sqrt(max(1, len(known)))), 5, _MOST_BINS))
        low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)
        # Equal but for rounding is one bin, not a comb of empty ones.
        if high - low < 1e-9:
            low, high, n_bins = low - 0.01, high + 0.01, 1
        self.counts, self.edges = np.histogram(known, bins=n_bins, range=(low, high))
        self.better_than = {
            name: float(np.mean((known < level) + 0.5 * (known == level))) if len(known) else np.nan
            for name, level in self.references.items()
        }

    @classmethod
    def from_ensemble(
        cls,
        ensemble: Any,
        truth: Any = None,
        *,
        consensus: Mapping[str, Any] | None = None,
        metric: Callable[[Any, Any], float] = nmi,
        score: str | None = None,
    ) -> Self:
        """Compute the quality of all members.

        Parameters
        ----------
        ensemble : Ensemble or array-like of labels
            The members.
        truth : vector of n labels, optional
            Known classes; without them, quality is the mean NMI with the other members.
        consensus : mapping of str -> vector of n labels, optional
            Partitions to mark.
        metric : callable, default consilience.metrics.nmi
            metric(labels, truth) -> number; used with known classes only.
        score : str, optional
            Name of the metric for the axis.
        """
        ensemble = Ensemble.from_labels(ensemble)
        given = dict(consensus or {})
        if truth is None:
            quality = member_agreement(ensemble).quality
            references = {name: anmi(labels, ensemble) for name, labels in given.items()}
            name = "Mean NMI with the other members"
        else:
            known = ensemble.n_clusters > 0
            columns = zip(ensemble.labels.T, known, strict=True)
            quality = np.array(
                [metric(member, truth) if yes else np.nan for member, yes in columns]
            )
            references = {name: metric(labels, truth) for name, labels in given.items()}
            name = "NMI with the known classes"
            if metric is not nmi:
                name = getattr(metric, "__name__", "Score").replace("_", " ").capitalize()
        return cls(quality, references=references, score=score or name, names=ensemble.names)

    @classmethod
    def from_estimator(cls, estimator: Any, truth: Any = None, **options: Any) -> Self:
        """Compute the quality of the members of a fitted ConsensusClustering, and of its consensus."""
        from consilience.plot._given import parts_of

        ensemble, labels = parts_of(estimator, cls.__name__)
        return cls.from_ensemble(ensemble, truth, consensus={"consensus": labels}, **options)

    @property
    def caption(self) -> str:
        """Return how to read the picture, and its limitations."""
        parts = [
            f"{name} is better than {share:.0%} of the members"
            for name, share in self.better_than.items()
            if np.isfinite(share)
        ]
        found = "; ".join(parts) if parts else "Quality of the members"
        return f"{found[0].upper()}{found[1:]}. Scores of members with more clusters are not comparable."

    def plot(self, ax: Any = None, **kwargs: Any) -> Self:
        """Draw the histogram and the lines.

        Parameters
        ----------
        ax : Axes, optional
            Axes to draw on; None: a new figure.
        **kwargs : dict
            For `Axes.bar`.
        """
        ax = self._open(ax)
        settings = {"color": "#56b4e9", "edgecolor": "white", "linewidth": 0.8, **kwargs}
        ax.bar(self.edges[:-1], self.counts, width=np.diff(self.edges), align="edge", **settings)
        known = self.quality[np.isfinite(self.quality)]
        top = max(1, int(self.counts.max()))
        ax.plot(known, np.full(len(known), -0.03 * top), "|", color=FAINT, markersize=6)
        # The first two colours of the palette are taken by the bars' blue and its neighbour.
        colours = ["#333333", *cluster_colours(len(self.references) + 3)[3:]]
        names = shortened(list(self.references), 24)
        for place, level in enumerate(self.references.values()):
            ax.axvline(
                level, color=colours[place % len(colours)], linewidth=2,
                linestyle=_LINES[place % len(_LINES)], label=f"{names[place]}: {level:.2f}",
            )  # fmt: skip
        if self.references:
            self._legend(ax, loc="upper left", bbox_to_anchor=(1.0, 1.0), borderaxespad=0.2)
        ax.set_ylim(-0.07 * top, 1.08 * top)
        ax.yaxis.get_major_locator().set_params(integer=True)
        number = f"{self.n_known} member{'s' * (self.n_known != 1)}"
        self._write(
            ax, x=self.score, y="Number of members", title=f"Quality of {number}, one tick each"
        )
        return self
