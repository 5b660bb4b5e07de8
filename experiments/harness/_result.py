"""What an experiment returns."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from experiments.harness._table import Table

if TYPE_CHECKING:
    from experiments.harness._audit import Entry

VERDICTS = ("reproduced", "partly", "not")


@dataclass
class Claim:
    """A sentence of the paper, whether it holds here, and the figures that decide.

    Parameters
    ----------
    text : str
        What the paper says, shortened.
    verdict : {"reproduced", "partly", "not"}
        Computed from the figures by the rule that `figure` states; never typed.
    figure : str
        The figures and the rule.
    """

    text: str
    verdict: str
    figure: str

    def __post_init__(self) -> None:
        if self.verdict not in VERDICTS:
            raise ValueError(f"verdict must be one of {VERDICTS}, not {self.verdict!r}.")


@dataclass
class Result:
    """Claims, tables, pictures and what was missing.

    Parameters
    ----------
    claims : list of Claim
        What the paper says, and whether it holds.
    tables : list of Table
        Ours beside the printed ones.
    figures : list of Path
        PNG files inside the folder that `run` was given.
    missing : list of str
        "name: reason" for every set that could not be had.
    audit : list of Entry
        Everything that the paper prints, for audit.csv.
    seconds : float
        Processor time of earlier runs whose parts were read from files; the command adds its own.
    """

    claims: list[Claim]
    tables: list[Table]
    figures: list[Path] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    audit: "list[Entry]" = field(default_factory=list)
    seconds: float = 0.0


def verdict(holds: int, of: int) -> str:
    """Return "reproduced" if all parts of a claim hold, "not" if none does, else "partly"."""
    return "reproduced" if holds == of else "not" if holds == 0 else "partly"
