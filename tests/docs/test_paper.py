"""Figures in the text of the paper are those of the tables they come from."""

import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAPER = " ".join((ROOT / "paper/paper.md").read_text(encoding="utf-8").split())


@pytest.fixture(scope="module")
def figures():
    pytest.importorskip("matplotlib")
    return runpy.run_path(str(ROOT / "paper/figures.py"))


def test_quality_in_the_text(figures):
    (name, nmi, rank), second = figures["quality"]()[0], figures["quality"]()[1]
    assert name == "default"
    assert f"mean NMI of {nmi:.3f}".replace("0.", ".") in PAPER
    assert f"mean rank of {rank + 1e-9:.1f}" in PAPER
    assert second[0].startswith("Gaussian mixture")
    assert f"has {second[1]:.3f}".replace("0.", ".") in PAPER
    assert len(figures["quality"]()) == 15


def test_seconds_in_the_text(figures):
    seconds = {
        kind: {package: dict(line) for package, line in packages.items()}
        for kind, packages in figures["times"]().items()
    }
    ten = [seconds[kind]["consilience"][10_000] for kind in ("IBGF", "HBGF", "MCLA", "KMCF")]
    for value in ten:
        assert f"{value:.2f} s" in PAPER
    assert f"{seconds['IBGF']['scikit-learn'][10_000]:.1f} s" in PAPER
    assert f"{seconds['HBGF']['ensembleclustering'][10_000]:.2f} s" in PAPER
    assert f"{seconds['MCLA']['ensembleclustering'][10_000]:.0f} s" in PAPER
    assert f"{seconds['KMCF']['scikit-learn'][10_000]:.2f} s" in PAPER
    million = [seconds[kind]["consilience"][10**6] for kind in ("IBGF", "HBGF", "MCLA", "KMCF")]
    stated = re.search(
        r"these four take ([\d.]+), ([\d.]+), ([\d.]+) and ([\d.]+) s", PAPER
    ).groups()
    assert [f"{value + 1e-9:.1f}" for value in million] == list(stated)


def test_choice_of_k_in_the_text():
    table = (ROOT / "benchmarks/README.md").read_text(encoding="utf-8")
    auto = re.search(r"\| \*\*auto\*\* \| .* \| \*\*(0\.\d+)\*\* \|", table)[1]
    assert f"information of {auto}".replace("0.", ".") in PAPER
    for name in ("eigengap", "silhouette, Ward", "gap statistic"):
        mean = re.search(rf"^\| {name} \| .* \| (0\.\d+) \|$", table, re.M)[1]
        assert mean.replace("0.", ".") in PAPER
