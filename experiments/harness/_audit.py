"""Everything that a paper prints, and what came of it: the rows of experiments/<key>/audit.csv."""

import csv
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from experiments.harness._result import VERDICTS, Claim, verdict

KINDS = ("table", "figure", "claim")
NOT_JUDGED = ("no data", "not run")


@dataclass(frozen=True)
class Entry:
    """A table, a figure or a sentence of the paper.

    Parameters
    ----------
    id : str
        Unique in the paper, such as "table03" or "claim-iris".
    kind : {"table", "figure", "claim"}
        What it is.
    says : str
        What the paper says, in our words.
    verdict : {"reproduced", "partly", "not", "no data", "not run"}
        The first three are computed from the figures by `rule`; never typed.
    measured, printed : str
        The figures here, and those of the paper.
    rule : str
        When the verdict is "reproduced", and when "partly".
    command : str
        What measures it.
    remark : str
        What was chosen after printed numbers were seen, and other reservations.
    """

    id: str
    kind: str
    says: str
    verdict: str
    measured: str = ""
    printed: str = ""
    rule: str = ""
    command: str = ""
    remark: str = ""

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"kind must be one of {KINDS}, not {self.kind!r}.")
        if self.verdict not in (*VERDICTS, *NOT_JUDGED):
            raise ValueError(
                f"verdict must be one of {(*VERDICTS, *NOT_JUDGED)}, not {self.verdict!r}."
            )

    def as_claim(self) -> Claim:
        """The same for the page."""
        figure = [f"Here: {self.measured}."]
        if self.printed:
            figure.append(f"Printed: {self.printed}.")
        figure.append(f"Rule: {self.rule}.")
        if self.remark:
            figure.append(f"{self.remark[0].upper()}{self.remark[1:]}.")
        return Claim(f"{self.says}.", self.verdict, " ".join(figure))


def claims_of(entries: Iterable[Entry]) -> list[Claim]:
    """The judged sentences, for the page."""
    return [
        entry.as_claim() for entry in entries if entry.kind == "claim" and entry.verdict in VERDICTS
    ]


def share_verdict(holds: int, of: int, *, all_from: float = 0.8, some_from: float = 0.4) -> str:
    """Return "reproduced" or "partly" from these shares on, else "not"."""
    share = holds / of
    return "reproduced" if share >= all_from else "partly" if share >= some_from else "not"


def sets_entry(
    identity: str,
    data: Mapping[str, tuple[Any, Any]],
    theirs: Mapping[str, tuple[int, int, int]],
    *,
    command: str,
    remark: str = "",
) -> Entry:
    """The table of the sets: rows, features and classes of those at hand and of those printed."""
    ours = {name: (*X.shape, len(np.unique(y))) for name, (X, y) in data.items()}
    same = [name for name in theirs if ours.get(name) == theirs[name]]
    other = [
        f"{name} {'x'.join(map(str, ours[name]))}, printed {'x'.join(map(str, shape))}"
        for name, shape in theirs.items()
        if name in ours and name not in same
    ]
    return Entry(
        identity,
        "table",
        f"The {len(theirs)} sets: rows, features and classes",
        verdict(len(same), len(theirs)),
        f"{len(ours)} at hand, {len(same)} of them as printed"
        + (f"; others: {'; '.join(other)}" if other else ""),
        f"{len(theirs)} sets",
        "all sets at hand with the printed numbers of rows, features and classes; partly for any",
        command,
        remark,
    )


def write_audit(path: Path, entries: Iterable[Entry]) -> None:
    """Write the rows; ids must be unique."""
    rows = [asdict(entry) for entry in entries]
    ids = [row["id"] for row in rows]
    if len(set(ids)) < len(ids):
        raise ValueError(f"ids must be unique, not {sorted(ids)}.")
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, [f.name for f in fields(Entry)], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def read_audit(key: str) -> list[Entry]:
    """Return the rows of experiments/<key>/audit.csv; a bad kind or verdict is an error."""
    path = Path(__file__).parents[1] / key / "audit.csv"
    with path.open(newline="", encoding="utf-8") as file:
        return [Entry(**row) for row in csv.DictReader(file)]
