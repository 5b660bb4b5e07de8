"""How long it takes, and how much memory, beside scikit-learn on the same data in the same run.

Every fit is made in a fresh process, on two cores, after a small fit that loads the kernels; digits
three times over, the median is shown. Memory is the peak while fitting above what was held before it,
data included.
"""

import json
import subprocess
import sys
from statistics import median

from .fit_once import CASES
from .pages import Page, table
from .records import Records

REPEATS = {"digits": 3}
COLUMNS = ["seconds", "bytes", "note"]
AIMS = {
    ("digits", "default"): "3 s",
    ("digits", "one view"): "1 s",
    ("100,000 x 50", "20 landmark members"): "15 s",
    ("1,000,000 x 20", "20 landmark members"): "90 s, 1,500 MB",
}


def run(options):
    if options.read:
        return
    records = Records(options.out / "speed.csv", ["data", "method", "repeat"], COLUMNS)
    records.path.unlink(missing_ok=True)
    page = Page("Speed, two cores")
    lines = []
    for data, methods in CASES.items():
        found = {}
        for method in methods:
            rows = [measure(data, method) for _ in range(REPEATS.get(data, 1))]
            records.append([row | {"repeat": i} for i, row in enumerate(rows)])
            found[method] = rows
            print(data, method, rows[-1], flush=True)
        lines += compare(data, found)
    page.add(
        table(["data", "method", "seconds", "MB", "times k-means", "times spectral", "aim"], lines)
    )
    page.write(options.out / "speed.md")


def measure(data, method):
    """Fit in a fresh process; one that fails is noted."""
    command = [sys.executable, "-m", f"{__package__}.fit_once", data, method]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    where = {"data": data, "method": method}
    if done.returncode:
        last = (done.stderr.strip().split("\n") or [""])[-1]
        return where | {"seconds": "", "bytes": "", "note": last or f"ended by {done.returncode}"}
    return where | json.loads(done.stdout.strip().split("\n")[-1]) | {"note": ""}


def compare(data, found):
    """One line a method, with ratios to both of scikit-learn's."""
    seconds = {
        method: median(row["seconds"] for row in rows)
        for method, rows in found.items()
        if not any(row["note"] for row in rows)
    }
    for method, rows in found.items():
        if method not in seconds:
            yield [data, method, rows[0]["note"], "", "", "", AIMS.get((data, method), "")]
            continue
        ratios = [
            f"{seconds[method] / seconds[other]:.2f}" if other in seconds else ""
            for other in ("k-means", "spectral")
        ]
        memory = max(row["bytes"] for row in rows) / 1e6
        aim = AIMS.get((data, method), "")
        yield [data, method, f"{seconds[method]:.2f}", f"{memory:.0f}", *ratios, aim]
