"""Random tables, label matrices and files, fed to the readers, `Ensemble`, functions and the command.

    python benchmarks/fuzz.py 100000 --seed 0
    python benchmarks/fuzz.py 1 --seed 0 --first 4711     # one example again

Every example is made from (seed, number) alone. An example is good if it is read and what is known about
it holds (rows, ids, numbers, labels), or if it is refused by one of the library's own errors in a line.
Any other exception, a warning that is not the library's, a wrong number of rows or labels, and a warning
that is false about planted clusters are failures. The exit code is 1 if there are any.
"""

import argparse
import math
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))  # so that this file can be run as a script

from benchmarks.fuzzing.arrays import any_features, any_labels, planted
from benchmarks.fuzzing.commands import any_command, joined_files
from benchmarks.fuzzing.outcomes import FAILED, READ, REFUSED
from benchmarks.fuzzing.stored_files import array_file, parquet_file
from benchmarks.fuzzing.text_files import odd_text, written_table

from consilience.exceptions import ConsilienceWarning


class Report(NamedTuple):
    """What came of all examples: how many by kind and outcome, and the failures."""

    counts: Counter[tuple[str, str]]
    failures: list[str]


KINDS = {
    "odd text files": (odd_text, 30),
    "plain text files": (written_table, 15),
    "joined files": (joined_files, 6),
    "label matrices": (any_labels, 20),
    "planted clusters": (planted, 6),
    "features": (any_features, 6),
    "NumPy files": (array_file, 7),
    "Parquet files": (parquet_file, 15),
    "command": (any_command, 5),
}


def example(number: int, seed: int) -> tuple[str, str, str]:
    """Make and try one example; return its kind, its outcome, and what failed."""
    rng = np.random.default_rng((seed, number))
    weights = np.array([weight for _, weight in KINDS.values()], dtype=float)
    kind = list(KINDS)[int(rng.choice(len(KINDS), p=weights / weights.sum()))]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            with tempfile.TemporaryDirectory() as folder:
                outcome = KINDS[kind][0](rng, Path(folder))
        except Exception as error:  # noqa: BLE001 - whatever it is, it is what we look for
            frames = traceback.extract_tb(error.__traceback__)
            place = " < ".join(f"{Path(f.filename).name}:{f.lineno}" for f in reversed(frames[-4:]))
            return kind, FAILED, f"{type(error).__name__}: {str(error)[:300]} ({place})"
    for warning in caught:
        if not issubclass(warning.category, ConsilienceWarning):
            place = f"{Path(warning.filename).name}:{warning.lineno}"
            return kind, FAILED, f"{warning.category.__name__}: {warning.message} ({place})"
    return kind, outcome, ""


def run(n_examples: int, seed: int, first: int = 0, seconds: float = math.inf) -> Report:
    """Try many examples; begin none after so many seconds."""
    counts: Counter[tuple[str, str]] = Counter()
    failures = []
    end = time.perf_counter() + seconds
    for number in range(first, first + n_examples):
        if time.perf_counter() > end:
            break
        kind, outcome, what = example(number, seed)
        counts[kind, outcome] += 1
        if outcome == FAILED:
            failures.append(f"example {number}, {kind}: {what}")
            print(failures[-1], file=sys.stderr, flush=True)
    return Report(counts, failures)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("n_examples", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="number of the first example")
    parser.add_argument("--seconds", type=float, default=math.inf, help="stop after so long")
    arguments = parser.parse_args()
    report = run(arguments.n_examples, arguments.seed, arguments.first, arguments.seconds)
    n_tried = sum(report.counts.values())
    print(f"{n_tried} examples, seed {arguments.seed}, {time.process_time():.0f} s of one core\n")
    print("| kind | read | refused | failed |\n| --- | --- | --- | --- |")
    for kind in KINDS:
        print(
            f"| {kind} | {' | '.join(str(report.counts[kind, o]) for o in (READ, REFUSED, FAILED))} |"
        )
    return 1 if report.failures else 0


if __name__ == "__main__":
    sys.exit(main())
