"""Small charts as SVG text; colours are in the style sheet."""

from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from consilience.reporting._words import count, number, percent

_WIDTH, _HEIGHT = 440, 260
_LEFT, _RIGHT, _TOP, _BOTTOM = 62, 14, 12, 44


class _Frame:
    """Axes of a chart, and the conversion of numbers to positions."""

    def __init__(self, x: tuple[float, float], y: tuple[float, float]) -> None:
        self.x_range, self.y_range = x, y
        self.parts: list[str] = []

    def x(self, value: float) -> float:
        low, high = self.x_range
        return round(_LEFT + (value - low) / (high - low) * (_WIDTH - _LEFT - _RIGHT), 1)

    def y(self, value: float) -> float:
        low, high = self.y_range
        return round(
            _HEIGHT - _BOTTOM - (value - low) / (high - low) * (_HEIGHT - _TOP - _BOTTOM), 1
        )

    def axes(
        self,
        names: tuple[str, str],
        x_ticks: Sequence[tuple[float, str]],
        y_ticks: Sequence[tuple[float, str]],
    ) -> None:
        """Draw lines, ticks and names; all of them our own text."""
        right, bottom = _WIDTH - _RIGHT, _HEIGHT - _BOTTOM
        for value, text in y_ticks:
            place = self.y(value)
            self.add(f'<path class="grid" d="M{_LEFT} {place}H{right}"/>')
            self.add(f'<text class="end" x="{_LEFT - 7}" y="{place + 4}">{text}</text>')
        for value, text in x_ticks:
            place = self.x(value)
            self.add(f'<path class="axis" d="M{place} {bottom}v4"/>')
            self.add(f'<text class="mid" x="{place}" y="{bottom + 17}">{text}</text>')
        self.add(f'<path class="axis" d="M{_LEFT} {bottom}H{right}"/>')
        middle = (_TOP + bottom) / 2
        self.add(f'<text class="mid" x="{(_LEFT + right) / 2}" y="{_HEIGHT - 6}">{names[0]}</text>')
        self.add(
            f'<text class="mid" transform="translate(12 {middle}) rotate(-90)">{names[1]}</text>'
        )

    def add(self, part: str) -> None:
        self.parts.append(part)

    def line(self, points: Sequence[tuple[float, float]]) -> str:
        return "M" + "L".join(f"{self.x(a)} {self.y(b)}" for a, b in points)

    def svg(self, label: str) -> Markup:
        return Markup(  # noqa: S704 - numbers and our own words only
            f'<svg role="img" aria-label="{Markup.escape(label)}" viewBox="0 0 {_WIDTH} {_HEIGHT}">'
            + "".join(self.parts)
            + "</svg>"
        )


def cdf_chart(choice: dict[str, Any], now: int) -> Markup:
    """Draw the distribution of the consensus of pairs, a curve per candidate."""
    frame = _Frame((0, 1), (0, 1))
    left, right = frame.x(0.1), frame.x(0.9)
    frame.add(
        f'<rect class="band" x="{left}" y="{_TOP}" width="{round(right - left, 1)}" '
        f'height="{_HEIGHT - _TOP - _BOTTOM}"/>'
    )
    frame.axes(("consensus of a pair", "share of pairs up to it"), _tenths(), _tenths())
    for row in choice["candidates"]:
        k = int(row["n_clusters"])
        steps = [(0.0, 0.0), *((0.01 * (i + 1), v) for i, v in enumerate(row["cdf"]))]
        here = " now" if k == now else ""
        frame.add(f'<path class="curve{here}" data-k="{k}" d="{frame.line(steps)}"/>')
    return frame.svg(
        f"Distribution of the consensus of pairs for {len(choice['candidates'])} numbers of clusters; "
        "the table of candidates has the numbers."
    )


def pac_chart(choice: dict[str, Any], now: int) -> Markup:
    """Draw the share of ambiguous pairs against k."""
    rows = choice["candidates"]
    top, step = _scale(max(row["pac"] for row in rows))
    low, high = rows[0]["n_clusters"], rows[-1]["n_clusters"]
    frame = _Frame((low - 0.5, high + 0.5), (0, top))
    skip = max(1, len(rows) // 12)
    frame.axes(
        ("number of clusters", "ambiguous pairs"),
        [(row["n_clusters"], str(row["n_clusters"])) for row in rows[::skip]],
        [
            (i * step, percent(i * step).replace(".0\xa0%", "\xa0%"))
            for i in range(round(top / step) + 1)
        ],
    )
    frame.add(
        f'<path class="trend" d="{frame.line([(r["n_clusters"], r["pac"]) for r in rows])}"/>'
    )
    for row in rows:
        k, pac = int(row["n_clusters"]), row["pac"]
        here = " now" if k == now else ""
        frame.add(
            f'<circle class="dot{here}" data-k="{k}" cx="{frame.x(k)}" cy="{frame.y(pac)}" r="4.5"/>'
        )
    words = "; ".join(f"{row['n_clusters']} clusters {percent(row['pac'])}" for row in rows)
    return frame.svg(f"Share of ambiguous pairs: {words}.")


def confidence_chart(histogram: Sequence[int]) -> Markup:
    """Draw how many objects have which confidence."""
    top, step = _scale(max(*histogram, 1))
    frame = _Frame((0, 1), (0, top))
    width = 1 / len(histogram)
    ticks = [(i * step, count(i * step)) for i in range(round(top / step) + 1)]
    frame.axes(("confidence", "objects"), _tenths(), [(v, t) for v, t in ticks if v == int(v)])
    for place, objects in enumerate(histogram):
        if objects:
            left, right = frame.x(place * width), frame.x((place + 1) * width)
            high = min(frame.y(objects), frame.y(0) - 1)
            frame.add(
                f'<rect class="bar" x="{left + 1}" y="{high}" width="{round(right - left - 2, 1)}" '
                f'height="{round(frame.y(0) - high, 1)}"/>'
            )
    undecided = sum(histogram[: len(histogram) // 2])
    return frame.svg(
        f"Confidence of {count(sum(histogram))} objects; {count(undecided)} are below 0.5."
    )


def cloud_chart(pairs: Sequence[Sequence[float]]) -> Markup:
    """Draw pairs of members: their quality and their similarity."""
    low = min((value for pair in pairs for value in pair), default=0.0)
    low = max(0, int(low * 5 + 1e-9)) / 5 if low < 0.8 else 0.8
    frame = _Frame((low, 1), (low, 1))
    ticks = [tick for tick in _tenths() if tick[0] >= low - 1e-9]
    names = ("agreement of the two with all others (NMI)", "agreement with each other")
    frame.axes(names, ticks, ticks)
    # Dots of one path: a line of no length with round ends.
    dots = "".join(f"M{frame.x(quality)} {frame.y(nmi)}h0" for quality, nmi in pairs)
    frame.add(f'<path class="cloud" d="{dots}"/>')
    mean = sum(nmi for _, nmi in pairs) / max(1, len(pairs))
    return frame.svg(
        f"{count(len(pairs))} pairs of members; two agree with each other at {number(mean)} on average."
    )


def _tenths() -> list[tuple[float, str]]:
    return [(value / 5, f"{value / 5:.1f}") for value in range(6)]


def _scale(largest: float) -> tuple[float, float]:
    """Return a round end of an axis and its step, for three to six steps."""
    size = 10.0
    while size < largest:
        size *= 10
    while size >= 10 * max(largest, 1e-3):
        size /= 10
    for step in (size / 50, size / 20, size / 10, size / 5):
        steps = -(-largest // step)
        if steps <= 6:
            return max(steps, 1) * step, step
    return size, size / 4
