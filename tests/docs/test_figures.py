"""Figures in the README and in the paper are those of the files that the benchmarks wrote."""

import csv
import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAPER = " ".join((ROOT / "paper/paper.md").read_text(encoding="utf-8").split())
FIGURES = runpy.run_path(str(ROOT / "paper/figures.py"))
QUALITY = FIGURES["quality"]()
SECONDS = {
    kind: {package: dict(line) for package, line in packages.items()}
    for kind, packages in FIGURES["times"]().items()
}
# The words of the README, and those of the tables.
METHODS = {
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
    **{name: name for name in ("HBGF", "MCLA", "KMCF", "HAC")},
}


@pytest.mark.parametrize("shown", METHODS)
def test_quality_in_the_readme(shown):
    stated = re.search(rf"^\| {re.escape(shown)} \| (\.\d+) \| ([\d.]+) \|", README, re.M)
    name = METHODS[shown]
    scalings = {name, f"{name}, as given", f"{name}, standardised"}
    _, nmi, rank = max((row for row in QUALITY if row[0] in scalings), key=lambda row: row[1])
    assert float(stated[1]) == pytest.approx(nmi, abs=5e-4)
    assert float(stated[2]) == pytest.approx(rank, abs=0.0501)


@pytest.mark.parametrize("word", KINDS)
def test_seconds_in_the_readme(word):
    line = re.search(rf"^\| [^|]*\b{word}\b[^|]*\| ([\d.]+) \| (.*) \| (.*) \|$", README, re.M)
    ours = SECONDS[KINDS[word]]["consilience"]
    assert float(line[1]) == pytest.approx(ours[10_000], rel=0.05)
    if stated := re.search(r"ours ([\d.]+) s at a million", line[3]):
        assert stated[1] == f"{ours[10**6]:.{1 if '.' in stated[1] else 0}f}"


def test_quality_in_the_paper():
    (name, nmi, rank), (second, its_nmi, _) = QUALITY[:2]
    assert (name, second, len(QUALITY)) == ("default", "Gaussian mixture, full, as given", 15)
    for figure in (f"{nmi:.3f}"[1:], f"{rank + 1e-9:.1f}", f"{its_nmi:.3f}"[1:]):
        assert figure in PAPER


def test_seconds_in_the_paper():
    kinds = ("IBGF", "HBGF", "MCLA", "KMCF")
    for kind in kinds:
        assert f"{SECONDS[kind]['consilience'][10_000]:.2f} s" in PAPER
    peers = {"IBGF": "scikit-learn", "KMCF": "scikit-learn"}
    for kind, digits in zip(kinds, (1, 2, 0, 2), strict=True):
        theirs = SECONDS[kind][peers.get(kind, "ensembleclustering")][10_000]
        assert f"{theirs:.{digits}f} s" in PAPER
    stated = re.search(
        r"these four take ([\d.]+), ([\d.]+), ([\d.]+) and ([\d.]+) s", PAPER
    ).groups()
    million = [SECONDS[kind]["consilience"][10**6] for kind in kinds]
    assert [f"{value + 1e-9:.1f}" for value in million] == list(stated)


def test_choice_of_k_in_the_paper():
    with (ROOT / "benchmarks/results/choice_of_k.csv").open(encoding="utf-8") as file:
        means = {row["method"]: row["all"] for row in csv.DictReader(file)}
    for name in ("auto", "eigengap", "silhouette, Ward", "gap statistic"):
        assert means[name][1:] in PAPER
