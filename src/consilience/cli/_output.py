"""Output of the command: results on standard output, everything else on standard error."""

import json
import math
import re
import sys
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from typing import Any

import click

from consilience._utils._progress import no_bars, progress
from consilience.cli._flags import with_flag
from consilience.exceptions import BrokenConstraintsWarning, ConsilienceWarning

# Control characters, which can move the cursor or change colours; marks that turn the direction of
# writing; separators of lines and paragraphs; and halves of characters, which cannot be written at all.
_HIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
# The lines of tables; a question mark for each of them would be unreadable.
_PLAIN = str.maketrans({"─": "-", "━": "-", "│": "|"})
# Files under the names that the user knows, such as the copy of standard input.
_known_as: dict[str, str] = {}


class Output:
    """Writes text, or JSON with `as_json`; with `quiet` it writes only the result."""

    def __init__(self, *, as_json: bool, quiet: bool) -> None:
        self.as_json = as_json
        self.quiet = quiet
        self.notes: list[str] = []
        self.warnings: list[str] = []

    @property
    def verbose(self) -> int | None:
        """Return the value of `verbose` for the library: no progress bars, or only on a terminal."""
        return 0 if self.quiet else None

    def note(self, *sentences: str) -> None:
        """Print notes on standard error."""
        said = [renamed(sentence) for sentence in sentences]
        self.notes += said
        if not self.quiet:
            for sentence in said:
                click.echo(visible(sentence), err=True)

    def warn(self, sentence: str) -> None:
        """Print a warning once."""
        if sentence not in self.warnings:
            self.warnings.append(sentence)
            if not self.quiet:
                click.echo(visible(f"Warning: {sentence}"), err=True)

    def answer(self, text: str, facts: Mapping[str, Any]) -> None:
        """Print the result: text, or the facts as one JSON object."""
        if self.as_json:
            everything = {**facts, "notes": self.notes, "warnings": self.warnings}
            text = json.dumps(
                plain(everything), ensure_ascii=not _writes_unicode(), allow_nan=False
            )
            print_answer(visible_json(text))
        else:
            print_answer("\n".join(visible(line) for line in text.split("\n")))

    @contextmanager
    def working(self, what: str) -> Iterator[None]:
        """Show on a terminal what is being done, while its steps cannot be counted."""
        with progress(renamed(what), None, self.verbose):
            yield

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Print warnings as sentences, each once; show no progress bars if `quiet`."""
        with warnings.catch_warnings(), no_bars() if self.quiet else nullcontext():
            warnings.simplefilter("always", ConsilienceWarning)
            # The library names objects by position; the command names them by the ids of the files.
            warnings.simplefilter("ignore", BrokenConstraintsWarning)

            def show(message: Any, category: Any, *_: Any, **__: Any) -> None:
                parameter = getattr(category, "parameter", None)
                self.warn(renamed(with_flag(str(message), parameter)))

            warnings.showwarning = show
            yield


def know_as(path: str, name: str) -> None:
    """Use another name for a file in all later messages."""
    _known_as[path] = name


def renamed(text: str) -> str:
    """Return a sentence with the names that the user knows."""
    for path, name in _known_as.items():
        text = text.replace(path, name)
    return text


def visible(text: str) -> str:
    r"""Return text with control characters written out, such as \x1b.

    Examples
    --------
    >>> print(visible("red\x1b[31m"))
    red\x1b[31m
    """
    return _HIDDEN.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def visible_json(text: str) -> str:
    """Do the same to JSON, which stays the same JSON; `text` has no newlines."""
    return _HIDDEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def never_fail_on_characters() -> None:
    """Make both streams write a question mark for characters that they cannot encode.

    Consoles and pipes on Windows often cannot write every character.
    """
    for stream in (sys.stdout, sys.stderr):
        reconfigure: Any = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def _writes_unicode() -> bool:
    """Say whether standard output can write every character."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    with suppress(UnicodeEncodeError):
        "─\N{GRINNING FACE}".encode(encoding)
        return True
    return False


def print_answer(text: str) -> None:
    """Print on standard output, and say so if that cannot be done."""
    try:
        click.echo(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OSError(error.errno, error.strerror, "standard output") from None


def plain(value: Any) -> Any:
    """Return text, numbers, lists and dictionaries only; what is not finite becomes null."""
    if isinstance(value, Mapping):
        return {str(key): plain(entry) for key, entry in value.items()}
    if hasattr(value, "tolist"):  # arrays and numbers of NumPy, which need not be loaded here
        return plain(value.tolist())
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, Iterable):
        return [plain(entry) for entry in value]
    return str(value)


def table(columns: Mapping[str, str], rows: Iterable[Iterable[Any]]) -> str:
    """Return a table as text; `columns` are names and "left" or "right"."""
    import io
    import shutil

    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    drawn = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for name, side in columns.items():
        drawn.add_column(name, justify="right" if side == "right" else "left")
    for row in rows:
        # As text, since a name may look like rich's markup.
        drawn.add_row(*(Text(visible(str(cell))) for cell in row))
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else 160
    text = io.StringIO()
    Console(file=text, width=width, color_system=None).print(drawn)
    lines = "\n".join(line.rstrip() for line in text.getvalue().splitlines()).strip("\n")
    return lines if _writes_unicode() else lines.translate(_PLAIN)
