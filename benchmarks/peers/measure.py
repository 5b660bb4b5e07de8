"""Start workers, watch their limits, and score the labels that they leave."""

import hashlib
import importlib
import json
import os
import pkgutil
import signal
import subprocess
import time
from pathlib import Path

import numpy as np

from consilience.metrics import anmi, nmi

from . import adapters, settings
from .ensembles import save_warm_up
from .environments import python_of

HERE = Path(__file__).parent
POLL_SECONDS = 0.2


def all_methods(only=None):
    """(adapter, function, kind) of every method, ours first."""
    names = sorted(item.name for item in pkgutil.iter_modules(adapters.__path__))
    for name in sorted(names, key=lambda name: name != "ours"):
        adapter = importlib.import_module(f".adapters.{name}", __package__)
        for function, kind in adapter.METHODS.items():
            if only is None or only in (name, adapter.PACKAGE, kind, f"{name}.{function}"):
                yield adapter, function, kind


def measure(adapter, function, kind, cases, repeats):
    """Rows of one method: one a case that was done or failed, or a single one if it is broken."""
    row = {"package": adapter.PACKAGE, "method": function, "kind": kind}
    python, note = python_of(adapter)
    if python is None:
        return [{**row, "error": note}]
    folder = folder_of(adapter, function)
    folder.mkdir(parents=True, exist_ok=True)
    by_name = {case.name: case for case in cases}
    promised = kind in settings.PAIRWISE + settings.LINEAR
    job = {
        "adapter": str(Path(adapter.__file__).absolute()),
        "function": function,
        "parameters": {"n_clusters": settings.N_CLUSTERS, "n_init": settings.N_INIT},
        "warm_up": str(save_warm_up().absolute()),
        "events": str((folder / "events.jsonl").absolute()),
        "growth": getattr(adapter, "GROWTH", {}).get(function, 1),
        "always": settings.ALWAYS if promised else 0,
        "seconds": settings.SECONDS if promised else settings.SECONDS_ELSE,
        "repeat_seconds": settings.REPEAT_SECONDS,
        "seeds_seconds": settings.SEEDS_SECONDS,
        "memory": settings.MEMORY_GIB * 2**30,
        "cases": [_case_of_job(case, folder, repeats) for case in cases],
    }
    (folder / "job.json").write_text(json.dumps(job, indent=1))
    killed = _watch(
        [python, "-P", str(HERE / "worker.py"), str((folder / "job.json").absolute())], job
    )
    events = [json.loads(line) for line in Path(job["events"]).read_text().splitlines()]
    return list(_rows(row, events, by_name, folder, killed, note))


def folder_of(adapter, function):
    return settings.BUILD / "measured" / f"{adapter.PACKAGE}.{function}"


def _case_of_job(case, folder, repeats):
    return {
        "name": case.name,
        "labels": str(case.labels_path.absolute()),
        "found": str((folder / f"{case.name}.npy").absolute()),
        "n_samples": case.n_samples,
        "seed": case.seed,
        "timed": case.timed,
        "main": case.main,
        "repeats": repeats if case.timed else 1,
    }


def _watch(command, job):
    """Wait for a worker; kill it when nothing was told for the limit. Why it ended early, or None."""
    events = Path(job["events"])
    events.unlink(missing_ok=True)
    errors = events.with_suffix(".err")
    with errors.open("w") as sink:
        worker = subprocess.Popen(
            command, stdout=sink, stderr=sink, cwd=events.parent, start_new_session=True
        )
    last, size = time.monotonic(), -1
    while worker.poll() is None:
        time.sleep(POLL_SECONDS)
        now = events.stat().st_size if events.exists() else 0
        if now != size:
            last, size = time.monotonic(), now
        elif time.monotonic() - last > job["seconds"]:
            os.killpg(worker.pid, signal.SIGKILL)
            worker.wait()
            return f"longer than {job['seconds']:.0f} s"
    if worker.returncode == 0:
        return None
    if worker.returncode < 0:
        return f"ended by {signal.Signals(-worker.returncode).name}"
    lines = errors.read_text().strip().splitlines()
    return lines[-1] if lines else f"exit status {worker.returncode}"


def _rows(row, events, by_name, folder, killed, note):
    begun = None
    row = {**row, "note": note}
    for event in events:
        kind = event["event"]
        if kind == "ready":
            row |= {"version": event["version"], "first_call": event["first_call"]}
        elif kind == "broken":
            yield {**row, "error": event["error"]}
            return
        elif kind == "begun":
            begun = by_name[event["case"]]
        elif kind == "failed":
            begun = None
            failure = {"error": event["error"], "after": event.get("after")}
            yield {**row, **_about(by_name[event["case"]]), **failure}
        else:
            case, begun = by_name[event["case"]], None
            yield {**row, **_about(case), **_scores(case, folder), **_times(event)}
    if killed and begun:
        late = killed.startswith("longer")
        after = settings.SECONDS if late else None
        yield {**row, **_about(begun), "error": killed, "after": after}
    elif killed:
        yield {**row, "error": f"{killed} (first call)"}


def _about(case):
    return {
        "ensemble": case.made,
        "n_samples": case.n_samples,
        "n_members": case.n_members,
        "seed": case.seed,
        "timed": case.timed,
    }


def _times(event):
    seconds = event["seconds"]
    return {
        "seconds": float(np.median(seconds)),
        "least": min(seconds),
        "most": max(seconds),
        "repeats": len(seconds),
        "peak_mb": event["peak"] / 1e6,
    }


def _scores(case, folder):
    # Some packages number their clusters from one, or from far below zero.
    found = np.unique(np.load(folder / f"{case.name}.npy"), return_inverse=True)[1]
    scores = {"nmi": float(nmi(np.load(case.truth_path), found)), "clusters": int(found.max()) + 1}
    # The score is of the same labels whatever the size, and a million objects say no more.
    labels = np.load(case.labels_path, mmap_mode="r")[:100_000]
    return scores | {"anmi": float(anmi(found[:100_000], labels))}


def fingerprint(adapter, function, kind, cases, repeats):
    """What a finished measurement depends on, for `--resume`."""
    text = json.dumps(
        [adapter.PACKAGE, function, kind, [case.name for case in cases], repeats, settings.N_INIT]
    )
    return hashlib.sha256(text.encode()).hexdigest()[:16]
