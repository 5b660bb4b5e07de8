"""Colours and shapes of the clusters on the page."""

from collections.abc import Sequence

from markupsafe import Markup

from consilience.plot.internals import DARK_COLOURS, LIGHT_COLOURS

N_COLOURS = len(LIGHT_COLOURS)
# A colour comes back with another shape: colour and shape together name 96 clusters.
SHAPES = ("circle", "square", "triangle", "diamond")
_PER_SHAPE = 8


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
    if shape == "triangle":
        return f"M{x:g} {_near(y - reach)}l{reach:g} {2 * reach - 0.5:g}h-{2 * reach:g}z"
    return (
        f"M{x:g} {_near(y - reach)}l{reach:g} {reach:g}l-{reach:g} {reach:g}l-{reach:g} -{reach:g}z"
    )


def mark(cluster: int) -> Markup:
    """Return the sign of a cluster for tables and legends, in its colour and shape."""
    shape = shape_of(cluster)
    kind = 'class="round" stroke-width="10"' if shape == "circle" else 'class="solid"'
    return Markup(  # noqa: S704 - numbers and our own words
        f'<svg class="swatch c{colour_of(cluster)}" viewBox="0 0 12 12" aria-hidden="true">'
        f'<path {kind} d="{outline(shape, 6, 6, 5)}"/></svg>'
    )


def colour_rules() -> str:
    """Return the part of the style sheet with the colours of clusters: light, dark and on paper."""
    light, dark = _declared(LIGHT_COLOURS), _declared(DARK_COLOURS)
    paper = ':root, :root:not([data-theme="light"]), :root[data-theme="dark"]'
    rules = [
        f":root {{ {light} }}",
        f'@media (prefers-color-scheme: dark) {{ :root:not([data-theme="light"]) {{ {dark} }} }}',
        f':root[data-theme="dark"] {{ {dark} }}',
        f"@media print {{ {paper} {{ {light} }} }}",
        *(f".c{number} {{ --mark: var(--c{number}); }}" for number in range(N_COLOURS)),
    ]
    return "\n".join(rules) + "\n"


def _declared(colours: Sequence[str]) -> str:
    return " ".join(f"--c{number}: {colour};" for number, colour in enumerate(colours))


def _near(value: float) -> str:
    return f"{round(value, 1):g}"
