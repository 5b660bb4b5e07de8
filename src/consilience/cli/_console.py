"""Consoles and pipes that cannot write every character, such as those of Windows in code page 1252."""

import sys
from contextlib import suppress
from typing import Any

# The lines of tables; a question mark for each of them would be unreadable.
_PLAIN = str.maketrans({"─": "-", "━": "-", "│": "|"})


def never_fail_on_characters() -> None:
    """Make both streams write a question mark for characters that they cannot encode."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure: Any = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def writes_unicode() -> bool:
    """Say whether standard output can write every character."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    with suppress(UnicodeEncodeError):
        "─\N{GRINNING FACE}".encode(encoding)
        return True
    return False


def drawable(text: str) -> str:
    """Return a table with lines that standard output can draw."""
    return text if writes_unicode() else text.translate(_PLAIN)
