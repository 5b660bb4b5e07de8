"""The page that lists every table, figure and claim of all papers, with verdicts and figures."""

from collections.abc import Mapping, Sequence

from experiments.harness._audit import (
    NOT_JUDGED,
    VERDICTS,
    Earlier,
    Entry,
    earlier_verdicts,
)

HEAD = """# The five papers, line by line

Every table, figure and claim of the five papers whose methods this library has, judged by what is
printed. A verdict is computed from the figures by a rule. Every rule was applied to the printed figures
first, where there are any for the same sets: a rule that they do not pass would not be what the paper
says, and stops the command. Where a paper leaves something open, the line is judged for every reading,
and is "partly" where these differ. What was chosen after printed figures were seen is said to be.

"No data": data or parameters of the authors cannot be had, so that no one can repeat it. "Not run":
nothing that can be measured. "Before" is the verdict of the audit that was made without the texts;
"new" lines it did not have. Pictures and curves are lost in the texts at hand: what figures show is
judged by the sentences about them.

"""


def audit_page(papers: Mapping[str, Sequence[Entry]], earlier: Sequence[Earlier]) -> str:
    """Return the page in Markdown."""
    kinds = (*VERDICTS, *NOT_JUDGED)
    everything = [entry for entries in papers.values() for entry in entries]
    parts = [HEAD, "| paper | lines | " + " | ".join(kinds) + " |\n"]
    parts.append("|" + " --- |" * (len(kinds) + 2) + "\n")
    for name, entries in [*papers.items(), ("all", everything)]:
        parts.append(_counts(name, [entry.verdict for entry in entries], kinds))
    parts.append(_counts("all, before", [row.verdict for row in earlier], kinds))
    for key, entries in papers.items():
        parts.append(f"\n## {key}\n\n")
        parts.append(lines_table(entries, earlier_verdicts(key, earlier)))
        commands = list(dict.fromkeys(entry.command for entry in entries if entry.command))
        parts.append("\nCommand:\n\n" + "".join(f"    {command}\n" for command in commands))
        gone = [row for row in earlier if row.paper == key and row.now.startswith("-")]
        if gone:
            parts.append("\nEarlier lines that are gone:\n\n")
            parts += [f"* {row.id} ({row.verdict}): {row.now[1:].strip()}\n" for row in gone]
    return "".join(parts)


def lines_table(entries: Sequence[Entry], before: Mapping[str, str]) -> str:
    """Return the lines of one paper as a table in Markdown."""
    parts = ["| where | the paper | rule | printed | ours | verdict | before | why |\n"]
    parts.append("|" + " --- |" * 8 + "\n")
    for entry in entries:
        cells = [
            f"{entry.where} ({entry.id})",
            entry.quote,
            entry.rule,
            entry.printed,
            entry.ours.replace(" // ", "<br>"),
            f"**{entry.verdict}**",
            before.get(entry.id, "new"),
            entry.why,
        ]
        parts.append("| " + " | ".join(_cell(cell) for cell in cells) + " |\n")
    return "".join(parts)


def _counts(name: str, verdicts: Sequence[str], kinds: Sequence[str]) -> str:
    counts = [str(sum(verdict == kind for verdict in verdicts)) for kind in kinds]
    return f"| {name} | {len(verdicts)} | " + " | ".join(counts) + " |\n"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
