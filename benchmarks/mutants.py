"""Do the tests notice when the code is wrong? Random mutants, and the tests that run the changed line.

    python benchmarks/mutants.py cover                   which test runs which line, for all tests
    python benchmarks/mutants.py cover metrics utils     these folders again
    python benchmarks/mutants.py lines                   lines that no test runs, per package
    python benchmarks/mutants.py run --seeds 0:60        one mutant per seed; goes on where it stopped
    python benchmarks/mutants.py again                   the survivors once more, with new tests
    python benchmarks/mutants.py again --tests tests/tables/test_header.py
    python benchmarks/mutants.py report                  a table per package, and the survivors

A mutant is one operator, comparison, constant or boolean of one function, changed in a copy of the
project in a temporary folder. Everything that is kept is under build/mutants.
"""

import argparse
import ast
import collections
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import coverage
import pytest
from mutant_sites import Sites

ROOT = Path(__file__).resolve().parents[1]
KEPT = ROOT / "build/mutants"
RESULTS = KEPT / "results.jsonl"
PACKAGE = "src/consilience"

# Never mutated: these lines run on a GPU, or in the processes that simulate one.
ON_A_GPU = ("gpu/_device.py", "gpu/_kernels.py", "gpu/_verbs.py")
# Most seconds of tests per mutant, as measured without it, and the limit for a run that does not end.
MOST_SECONDS, LIMIT = 60.0, 240.0


def files():
    """Return the files of every package; single files beside the packages are left out."""
    never = {file for pattern in ON_A_GPU for file in (ROOT / PACKAGE).glob(pattern)}
    packages = collections.defaultdict(list)
    for file in sorted((ROOT / PACKAGE).glob("*/**/*.py")):
        if file not in never:
            packages[file.relative_to(ROOT / PACKAGE).parts[0]].append(file)
    return packages


def mutant(seed, package=None):
    """Draw a package, then a place in it; all packages have the same chance."""
    rng = random.Random(seed)  # noqa: S311
    packages = files()
    chosen = package or rng.choice(sorted(packages))
    places = [(file, site) for file in packages[chosen] for site in Sites(file.read_bytes()).found]
    file, (first, last, old, new, lines) = rng.choice(places)
    source = file.read_bytes()
    changed = source[:first] + new.encode() + source[last:]
    ast.parse(changed)
    name = str(file.relative_to(ROOT))
    number = source[:first].count(b"\n")
    before, after = (text.splitlines()[number].decode().strip() for text in (source, changed))
    return {
        "seed": seed, "package": chosen, "file": name, "line": number + 1, "lines": lines,
        "change": f"{old.strip()} -> {new.strip() or 'nothing'}", "before": before, "after": after,
    }, changed  # fmt: skip


# --- which test runs which line -----------------------------------------------------------------


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item, nextitem):  # noqa: ARG001
    """Name the lines that are measured after the test, and note its time (this file as a plugin)."""
    measured = coverage.Coverage.current()
    if measured is None or "MUTANTS_TIMES" not in os.environ:
        return (yield)
    measured.switch_context(item.nodeid)
    start = time.process_time()
    try:
        return (yield)
    finally:
        measured.switch_context("")
        with Path(os.environ["MUTANTS_TIMES"]).open("a") as file:
            file.write(json.dumps([item.nodeid, round(time.process_time() - start, 4)]) + "\n")


def _settings(package, folder):
    """Return environment variables; kernels are plain Python, since compiled ones hide their lines."""
    paths = [str(folder / "src"), str(ROOT / "benchmarks"), os.environ.get("PYTHONPATH", "")]
    plain = {"NUMBA_DISABLE_JIT": "1"} if package in ("_kernels", "kernels") else {}
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(paths),
        "PYTHONDONTWRITEBYTECODE": "1",
        **plain,
    }


def cover(folders):
    """Run the tests of every folder under coverage, one context per test."""
    KEPT.mkdir(parents=True, exist_ok=True)
    leave = {"__pycache__", "oracles", "browser", "r", "docs"}
    known = sorted(path.name for path in (ROOT / "tests").iterdir() if path.is_dir())
    for name in folders or [name for name in known if name not in leave]:
        data, times = KEPT / f"{name}.coverage", KEPT / f"{name}.times"
        times.unlink(missing_ok=True)
        line = [
            "-m",
            "coverage",
            "run",
            f"--data-file={data}",
            "-m",
            "pytest",
            "-q",
            "-p",
            "mutants",
        ]
        target = f"tests/{name}" if (ROOT / "tests" / name).exists() else name
        done = subprocess.run(
            [sys.executable, *line, "-p", "no:cacheprovider", target],
            cwd=ROOT, env={**_settings(name, ROOT), "MUTANTS_TIMES": str(times)},
            check=False, capture_output=True, text=True,
        )  # fmt: skip
        print(name, done.stdout.strip().splitlines()[-1:], flush=True)


def lines():
    """Print the share of lines that some test runs, per package, and the lines that none does."""
    measured = coverage.Coverage(KEPT / "all", config_file=ROOT / "pyproject.toml")
    measured.combine([str(file) for file in KEPT.glob("*.coverage")], keep=True)
    counts, gaps = collections.Counter(), []
    for file in sorted(measured.get_data().measured_files()):
        _, statements, _, missing, where = measured.analysis2(file)
        place = Path(file).relative_to(ROOT / PACKAGE)
        for package in (place.parts[0], "all"):
            counts[package, "lines"] += len(statements)
            counts[package, "missing"] += len(missing)
        if missing:
            gaps.append(f"{place}: {where}")
    for package in sorted(
        {package for package, _ in counts}, key=lambda name: (name == "all", name)
    ):
        total, missing = counts[package, "lines"], counts[package, "missing"]
        print(f"{package:16}{total:7}{missing:6}{100 * (1 - missing / max(total, 1)):7.1f} %")
    print("", *gaps, sep="\n")


def runners(found):
    """Return the tests that run the changed lines: those of its package first, then by their time."""
    seconds, tests = {}, set()
    for data in sorted(KEPT.glob("*.coverage")):
        times = data.with_suffix(".times")
        if times.exists():
            seconds.update(map(json.loads, times.read_text().splitlines()))
        stored = coverage.CoverageData(str(data))
        stored.read()
        contexts = stored.contexts_by_lineno(str(ROOT / found["file"]))
        low, high = found["lines"]
        for number in range(low, high + 1):
            tests.update(test for test in contexts.get(number, ()) if test and "\n" not in test)
    package = f"tests/{found['package'].lstrip('_')}/"
    if found["package"] == "_kernels":
        # Other tests may fail where kernels are plain Python, also without a mutant.
        tests = {test for test in tests if test.startswith(package)}
    ranked = sorted(tests, key=lambda test: (not test.startswith(package), seconds.get(test, 1.0)))
    chosen, total = [], 0.0
    for test in ranked:
        total += seconds.get(test, 1.0)
        if total > MOST_SECONDS:
            break
        chosen.append(test)
    return chosen or ranked[:1], len(tests)


# --- running ------------------------------------------------------------------------------------


def copy_project(folder):
    """Copy what git knows, and what it does not ignore; with compiled kernels, which save minutes."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],  # noqa: S607
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout.splitlines()  # fmt: skip
    compiled = [*(ROOT / PACKAGE / "_kernels/__pycache__").glob("*.nb?")]
    for name in [*listed, *(str(file.relative_to(ROOT)) for file in compiled)]:
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)


def _run_tests(tests, package, folder):
    (folder / "chosen.txt").write_text("\n".join(tests) + "\n")
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "@chosen.txt"],
        cwd=folder, env=_settings(package, folder), timeout=LIMIT, check=False,
        capture_output=True, text=True,
    )  # fmt: skip


def judge(found, changed, folder, forced):
    """Run the tests against the changed file, until the first that fails."""
    tests, n_tests = (forced, len(forced)) if forced else runners(found)
    found["tests"] = n_tests
    if not tests:
        return "not covered"
    file = folder / found["file"]
    original, times = file.read_bytes(), file.stat()
    file.write_bytes(changed)
    try:
        done = _run_tests(tests, found["package"], folder)
        while not forced and "ERROR: not found: " in done.stdout + done.stderr:
            # Names of tests that are made from the mutated line are others now, or none.
            text = (done.stdout + done.stderr).split("ERROR: not found: ")[1].splitlines()[0]
            gone = text.removeprefix(f"{folder}/")
            left = [test for test in tests if not test.startswith(gone)]
            if not left or len(left) == len(tests):
                return "killed"
            tests = left
            done = _run_tests(tests, found["package"], folder)
    except subprocess.TimeoutExpired:
        return "killed by time"
    finally:
        file.write_bytes(original)
        # Compiled kernels are those of a file of this time.
        os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
    if done.returncode in (4, 5):
        raise RuntimeError(done.stdout + done.stderr)
    found["by"] = next(
        (line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))), ""
    )
    return "survived" if done.returncode == 0 else "killed"


def drawn(seeds, package):
    """Draw the mutants of seeds that are not finished."""
    finished = {(row["seed"], row["asked"]) for row in results()}
    for seed in seeds:
        if (seed, package) not in finished:
            found, changed = mutant(seed, package)
            yield {**found, "asked": package}, changed


def survivors():
    """Make the mutants that survived again, by the text of their lines, if these still exist."""
    for row in results():
        lines = (ROOT / row["file"]).read_text(encoding="utf-8").split("\n")
        same = [place for place, line in enumerate(lines) if line.strip() == row["before"]]
        if row["result"].startswith("killed") or not same:
            continue
        place = min(same, key=lambda place, row=row: abs(place + 1 - row["line"]))
        moved = place + 1 - row["line"]
        lines[place] = lines[place].replace(row["before"], row["after"])
        limits = [number + moved for number in row["lines"]]
        yield {**row, "line": place + 1, "lines": limits}, "\n".join(lines).encode()


def run(mutants, forced):
    """Judge mutants one after the other, and write every result at once."""
    KEPT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        copy_project(folder)
        for found, changed in mutants:
            start = time.perf_counter()
            found["result"] = judge(found, changed, folder, forced)
            found["seconds"] = round(time.perf_counter() - start, 1)
            with RESULTS.open("a") as file:
                file.write(json.dumps(found) + "\n")
            place = f"{found['file']}:{found['line']}"
            print(found["seed"], found["result"], found["seconds"], place, flush=True)
            print(f"    - {found['before']}\n    + {found['after']}", flush=True)


def results():
    """Return the latest result of every seed."""
    lines = RESULTS.read_text().splitlines() if RESULTS.exists() else []
    return list({(row["seed"], row["asked"]): row for row in map(json.loads, lines)}.values())


def report():
    """Print a table per package, and every mutant that no test noticed."""
    rows = results()
    kinds = ["killed", "killed by time", "survived", "not covered"]
    print(f"{'package':14}" + "".join(f"{kind:>16}" for kind in kinds))
    for package in [*sorted({row["package"] for row in rows}), None]:
        counts = collections.Counter(
            row["result"] for row in rows if package in (row["package"], None)
        )
        print(f"{package or 'all':14}" + "".join(f"{counts[kind]:16}" for kind in kinds))
    for row in rows:
        if not row["result"].startswith("killed"):
            print(f"\nseed {row['seed']}: {row['result']} ({row['tests']} tests)")
            print(f"{row['file']}:{row['line']}")
            print(f"    - {row['before']}\n    + {row['after']}")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    verbs = parser.add_subparsers(dest="verb", required=True)
    verbs.add_parser("cover").add_argument("folders", nargs="*")
    running = verbs.add_parser("run")
    running.add_argument("--seeds", required=True, help="a range 0:60, or a list 3,17")
    running.add_argument("--package", help="mutants of this package alone")
    for verb in (running, verbs.add_parser("again")):
        verb.add_argument("--tests", nargs="*", help="these tests, and not those that run the line")
    verbs.add_parser("report")
    verbs.add_parser("lines")
    given = parser.parse_args()
    if given.verb == "cover":
        cover(given.folders)
    elif given.verb in ("report", "lines"):
        {"report": report, "lines": lines}[given.verb]()
    elif given.verb == "again":
        run(list(survivors()), given.tests)
    else:
        low, colon, high = given.seeds.partition(":")
        seeds = range(int(low), int(high)) if colon else map(int, given.seeds.split(","))
        # All are drawn at once, so that the sources may be changed while the tests run.
        run(list(drawn(seeds, given.package)), given.tests)


if __name__ == "__main__":
    main()
