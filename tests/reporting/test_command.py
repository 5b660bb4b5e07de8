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


def test_no_classes_no_words_about_classes(call):
    said = call("combine", "members.parquet", "-k", 3, "--report", "page.html")
    assert "known classes" not in said.out
    assert "known classes" not in Path("page.html").read_text()


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


def test_samples_are_called_samples(call, tmp_path):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 2)) + 9 * rng.integers(0, 2, (300, 1))
    lines = "\n".join(f"{x:.3f},{y:.3f}" for x, y in X)
    (tmp_path / "points.csv").write_text(f"x,y\n{lines}\n")
    line = ["cluster", "points.csv", "-k", 2, "--members", 5, "--report", "page.html", "--force"]
    assert call(*line, "--sample", 200).code == 0
    page = Path("page.html").read_text()
    assert "200 objects (a sample of 300)" in page
    assert "The objects are a sample of 300. Everything on this page is about the sample" in page
    assert call(*line).code == 0
    assert "a sample of" not in Path("page.html").read_text()


def test_known_classes_are_said_in_words(call, tmp_path):
    rng = np.random.default_rng(0)
    kinds = rng.integers(0, 2, 80)
    X = rng.normal(size=(80, 2)) + 9 * kinds[:, None]
    lines = "\n".join(f"{x:.3f},{y:.3f},kind {k}" for (x, y), k in zip(X, kinds, strict=True))
    (tmp_path / "points.csv").write_text(f"x,y,class\n{lines}\n")
    said = call(
        "cluster", "points.csv", "-k", 2, "--label-column", "class", "--report", "page.html"
    )
    sentence = "Against the 2 known classes: if every cluster stands for at most one class"
    assert sentence in said.out
    assert sentence in Path("page.html").read_text()
