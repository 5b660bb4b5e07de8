"""Agreement of the consensus against the number of members."""

from typing import Any, Self

import numpy as np

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
    result : EnoughMembers
        What `consilience.diagnose.enough_members` found.

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
    >>> display.result.enough
    6
    """

    def __init__(self, result: EnoughMembers) -> None:
        self.result = result
        spread = 2 * np.nan_to_num(result.standard_error)
        self.low = result.mean - spread
        self.high = np.minimum(result.mean + spread, 1.0)

    @classmethod
    def from_ensemble(cls, ensemble: Any, function: ConsensusFunction, **options: Any) -> Self:
        """Compute the curve; options as in `consilience.diagnose.enough_members`."""
        return cls(enough_members(ensemble, function, **options))

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
        sizes, enough = self.result.sizes, self.result.enough
        with_full = self.result.mean_with_full
        ax.plot(sizes, with_full, ":", color=FAINT, label="with the consensus of all members")
        ax.fill_between(sizes, self.low, self.high, color="#0072b2", alpha=0.2, linewidth=0)
        label = "of two disjoint draws (± 2 standard errors)"
        settings = {"color": "#0072b2", "marker": "o", "markersize": 4, "label": label, **kwargs}
        ax.plot(sizes, self.result.mean, **settings)
        verdict = f"{int(sizes[-1])} of {self.result.n_members} members may not be enough"
        if enough is not None:
            verdict = f"{enough} of {self.result.n_members} members are enough"
            label = f"{enough} are enough (later gain below {self.result.tolerance:g})"
            ax.axvline(enough, color=ACCENT, linewidth=1.2, label=label)
        known = np.concatenate([self.low, with_full])
        known = known[np.isfinite(known)]
        ax.set_ylim(min(0.0, float(known.min(initial=0.0))), 1.02)
        ax.set_xlim(left=0)
        self._legend(ax, loc="lower right")
        self._write(
            ax,
            x="Members in a draw",
            y="Agreement of consensus (ARI)",
            title=f"Agreement against ensemble size: {verdict}",
        )
        return self
