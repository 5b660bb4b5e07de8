"""Figures in the README and the paper are those of the tables and lists they come from."""

import re
import runpy
from pathlib import Path

import pytest

from consilience import generate

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
NAMES = {
    "`ConsensusClustering(n_clusters=k)`": "default",
    "Gaussian mixture, full covariances": "Gaussian mixture, full",
    "Ward": "Ward",
    "Birch": "Birch",
    "k-means": "k-means",
    "spectral clustering, nearest neighbours": "spectral, nearest neighbours",
    "HDBSCAN": "HDBSCAN",
}
KINDS = {
    "spectral": "IBGF",
    "NMF": "NMFC",
    "HBGF": "HBGF",
    "MCLA": "MCLA",
    "KMCF": "KMCF",
    "HAC": "HAC",
}


@pytest.fixture(scope="module")
def figures():
    pytest.importorskip("matplotlib")
    return runpy.run_path(str(ROOT / "paper/figures.py"))


@pytest.mark.parametrize("shown", NAMES)
def test_quality(figures, shown):
    stated = re.search(rf"^\| {re.escape(shown)} \| (\.\d+) \| ([\d.]+) \|", README, re.M)
    name = NAMES[shown]
    scalings = [
        row
        for row in figures["quality"]()
        if row[0] in {name, f"{name}, as given", f"{name}, standardised"}
    ]
    _, nmi, rank = max(scalings, key=lambda row: row[1])
    assert float(stated[1]) == pytest.approx(nmi, abs=5e-4)
    assert float(stated[2]) == pytest.approx(rank, abs=0.0501)


@pytest.mark.parametrize("word", KINDS)
def test_seconds(figures, word):
    line = re.search(rf"^\| [^|]*\b{word}\b[^|]*\| ([\d.]+) \| (.*) \| (.*) \|$", README, re.M)
    ours = dict(figures["times"]()[KINDS[word]]["consilience"])
    assert float(line[1]) == pytest.approx(ours[10_000], rel=0.05)
    stated = re.search(r"ours ([\d.]+) s at a million", line[3])
    if stated:
        assert float(stated[1]) == pytest.approx(ours[10**6], rel=0.1)
        assert stated[1] == f"{ours[10**6]:.{1 if '.' in stated[1] else 0}f}"


def test_number_of_generators():
    numbers = {11: "eleven", 12: "twelve", 13: "thirteen", 14: "fourteen", 15: "fifteen"}
    generators = [
        name
        for name in generate.__all__
        if isinstance(getattr(generate, name), type)
        and issubclass(getattr(generate, name), generate.EnsembleGenerator)
        and getattr(generate, name) is not generate.EnsembleGenerator
    ]
    assert f"{numbers[len(generators)]} ways to make an ensemble" in " ".join(
        (ROOT / "paper/paper.md").read_text(encoding="utf-8").split()
    )
