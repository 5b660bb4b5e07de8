"""The colours of clusters: the same number has the same colour in every picture."""

import re
from collections.abc import Sequence

# The first six are those of Okabe and Ito. The others were searched so that any two of the 24 are
# apart, for readers who see all colours and for readers who do not tell red from green, on white and on
# dark paper.
LIGHT_COLOURS = (
    *("#0072b2", "#e69f00", "#009e73", "#d55e00", "#56b4e9", "#cc79a7", "#770650", "#460fa6"),
    *("#ba2bc8", "#27c762", "#fb82f3", "#323f6e", "#09502e", "#776c3d", "#a9134e", "#7f18c2"),
    *("#8ab589", "#7d1108", "#2e6f0a", "#9d0c88", "#396765", "#6e6298", "#714409", "#876df7"),
)
DARK_COLOURS = (
    *("#3f9fe0", "#f0b429", "#24c296", "#f0782a", "#9ad4f7", "#df9cc2", "#c9198b", "#7648f6"),
    *("#ee71fa", "#59fd8c", "#fedbfa", "#6272a5", "#108a52", "#ae9e5b", "#fa347a", "#b25ff9"),
    *("#bae7b8", "#d52010", "#4ca91d", "#e33ec6", "#599e9b", "#a097c0", "#b4701a", "#b7b0fc"),
)
# Further rounds of 24: towards white if positive, towards black if negative.
_SHADES = (0.0, 0.5, -0.4)

PAPER = "#ffffff"
MISSING = "#d4d4d4"
INK = "#333333"
FAINT = "#8a8a8a"
ACCENT = "#d55e00"
SEQUENTIAL = "Blues"
ORDERED = "cividis"


def cluster_colours(n_clusters: int) -> list[str]:
    """Return a colour for every cluster; all different up to 72, then they repeat.

    The first 24 are easy to tell apart; the next ones are lighter and darker shades of them.
    """
    found = []
    for number in range(n_clusters):
        base = LIGHT_COLOURS[number % len(LIGHT_COLOURS)]
        shade = _SHADES[number // len(LIGHT_COLOURS) % len(_SHADES)]
        target = 255 if shade > 0 else 0
        parts = [int(base[place : place + 2], 16) for place in (1, 3, 5)]
        mixed = [round(part + abs(shade) * (target - part)) for part in parts]
        found.append("#{:02x}{:02x}{:02x}".format(*mixed))
    return found


def text_colour(background: str) -> str:
    """Return black or white, whichever can be read on the background (relative luminance)."""
    parts = [int(background[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return "black" if luminance > 0.179 else "white"


def shortened(names: Sequence[object], longest: int = 16) -> list[str]:
    """Return names of clusters and columns that fit beside an axis; long ones lose their middle."""
    keep = (longest - 1) // 2
    texts = [str(name) for name in names]
    return [
        text if len(text) <= longest else f"{text[: longest - 1 - keep]}…{text[-keep:]}"
        for text in texts
    ]


def in_lines(names: Sequence[object], longest: int = 24) -> list[str]:
    """Return names of members in full, broken into lines of at most `longest` letters.

    Lines end behind a space, a line or a point, or before a number, if there is one in the second half
    of the line.
    """
    return ["\n".join(_lines(str(name), longest)) for name in names]


def _lines(text: str, longest: int) -> list[str]:
    lines = []
    while len(text) > longest:
        ends = [
            match.end()
            for match in re.finditer(r"[\s_.\-]|\D(?=\d)", text[: longest + 1])
            if longest / 2 <= match.end() <= longest
        ]
        end = ends[-1] if ends else longest
        lines.append(text[:end].rstrip())
        text = text[end:].lstrip()
    return [*lines, text]
