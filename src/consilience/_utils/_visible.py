"""Escape text for a terminal, because names of files, columns and objects may contain any characters."""

import re

# Control characters, which can move the cursor or change colours; marks that turn the direction of
# writing; separators of lines and paragraphs; and halves of characters, which cannot be written at all.
_HIDDEN = "\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff"
_EVERY = re.compile(f"[{_HIDDEN}]")
_ALL_BUT_NEWLINES = re.compile(f"(?!\n)[{_HIDDEN}]")


def visible(text: str, *, several_lines: bool = False) -> str:
    r"""Return text with control characters written out, such as \x1b; newlines are kept on request.

    Examples
    --------
    >>> print(visible("red\x1b[31m"))
    red\x1b[31m
    """
    pattern = _ALL_BUT_NEWLINES if several_lines else _EVERY
    return pattern.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def visible_json(text: str) -> str:
    """Do the same to JSON, which stays the same JSON; `text` has no newlines."""
    return _EVERY.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
