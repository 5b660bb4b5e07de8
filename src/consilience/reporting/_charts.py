"""Places, colours and shapes for the charts and maps of the page, which its templates draw."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from consilience.plot.internals import LIGHT_COLOURS
from consilience.reporting._words import count, percent

N_COLOURS = len(LIGHT_COLOURS)
# A colour comes back with another shape: colour and shape together name 96 clusters.
SHAPES = ("circle", "square", "triangle", "diamond")
_PER_SHAPE = 8
# Confidence from which a point has the strength of the level; the strengths are in the style sheet.
LEVELS = (0.0, 0.5, 0.75, 0.9)
_LETTER = 7.0
_LONGEST_NAME = 16
_MAP_WIDTH = 480
TENTHS = [(value / 5, f"{value / 5:.1f}") for value in range(6)]

Ticks = Sequence[tuple[float, str]]


@dataclass(frozen=True)
class Frame:
    """Axes of a chart, and the conversion of numbers to places in a drawing of 440 x 260."""

    x_range: tuple[float, float]
    y_range: tuple[float, float]
    x_ticks: Ticks
    y_ticks: Ticks

    left, right, top, bottom = 62, 426, 12, 216

    def x(self, value: float) -> float:
        """Return the place across."""
        low, high = self.x_range
        return round(self.left + (value - low) / (high - low) * (self.right - self.left), 1)

    def y(self, value: float) -> float:
        """Return the place downwards."""
        low, high = self.y_range
        return round(self.bottom - (value - low) / (high - low) * (self.bottom - self.top), 1)

    def path(self, points: Iterable[tuple[float, float]]) -> str:
        """Return the path through points."""
        return "M" + "L".join(f"{self.x(a)} {self.y(b)}" for a, b in points)

    def line(self, rows: Iterable[Mapping[str, Any]], x: str, y: str) -> str:
        """Return the path through two columns of a table."""
        return self.path((row[x], row[y]) for row in rows)

    def curve(self, values: Sequence[float]) -> str:
        """Return the path through values at 0.01, 0.02, ..., from 0 at 0."""
        return self.path((0.01 * i, value) for i, value in enumerate([0.0, *values]))


def _apart(ticks: Sequence[tuple[int, str]], gap: float) -> list[tuple[int, str]]:
    """Leave out ticks whose labels would touch the one before."""
    kept: list[tuple[int, str]] = []
    for tick in ticks:
        if not kept or tick[0] - kept[-1][0] >= gap:
            kept.append(tick)
    return kept


def pac_frame(rows: Sequence[Mapping[str, Any]]) -> Frame:
    """Return the axes of the share of ambiguous pairs against k."""
    values = round_values(max(row["pac"] for row in rows))
    candidates = [row["n_clusters"] for row in rows]
    return Frame(
        (candidates[0] - 0.5, candidates[-1] + 0.5),
        (0, values[-1]),
        _apart([(k, str(k)) for k in candidates], (candidates[-1] - candidates[0]) / 14),
        [(value, percent(value).replace(".0\xa0%", "\xa0%")) for value in values],
    )


def confidence_frame(histogram: Sequence[int]) -> Frame:
    """Return the axes of the histogram of the confidence."""
    values = round_values(max(*histogram, 1))
    ticks = [(value, count(value)) for value in values if value == int(value)]
    return Frame((0, 1), (0, values[-1]), TENTHS, ticks)


def cloud_frame(pairs: Sequence[Sequence[float]]) -> Frame:
    """Return the axes of the pairs of members, which begin at a tenth below the smallest value."""
    least = min(value for pair in pairs for value in pair)
    low = max(0, int(least * 5 + 1e-9)) / 5 if least < 0.8 else 0.8
    ticks = [tick for tick in TENTHS if tick[0] >= low - 1e-9]
    return Frame((low, 1), (low, 1), ticks, ticks)


def round_values(largest: float) -> list[float]:
    """Return round numbers from 0 to the end of an axis, in one to six steps."""
    size = 10.0
    while size < largest:
        size *= 10
    while size >= 10 * max(largest, 1e-3):
        size /= 10
    for step in (size / 50, size / 20, size / 10, size / 5):
        n_steps = max(1, int(-(-largest // step)))
        if n_steps <= 6:
            break
    return [i * step for i in range(n_steps + 1)]


def map_marks(objects: Mapping[str, Any], which: Mapping[str, Any]) -> dict[str, Any]:
    """Return the points of a map by cluster and level, the unknown objects, and names of clusters."""
    places = [(x / 10, y / 10) for x, y in which["places"]]
    radius = 4.0 if len(places) <= 300 else 3.2 if len(places) <= 1000 else 2.6
    groups: dict[tuple[int, int], str] = defaultdict(str)
    by_cluster: dict[int, list[tuple[float, float]]] = defaultdict(list)
    unknown = ""
    marked = zip(places, objects["clusters"], objects["confidence"], strict=True)
    for (x, y), cluster, confidence in marked:
        by_cluster[cluster].append((x, y))
        if confidence is None:
            unknown += f"M{x - 3:g} {y - 3:g}l6 6m-6 0l6-6"
        else:
            level = sum(confidence >= least for least in LEVELS) - 1
            groups[cluster, level] += outline(shape_of(cluster), x, y, radius)
    order = sorted(groups, key=lambda key: (-len(by_cluster[key[0]]), key))
    return {
        "points": [(*key, groups[key]) for key in order],
        "width": f"{2 * radius:g}",
        "unknown": unknown,
        "names": list(_names(by_cluster, objects["names"])),
    }


def _names(
    by_cluster: Mapping[int, list[tuple[float, float]]], names: Mapping[str, str]
) -> Iterator[tuple[str, str, str]]:
    """Yield names at the means of the clusters, largest first, where no other name is in the way."""
    written: list[tuple[float, float, float]] = []
    if len(by_cluster) < 2:
        return
    for cluster in sorted(by_cluster, key=lambda c: (-len(by_cluster[c]), c)):
        mine = by_cluster[cluster]
        x, y = (round(sum(place[axis] for place in mine) / len(mine), 1) for axis in (0, 1))
        name = names[str(cluster)]
        name = name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"
        half = len(name) * _LETTER / 2 + 2
        x = min(max(x, half), _MAP_WIDTH - half)
        if not any(abs(x - a) < half + b and abs(y - c) < 15 for a, c, b in written):
            written.append((x, y, half))
            yield f"{x:g}", f"{y + 4:g}", name


def colour_of(cluster: int) -> int:
    """Return the number of the colour of a cluster."""
    return cluster % N_COLOURS


def shape_of(cluster: int) -> str:
    """Return the shape of a cluster's points."""
    return SHAPES[cluster // _PER_SHAPE % len(SHAPES)]


def outline(shape: str, x: float, y: float, radius: float) -> str:
    """Return the path of a point; a circle is a line of no length, drawn with round ends.

    Examples
    --------
    >>> outline("circle", 5, 5, 3), outline("square", 5, 5, 3)
    ('M5 5h0', 'M2.4 2.4h5.2v5.2h-5.2z')
    """
    if shape == "circle":
        return f"M{x:g} {y:g}h0"
    if shape == "square":
        side = round(1.74 * radius, 1)
        return f"M{_near(x - side / 2)} {_near(y - side / 2)}h{side:g}v{side:g}h-{side:g}z"
    reach = round(1.2 * radius, 1)
    top = f"M{x:g} {_near(y - reach)}l{reach:g} "
    if shape == "triangle":
        return f"{top}{2 * reach - 0.5:g}h-{2 * reach:g}z"
    return f"{top}{reach:g}l-{reach:g} {reach:g}l-{reach:g} -{reach:g}z"


def _near(value: float) -> str:
    return f"{round(value, 1):g}"
