"""A command whose docstring is its help, with the lines of its examples kept as they are."""

import inspect
from typing import Any

import click

_TITLE = "\nExamples\n--------\n"


def as_help(docstring: str) -> str:
    """Return a docstring as click wants it: its examples marked, so that they are not wrapped."""
    return inspect.cleandoc(docstring).replace(_TITLE, "\n\b\nExamples:\n")


class Verb(click.Command):
    """One verb of the command."""

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        settings["help"] = as_help(settings["help"])
        settings["short_help"] = settings["help"].splitlines()[0]  # whole, not cut by click
        super().__init__(*arguments, **settings)
