"""Every table, figure and claim of the papers in one list: reproduced or not, with the figures.

Each paper has a file `audit.csv` with one line for every table, figure and claim of its text.
"""

import csv
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Self

KINDS = ("table", "figure", "claim")
VERDICTS = ("reproduced", "partly", "not", "not run", "no data")
# Verdicts of lines whose data are at hand and whose experiment was run.
JUDGED = ("reproduced", "partly", "not")

HEAD = """# The five papers, line by line

Every table, figure and claim of the five papers whose methods this library has, with what was measured
here beside what is printed. The rule of a verdict was written down before the run; where a setting was
picked after the printed numbers were seen, the remark says so. "No data" means that the data of the
authors could not be had.

"""


@dataclass(frozen=True)
class Line:
    """One table, figure or claim.

    id        its number in the paper, such as "table 2"
    kind      one of KINDS
    says      what the paper says, in our words
    verdict   one of VERDICTS
    measured, printed  figures
    rule      what had to be seen for "reproduced"
    command   what was run
    remark    the reason if it is not reproduced, and anything a reader must know
    """

    id: str
    kind: str
    says: str
    verdict: str
    measured: str
    printed: str
    rule: str
    command: str
    remark: str

    @classmethod
    def read_all(cls, path: Path) -> list[Self]:
        """Read the lines of one paper."""
        with path.open(encoding="utf-8", newline="") as file:
            reader = csv.DictReader(file)
            columns = [field.name for field in fields(cls)]
            if reader.fieldnames != columns:
                raise ValueError(f"{path}: columns must be {columns}; got {reader.fieldnames}.")
            return [cls(**row) for row in reader]


def read_audit(folder: Path) -> dict[str, list[Line]]:
    """Return the lines of every paper, by its key."""
    return {path.parent.name: Line.read_all(path) for path in sorted(folder.glob("*/audit.csv"))}


def reproduced_share(lines: list[Line]) -> float:
    """Return the share of reproduced lines among those that were judged."""
    judged = [line for line in lines if line.verdict in JUDGED]
    return sum(line.verdict == "reproduced" for line in judged) / max(1, len(judged))


def audit_page(papers: dict[str, list[Line]]) -> str:
    """Return the page in Markdown."""
    everything = [line for lines in papers.values() for line in lines]
    parts = [HEAD, "| paper | lines | " + " | ".join(VERDICTS) + " |\n"]
    parts.append("|" + " --- |" * (len(VERDICTS) + 2) + "\n")
    for name, lines in [*papers.items(), ("all", everything)]:
        counts = [str(sum(line.verdict == kind for line in lines)) for kind in VERDICTS]
        parts.append(f"| {name} | {len(lines)} | " + " | ".join(counts) + " |\n")
    share = reproduced_share(everything)
    parts.append(f"\nOf the lines that could be judged, {share:.0%} are reproduced.\n")
    for key, lines in papers.items():
        parts.append(f"\n## {key}\n\n")
        parts.append(
            "| where | what the paper says | verdict | measured | printed | rule, remark |\n"
        )
        parts.append("|" + " --- |" * 6 + "\n")
        for line in lines:
            why = " ".join(text for text in (_sentence(line.rule), _sentence(line.remark)) if text)
            cells = [line.id, line.says, line.verdict, line.measured, line.printed, why]
            parts.append("| " + " | ".join(_cell(cell) for cell in cells) + " |\n")
        commands = list(dict.fromkeys(line.command for line in lines if line.command))
        parts.append("\nCommands:\n\n" + "".join(f"    {command}\n" for command in commands))
    return "".join(parts)


def _sentence(text: str) -> str:
    text = text.strip()
    return text if not text or text.endswith((".", "?", "!")) else text + "."


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
