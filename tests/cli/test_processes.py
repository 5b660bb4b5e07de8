"""The verbs as a person runs them: processes, good input, and one sentence about bad input."""

import json
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from consilience import Ensemble
from consilience.tables import read_labels

FAST = ("--members", 10)


def test_help_is_light():
    """Nothing heavy is loaded to explain a verb."""
    code = (
        "import sys; from consilience.cli._main import _run; _run(['cluster', '--help']);"
        "print(sorted({'numpy', 'sklearn', 'numba', 'scipy', 'pyarrow', 'pandas'} & set(sys.modules)))"
    )
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_demo(process, call, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = process("demo", "--json", "--report", "d.html")
    facts = json.loads(done.out)
    assert done.code == 0
    assert facts["n_clusters"] == 10
    assert facts["agreement"]["NMI"] > 0.7
    assert "A single clustering matches" in done.err
    assert (tmp_path / "d.html").read_text().startswith("<!doctype html>")
    again = call("demo", "--report", "d.html")
    assert (again.code, again.out) == (2, "")
    assert "d.html exists already" in again.err


def test_cluster(process, call, folder):
    line = ("cluster", "data.csv", "--label-column", "kind", *FAST)
    done = call(*line, "--out", "l.csv", "--report", "r.html")
    assert done.code == 0
    assert done.out.startswith("3 clusters: evidence of clusters strong.")
    assert "adjusted Rand index 1.00" in done.out
    assert "ids from 'id'" in done.err
    assert read_labels(folder / "l.csv").ids[0] == "p0"
    assert "data.csv" in (folder / "r.html").read_text()
    bad = process("cluster", "data.csv", *FAST, "--out", "m.csv")
    assert bad.code == 2
    assert bad.err.count("\n") == 1
    assert "column 'kind': the column holds text" in bad.err
    assert not (folder / "m.csv").exists()


def test_generate_consensus_report(call, folder):
    done = call("generate", "data.csv", "--drop", "kind", "--members", 9, "--out", "g.parquet")
    assert done.code == 0
    assert Ensemble.from_parquet(folder / "g.parquet").n_members == 9
    done = call("combine", "g.parquet", "--method", "hbgf", "-k", 3, "--out", "h.csv", "--json")
    assert json.loads(done.out)["n_clusters"] == 3
    done = call("report", "g.parquet", "--labels", "h.csv", "--out", "p.html")
    assert done.code == 0
    assert "Report:  p.html" in done.out
    assert call("combine", "g.parquet", "-k", 99).code == 2
    assert call("report", "g.parquet", "--labels", "h.csv", "--out", "p.html").code == 2


@pytest.fixture
def large(folder):
    rng = np.random.default_rng(0)
    np.save(folder / "large.npy", rng.normal(size=(40_000, 20)))
    return folder / "large.npy"


def _start(*arguments, cwd):
    # A shell starts jobs in the background with Ctrl-C ignored, which their processes inherit.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    return subprocess.Popen(  # noqa: S603
        [sys.executable, "-m", "consilience.cli", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=cwd,
    )


def _until(condition):
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_interrupted_and_resumed(folder, large, call):
    """Ctrl-C in mid-run: code 130, no output file; the same line goes on and ends as if nothing was."""
    line = ("generate", large.name, "--members", 120, "--clusters", 40, "--out", "g.parquet")
    kept = folder / "g.parquet.members"
    running = _start(*line, "--resume", cwd=folder)
    _until(lambda: len(list(kept.glob("member_*.npz"))) >= 2 or running.poll() is not None)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=60)
    assert running.returncode == 130, err
    assert err.endswith("consilience: Stopped; nothing was left half-written.\n")
    assert out == ""
    assert "Traceback" not in err
    assert not (folder / "g.parquet").exists()
    assert list(kept.glob("member_*.npz"))
    other = call("generate", large.name, "--members", 7, "--out", "g.parquet", "--resume")
    assert other.code == 2
    assert "was written by another run" in other.err


def test_interrupted_cluster_leaves_nothing(folder, large):
    before = sorted(file.name for file in folder.iterdir())
    line = ("cluster", large.name, "-k", 30, "--members", 200)
    running = _start(*line, "--out", "l.csv", "--report", "r.html", cwd=folder)
    first = running.stderr.readline()
    assert "large.npy" in first
    time.sleep(0.5)
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=60)
    assert running.returncode == 130
    assert "Traceback" not in err
    assert sorted(file.name for file in folder.iterdir()) == before
