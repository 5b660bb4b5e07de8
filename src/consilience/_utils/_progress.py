"""A bar for long work, on a terminal only."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress(title: str, total: int, verbose: int | None) -> Iterator[Callable[[int], None]]:
    """Yield a function that says how many more steps are done.

    `verbose` None draws a bar on standard error if that is a terminal, 0 draws nothing, and 1 or more
    draws in any case (in a notebook or a log file).
    """
    wanted = sys.stderr.isatty() if verbose is None else verbose > 0
    if not wanted:
        yield say_nothing
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    console = Console(stderr=True)
    with Progress(*columns, TimeRemainingColumn(), console=console) as bar:
        task = bar.add_task(title, total=total)

        def advance(steps: int) -> None:
            bar.advance(task, steps)

        yield advance


def say_nothing(steps: int) -> None:
    """Take the place of a bar."""
