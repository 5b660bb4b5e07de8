"""A score against a parameter."""

from collections.abc import Callable, Mapping
from typing import Any, Self

import numpy as np

from consilience._utils._declare import Choice, check_parameters
from consilience._utils._types import Array
from consilience.ensemble import Ensemble
from consilience.exceptions import InvalidInputError
from consilience.metrics import nmi
from consilience.plot._display import Display
from consilience.plot._palette import INK, cluster_colours, shortened

_MARKERS = "osD^v<>P"
_LINES = ("--", ":", "-.", (0, (5, 1)))


class ParameterDisplay(Display):
    """How far a result depends on a setting whose best value is unknown.

    A line per series, the mean of its runs at every value, with a band if there are several runs;
    horizontal lines are scores that do not depend on the parameter, such as that of a consensus.

    Parameters
    ----------
    values : array (p,)
        Values of the parameter.
    scores : mapping of str -> array (p,) or (p, runs)
        Scores of every series; NaN = not known.
    references : mapping of str -> float, optional
        Horizontal lines.
    parameter : str, default "Parameter"
        Name of the parameter, with its unit.
    score : str, default "NMI"
        Name of the score.
    band : {"deviation", "error", "range"}, default "deviation"
        What the band shows: one standard deviation of the runs to either side, two standard errors of
        their mean, or smallest to largest.

    Attributes
    ----------
    mean, low, high : dict of str -> array (p,)
        The line and the band of every series.
    caption : str
        How to read it, and how it misleads.
    ax_, axes_, figure_
        Where it was drawn.

    See Also
    --------
    EnoughMembersDisplay : The number of members as the parameter.

    Notes
    -----
    Values are drawn in ascending order. A flat line says that the setting does not matter; a single
    peak at one value may be due to chance.

    References
    ----------
    [alrazgan2006]_, figures of error and NMI against 1/h

    Examples
    --------
    >>> from consilience.plot import ParameterDisplay
    >>> display = ParameterDisplay([2, 1], {"LAC": [[0.5, 0.7], [0.2, 0.4]]}, parameter="1/h")
    >>> display.values.tolist(), display.mean["LAC"].round(2).tolist()
    ([1, 2], [0.3, 0.6])
    """

    def __init__(
        self,
        values: Any,
        scores: Mapping[str, Any],
        *,
        references: Mapping[str, float] | None = None,
        parameter: str = "Parameter",
        score: str = "NMI",
        band: str = "deviation",
    ) -> None:
        declared = {"band": Choice("deviation", "error", "range")}
        check_parameters("ParameterDisplay", declared, {"band": band})
        given = np.asarray(values)
        order = np.argsort(given, kind="stable")
        self.values: Array = given[order]
        self.references = dict(references or {})
        self.parameter = parameter
        self.score = score
        self.band = band
        self.scores: dict[str, Array] = {}
        self.mean: dict[str, Array] = {}
        self.low: dict[str, Array] = {}
        self.high: dict[str, Array] = {}
        for name, series in scores.items():
            table = np.asarray(series, dtype=np.float64)
            table = table[:, None] if table.ndim == 1 else table
            if len(table) != len(given):
                raise InvalidInputError(
                    f"ParameterDisplay: scores[{name!r}] must have one row per value, {len(given)}; got "
                    f"{len(table)}."
                )
            self.scores[name] = table[order]
            self.mean[name], self.low[name], self.high[name] = _summary(table[order], band)

    @classmethod
    def from_ensemble(
        cls,
        ensemble: Any,
        truth: Any,
        values: Any,
        *,
        consensus: Mapping[str, Any] | None = None,
        metric: Callable[[Any, Any], float] = nmi,
        series: str = "members",
        **options: Any,
    ) -> Self:
        """Score every member against the parameter it was made with.

        Parameters
        ----------
        ensemble : Ensemble or array-like of labels
            The members.
        truth : vector of n labels
            Known classes.
        values : sequence of r numbers
            The parameter of every member; members of one value are runs.
        consensus : mapping of str -> vector of n labels, optional
            Consensus partitions, drawn as horizontal lines.
        metric : callable, default consilience.metrics.nmi
            metric(labels, truth) -> number.
        series : str, default "members"
            Name of the line.
        **options : dict
            `parameter`, `score` and `band`.
        """
        ensemble = Ensemble.from_labels(ensemble)
        given = np.asarray(values, dtype=np.float64)
        if len(given) != ensemble.n_members:
            raise InvalidInputError(
                f"ParameterDisplay: values must have one number per member, {ensemble.n_members}; got "
                f"{len(given)}."
            )
        members = zip(ensemble.labels.T, ensemble.n_clusters > 0, strict=True)
        # A member that knows nothing has no score.
        figures = np.array([metric(member, truth) if yes else np.nan for member, yes in members])
        distinct, place = np.unique(given, return_inverse=True)
        table = np.full((len(distinct), int(np.bincount(place).max())), np.nan)
        seen = np.zeros(len(distinct), dtype=np.int64)
        for position, figure in zip(place, figures, strict=True):
            table[position, seen[position]] = figure
            seen[position] += 1
        references = {name: metric(labels, truth) for name, labels in (consensus or {}).items()}
        return cls(distinct, {series: table}, references=references, **options)

    @property
    def caption(self) -> str:
        """Return how to read the picture, and its limitations."""
        bands = {
            "deviation": "one standard deviation of the runs to either side",
            "error": "two standard errors of the mean to either side",
            "range": "from the smallest to the largest run",
        }
        return (
            f"Flat: the result does not depend on the setting. Bands: {bands[self.band]}. A single peak "
            "may be due to chance."
        )

    def plot(self, ax: Any = None, **kwargs: Any) -> Self:
        """Draw lines, bands and references.

        Parameters
        ----------
        ax : Axes, optional
            Axes to draw on; None: a new figure.
        **kwargs : dict
            For `Axes.plot` of the lines.
        """
        ax = self._open(ax)
        colours = cluster_colours(len(self.mean) + len(self.references))
        names = shortened([*self.mean, *self.references], 28)
        for place, series in enumerate(self.mean):
            colour = colours[place]
            marker = _MARKERS[place % len(_MARKERS)]
            ax.fill_between(
                self.values,
                self.low[series],
                self.high[series],
                color=colour,
                alpha=0.18,
                linewidth=0,
            )
            settings = {"color": colour, "marker": marker, "markersize": 4, **kwargs}
            ax.plot(self.values, self.mean[series], label=names[place], **settings)
        for place, level in enumerate(self.references.values()):
            position = len(self.mean) + place
            style = _LINES[place % len(_LINES)]
            ax.axhline(
                level, color=colours[position] if len(self.mean) else INK, linestyle=style,
                linewidth=1.4, label=f"{names[position]}: {level:.2f}",
            )  # fmt: skip
        if len(names):
            # Outside, where no line can run through it.
            self._legend(ax, loc="upper left", bbox_to_anchor=(1.0, 1.0), borderaxespad=0.2)
        self._write(
            ax, x=self.parameter, y=self.score, title=f"{self.score} against {self.parameter}"
        )
        return self


def _summary(table: Array, band: str) -> tuple[Array, Array, Array]:
    """Return mean, low and high of every row over the runs that are known."""
    known = np.isfinite(table)
    number = known.sum(axis=1)
    filled = np.where(known, table, 0.0)
    mean = filled.sum(axis=1) / np.maximum(number, 1)
    mean = np.where(number > 0, mean, np.nan)
    if band == "range":
        low = np.where(known, table, np.inf).min(axis=1)
        high = np.where(known, table, -np.inf).max(axis=1)
        return mean, np.where(number > 0, low, np.nan), np.where(number > 0, high, np.nan)
    squares = np.where(known, np.square(table - mean[:, None]), 0.0).sum(axis=1)
    spread = np.sqrt(squares / np.maximum(number - 1, 1))
    if band == "error":
        spread = 2 * spread / np.sqrt(np.maximum(number, 1))
    return mean, mean - spread, mean + spread
