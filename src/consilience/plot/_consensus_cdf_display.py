"""Distribution of the consensus for every k, with the gain in area and the ambiguous share."""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from consilience._utils._types import Array
from consilience.diagnose import KChoice
from consilience.exceptions import InvalidInputError
from consilience.plot._display import Display
from consilience.plot._palette import ACCENT, FAINT, INK, ORDERED

_PAC = (0.1, 0.9)


class ConsensusCDFDisplay(Display):
    """Whether pairs of objects are decided, for every number of clusters.

    Left, the share of pairs whose consensus is at most a value, a line for every k: flat in the middle
    means that pairs go either always or never together. Right, the relative gain in the area below that
    line from one k to the next, and the share of ambiguous pairs (PAC), with that of data without
    clusters.

    Parameters
    ----------
    cdf : mapping of int -> array (b,)
        For every k the share of pairs with a consensus of at most 1/b, 2/b, ..., 1.
    delta : mapping of int -> float
        Relative gain in area over the k before; for the first k the area itself.
    pac, pac_error, null_pac : mapping of int -> float
        Share of ambiguous pairs, its standard error, and its mean over data without clusters; NaN = not
        known.
    n_clusters : int or None, default None
        The k that was chosen.

    Attributes
    ----------
    caption : str
        How to read it, and how it misleads.
    ax_, axes_, figure_
        Where it was drawn: distribution, gain, PAC.

    See Also
    --------
    TrackingDisplay : Which objects change their cluster from k to k.
    consilience.diagnose.choose_k : Chooses k, by valleys in the data rather than by these curves.

    Notes
    -----
    The area grows with k by itself and PAC falls when clusters get small, so neither the largest area
    nor the smallest PAC names the right k: look at the distance from data without clusters.

    References
    ----------
    [monti2003]_; [senbabaoglu2014]_; [john2020]_

    Examples
    --------
    >>> from sklearn.datasets import make_blobs
    >>> from consilience.diagnose import choose_k
    >>> from consilience.plot import ConsensusCDFDisplay
    >>> X, _ = make_blobs(150, centers=[[0, 0], [9, 0], [0, 9]], random_state=0)
    >>> choice = choose_k(X, candidates=[2, 3, 4], n_null=0, random_state=0)
    >>> display = ConsensusCDFDisplay.from_choice(choice)
    >>> display.candidates.tolist(), min(display.pac, key=display.pac.get)
    ([2, 3, 4], 3)
    """

    figure_size = (8.0, 4.0)

    def __init__(
        self,
        cdf: Mapping[int, Array],
        *,
        delta: Mapping[int, float],
        pac: Mapping[int, float],
        pac_error: Mapping[int, float],
        null_pac: Mapping[int, float],
        n_clusters: int | None = None,
    ) -> None:
        if not cdf or any(set(part) != set(cdf) for part in (delta, pac, pac_error, null_pac)):
            raise InvalidInputError(
                "ConsensusCDFDisplay: cdf, delta, pac, pac_error and null_pac must have the same keys, "
                f"at least one k; got {sorted(cdf)} in cdf."
            )
        self.cdf = dict(cdf)
        self.delta = dict(delta)
        self.pac = dict(pac)
        self.pac_error = dict(pac_error)
        self.null_pac = dict(null_pac)
        self.n_clusters = n_clusters

    @classmethod
    def from_choice(cls, choice: KChoice) -> Self:
        """Take what `choose_k` found."""
        rows = {row.n_clusters: row for row in choice.table}
        return cls(
            choice.cdf,
            delta={k: row.delta for k, row in rows.items()},
            pac={k: row.pac for k, row in rows.items()},
            pac_error={k: row.pac_error for k, row in rows.items()},
            null_pac={k: row.null_pac for k, row in rows.items()},
            n_clusters=choice.n_clusters,
        )

    @classmethod
    def from_estimator(cls, estimator: Any) -> Self:
        """Take what a ConsensusClustering found that chose its number of clusters."""
        return cls.from_choice(choice_of(estimator, cls.__name__))

    @property
    def candidates(self) -> Array:
        """Return all k."""
        return np.array(sorted(self.cdf))

    @property
    def caption(self) -> str:
        """Return how to read the picture, and its limitations."""
        return (
            "Flat in the middle: pairs are decided. The area grows with k by itself and PAC falls when "
            "clusters get small; what counts is the distance from data without clusters."
        )

    def plot(self, ax: Any = None, **kwargs: Any) -> Self:
        """Draw the three panels.

        Parameters
        ----------
        ax : Axes, optional
            Axes to draw on; None: a new figure.
        **kwargs : dict
            For `Axes.plot` of the lines of the distribution.
        """
        ax = self._open(ax)
        left, upper, lower = self._split(
            ax, [(0.0, 0.0, 0.53, 1.0), (0.68, 0.57, 0.32, 0.43), (0.68, 0.0, 0.32, 0.43)]
        )
        self._draw_distribution(left, kwargs)
        candidates = self.candidates
        upper.plot(candidates, [self.delta[k] for k in candidates], "o-", color=INK, markersize=4)
        upper.axhline(0, color=FAINT, linewidth=0.6)
        self._write(upper, y="Relative gain", title="Gain in area over the k before")
        lower.errorbar(
            candidates,
            [self.pac[k] for k in candidates],
            yerr=[np.nan_to_num(self.pac_error[k]) for k in candidates],
            fmt="o-", color=INK, markersize=4, capsize=2, label="these data",
        )  # fmt: skip
        null = np.array([self.null_pac[k] for k in candidates])
        if np.isfinite(null).any():
            lower.plot(candidates, null, "s--", color=FAINT, markersize=3, label="without clusters")
            self._legend(lower, loc="upper right", borderaxespad=0)
        # Room for the legend above whatever the curves do.
        highest = np.nanmax([*null, *(self.pac[k] for k in candidates)])
        lower.set_ylim(0, 1.6 * max(0.01, float(highest)))
        self._write(
            lower,
            x="Number of clusters k",
            y="Share of pairs",
            title="Ambiguous pairs (PAC)",
        )
        for panel in (upper, lower):
            shown = candidates[:: max(1, -(-len(candidates) // 10))]
            panel.set_xticks(shown, [str(k) for k in shown])
            if self.n_clusters in self.cdf:
                panel.axvline(self.n_clusters, color=ACCENT, linewidth=1, zorder=0)
        upper.tick_params(labelbottom=False)
        return self

    def _draw_distribution(self, ax: Any, options: Mapping[str, Any]) -> None:
        candidates = self.candidates
        shades = self._colour_map(ORDERED)(np.linspace(0, 0.92, len(candidates)))
        ax.axvspan(*_PAC, color="#f0f0f0", zorder=0)
        for k, shade in zip(candidates, shades, strict=True):
            values = np.linspace(0, 1, len(self.cdf[k]) + 1)
            chosen = k == self.n_clusters
            settings = {
                "color": ACCENT if chosen else shade,
                "linewidth": 2.4 if chosen else 1.2,
                "zorder": 3 if chosen else 2,
                "label": f"{k} (chosen)" if chosen else str(k),
                **options,
            }
            ax.plot(values, np.concatenate([[0.0], self.cdf[k]]), **settings)
        ax.set_xlim(0, 1)
        ax.set_ylim(0, 1.01)
        columns = 1 if len(candidates) <= 10 else 2
        self._legend(ax, title="k", loc="lower right", ncols=columns, title_fontsize=8)
        self._write(
            ax,
            x="Consensus of a pair (share of members)",
            y="Share of pairs at or below",
            title=f"Distribution (grey: ambiguous, {_PAC[0]} to {_PAC[1]})",
        )


def choice_of(estimator: Any, owner: str) -> KChoice:
    """Return how a model chose its number of clusters."""
    choice = getattr(estimator, "k_choice_", None)
    if choice is None:
        raise InvalidInputError(
            f"{owner}.from_estimator needs a fitted ConsensusClustering that chose its number of "
            f'clusters; got {type(estimator).__name__}. Fit one with n_clusters="auto", or use '
            f"{owner}.from_choice(choose_k(X))."
        )
    found: KChoice = choice
    return found
