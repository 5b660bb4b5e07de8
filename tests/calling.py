"""The command, called in the process of a test."""

import sys
from typing import NamedTuple

import consilience
from consilience.cli._main import _run


class Said(NamedTuple):
    """What the command returned and wrote."""

    code: int
    out: str
    err: str


def caller(capsys, monkeypatch):
    """Return a function that runs the command and leaves the number of threads as it was."""

    def run(*arguments):
        arguments = [str(argument) for argument in arguments]
        monkeypatch.setattr(sys, "argv", ["consilience", *arguments])
        capsys.readouterr()
        before = consilience.get_config()
        code = _run(arguments)
        consilience.set_config(n_threads=before.n_threads)
        return Said(code, *capsys.readouterr())

    return run
