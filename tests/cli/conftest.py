"""A folder with small files, and two ways to call the command."""

import os
import subprocess
import sys

import numpy as np
import pytest

from calling import Said, caller
from consilience import Ensemble
from consilience.datasets import make_planted_ensemble

# How processes write to pipes; `make elsewhere` chooses another code page.
PIPES = os.environ.get("PYTHONIOENCODING", "utf-8")


@pytest.fixture(scope="session")
def points():
    rng = np.random.default_rng(0)
    centres = np.array([[0, 0, 0], [9, 0, 0], [0, 9, 0]])
    truth = np.repeat([0, 1, 2], 20)
    return centres[truth] + rng.normal(size=(60, 3)), truth


@pytest.fixture
def folder(tmp_path, monkeypatch, points):
    """Good files; the current folder for the test."""
    monkeypatch.chdir(tmp_path)
    X, truth = points
    rows = [
        f"p{i}," + ",".join(f"{v:.4f}" for v in x) + f",kind{t}"
        for i, (x, t) in enumerate(zip(X, truth, strict=True))
    ]
    (tmp_path / "data.csv").write_text("id,x,y,z,kind\n" + "\n".join(rows) + "\n")
    rng = np.random.default_rng(1)
    for name in "abc":
        known = np.flatnonzero(rng.random(60) < 0.9)
        lines = [f"p{i},{(truth[i] + (rng.random() < 0.1)) % 3}" for i in known]
        (tmp_path / f"{name}.csv").write_text(f"id,by_{name}\n" + "\n".join(lines) + "\n")
    (tmp_path / "truth.csv").write_text(
        "id,class\n" + "\n".join(f"p{i},{t}" for i, t in enumerate(truth)) + "\n"
    )
    members, _ = make_planted_ensemble(60, 8, 3, noise=0.2, random_state=0)
    Ensemble(members.labels, ids=[f"p{i}" for i in range(60)]).to_parquet(tmp_path / "e.parquet")
    return tmp_path


@pytest.fixture
def call(capsys, monkeypatch):
    """Run the command in this process."""
    return caller(capsys, monkeypatch)


@pytest.fixture
def process(tmp_path):
    """Run the command as a process of its own."""

    def run(*arguments):
        done = subprocess.run(  # noqa: S603 - our own interpreter and code
            [sys.executable, "-m", "consilience.cli", *map(str, arguments)],
            capture_output=True,
            text=True,
            encoding=PIPES,
            check=False,
            cwd=tmp_path,
        )
        assert "Traceback" not in done.stderr, done.stderr
        return Said(done.returncode, done.stdout, done.stderr)

    return run
