"""The colours of clusters: the same number has the same colour in every picture."""

from collections.abc import Collection, Sequence
from itertools import takewhile

# Okabe and Ito's eight, told apart by the colour-blind, in an order that keeps neighbours different.
_BASE = (
    (0x00, 0x72, 0xB2),  # blue
    (0xE6, 0x9F, 0x00),  # orange
    (0x00, 0x9E, 0x73),  # bluish green
    (0xD5, 0x5E, 0x00),  # vermilion
    (0x56, 0xB4, 0xE9),  # sky blue
    (0xCC, 0x79, 0xA7),  # reddish purple
    (0xF0, 0xE4, 0x42),  # yellow
    (0x33, 0x33, 0x33),  # nearly black
)
# Further rounds of eight: towards white if positive, towards black if negative.
_SHADES = (0.0, 0.5, -0.4, 0.72, -0.65)

MISSING = "#d4d4d4"
INK = "#333333"
FAINT = "#8a8a8a"
ACCENT = "#d55e00"
SEQUENTIAL = "Blues"
ORDERED = "cividis"


def cluster_colours(n_clusters: int) -> list[str]:
    """Return a colour for every cluster; all different up to 40, then they repeat.

    The first eight are the palette of Okabe and Ito, the next ones lighter and darker shades of them.
    """
    found = []
    for number in range(n_clusters):
        shade = _SHADES[number // len(_BASE) % len(_SHADES)]
        target = 255 if shade > 0 else 0
        mixed = [round(part + abs(shade) * (target - part)) for part in _BASE[number % len(_BASE)]]
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


def shortened(
    names: Sequence[object], longest: int = 16, *, apart: Collection[str] = ()
) -> list[str]:
    """Return names that fit beside an axis.

    If some are too long, what all but those `apart` begin with is cut to four letters; names still too
    long lose their middle.
    """
    texts = [str(name) for name in names]
    if any(name in apart for name in texts):
        others = iter(shortened([name for name in texts if name not in apart], longest))
        return [shortened([name], longest)[0] if name in apart else next(others) for name in texts]
    if len(texts) > 1 and max(map(len, texts)) > longest:
        # Digits belong to the numbers at the end: member_10 and member_11 share member_.
        alike = (len(set(letters)) == 1 for letters in zip(*texts, strict=False))
        common = texts[0][: sum(1 for _ in takewhile(bool, alike))].rstrip("0123456789")
        if len(common) > 5:
            texts = [f"{common[:4]}…{text[len(common) :]}" for text in texts]
    keep = (longest - 1) // 2
    return [
        text if len(text) <= longest else f"{text[: longest - 1 - keep]}…{text[-keep:]}"
        for text in texts
    ]
