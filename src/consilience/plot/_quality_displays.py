"""The quality of the members: with their diversity, and compared with that of a consensus."""

from collections.abc import Callable, Mapping
from typing import Any, Self

import numpy as np

from consilience._utils._words import plural
from consilience.diagnose import DiversityQuality, diversity_quality
from consilience.diagnose.internals import member_agreement
from consilience.ensemble import Ensemble
from consilience.metrics import anmi, nmi
from consilience.plot._display import Display
from consilience.plot._given import parts_of
from consilience.plot._palette import ACCENT, FAINT, SEQUENTIAL, cluster_colours, shortened

# More pairs than this would cover each other: they are counted in hexagons.
_MANY_PAIRS = 5000
_MOST_BINS = 30
_LINES = ("-", "--", ":", "-.")


class DiversityQualityDisplay(Display):
    """Diversity and quality of the members of an ensemble.

    Every point is a pair of members: to the right they are better, further down they are more
    different. A consensus can gain most from clouds that lie low and to the right.

    Parameters
    ----------
    result : DiversityQuality
        What `consilience.diagnose.diversity_quality` found.

    Attributes
    ----------
    caption : str
        How to read it, and how it misleads.
    ax_, axes_, figure_
        Where it was drawn.

    See Also
    --------
    MemberQualityDisplay : Quality alone.

    Notes
    -----
    Above 5,000 pairs the picture counts them in hexagons. Pairs that share no object are left out.
    Without known classes quality is agreement with the other members, so that both axes measure
    agreement and the cloud rises by itself.

    References
    ----------
    [fern2004]_, figure of diversity and quality

    Examples
    --------
    >>> from consilience.plot import DiversityQualityDisplay
    >>> members = [[0, 0, 1, 1], [0, 0, 1, 1], [0, 1, 0, 1]]
    >>> display = DiversityQualityDisplay.from_ensemble(members, truth=[0, 0, 1, 1])
    >>> display.result.quality.tolist(), display.result.nmi.tolist()
    ([1.0, 0.5, 0.5], [1.0, 0.0, 0.0])
    """

    def __init__(self, result: DiversityQuality) -> None:
        self.result = result

    @classmethod
    def from_ensemble(cls, ensemble: Any, truth: Any = None) -> Self:
        """Compute the cloud of an ensemble; see `consilience.diagnose.diversity_quality`."""
        return cls(diversity_quality(ensemble, truth))

    @classmethod
    def from_estimator(cls, estimator: Any, truth: Any = None) -> Self:
        """Compute the cloud of the members of a fitted model."""
        return cls.from_ensemble(parts_of(estimator, cls.__name__)[0], truth)

    @property
    def caption(self) -> str:
        """Return how to read the picture, and its limitations."""
        text = "To the right members are better, further down they are more diverse."
        if self.result.with_truth:
            return text
        return f"{text} Quality is agreement with the other members, so the cloud rises by itself."

    def plot(self, ax: Any = None, **kwargs: Any) -> Self:
        """Draw the cloud and its means.

        Parameters
        ----------
        ax : Axes, optional
            Axes to draw on; None: a new figure.
        **kwargs : dict
            For `Axes.scatter`, or `Axes.hexbin` above 5,000 pairs.
        """
        ax = self._open(ax)
        quality, nmi = self.result.quality, self.result.nmi
        means = self.result.mean_quality, self.result.mean_nmi
        if len(nmi) > _MANY_PAIRS:
            settings = {
                "gridsize": 40,
                "mincnt": 1,
                "bins": "log",
                "cmap": self._visible(),
                **kwargs,
            }
            drawn = ax.hexbin(quality, nmi, **settings)
            scale = ax.inset_axes((1.02, 0.0, 0.03, 1.0))
            self._colour_bar(drawn, scale, "Pairs in a hexagon")
            scale.yaxis.set_major_formatter("{x:.0f}")
        else:
            opacity = float(np.clip(16 / np.sqrt(max(1, len(nmi))), 0.3, 0.9))
            settings = {"s": 14, "color": "#0072b2", "alpha": opacity, "linewidths": 0, **kwargs}
            ax.scatter(quality, nmi, **settings)
        line = {"color": FAINT, "linewidth": 0.8, "linestyle": "--", "zorder": 0}
        if np.isfinite(means[0]):
            ax.axvline(means[0], **line)
        if np.isfinite(means[1]):
            ax.axhline(means[1], **line)
            ax.plot(*means, "P", color=ACCENT, markersize=9, markeredgecolor="white")
        partner = "the known classes" if self.result.with_truth else "the other members"
        self._write(
            ax,
            x=f"Mean NMI of the two members with {partner}",
            y="NMI between the two (lower: more diverse)",
            title=f"{plural(len(nmi), 'pair')} of {len(self.result.names)} members; cross: means "
            f"(quality {means[0]:.2f}, NMI {means[1]:.2f})",
        )
        return self

    def _visible(self) -> Any:
        """Return the sequential map without its palest part, which is invisible on white."""
        shades = self._colour_map(SEQUENTIAL)(np.linspace(0.25, 1.0, 256))
        return self._matplotlib("colors").ListedColormap(shades)


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
    ) -> None:
        self.quality = np.asarray(quality, dtype=np.float64)
        self.references = dict(references or {})
        self.score = score
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
            members = zip(ensemble.labels.T, ensemble.n_clusters > 0, strict=True)
            scores = [metric(member, truth) if known else np.nan for member, known in members]
            quality = np.array(scores)
            references = {name: metric(labels, truth) for name, labels in given.items()}
            name = "NMI with the known classes"
            if metric is not nmi:
                name = getattr(metric, "__name__", "Score").replace("_", " ").capitalize()
        return cls(quality, references=references, score=score or name)

    @classmethod
    def from_estimator(cls, estimator: Any, truth: Any = None, **options: Any) -> Self:
        """Compute the quality of the members of a fitted ConsensusClustering, and of its consensus."""
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
        title = f"Quality of {plural(self.n_known, 'member')}, one tick each"
        self._write(ax, x=self.score, y="Number of members", title=title)
        return self
