"""Agreement of the consensus against the number of members."""

from typing import Any, Self

import numpy as np

from consilience._utils._types import Array
from consilience.consensus import ConsensusFunction
from consilience.diagnose import EnoughMembers, enough_members
from consilience.plot._display import Display
from consilience.plot._palette import ACCENT, FAINT


class EnoughMembersDisplay(Display):
    """Are there enough members? Where the curve is flat, more of them change little.

    The line is the mean agreement of two consensus partitions of m members each, none in common; the
    band is two standard errors to either side.

    Parameters
    ----------
    sizes : array (s,)
        Numbers of members m.
    mean, standard_error : array (s,)
        Mean ARI over the draws, and its standard error; NaN = not known.
    fitted : array (s,)
        The non-decreasing curve nearest to the mean.
    mean_with_full : array (s,)
        Mean ARI with the consensus of all members.
    enough : int or None
        From which number on the curve is flat; None if it is not.
    tolerance : float
        What counts as flat.
    n_members : int
        Members of the ensemble that count.

    Attributes
    ----------
    low, high : array (s,)
        The band.
    caption : str
        How to read it, and how it misleads.
    ax_, axes_, figure_
        Where it was drawn.

    See Also
    --------
    consilience.diagnose.enough_members : Computes the curve.

    Notes
    -----
    Draws are disjoint, not growing prefixes. Agreement with the consensus of all members rises to 1 by
    itself, since the draws are part of it, and is drawn faint.

    Examples
    --------
    >>> from consilience.consensus import IPC
    >>> from consilience.datasets import make_planted_ensemble
    >>> from consilience.plot import EnoughMembersDisplay
    >>> ensemble, _ = make_planted_ensemble(100, 24, 3, noise=0.15, random_state=0)
    >>> display = EnoughMembersDisplay.from_ensemble(ensemble, IPC(3), n_repeats=3, random_state=0)
    >>> display.enough
    6
    """

    def __init__(
        self,
        sizes: Array,
        mean: Array,
        *,
        standard_error: Array,
        fitted: Array,
        mean_with_full: Array,
        enough: int | None,
        tolerance: float,
        n_members: int,
    ) -> None:
        self.sizes = sizes
        self.mean = mean
        self.standard_error = standard_error
        self.fitted = fitted
        self.mean_with_full = mean_with_full
        self.enough = enough
        self.tolerance = tolerance
        self.n_members = n_members
        spread = 2 * np.nan_to_num(standard_error)
        self.low: Array = mean - spread
        self.high: Array = np.minimum(mean + spread, 1.0)

    @classmethod
    def from_result(cls, result: EnoughMembers) -> Self:
        """Take what `enough_members` found."""
        return cls(
            result.sizes,
            result.mean,
            standard_error=result.standard_error,
            fitted=result.fitted,
            mean_with_full=result.mean_with_full,
            enough=result.enough,
            tolerance=result.tolerance,
            n_members=result.n_members,
        )

    @classmethod
    def from_ensemble(cls, ensemble: Any, function: ConsensusFunction, **options: Any) -> Self:
        """Compute the curve; options as in `consilience.diagnose.enough_members`."""
        return cls.from_result(enough_members(ensemble, function, **options))

    @property
    def caption(self) -> str:
        """Return how to read the picture, and its limitations."""
        return (
            "Flat: more members of the same kind change little. That does not say that the consensus is "
            "right."
        )

    def plot(self, ax: Any = None, **kwargs: Any) -> Self:
        """Draw the curve and its band.

        Parameters
        ----------
        ax : Axes, optional
            Axes to draw on; None: a new figure.
        **kwargs : dict
            For `Axes.plot` of the mean.
        """
        ax = self._open(ax)
        ax.plot(
            self.sizes,
            self.mean_with_full,
            ":",
            color=FAINT,
            label="with the consensus of all members",
        )
        ax.fill_between(self.sizes, self.low, self.high, color="#0072b2", alpha=0.2, linewidth=0)
        settings = {
            "color": "#0072b2",
            "marker": "o",
            "markersize": 4,
            "label": "of two disjoint draws (± 2 standard errors)",
            **kwargs,
        }
        ax.plot(self.sizes, self.mean, **settings)
        if self.enough is not None:
            ax.axvline(
                self.enough, color=ACCENT, linewidth=1.2,
                label=f"{self.enough} are enough (later gain below {self.tolerance:g})",
            )  # fmt: skip
        known = np.concatenate([self.low, self.mean_with_full])
        known = known[np.isfinite(known)]
        ax.set_ylim(min(0.0, float(known.min(initial=0.0))), 1.02)
        ax.set_xlim(left=0)
        self._legend(ax, loc="lower right")
        verdict = f"{int(self.sizes[-1])} of {self.n_members} members may not be enough"
        if self.enough is not None:
            verdict = f"{self.enough} of {self.n_members} members are enough"
        self._write(
            ax,
            x="Members in a draw",
            y="Agreement of consensus (ARI)",
            title=f"Agreement against ensemble size: {verdict}",
        )
        return self
