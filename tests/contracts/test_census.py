"""What discovery finds, what is documented, and what is tested are the same set."""

import ast
import inspect
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import consilience
from consilience import consensus, metrics
from consilience.consensus import ConsensusFunction, catalogue
from consilience.consensus._constrained import ConstrainedFunction
from instances import CONSENSUS

ROOT = Path(__file__).parents[2]


def _classes_in_files():
    """Names of classes that files under consensus/ define with n_clusters as a parameter."""
    found = set()
    for file in (ROOT / "src/consilience/consensus").rglob("_*.py"):
        for name, body in re.findall(
            r"^class ([A-Z]\w*)\([\w, ]+\):\n(.*?)(?=^class |\Z)", file.read_text(), re.S | re.M
        ):
            if "self.n_clusters = n_clusters" in body:
                found.add(name)
    return found


def test_discovery_finds_every_class_that_is_written():
    assert set(catalogue()) == _classes_in_files()


def test_every_function_is_public_and_has_instances():
    assert set(catalogue()) == set(CONSENSUS)
    assert set(catalogue()) <= set(consensus.__all__), "make format writes the lists"


def test_a_new_function_is_listed_by_make_format(tmp_path):
    """The two lists of names follow from the file with the class."""
    package = tmp_path / "src/consilience/consensus"
    shutil.copytree(ROOT / "src/consilience/consensus", package)
    before = {file: file.read_text() for file in package.rglob("*.py")}
    new = before[package / "voting/_best.py"].replace("class BEST(", "class ZEST(")
    script = [sys.executable, ROOT / ".ci/write_exports.py", tmp_path]
    subprocess.run(script, check=True)  # noqa: S603 - our own script
    assert {file: file.read_text() for file in package.rglob("*.py")} == before
    (package / "voting/_zest.py").write_text(new)
    subprocess.run(script, check=True)  # noqa: S603
    family, whole = (
        (package / "voting/__init__.py").read_text(),
        (package / "__init__.py").read_text(),
    )
    assert "from consilience.consensus.voting._zest import ZEST\n" in family
    assert "from consilience.consensus.voting import ZEST\n" in whole
    for text in (family, whole):
        (names,) = [
            ast.literal_eval(node.value)
            for node in ast.parse(text).body
            if isinstance(node, ast.Assign)
        ]
        assert "ZEST" in names


@pytest.mark.parametrize("name", sorted(catalogue()))
def test_function_is_declared_and_documented(name):
    function = catalogue()[name]
    signature = inspect.signature(function)
    assert set(function.parameters) == set(signature.parameters)
    assert next(iter(signature.parameters)) == "n_clusters"
    keywords = list(signature.parameters.values())[1:]
    assert all(parameter.kind is parameter.KEYWORD_ONLY for parameter in keywords)
    document = inspect.getdoc(function)
    for section in ("Parameters", "Attributes", "See Also", "Notes", "References", "Examples"):
        assert f"\n{section}\n---" in document
    for parameter in signature.parameters:
        assert re.search(rf"^{parameter} : ", document, re.M), parameter


def test_defaults_in_documents_are_those_of_the_code():
    compared = 0
    for name, function in catalogue().items():
        document = inspect.getdoc(function)
        for parameter in inspect.signature(function).parameters.values():
            stated = re.search(rf"^{parameter.name} : .*default (\S+)$", document, re.M)
            if stated:
                assert ast.literal_eval(stated[1]) == parameter.default, (name, parameter.name)
                compared += 1
    assert compared > len(catalogue())


def test_only_the_base_owns_fit_and_predict():
    for function in catalogue().values():
        for method in ("_fit", "predict", "predict_proba"):
            assert getattr(function, method) is getattr(ConsensusFunction, method)
        constrained = function.capabilities.constraints
        owner = ConstrainedFunction if constrained else ConsensusFunction
        assert function.fit is owner.fit


def test_references_exist():
    keys = set(re.findall(r"@\w+\{(\w+),", (ROOT / "references.bib").read_text()))
    cited = set()
    for file in (ROOT / "src").rglob("*.py"):
        cited |= set(re.findall(r"\[([a-z]+\d{4})\]_", file.read_text()))
    assert cited
    assert cited <= keys


def test_every_function_is_in_the_changelog():
    text = (ROOT / "CHANGELOG.md").read_text()
    missing = [name for name in (*catalogue(), *metrics.__all__) if f"`{name}`" not in text]
    assert missing == []


def test_public_names_resolve():
    for name in (*consilience.__all__, *dir(consilience)):
        assert getattr(consilience, name) is not None
