"""Run the experiments: python -m experiments [--paper KEY] [--full] [--out DIR] [--keep] [--audit]."""

import argparse
import os
import sys
import time
from dataclasses import replace
from importlib import import_module
from pathlib import Path

from experiments.harness import (
    Result,
    audit_page,
    read_audit,
    read_earlier,
    write_audit,
    write_headlines,
    write_page,
)

HERE = Path(__file__).parent
# Minutes of one core for the quick and for the full version.
MINUTES = {
    "alrazgan2006": (1, 4),
    "azimi2007": (1, 7),
    "fern2004": (2, 20),
    "nguyen2007": (1, 3),
    "wang2009": (2, 12),
}
AUDIT = HERE / "AUDIT.md"


def main() -> None:
    """Run one paper or all, write a page for each, and print the verdicts."""
    keys = sorted(path.parent.name for path in HERE.glob("*/protocol.py"))
    parser = argparse.ArgumentParser(prog="python -m experiments", description="Papers, re-run.")
    parser.add_argument("--paper", choices=keys, help="one paper; all without it")
    parser.add_argument(
        "--full",
        action="store_true",
        help="the paper's own numbers of runs; see README.md for times",
    )
    parser.add_argument("--out", type=Path, default=Path("build/experiments"), help="pages go here")
    parser.add_argument(
        "--keep", action="store_true", help="replace experiments/<key>/results and audit.csv"
    )
    parser.add_argument(
        "--audit",
        action="store_true",
        help="only write AUDIT.md and HEADLINES.md from the files that were kept",
    )
    options = parser.parse_args()
    if options.audit:
        write_summaries(keys)
        return
    if "CONSILIENCE_DATA" not in os.environ:
        say(
            "CONSILIENCE_DATA is not set: scikit-learn's sets, simulations, and OpenML if it answers."
        )
    for key in [options.paper] if options.paper else keys:
        version = "full" if options.full else "quick"
        say(f"{key}: {version} version, about {MINUTES[key][options.full]} minutes of one core ...")
        out = HERE / key / "results" if options.keep else options.out / key
        out.mkdir(parents=True, exist_ok=True)
        result = run(key, out, full=options.full)
        page = write_page(key, result, out, full=options.full)
        write_audit((HERE / key if options.keep else out) / "audit.csv", result.entries)
        for entry in result.entries:
            say(f"  {entry.verdict:10s} {entry.id}: {entry.quote}")
        for name in result.missing:
            say(f"  missing    {name}")
        say(f"  {result.seconds:.0f} s of processor time, {page}")


def run(key: str, out: Path, *, full: bool) -> Result:
    """Run one paper and count the processor's seconds, which a busy machine does not change much."""
    start = time.process_time()
    result: Result = import_module(f"experiments.{key}.protocol").run(full=full, out=out)
    command = f"make reproduce PAPER={key}{' FULL=1' if full else ''}"
    return replace(
        result,
        entries=[
            replace(entry, command=command) if entry.ours else entry for entry in result.entries
        ],
        seconds=result.seconds + time.process_time() - start,
    )


def write_summaries(keys: list[str]) -> None:
    """Write AUDIT.md and HEADLINES.md from audit.csv and results/headline.csv of all papers."""
    page = audit_page({key: read_audit(key) for key in keys}, read_earlier())
    AUDIT.write_text(page, encoding="utf-8")
    write_headlines(HERE, headlines(keys))


def headlines(keys: list[str]) -> dict[str, tuple[str, str, int]]:
    """Return title, note and digits of the headline of every paper."""
    return {key: import_module(f"experiments.{key}.protocol").HEADLINE for key in keys}


def say(line: str) -> None:
    """Print at once, so that a long run can be watched."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
