"""Progress bars, on a terminal or in a notebook only.

There is one display in a process. Inside a bar that counts steps no other bar is shown; inside a bar
that cannot count, another line is added. Other threads show nothing while a bar is shown.
"""

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Protocol

_NOTEBOOK_SECONDS = 0.2
_NOTEBOOK_WIDTH = 30


@contextmanager
def progress(title: str, total: int | None, verbose: int | None) -> Iterator[Callable[[int], None]]:
    """Yield a function that advances the bar by a number of steps.

    `total` None means that steps cannot be counted: the bar only shows that work is in progress.
    `verbose` None draws a bar on standard error if that is a terminal, or in a notebook; 0 draws
    nothing, and 1 or more draws in any case (in a log file).
    """
    by_place = not _open.silent and (_on_terminal() or _in_notebook())
    wanted = by_place if verbose is None else verbose > 0
    lines = _open_lines(total) if wanted else None
    if lines is None:
        yield say_nothing
        return
    try:
        with lines.line(title, total) as advance:
            yield advance
    finally:
        _close_lines()


@contextmanager
def no_bars() -> Iterator[None]:
    """Draw nothing inside the block unless `verbose` requests it."""
    before, _open.silent = _open.silent, True
    try:
        yield
    finally:
        _open.silent = before


def say_nothing(steps: int) -> None:
    """Do nothing; used instead of a bar."""


class _Lines(Protocol):
    """Interface of displays: one line for every running step."""

    def line(self, title: str, total: int | None) -> Any:
        """Show a line while a block runs; yields the function that advances it."""
        ...

    def close(self) -> None:
        """Stop drawing."""
        ...


class _Open:
    """The display of this process: its lines, the thread that draws, and whether each line counts."""

    lines: _Lines | None = None
    thread: int = 0
    silent: bool = False

    def __init__(self) -> None:
        self.counted: list[bool] = []


_open = _Open()
_lock = threading.Lock()


def _open_lines(total: int | None) -> _Lines | None:
    """Return the display for another line; None if no line can be added."""
    with _lock:
        if _open.lines is None:
            _open.lines = _NotebookLines() if _in_notebook() else _TerminalLines()
            _open.thread = threading.get_ident()
        elif _open.thread != threading.get_ident() or any(_open.counted):
            return None
        _open.counted.append(total is not None)
        return _open.lines


def _close_lines() -> None:
    with _lock:
        _open.counted.pop()
        if not _open.counted and _open.lines is not None:
            _open.lines.close()
            _open.lines = None


def _on_terminal() -> bool:
    # Without a console, as under pythonw, there is no standard error.
    return sys.stderr is not None and sys.stderr.isatty()


def _in_notebook() -> bool:
    if "IPython" not in sys.modules:
        return False
    shell = sys.modules["IPython"].get_ipython()
    return shell is not None and hasattr(shell, "kernel")


class _TerminalLines:
    """Bars of rich, which disappear from a terminal when the work is done."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        console = Console(stderr=True)
        # Titles may be names of files, which may look like rich's markup.
        self._bars = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            TextColumn("{task.fields[steps]}"),
            TimeRemainingColumn(),
            console=console,
            transient=console.is_terminal,
        )
        self._bars.start()

    @contextmanager
    def line(self, title: str, total: int | None) -> Iterator[Callable[[int], None]]:
        done = 0
        task = self._bars.add_task(title, total=total, steps="" if total is None else f"0/{total}")

        def advance(steps: int) -> None:
            nonlocal done
            done += steps
            if total is not None:
                self._bars.update(task, completed=done, steps=f"{done}/{total}")

        try:
            yield advance
        finally:
            if total is None:
                self._bars.update(task, total=1, completed=1, steps="done")

    def close(self) -> None:
        self._bars.stop()


class _NotebookLines:
    """Lines of text that IPython updates in place."""

    @contextmanager
    def line(self, title: str, total: int | None) -> Iterator[Callable[[int], None]]:
        display = import_module("IPython.display").display

        done, drawn = 0, time.monotonic()
        shown = display(_as_text(title, 0, total), raw=True, display_id=True)

        def advance(steps: int) -> None:
            nonlocal done, drawn
            done += steps
            if time.monotonic() - drawn > _NOTEBOOK_SECONDS or done == total:
                drawn = time.monotonic()
                shown.update(_as_text(title, done, total), raw=True)

        try:
            yield advance
        finally:
            shown.update(_as_text(title, done, total, over=True), raw=True)

    def close(self) -> None:
        """Leave the lines in the notebook."""


def _as_text(title: str, done: int, total: int | None, *, over: bool = False) -> dict[str, str]:
    if total is None:
        return {"text/plain": f"{title} {'- done' if over else '...'}"}
    full = _NOTEBOOK_WIDTH * min(done, total) // max(total, 1)
    bar = "#" * full + "." * (_NOTEBOOK_WIDTH - full)
    return {"text/plain": f"{title} [{bar}] {done}/{total}"}
