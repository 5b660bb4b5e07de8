"""Everything that a paper prints, and what came of it: the rows of experiments/<key>/audit.csv."""

import csv
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

KINDS = ("table", "figure", "claim")
VERDICTS = ("reproduced", "partly", "not")
# "No data": no one can repeat it; "not run": nothing that can be measured.
NOT_JUDGED = ("no data", "not run")
# Why a rule was not applied.
NOT_PASSED = "The printed figures of the sets at hand do not pass the rule."
# A share just above one half.
MOST = 0.501


@dataclass(frozen=True)
class Entry:
    """A table, a figure or a sentence of the paper.

    Parameters
    ----------
    id : str
        Unique in the paper, such as "table03" or "claim-iris".
    kind : {"table", "figure", "claim"}
        What it is.
    where : str
        Section, table or figure of the paper.
    quote : str
        The paper's words, a few of them; what a table or figure shows, in ours.
    rule : str
        When the verdict is "reproduced", and when "partly".
    printed : str
        The figures of the paper, by the same rule.
    ours : str
        The figures here; a line for every reading of what the paper leaves open.
    verdict : {"reproduced", "partly", "not", "no data", "not run"}
        The first three are computed from the figures by `rule`; never typed.
    why : str
        What was chosen after printed figures were seen, and other reservations.
    command : str
        What measures it.
    """

    id: str
    kind: str
    where: str
    quote: str
    rule: str
    printed: str
    ours: str
    verdict: str
    why: str = ""
    command: str = ""

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"kind must be one of {KINDS}, not {self.kind!r}.")
        if self.verdict not in (*VERDICTS, *NOT_JUDGED):
            raise ValueError(
                f"verdict must be one of {(*VERDICTS, *NOT_JUDGED)}, not {self.verdict!r}."
            )


@dataclass(frozen=True)
class Found:
    """What one set of figures says: how many parts of a rule hold, of how many, and the figures."""

    holds: int
    of: int
    words: str = ""

    def __str__(self) -> str:
        count = f"{self.holds} of {self.of}"
        return f"{count}: {self.words}" if self.words else count


@dataclass(frozen=True)
class Rule:
    """When a sentence is reproduced.

    parts  what must hold, part by part
    need   share of the parts for "reproduced"
    some   share of the parts for "partly"
    """

    parts: str
    need: float = 1.0
    some: float = 0.5

    def __str__(self) -> str:
        if self.need == 1:
            return f"{self.parts}; all: reproduced, half: partly"
        need = "more than half" if self.need == MOST else f"{100 * self.need:.0f} %"
        return f"{self.parts}; {need}: reproduced, {100 * self.some:.0f} %: partly"

    def verdict(self, found: Found) -> str:
        """Judge one set of figures."""
        for word, share in (("reproduced", self.need), ("partly", self.some)):
            if found.holds >= max(1, math.ceil(share * found.of - 1e-9)):
                return word
        return "not"


def judged(
    identity: str,
    where: str,
    quote: str,
    rule: Rule,
    ours: Found | Mapping[str, Found],
    *,
    printed: Found | str = "",
    beside: Mapping[str, Found] | None = None,
    why: str = "",
) -> Entry:
    """Apply a rule to our figures, and first of all to the printed ones.

    Parameters
    ----------
    ours : Found, or mapping of str to Found
        Our figures, or those of every reading of what the paper leaves open: the verdict is the one they
        share, else "partly".
    printed : Found or str
        The printed figures, counted by the same function. If they do not pass the rule, it is not what
        the paper says of these sets, and nothing is judged: this may happen where sets are missing, and
        never in audit.csv. A string where nothing can be counted.
    beside : mapping of str to Found
        Figures of other settings, which the paper rules out or does not mean: shown, not judged.
    """
    readings = {"": ours} if isinstance(ours, Found) else ours
    if all(found.of == 0 for found in readings.values()):
        return unjudged(identity, where, quote, "no data", "None of the sets is at hand.")
    if isinstance(printed, Found) and rule.verdict(printed) != "reproduced":
        return unjudged(identity, where, quote, "not run", NOT_PASSED, printed=str(printed))
    verdicts = {name: rule.verdict(found) for name, found in readings.items()}
    lines = [
        f"{name} ({verdicts[name]}): {found}" if name else str(found)
        for name, found in readings.items()
    ]
    lines += [
        f"beside, {name} ({rule.verdict(found)}): {found}" for name, found in (beside or {}).items()
    ]
    one = set(verdicts.values())
    return Entry(
        identity,
        _kind(identity),
        where,
        quote,
        str(rule),
        str(printed),
        " // ".join(lines),
        one.pop() if len(one) == 1 else "partly",
        why,
    )


def unjudged(
    identity: str,
    where: str,
    quote: str,
    verdict: str,
    why: str,
    *,
    ours: str = "",
    printed: str = "",
) -> Entry:
    """Return a line that no one can judge, with what can be shown all the same."""
    return Entry(identity, _kind(identity), where, quote, "", printed, ours, verdict, why)


def _kind(identity: str) -> str:
    return next((kind for kind in KINDS if identity.startswith(kind)), "claim")


def sizes_found(
    data: Mapping[str, tuple[Any, Any]], theirs: Mapping[str, tuple[int, int, int]]
) -> Found:
    """The table of the sets: rows, features and classes of those at hand and of those printed."""
    ours = {name: (*X.shape, len(np.unique(y))) for name, (X, y) in data.items()}
    same = [name for name in theirs if ours.get(name) == theirs[name]]
    other = [
        f"{name} {'x'.join(map(str, ours[name]))}, printed {'x'.join(map(str, shape))}"
        for name, shape in theirs.items()
        if name in ours and name not in same
    ]
    missing = [name for name in theirs if name not in ours]
    words = "; ".join([*other, *([f"missing: {', '.join(missing)}"] if missing else [])])
    return Found(len(same), len(theirs), words)


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


@dataclass(frozen=True)
class Earlier:
    """A line of the audit before the texts were read, and what came of it.

    now  ids of the lines that say it today, separated by blanks; or why there is none, after "-"
    """

    paper: str
    id: str
    verdict: str
    now: str


def read_earlier() -> list[Earlier]:
    """Return the rows of experiments/before.csv."""
    with (Path(__file__).parents[1] / "before.csv").open(newline="", encoding="utf-8") as file:
        return [Earlier(**row) for row in csv.DictReader(file)]


def earlier_verdicts(key: str, earlier: Sequence[Earlier]) -> dict[str, str]:
    """Return the earlier verdict of every line of a paper, "new" for lines that it did not have."""
    found: dict[str, list[str]] = {}
    for row in earlier:
        if row.paper == key and not row.now.startswith("-"):
            for name in row.now.split() or [row.id]:
                found.setdefault(name, []).append(row.verdict)
    return {name: ", ".join(dict.fromkeys(verdicts)) for name, verdicts in found.items()}
