"""What an experiment returns."""

from dataclasses import dataclass, field
from pathlib import Path

from experiments.harness._audit import Entry
from experiments.harness._table import Table


@dataclass
class Result:
    """Lines, tables, pictures and what was missing.

    Parameters
    ----------
    entries : list of Entry
        Everything that the paper prints, with its verdict.
    tables : list of Table
        Ours beside the printed ones.
    headline : Table
        What a reader of the paper looks for first: columns "what", "printed", "ours".
    figures : list of Path
        PNG files inside the folder that `run` was given.
    missing : list of str
        "name: reason" for every set that could not be had.
    seconds : float
        Processor time of earlier runs whose parts were read from files; the command adds its own.
    """

    entries: list[Entry]
    tables: list[Table]
    headline: Table
    figures: list[Path] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    seconds: float = 0.0
