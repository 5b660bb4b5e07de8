"""The page that lists every table, figure and claim of all papers, with verdicts and figures."""

from collections.abc import Mapping, Sequence

from experiments.harness._audit import NOT_JUDGED, Entry
from experiments.harness._result import VERDICTS

HEAD = """# The five papers, line by line

Every table, figure and claim of the five papers whose methods this library has, with what was measured
here beside what is printed. Verdicts are computed from the figures by rules that were written down
before the runs; where a setting or a rule was chosen after printed numbers were seen, the remark says
so. "No data" means that the data of the authors could not be had.

"""


def audit_page(papers: Mapping[str, Sequence[Entry]]) -> str:
    """Return the page in Markdown."""
    kinds = (*VERDICTS, *NOT_JUDGED)
    everything = [entry for entries in papers.values() for entry in entries]
    parts = [HEAD, "| paper | lines | " + " | ".join(kinds) + " |\n"]
    parts.append("|" + " --- |" * (len(kinds) + 2) + "\n")
    for name, entries in [*papers.items(), ("all", everything)]:
        counts = [str(sum(entry.verdict == kind for entry in entries)) for kind in kinds]
        parts.append(f"| {name} | {len(entries)} | " + " | ".join(counts) + " |\n")
    judged = [entry for entry in everything if entry.verdict in VERDICTS]
    found = {kind: sum(entry.verdict == kind for entry in judged) for kind in VERDICTS}
    parts.append(
        f"\nOf the {len(judged)} lines that could be judged, {found['reproduced']} are reproduced, "
        f"{found['partly']} partly and {found['not']} not.\n"
    )
    for key, entries in papers.items():
        parts.append(f"\n## {key}\n\n")
        parts.append(
            "| where | what the paper says | verdict | measured | printed | rule, remark |\n"
        )
        parts.append("|" + " --- |" * 6 + "\n")
        for entry in entries:
            why = " ".join(_sentence(text) for text in (entry.rule, entry.remark) if text)
            cells = [entry.id, entry.says, entry.verdict, entry.measured, entry.printed, why]
            parts.append("| " + " | ".join(_cell(cell) for cell in cells) + " |\n")
        commands = list(dict.fromkeys(entry.command for entry in entries if entry.command))
        parts.append("\nCommands:\n\n" + "".join(f"    {command}\n" for command in commands))
    return "".join(parts)


def _sentence(text: str) -> str:
    text = text.strip()
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "?", "!")) else text + "."


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
