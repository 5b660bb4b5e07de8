"""Output of the command: results on standard output, everything else on standard error."""

import json
import math
import sys
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from typing import Any

import click

from consilience._utils._progress import no_bars, progress
from consilience._utils._visible import visible, visible_json
from consilience.cli._console import drawable, writes_unicode
from consilience.cli._flag_words import renamed, with_flags
from consilience.exceptions import BrokenConstraintsWarning, ConsilienceWarning


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
            text = json.dumps(plain(everything), ensure_ascii=not writes_unicode(), allow_nan=False)
            print_answer(visible_json(text))
        else:
            print_answer(visible(text, several_lines=True))

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

            def show(message: Any, *_: Any, **__: Any) -> None:
                self.warn(with_flags(str(message)))

            warnings.showwarning = show
            yield


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
    on_terminal = sys.stdout.isatty()
    width = shutil.get_terminal_size().columns if on_terminal else 160
    console = Console(file=io.StringIO(), width=width, color_system=None)
    console.print(drawn)
    lines = console.file.getvalue().splitlines()  # type: ignore[attr-defined]
    return drawable("\n".join(line.rstrip() for line in lines).strip("\n"))
