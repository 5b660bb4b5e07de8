"""What the command hands to the report: the name of the data, and doubts by name."""

import re
from pathlib import Path

import numpy as np
import pytest

from calling import caller
from consilience import Ensemble
from consilience.datasets import make_planted_ensemble


@pytest.fixture
def call(tmp_path, monkeypatch, capsys):
    """Run the command in a folder with an ensemble, three files of labels, and a consensus."""
    monkeypatch.chdir(tmp_path)
    members, truth = make_planted_ensemble(60, 8, 3, noise=0.3, random_state=0)
    Ensemble(members.labels, ids=[f"p{i}" for i in range(60)]).to_parquet("members.parquet")
    for name, labels in zip("abcd", (*members.labels.T[:3], truth), strict=True):
        lines = [f"p{i},{label}" for i, label in enumerate(labels)]
        (tmp_path / f"{name}.csv").write_text(f"id,by_{name}\n" + "\n".join(lines) + "\n")
    return caller(capsys, monkeypatch)


def title(path):
    return re.search(r"<h1>(.*?)</h1>", Path(path).read_text())[1]


def test_title_is_the_name_of_the_data(call, tmp_path):
    made = ["--report", "page.html", "--force"]
    assert call("combine", tmp_path / "members.parquet", "-k", 3, *made).code == 0
    assert title("page.html") == "members.parquet"
    assert call("combine", "a.csv", "b.csv", "c.csv", "--id", "id", "-k", 3, *made).code == 0
    assert title("page.html") == "a.csv, b.csv and c.csv"
    line = ["report", "members.parquet", "--labels", "d.csv", "--out", "page.html", "--force"]
    assert call(*line).code == 0
    assert title("page.html") == "members.parquet"
    assert call(*line, "--title", "Mine").code == 0
    assert title("page.html") == "Mine"


def test_command_names_the_doubts(call):
    said = call("report", "members.parquet", "--labels", "d.csv", "--out", "page.html")
    headline, doubts = said.out.splitlines()[:2]
    assert not headline.endswith("agree.")
    assert doubts.startswith("The 3 doubts: ")
    assert re.search(r"; on average only \d+\.\d.% of the votes", doubts)
    rng = np.random.default_rng(0)
    Ensemble(rng.integers(0, 3, (60, 6))).to_parquet("noise.parquet")
    said = call("combine", "noise.parquet", "-k", 3, "--method", "ipc")
    assert "the members agree no better than chance" in said.out.splitlines()[1]


@pytest.fixture
def points(tmp_path):
    """Two groups of points and the class of each."""
    rng = np.random.default_rng(0)
    kinds = rng.integers(0, 2, 300)
    X = rng.normal(size=(300, 2)) + 9 * kinds[:, None]
    lines = "\n".join(f"{x:.3f},{y:.3f},kind {k}" for (x, y), k in zip(X, kinds, strict=True))
    (tmp_path / "points.csv").write_text(f"x,y,class\n{lines}\n")
    return ("points.csv", "-k", 2, "--members", 5, "--report", "page.html", "--force")


def test_samples_are_called_samples(call, points):
    assert call("cluster", *points, "--drop", "class", "--sample", 200).code == 0
    page = Path("page.html").read_text()
    assert "200 objects (a sample of 300)" in page
    assert "Everything on this page is about the sample" in page
    said = call("cluster", *points, "--drop", "class")
    assert "known classes" not in said.out
    page = Path("page.html").read_text()
    assert "a sample of" not in page
    assert "known classes" not in page


def test_known_classes_are_said_in_words(call, points):
    said = call("cluster", *points, "--label-column", "class")
    for text in (said.out, Path("page.html").read_text()):
        assert "Against the 2 known classes: if every cluster stands for at most one class" in text
