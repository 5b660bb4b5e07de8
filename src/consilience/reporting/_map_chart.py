"""A map of objects as SVG text: points by cluster and by confidence, and the names of clusters."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from consilience.reporting._colours import colour_of, outline, shape_of
from consilience.reporting._object_maps import HEIGHT, WIDTH
from consilience.reporting._words import count, percent

# Confidence from which a point has the strength of the level; the strengths are in the style sheet.
LEVELS = (0.0, 0.5, 0.75, 0.9)
_LETTER = 7.0
_LONGEST_NAME = 16


def map_chart(objects: Mapping[str, Any], which: Mapping[str, Any]) -> Markup:
    """Draw the points of one map; large clusters first, so that small ones stay visible."""
    places = [(x / 10, y / 10) for x, y in which["places"]]
    radius = 4.0 if len(places) <= 300 else 3.2 if len(places) <= 1000 else 2.6
    groups: dict[tuple[int, int], list[tuple[float, float]]] = defaultdict(list)
    unknown = []
    for place, cluster, confidence in zip(
        places, objects["clusters"], objects["confidence"], strict=True
    ):
        if confidence is None:
            unknown.append(place)
        else:
            groups[cluster, level_of(confidence)].append(place)
    sizes = {c: objects["clusters"].count(c) for c in set(objects["clusters"])}
    parts = [
        _points(cluster, level, groups[cluster, level], radius)
        for cluster, level in sorted(groups, key=lambda key: (-sizes[key[0]], key))
    ]
    if unknown:
        crosses = "".join(f"M{x - 3:g} {y - 3:g}l6 6m-6 0l6-6" for x, y in unknown)
        parts.append(f'<path class="unknown" d="{crosses}"/>')
    parts += _names(objects, places, sizes)
    parts.append('<circle class="spot" r="8" cx="-20" cy="-20"/>')
    name = "votes" if which["kind"] == "votes" else "features"
    return Markup(  # noqa: S704 - numbers and our own words; names are escaped
        f'<svg id="map-{name}" class="map" role="img" tabindex="0" data-map="{name}" '
        f'aria-describedby="map-{name}-caption" aria-label="{_label(objects, which)}" '
        f'viewBox="0 0 {WIDTH // 10} {HEIGHT // 10}">' + "".join(parts) + "</svg>"
    )


def level_of(confidence: float) -> int:
    """Return the number of the last level that is reached."""
    return max(level for level, least in enumerate(LEVELS) if confidence >= least)


def _points(cluster: int, level: int, places: list[tuple[float, float]], radius: float) -> str:
    shape = shape_of(cluster)
    path = "".join(outline(shape, x, y, radius) for x, y in places)
    width = f' stroke-width="{2 * radius:g}"' if shape == "circle" else ""
    kind = "round" if shape == "circle" else "solid"
    return f'<path class="{kind} c{colour_of(cluster)} sure{level}" d="{path}"{width}/>'


def _names(
    objects: Mapping[str, Any], places: list[tuple[float, float]], sizes: Mapping[int, int]
) -> list[str]:
    """Write names at the means of the clusters, largest first, where no other name is in the way."""
    if len(sizes) < 2:
        return []
    written: list[tuple[float, float, float]] = []
    parts = []
    for cluster in sorted(sizes, key=lambda c: (-sizes[c], c)):
        mine = [place for place, c in zip(places, objects["clusters"], strict=True) if c == cluster]
        x = round(sum(p[0] for p in mine) / len(mine), 1)
        y = round(sum(p[1] for p in mine) / len(mine), 1)
        name = objects["names"][str(cluster)]
        name = name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"
        half = len(name) * _LETTER / 2 + 2
        x = min(max(x, half), WIDTH / 10 - half)
        if any(abs(x - a) < half + b and abs(y - c) < 15 for a, c, b in written):
            continue
        written.append((x, y, half))
        parts.append(f'<text class="mid name" x="{x:g}" y="{y + 4:g}">{Markup.escape(name)}</text>')
    return parts


def _label(objects: Mapping[str, Any], which: Mapping[str, Any]) -> Markup:
    shown = f"Map of {count(objects['n_shown'])} objects"
    if which["kind"] == "votes":
        return Markup.escape(f"{shown} by the votes that they get")
    axes = " and ".join(
        f"{axis} ({percent(share)} of the variance)"
        for axis, share in zip(which["axes"], which["shares"], strict=True)
    )
    return Markup.escape(f"{shown} by {axes}")
