"""What all displays share: where they draw, and how axes are written."""

from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any, ClassVar, Self

import numpy as np

from consilience._utils._optional import require
from consilience._utils._types import Array
from consilience.plot._given import parts_of
from consilience.plot._palette import INK, PAPER, text_colour

_TITLE, _LABEL, _TICK = 9.5, 9, 8


class Display:
    """Numbers that can be drawn.

    A display is made from its numbers, or by a class method that computes them; `plot` draws them and
    may be called again. Without `ax`, `plot` opens a figure by `matplotlib.pyplot.subplots`, so that
    notebooks and `pyplot.show` show it; close it, or pass axes of a `matplotlib.figure.Figure`, where
    many pictures are made. No setting of matplotlib is changed.

    Attributes
    ----------
    ax_ : Axes
        What was drawn on.
    axes_ : tuple of Axes
        Its panels; `(ax_,)` if there is only one.
    figure_ : Figure
        The figure around it.
    figure_size : tuple of float
        Width and height in inches of the figures that `plot` opens.
    """

    figure_size = (6.0, 4.0)

    ax_: Any
    axes_: tuple[Any, ...]
    figure_: Any

    def _open(self, ax: Any) -> Any:
        """Return axes to draw on; opens a figure if there are none."""
        if ax is None:
            self.figure_, ax = self._matplotlib("pyplot").subplots(
                figsize=self.figure_size, layout="constrained"
            )
        else:
            self.figure_ = ax.figure
        self.ax_ = ax
        self.axes_ = (ax,)
        return ax

    def _split(self, ax: Any, places: Sequence[tuple[float, float, float, float]]) -> Any:
        """Put panels at shares (left, bottom, width, height) of the axes, which become invisible."""
        self._no_axis(ax)
        ax.set_axis_off()
        self.axes_ = tuple(ax.inset_axes(place) for place in places)
        return self.axes_

    def _matplotlib(self, part: str) -> Any:
        """Import a part of matplotlib, or say what is missing."""
        require("matplotlib", extra="plot", owner=type(self).__name__)
        return import_module(f"matplotlib.{part}")

    def _colour_map(self, name: str) -> Any:
        return self._matplotlib("pyplot").get_cmap(name)

    def _listed(self, colours: Sequence[str]) -> Any:
        """Return a colour map that has entry i for the number i, to be drawn with `limits`."""
        return self._matplotlib("colors").ListedColormap(list(colours))

    @staticmethod
    def _write(ax: Any, *, x: str = "", y: str = "", title: str = "", frame: bool = False) -> None:
        """Name the axes; without `frame` only the left and bottom line stay."""
        ax.set_xlabel(x, fontsize=_LABEL, color=INK)
        ax.set_ylabel(y, fontsize=_LABEL, color=INK)
        ax.tick_params(labelsize=_TICK, colors=INK)
        if title:
            ax.set_title(title, fontsize=_TITLE, color=INK, loc="left")
        if not frame:
            ax.spines[["top", "right"]].set_visible(False)

    @staticmethod
    def _no_axis(ax: Any) -> None:
        """Leave the frame and ticks away."""
        ax.set_xticks([])
        ax.set_yticks([])
        ax.spines[:].set_visible(False)

    @staticmethod
    def _name(ax: Any, x: float, y: float, text: str, on: str = PAPER, **options: Any) -> None:
        """Write a short text around a point; black or white, whichever can be read on the colour."""
        settings = {"color": text_colour(on), "fontsize": _TICK, "ha": "center", "va": "center"}
        ax.text(x, y, text, **{**settings, **options})

    @staticmethod
    def _legend(ax: Any, **options: Any) -> None:
        settings = {"fontsize": _TICK, "frameon": False, "handlelength": 1.6, **options}
        ax.legend(**settings)

    def _colour_bar(self, mappable: Any, place: Any, label: str) -> None:
        """Draw the scale of an image into the panel `place`."""
        bar = self.figure_.colorbar(mappable, cax=place)
        bar.set_label(label, fontsize=_LABEL, color=INK)
        bar.ax.tick_params(labelsize=_TICK, colors=INK)
        bar.outline.set_visible(False)


class EnsembleDisplay(Display):
    """A display whose numbers `from_ensemble` computes from members and a consensus."""

    from_ensemble: ClassVar[Any]

    @classmethod
    def from_estimator(cls, estimator: Any, **options: Any) -> Self:
        """Compute from a fitted ConsensusClustering; options as in `from_ensemble`."""
        made: Self = cls.from_ensemble(*parts_of(estimator, cls.__name__), **options)
        return made


def few_ticks(names: Sequence[str], most: int) -> tuple[Array, list[str]]:
    """Return positions and names of at most `most` ticks, evenly spread."""
    step = max(1, -(-len(names) // most))
    places = np.arange(0, len(names), step)
    return places, list(names[::step])


def objects_shown(n_drawn: int, n_samples: int) -> str:
    """Say how many objects are drawn, and that they are a sample if they are."""
    if n_drawn < n_samples:
        return f"{n_drawn:,} of {n_samples:,} objects, sampled by cluster"
    return f"all {n_drawn:,} objects"


def runs(values: Array) -> Iterator[tuple[int, int, int]]:
    """Yield start, stop and value of every run of equal numbers."""
    starts = np.flatnonzero(np.r_[True, values[1:] != values[:-1]])
    stops = np.append(starts[1:], len(values))
    for start, stop in zip(starts.tolist(), stops.tolist(), strict=True):
        yield start, stop, int(values[start])
