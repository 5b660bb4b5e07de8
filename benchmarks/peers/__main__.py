"""Measure every peer and ourselves on the same label matrices: `python -m benchmarks.peers`."""

import argparse
import json
import time

from . import settings
from .bars import bars, name_of
from .ensembles import cases, save
from .environments import absent
from .measure import all_methods, fingerprint, folder_of, measure
from .picture import draw
from .table import write


def main():
    options = _options()
    sizes = options.n or [n for n in settings.SIZES if not options.quick or n <= 10_000]
    repeats = 3 if options.quick else settings.REPEATS
    wanted = list(cases(sizes))
    for case in wanted:
        save(case)
    rows = []
    for adapter, function, kind in all_methods(options.only):
        rows += _measured(adapter, function, kind, wanted, repeats, resume=options.resume)
    path = write(rows, list(absent()))
    print(f"\nwritten: {path}, {settings.BUILD / 'results.csv'}", *draw(rows), sep=", ")
    for promise, figures, kept in bars(rows):
        print({True: "pass", False: "MISS", None: "   -"}[kept], promise, "|", figures)


def _options():
    parser = argparse.ArgumentParser(prog="benchmarks.peers", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="n up to 10,000, median of three")
    parser.add_argument("--only", metavar="NAME", help="a package, an adapter, a kind or a.method")
    parser.add_argument("--n", type=int, nargs="+", help="these sizes only")
    parser.add_argument("--resume", action="store_true", help="reuse finished measurements")
    return parser.parse_args()


def _measured(adapter, function, kind, wanted, repeats, *, resume):
    """Rows of one method, from its folder when asked for and made under the same settings."""
    kept = folder_of(adapter, function) / "rows.json"
    key = fingerprint(adapter, function, kind, wanted, repeats)
    if resume and kept.exists():
        finished = json.loads(kept.read_text())
        if finished["key"] == key:
            return finished["rows"]
    start = time.monotonic()
    rows = measure(adapter, function, kind, wanted, repeats)
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_text(json.dumps({"key": key, "rows": rows}))
    _tell(rows, time.monotonic() - start)
    return rows


def _tell(rows, seconds):
    """One line a method: medians at the main sizes, or the error."""
    words = []
    for row in rows:
        main = row.get("timed", True) and row.get("ensemble", "planted") == "planted"
        if main and row.get("n_members", settings.N_MEMBERS) == settings.N_MEMBERS:
            what = f"{row['seconds']:.3g} s" if "seconds" in row else row["error"]
            words.append(f"{row['n_samples']:,}: {what}" if "n_samples" in row else what)
    print(f"{name_of(rows[0]):36s} [{seconds:4.0f} s]  {'  '.join(words)}", flush=True)


if __name__ == "__main__":
    main()
