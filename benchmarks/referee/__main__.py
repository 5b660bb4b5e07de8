"""The default and its rivals on the public benchmark of M. Gagolewski.

DATA has <battery>/<set>.data.gz and <set>.labels0.gz, ... as in the release v1.1.0 of
https://github.com/gagolews/clustering-data-v1 (for research, say its authors). Labels of more than a
hundred methods, the number of clusters given, are in the folder `original` of
https://github.com/gagolews/clustering-results-v1: name it with --published, or a CSV file with the
columns battery, set, method, ari and ami. Rivals that are not installed are named and left out:

    pip install hdbscan fast_hdbscan evoc pynndescent genieclust lumbermark

(genieclust and lumbermark are under the AGPL; nothing in the library uses them.) Results are kept in
referee_ours.csv and referee_rivals.csv; what is there already is not run again.
"""

import argparse
from pathlib import Path

from benchmarks.judge.suites import REFEREE_ROWS, referee
from benchmarks.quality.records import Records
from benchmarks.quality.workers import side_by_side
from benchmarks.referee import published, tables
from benchmarks.referee.methods import KEY, METHODS, OURS, VALUES, measure


def run(options, cases):
    """Measure what is missing, and return {(mode, method): rows}."""
    left_out, found = set(), {}
    for who, names in (("ours", [OURS]), ("rivals", None)):
        records = Records(options.out / f"referee_{who}.csv", KEY, VALUES)
        known = records.read()
        tasks = []
        for mode in options.modes if options.only in (None, who) else []:
            for name in names or [name for name in METHODS[mode] if name != OURS]:
                method = METHODS[mode][name]
                if method.version() is None:
                    left_out.add(method.package)
                    continue
                seeds = range(options.seeds if method.seeded else 1)
                tasks += [(case, name, mode, seed) for seed in seeds for case in cases]
        tasks = [task for task in tasks if (task[0].name, *map(str, task[1:])) not in known]
        for row in side_by_side(measure, tasks, options.processes):
            records.append([row])
        for row in records.read().values():
            found.setdefault((row["mode"], row["method"]), []).append(row)
    if left_out:
        print(f"Not installed, so left out: {', '.join(sorted(left_out))}.\n")
    return found


def main():
    parser = argparse.ArgumentParser(
        prog="benchmarks.referee",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("data", help="the folder of the batteries")
    parser.add_argument("--published", help="a folder of labels, or a CSV file of their scores")
    parser.add_argument(
        "--out", type=Path, default=Path("build/referee"), help="of results; %(default)s"
    )
    parser.add_argument("--only", choices=["ours", "rivals"], help="measure these alone")
    parser.add_argument("--modes", nargs="+", choices=list(METHODS), default=list(METHODS))
    parser.add_argument("--seeds", type=int, default=3, help="%(default)s")
    parser.add_argument(
        "--rows", type=int, default=REFEREE_ROWS, help="larger sets are left out; %(default)s"
    )
    parser.add_argument("--processes", type=int, default=2, help="of one thread each; %(default)s")
    options = parser.parse_args()
    cases = list(referee(options.data, options.rows))
    if not cases:
        parser.error(f"no <battery>/<set>.data.gz in {options.data!r}; -h says where to get them")
    if options.published and not Path(options.published).exists():
        parser.error(f"--published: no file or folder {options.published!r}")
    found = run(options, cases)
    labels = {}
    if options.published:
        kept = options.out / "referee_published.csv"
        labels = published.read(options.published, kept, cases, options.processes)
        if not labels:
            parser.error(f"--published: no labels of these sets in {options.published!r}")
    for mode in options.modes:
        rows = {name: rows for (its, name), rows in found.items() if its == mode}
        print(tables.table(mode, rows, labels, [case.name for case in cases]))


if __name__ == "__main__":
    main()
