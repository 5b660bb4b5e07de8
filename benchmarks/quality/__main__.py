"""Measure how good the answers are: `python -m benchmarks.quality [PART ...] [--out FOLDER]`.

Parts: end-to-end, counts, protocol, functions, blobs, speed; all, if none is named.
Labelled sets are read from the folder CONSILIENCE_DATA, or those of scikit-learn are used. Every part
writes its rows as CSV and its tables as Markdown.
"""

import argparse
import importlib
import warnings
from pathlib import Path

PARTS = ("end-to-end", "counts", "protocol", "functions", "blobs", "speed")


def main():
    options = _options()
    warnings.simplefilter("ignore")
    for part in options.parts or PARTS:
        importlib.import_module(f".{part.replace('-', '_')}", __package__).run(options)


def _options():
    parser = argparse.ArgumentParser(
        prog="benchmarks.quality",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--out", type=Path, default=Path("build/quality"), metavar="FOLDER")
    parser.add_argument(
        "--cache", type=Path, help="what rivals scored, kept between runs; FOLDER/rivals.csv"
    )
    parser.add_argument(
        "--sets", default="all", help="design, held-out, all, or names with commas between"
    )
    parser.add_argument("--seeds", type=int, help="how many; each part has its own number")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--rows", type=int, help="most rows of a set; each part has its own number")
    parser.add_argument(
        "--only", choices=["default", "rivals"], help="end-to-end and counts: leave the others"
    )
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument(
        "--hurry", action="store_true", help="the default side by side too; its seconds mean little"
    )
    parser.add_argument(
        "--functions",
        type=lambda text: text.split(","),
        help="protocol and functions: these only, with commas between",
    )
    parser.add_argument(
        "--read", action="store_true", help="summarise what is there again, run nothing"
    )
    parser.add_argument("--draws", type=int, help="protocol: how many draws of members; 20")
    parser.add_argument("--blobs", type=int, help="how many sets of blobs; 100")
    options = parser.parse_args()
    unknown = set(options.parts) - set(PARTS)
    if unknown:
        parser.error(f"no part called {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    options.cache = options.cache or options.out / "rivals.csv"
    first, given = options.first, options.seeds
    options.seeds = lambda usual: range(first, first + (given or usual))
    return options


if __name__ == "__main__":
    main()
