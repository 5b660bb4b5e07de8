"""The command `consilience`: one file per verb, its docstring is the help."""

from consilience.cli._main import main

__all__ = ["main"]
