"""Packages of others: found, used, and harmless if they are broken."""

import importlib
import json
import re
import sys
from pathlib import Path

import pytest
from sklearn.datasets import load_iris

import consilience.extend
from calling import caller
from consilience import ConsensusClustering, Ensemble
from consilience._utils import _extensions
from consilience.consensus import IPC, Concord, catalogue
from consilience.consensus._catalogue import EXTENSIONS, function_named, function_names
from consilience.datasets import make_planted_ensemble
from consilience.exceptions import BrokenExtensionError
from consilience.generate import _catalogue

ROOT = Path(__file__).parents[2]
COMMAND = ("-m", "consilience.cli")
# Modules of the packages here, which are forgotten after a test.
MADE_UP = ("bad", "consilience_information", "fine", "maker", "one", "thief", "two", "wrong")
GOOD = """
from consilience.consensus import IPC

class Mine(IPC):
    '''A function of my own.'''
"""


@pytest.fixture
def labels(tmp_path):
    ensemble, truth = make_planted_ensemble(120, 8, 3, noise=0.2, random_state=0)
    ids = [f"p{i}" for i in range(120)]
    Ensemble(ensemble.labels, ids=ids).to_parquet(tmp_path / "e.parquet")
    columns = [f"m{j}" for j in range(8)]
    rows = [
        ",".join([name, *map(str, row)])
        for name, row in zip(ids, ensemble.labels.tolist(), strict=True)
    ]
    (tmp_path / "a.csv").write_text("\n".join([",".join(["id", *columns]), *rows, ""]))
    return truth


@pytest.fixture
def found_here(monkeypatch):
    """Let this process see packages, and forget them afterwards."""
    known = set(sys.modules)

    def forget():
        importlib.invalidate_caches()
        _extensions._registered.cache_clear()
        EXTENSIONS._loaded.clear()
        _catalogue.EXTENSIONS._loaded.clear()

    def look(*sites):
        for site in sites:
            monkeypatch.syspath_prepend(site)
        forget()

    yield look
    monkeypatch.undo()
    forget()
    for name in set(sys.modules) - known:
        if name.split(".")[0] in MADE_UP:
            del sys.modules[name]


@pytest.fixture
def call(capsys, monkeypatch, tmp_path):
    """Run the command in this process, which sees the packages of `found_here`."""
    monkeypatch.chdir(tmp_path)
    return caller(capsys, monkeypatch)


def test_everything_that_is_offered_exists():
    for name in consilience.extend.__all__:
        assert getattr(consilience.extend, name) is not None
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = consilience.extend.nothing


def test_the_package_is_in_the_catalogue_with_its_name(site, run_with, found_here, call):
    """In a process as a person starts it, and the other forms of the list in this one."""
    said = run_with([site], *COMMAND, "methods")
    assert said.code == 0
    line = next(line for line in said.out.splitlines() if "MaximumInformation" in line)
    assert "extension" in line
    assert "from consilience-information 0.1.0" in line
    found_here(site)
    facts = json.loads(call("methods", "--json").out)["consensus"]
    assert facts["MaximumInformation"]["package"] == "consilience-information 0.1.0"
    assert facts["IPC"]["package"] == "consilience"
    only = call("methods", "--family", "extension")
    assert "MaximumInformation" in only.out
    assert "IPC" not in only.out


def test_the_command_uses_the_package(site, found_here, call, labels, tmp_path):
    found_here(site)
    line = ("combine", "a.csv", "-k", 3, "--method", "maximum-information", "--param", "n_init=3")
    said = call(*line, "--out", "out.csv")
    assert said.code == 0, said.err
    found = [line.split(",")[1] for line in (tmp_path / "out.csv").read_text().split()[1:]]
    assert len(set(zip(found, labels.tolist(), strict=True))) == 3
    said = call("combine", "e.parquet", "-k", 3, "--method", "MAXIMUM_information")
    assert said.code == 0, said.err


def test_python_uses_the_package_by_name(site, found_here, labels, tmp_path):
    found_here(site)
    assert function_named("maximum_information") is catalogue()["MaximumInformation"]
    assert "MaximumInformation" not in catalogue(extensions=False)
    panel = Concord(3, functions=["IPC", "maximum-information"], random_state=0)
    assert panel.fit(Ensemble.from_parquet(tmp_path / "e.parquet")).n_clusters_ == 3
    model = ConsensusClustering(3, consensus="maximum-information", n_members=10, random_state=0)
    model.fit(load_iris().data)
    assert type(model.consensus_).__name__ == "MaximumInformation"


def test_its_own_tests_pass(site, run_with):
    """They call check_consensus_function."""
    options = ["-q", "-p", "no:cacheprovider", "-W", "error", "--import-mode=importlib"]
    tests = ROOT / "examples/extension/tests"
    settings = ROOT / "examples/extension/pyproject.toml"
    said = run_with([site], "-m", "pytest", *options, "-c", settings, tests)
    assert said.code == 0, said.out
    assert "3 passed" in said.out


def test_packages_are_imported_only_when_they_are_asked_for(installed, run_with, labels):
    site = installed("loud", {"Loud": "loud:Mine"}, GOOD)
    code = """
import sys
import consilience, consilience.consensus
assert "consilience.extend" not in sys.modules
from consilience.cli._main import _run
for name in ("ipc", "loud"):
    assert _run(["combine", "a.csv", "-k", "3", "--method", name]) == 0
    print("is it loaded?", "loud" in sys.modules)
"""
    said = run_with([site], "-c", code)
    assert said.code == 0, said.err
    answers = [line for line in said.out.splitlines() if line.startswith("is it loaded?")]
    assert answers == ["is it loaded? False", "is it loaded? True"]


FAULTS = {
    "raise ZeroDivisionError('one\\nover nothing')": (
        "cannot be imported (ZeroDivisionError: one over nothing); repair or uninstall the package."
    ),
    "import no_such_package": (
        "cannot be imported (ModuleNotFoundError: No module named 'no_such_package'); repair or"
    ),
    "Other = 1": "cannot be imported (AttributeError: module 'bad' has no attribute 'Mine'); repair",
    "Mine = 3": "cannot be used: bad:Mine is not a subclass of ConsensusFunction.",
    "from consilience.extend import ConsensusFunction\nclass Mine(ConsensusFunction): pass": (
        "cannot be used: bad:Mine does not define _consensus."
    ),
    "from consilience.extend import ConsensusFunction\nclass Mine(ConsensusFunction):\n"
    "    parameters = {}\n    def _consensus(self): pass": (
        "cannot be used: bad:Mine does not declare capabilities."
    ),
    GOOD + "    def __init__(self, n_clusters): pass": (
        "cannot be used: bad:Mine has no default for n_clusters."
    ),
    GOOD + "    def __init__(self, n_clusters=3): pass": (
        "cannot be used: bad:Mine declares init, n_init, max_iter, criterion, refine, random_state, "
        "exclude_self, features, compactness, which __init__ does not take."
    ),
}


@pytest.mark.parametrize("code", FAULTS)
def test_a_fault_is_one_sentence(code, installed, found_here):
    """In this process; the test after this one has the command."""
    fine = installed("fine", {"Fine": "fine:Mine"}, GOOD)
    found_here(installed("bad", {"Bad": "bad:Mine"}, code), fine)
    (sentence,) = consilience.extend.broken_extensions()
    assert sentence.startswith(f"The extension 'Bad' of bad 1.0 {FAULTS[code]}")
    assert "\n" not in sentence
    assert "Fine" in catalogue()
    assert "Bad" not in catalogue()
    for _ in range(2):
        with pytest.raises(BrokenExtensionError, match=re.escape(FAULTS[code])):
            function_named("bad")


def test_a_broken_package_does_not_disturb_the_command(installed, found_here, call, labels):
    fault = "raise ZeroDivisionError('one\\nover nothing')"
    fine = installed("fine", {"Fine": "fine:Mine"}, GOOD)
    found_here(installed("bad", {"Bad": "bad:Mine"}, fault), fine)
    sentence = f"The extension 'Bad' of bad 1.0 {FAULTS[fault]}\n"
    said = call("methods")
    assert (said.code, said.err) == (0, f"Warning: {sentence}")
    assert "from fine 1.0" in said.out
    said = call("combine", "a.csv", "-k", 3, "--method", "bad")
    assert (said.code, said.err.splitlines()[-1]) == (2, f"consilience: {sentence}".strip())
    said = call("combine", "a.csv", "-k", 3, "--method", "fine")
    assert said.code == 0
    assert "bad" not in said.err


def test_names_of_the_house_cannot_be_taken(installed, found_here):
    found_here(installed("thief", {"i-p-c": "thief:Mine"}, GOOD))
    (sentence,) = consilience.extend.broken_extensions()
    assert sentence == (
        "The extension 'i-p-c' of thief 1.0 is refused, because consilience has IPC itself; "
        "its package must register another name."
    )
    assert function_named("i-p-c") is IPC
    assert "i-p-c" not in function_names()


def test_two_packages_with_one_name_are_refused(installed, found_here):
    found_here(*(installed(name, {"Twin": f"{name}:Mine"}, GOOD) for name in ("one", "two")))
    for sentence, mine, other in zip(
        consilience.extend.broken_extensions(), ("one", "two"), ("two", "one"), strict=True
    ):
        assert sentence == (
            f"The extension 'Twin' of {mine} 1.0 is refused, because {other} 1.0 has the same name; "
            "uninstall one of them."
        )
    with pytest.raises(BrokenExtensionError, match="uninstall one of them"):
        function_named("twin")


def test_generators_of_others(installed, found_here, call, tmp_path):
    code = """
from consilience.generate import KMeansRestarts

class Mine(KMeansRestarts):
    '''k-means in another package.'''
"""
    site = installed("maker", {"my-kmeans": "maker:Mine"}, code, group="consilience.generators")
    (tmp_path / "d.csv").write_text("\n".join(f"{i % 7},{i % 5}" for i in range(60)) + "\n")
    found_here(site)
    said = call("methods")
    assert "k-means in another package. (from maker 1.0)" in said.out
    line = ("generate", "d.csv", "--method", "my_kmeans", "--members", 4, "--out", "e.parquet")
    said = call(*line)
    assert said.code == 0, said.err
    assert "4 members" in said.out
    bad = installed("wrong", {"wrong": "wrong:nothing"}, "", group="consilience.generators")
    found_here(bad)
    said = call(*line[:3], "wrong", "--out", "new.parquet")
    assert said.code == 2
    assert "The extension 'wrong' of wrong 1.0 cannot be imported (AttributeError" in said.err
