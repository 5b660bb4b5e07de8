"""Names of objects, shortened if they would make the page too large."""

from collections.abc import Sequence

from jinja2.utils import htmlsafe_json_dumps

_LENGTHS = (100, 60, 40, 24, 12)


def short_names(names: Sequence[str], room: int) -> list[str]:
    """Cut the middle of long names, as little as needed for all of them to fit into `room` letters.

    Letters are counted as they are written into the page.
    """
    for longest in _LENGTHS:
        shortened = [_cut(name, longest) for name in names]
        if len(htmlsafe_json_dumps(shortened)) <= room:
            break
    return shortened


def _cut(text: str, longest: int) -> str:
    if len(text) <= longest:
        return text
    keep = (longest - 1) // 2
    return f"{text[: longest - 1 - keep]}…{text[-keep:]}"
