"""Distribution of the consensus for every k, with the gain in area and the ambiguous share."""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from consilience._utils._types import Array
from consilience.answer import KChoice
from consilience.exceptions import InvalidInputError
from consilience.plot._display import Display
from consilience.plot._palette import ACCENT, FAINT, INK, ORDERED

_PAC = (0.1, 0.9)


class ConsensusCDFDisplay(Display):
    """Whether pairs of objects are decided, for every number of clusters.

    Left, the share of pairs whose consensus is at most a value, a line for every k: flat in the middle
    means that pairs go either always or never together. Right, the relative gain in the area below that
    line from one k to the next, and the share of ambiguous pairs (PAC).

    Parameters
    ----------
    cdf : mapping of int -> array (b,)
        For every k the share of pairs with a consensus of at most 1/b, 2/b, ..., 1.
    pac : mapping of int -> float
        Share of ambiguous pairs.
    n_clusters : int or None, default None
        The k that was chosen.

    Attributes
    ----------
    delta : dict of int -> float
        Relative gain in area over the k before; for the first k the area itself.
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
    >>> display = ConsensusCDFDisplay.from_choice(choice)
    >>> display.candidates.tolist(), min(display.pac, key=display.pac.get)
    ([2, 3, 4], 3)
    """

    figure_size = (8.0, 4.0)

    def __init__(
        self,
        cdf: Mapping[int, Array],
        *,
        pac: Mapping[int, float],
        n_clusters: int | None = None,
    ) -> None:
        if not cdf or set(pac) != set(cdf):
            raise InvalidInputError(
                "ConsensusCDFDisplay: cdf and pac must have the same keys, at least one k; got "
                f"{sorted(cdf)} in cdf."
            )
        self.cdf = dict(cdf)
        self.pac = dict(pac)
        areas = {k: float(np.mean(cdf[k])) for k in sorted(cdf)}
        before = [None, *areas.values()]
        self.delta = {
            k: area if last is None else (area - last) / max(last, 1e-12)
            for (k, area), last in zip(areas.items(), before, strict=False)
        }
        self.n_clusters = n_clusters

    @classmethod
    def from_choice(cls, choice: KChoice) -> Self:
        """Take what `choose_k` found."""
        rows = {row.n_clusters: row for row in choice.table}
        return cls(
            choice.cdf,
            pac={k: row.pac for k, row in rows.items()},
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
            "clusters get small, so neither names the right k alone."
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
        lower.plot(candidates, [self.pac[k] for k in candidates], "o-", color=INK, markersize=4)
        lower.set_ylim(0, 1.1 * max(0.01, *self.pac.values()))
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
