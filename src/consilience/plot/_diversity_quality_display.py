"""The cloud of pairs of members: how good, and how different."""

from typing import Any, Self

import numpy as np

from consilience._utils._types import Array
from consilience.diagnose import DiversityQuality, diversity_quality
from consilience.plot._display import Display, thousands
from consilience.plot._palette import ACCENT, FAINT, SEQUENTIAL

# More pairs than this would cover each other: they are counted in hexagons.
_MANY_PAIRS = 5000


class DiversityQualityDisplay(Display):
    """Diversity and quality of the members of an ensemble.

    Every point is a pair of members: to the right they are better, further down they are more
    different. A consensus can gain most from clouds that lie low and to the right.

    Parameters
    ----------
    quality : array (p,)
        Mean quality of the two members of every pair.
    nmi : array (p,)
        NMI between them.
    mean_quality, mean_nmi : float
        The means, of members and of pairs; NaN if there are none.
    with_truth : bool
        Whether quality is NMI with known classes rather than with the other members.
    n_members : int
        Members of the ensemble.

    Attributes
    ----------
    caption : str
        How to read it, and how it misleads.
    ax_, axes_, figure_
        Where it was drawn.

    See Also
    --------
    MemberSimilarityDisplay : Which members are alike.
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
    >>> display.quality.tolist(), display.nmi.tolist()
    ([1.0, 0.5, 0.5], [1.0, 0.0, 0.0])
    """

    def __init__(
        self,
        quality: Array,
        nmi: Array,
        *,
        mean_quality: float,
        mean_nmi: float,
        with_truth: bool,
        n_members: int,
    ) -> None:
        self.quality = quality
        self.nmi = nmi
        self.mean_quality = mean_quality
        self.mean_nmi = mean_nmi
        self.with_truth = with_truth
        self.n_members = n_members

    @classmethod
    def from_result(cls, result: DiversityQuality) -> Self:
        """Take what `diversity_quality` found."""
        return cls(
            result.quality,
            result.nmi,
            mean_quality=result.mean_quality,
            mean_nmi=result.mean_nmi,
            with_truth=result.with_truth,
            n_members=len(result.names),
        )

    @classmethod
    def from_ensemble(cls, ensemble: Any, truth: Any = None) -> Self:
        """Compute the cloud of an ensemble; see `consilience.diagnose.diversity_quality`."""
        return cls.from_result(diversity_quality(ensemble, truth))

    @classmethod
    def from_estimator(cls, estimator: Any, truth: Any = None) -> Self:
        """Compute the cloud of the members of a fitted model."""
        from consilience.plot._given import parts_of

        return cls.from_ensemble(parts_of(estimator, cls.__name__)[0], truth)

    @property
    def caption(self) -> str:
        """Return how to read the picture, and its limitations."""
        text = "To the right members are better, further down they are more diverse."
        if self.with_truth:
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
        if len(self.nmi) > _MANY_PAIRS:
            settings = {
                "gridsize": 40,
                "mincnt": 1,
                "bins": "log",
                "cmap": self._visible(),
                **kwargs,
            }
            drawn = ax.hexbin(self.quality, self.nmi, **settings)
            scale = ax.inset_axes((1.02, 0.0, 0.03, 1.0))
            self._colour_bar(drawn, scale, "Pairs in a hexagon")
            scale.yaxis.set_major_formatter("{x:.0f}")
        else:
            opacity = float(np.clip(16 / np.sqrt(max(1, len(self.nmi))), 0.3, 0.9))
            settings = {"s": 14, "color": "#0072b2", "alpha": opacity, "linewidths": 0, **kwargs}
            ax.scatter(self.quality, self.nmi, **settings)
        if np.isfinite(self.mean_quality):
            ax.axvline(self.mean_quality, color=FAINT, linewidth=0.8, linestyle="--", zorder=0)
        if np.isfinite(self.mean_nmi):
            ax.axhline(self.mean_nmi, color=FAINT, linewidth=0.8, linestyle="--", zorder=0)
            ax.plot(
                [self.mean_quality], [self.mean_nmi], "P", color=ACCENT, markersize=9,
                markeredgecolor="white",
            )  # fmt: skip
        partner = "the known classes" if self.with_truth else "the other members"
        pairs = f"{thousands(len(self.nmi))} pair{'s' * (len(self.nmi) != 1)}"
        self._write(
            ax,
            x=f"Mean NMI of the two members with {partner}",
            y="NMI between the two (lower: more diverse)",
            title=(
                f"{pairs} of {self.n_members} members; cross: means "
                f"(quality {self.mean_quality:.2f}, NMI {self.mean_nmi:.2f})"
            ),
        )
        return self

    def _visible(self) -> Any:
        """Return the sequential map without its palest part, which is invisible on white."""
        shades = self._colour_map(SEQUENTIAL)(np.linspace(0.25, 1.0, 256))
        return self._matplotlib("colors").ListedColormap(shades)
