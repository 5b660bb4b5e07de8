"""Everything that a paper shows or says, as a list with verdicts."""

import csv
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from experiments.harness._page import write_page
from experiments.harness._result import VERDICTS, Claim, Result

KINDS = ("table", "figure", "claim")
# "no data": the sets or the printed figures cannot be had. "not run": left out, the remark says why.
UNDECIDED = ("no data", "not run")
_COLUMNS = ("id", "kind", "says", "verdict", "measured", "printed", "rule", "command", "remark")


@dataclass(frozen=True)
class Entry:
    """A table, figure or claim of a paper, and what became of it.

    Parameters
    ----------
    id : str
        Key of the paper, a hyphen, and a short name.
    kind : {"table", "figure", "claim"}
        What it is in the paper.
    says : str
        What the paper shows or says, in our words.
    verdict : {"reproduced", "partly", "not", "no data", "not run"}
        Computed from the figures by `rule`; the last two are given.
    measured, printed : str
        Our figures, and those of the paper where it prints some.
    rule : str
        How the verdict follows from the figures. It is part of the code that runs, so it stands before
        the figures are known.
    remark : str
        What a reader should know, such as choices that were made after the printed figures were seen.
    """

    id: str
    kind: str
    says: str
    verdict: str
    measured: str = ""
    printed: str = ""
    rule: str = ""
    remark: str = ""

    def __post_init__(self) -> None:
        for name, value, allowed in (
            ("kind", self.kind, KINDS),
            ("verdict", self.verdict, (*VERDICTS, *UNDECIDED)),
        ):
            if value not in allowed:
                raise ValueError(f"{name} must be one of {allowed}, not {value!r}.")

    @property
    def claim(self) -> Claim:
        """The entry as the page of the paper shows it."""
        printed = f"Printed: {self.printed}" if self.printed else ""
        rule = f"Rule: {self.rule}" if self.rule else ""
        parts = [part for part in (self.measured, printed, rule, self.remark) if part]
        return Claim(self.says, self.verdict, " ".join(parts))


def judged(entries: Sequence[Entry]) -> list[Claim]:
    """Return the entries that have a verdict, as claims."""
    return [entry.claim for entry in entries if entry.verdict in VERDICTS]


def keep_audit(key: str, examine: Callable[..., tuple[Result, Sequence[Entry]]]) -> Path:
    """Run the full protocol; write audit.csv and results/full in the folder of a paper.

    `examine(full=..., out=...)` returns the result and the entries.
    """
    folder = Path(__file__).parents[1] / key
    out = folder / "results" / "full"
    out.mkdir(parents=True, exist_ok=True)
    start = time.process_time()
    result, entries = examine(full=True, out=out)
    seconds = result.seconds + time.process_time() - start
    write_page(key, replace(result, seconds=seconds), out, full=True)
    path = folder / "audit.csv"
    write_audit(path, entries, f"python -m experiments.{key}.audit")
    return path


def write_audit(path: Path, entries: Sequence[Entry], command: str) -> None:
    """Write a row for every entry."""
    if len({entry.id for entry in entries}) < len(entries):
        raise ValueError("every entry of an audit must have an id of its own.")
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, _COLUMNS, lineterminator="\n")
        writer.writeheader()
        for entry in entries:
            ran = entry.verdict in VERDICTS
            writer.writerow({**vars(entry), "command": command if ran else ""})
