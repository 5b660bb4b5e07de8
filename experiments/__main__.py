"""Run the experiments: python -m experiments [--paper KEY] [--full] [--out FOLDER] [--keep]."""

import argparse
import os
import sys
import time
from dataclasses import replace
from importlib import import_module
from pathlib import Path

from experiments.harness import Result, write_audit, write_page

HERE = Path(__file__).parent


def main() -> None:
    """Run one paper or all, write a page for each, and print the verdicts."""
    keys = sorted(path.parent.name for path in HERE.glob("*/protocol.py"))
    parser = argparse.ArgumentParser(prog="python -m experiments", description="Papers, re-run.")
    parser.add_argument("--paper", choices=keys, help="one paper; all without it")
    parser.add_argument(
        "--full", action="store_true", help="the paper's own numbers of runs; hours"
    )
    parser.add_argument("--out", type=Path, default=Path("build/experiments"), help="pages go here")
    parser.add_argument("--keep", action="store_true", help="replace experiments/<key>/results")
    options = parser.parse_args()
    if "CONSILIENCE_DATA" not in os.environ:
        say(
            "CONSILIENCE_DATA is not set: scikit-learn's sets, simulations, and OpenML if it answers."
        )
    for key in [options.paper] if options.paper else keys:
        say(f"{key}: {'full' if options.full else 'quick'} version ...")
        out = HERE / key / "results" if options.keep else options.out / key
        out.mkdir(parents=True, exist_ok=True)
        result = run(key, out, full=options.full)
        page = write_page(key, result, out, full=options.full)
        if result.audit:
            # The list in the repository has the figures of the full protocol.
            folder = HERE / key if options.keep and options.full else out
            write_audit(folder / "audit.csv", result.audit)
        for claim in result.claims:
            say(f"  {claim.verdict:10s} {claim.text} {claim.figure}")
        for name in result.missing:
            say(f"  missing    {name}")
        say(f"  {result.seconds:.0f} s of processor time, {page}")


def run(key: str, out: Path, *, full: bool) -> Result:
    """Run one paper and count the processor's seconds, which a busy machine does not change much."""
    start = time.process_time()
    result: Result = import_module(f"experiments.{key}.protocol").run(full=full, out=out)
    return replace(result, seconds=result.seconds + time.process_time() - start)


def say(line: str) -> None:
    """Print at once, so that a long run can be watched."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
