"""Run one method on a list of label matrices, inside the environment of its package.

Gets a job as JSON, writes one line of JSON for everything that happens, so that what was measured
before a crash or a timeout is kept. Needs NumPy and nothing of this folder.
"""

import importlib.metadata
import importlib.util
import json
import re
import resource
import sys
import time
from pathlib import Path

import numpy as np


def status_bytes(field):
    """VmRSS (now) or VmHWM (largest so far) of this process."""
    status = Path("/proc/self/status").read_text()
    return int(re.search(rf"{field}:\s+(\d+) kB", status)[1]) * 1024


def forget_peak():
    """Let VmHWM start again from the present size."""
    Path("/proc/self/clear_refs").write_text("5")


def load(path):
    """The adapter, under a name that cannot hide the package that it adapts."""
    spec = importlib.util.spec_from_file_location("the_adapter", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def first_line(error):
    """Type and first line of what was raised, without the folders of this machine."""
    text = re.sub(r" \([^)]*/[^)]*\)", "", str(error)).strip().splitlines()
    return f"{type(error).__name__}: {text[0]}" if text else type(error).__name__


def measure(function, case, job, baseline):
    """Seconds of every repeat, peak above the baseline, and the labels of the last."""
    seconds = []
    forget_peak()
    labels = np.load(case["labels"])
    while not seconds or (len(seconds) < case["repeats"] and sum(seconds) < job["repeat_seconds"]):
        start = time.perf_counter()
        found = function(labels, seed=case["seed"], **job["parameters"])
        seconds.append(time.perf_counter() - start)
    peak = status_bytes("VmHWM") - baseline
    found = np.asarray(found).reshape(-1)
    if len(found) != len(labels):
        message = f"{len(found)} labels for {len(labels)} objects"
        raise ValueError(message)
    np.save(case["found"], found.astype(np.int32))
    return {"seconds": seconds, "peak": peak}


def too_long(case, before, job):
    """Why a case need not begin, from the time that the main size below took; else None."""
    if not before or not case["timed"]:
        return None
    n_before, took = before
    if not case["main"] and took > job["repeat_seconds"] / 2:
        return f"not run: {took:.0f} s on the planted ensemble of this size"
    expected = took * (case["n_samples"] / n_before) ** job["growth"]
    # Twice the limit, because the guess comes from a single size.
    if expected <= 2 * job["seconds"] or (case["main"] and case["n_samples"] <= job["always"]):
        return None
    growth = {0: "no", 1: "linear", 2: "quadratic"}[job["growth"]]
    return f"not run: {took:.0f} s at n = {n_before:,}, {growth} growth gives {expected:,.0f} s"


def main(job_path):
    job = json.loads(Path(job_path).read_text())
    resource.setrlimit(resource.RLIMIT_AS, (job["memory"], job["memory"]))
    with Path(job["events"]).open("w", buffering=1) as events:

        def tell(**event):
            events.write(json.dumps(event) + "\n")

        try:
            adapter = load(job["adapter"])
            function = getattr(adapter, job["function"])
            labels = np.load(job["warm_up"])
            start = time.perf_counter()
            function(labels, seed=0, **(job["parameters"] | {"n_clusters": 3}))
            first = time.perf_counter() - start
        except Exception as error:  # noqa: BLE001 - any error of a peer is a result
            tell(event="broken", error=first_line(error))
            return
        version = importlib.metadata.version(adapter.PACKAGE)
        tell(event="ready", first_call=first, version=version)
        run(job, function, tell)


def run(job, function, tell):
    """Every case in turn; after a failure nothing larger."""
    baseline = status_bytes("VmRSS")
    before, spent_on_seeds = None, 0.0
    for case in job["cases"]:
        reason = too_long(case, before, job)
        if reason:
            tell(event="failed", case=case["name"], error=reason)
            if case["main"]:
                return
            continue
        if not case["timed"] and spent_on_seeds > job["seeds_seconds"]:
            continue
        tell(event="begun", case=case["name"])
        start = time.perf_counter()
        try:
            result = measure(function, case, job, baseline)
        except Exception as error:  # noqa: BLE001 - any error of a peer is a result
            after = time.perf_counter() - start
            tell(event="failed", case=case["name"], error=first_line(error), after=after)
            if case["main"]:
                return
            continue
        tell(event="done", case=case["name"], **result)
        if case["main"]:
            before = case["n_samples"], float(np.median(result["seconds"]))
        elif not case["timed"]:
            spent_on_seeds += sum(result["seconds"])


if __name__ == "__main__":
    main(sys.argv[1])
