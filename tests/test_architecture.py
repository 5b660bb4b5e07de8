"""The design is kept: light imports, heavy dependencies in one package each, one word per thing."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src/consilience"
FILES = sorted(SOURCE.rglob("*.py"))


def _modules_after(statement):
    code = f"import sys; {statement}; print('\\n'.join(sys.modules))"
    result = subprocess.run(  # noqa: S603 - our own interpreter and code
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    return set(result.stdout.split())


@pytest.mark.parametrize(
    ("statement", "forbidden"),
    [
        ("import consilience", {"numba", "sklearn", "scipy", "pandas", "dask", "matplotlib"}),
        ("from consilience import Ensemble", {"numba", "sklearn", "pandas", "dask", "matplotlib"}),
        ("from consilience.consensus import IPC", {"numba", "dask", "matplotlib"}),
    ],
)
def test_imports_are_light(statement, forbidden):
    assert not forbidden & _modules_after(statement)


def test_files_are_named_after_what_is_in_them():
    vague = {"utils", "helpers", "misc", "common", "core"}
    assert [file for file in FILES if file.stem.strip("_") in vague] == []


def test_one_word_per_thing():
    """Synonyms of the usual names do not appear as parameters."""
    words = "n_objects|n_partitions|n_clusterings|max_iterations|maxiter|seed|eps"
    synonyms = rf"\b({words})\s*[:=,)]"
    for file in FILES:
        signatures = re.findall(r"def \w+\((.*?)\) ->", file.read_text(), re.S)
        for signature in signatures:
            assert not re.search(synonyms, signature), (file.name, signature)


def test_documents_draw_the_contract():
    """ARCHITECTURE.md shows the packages in the order that the import contract enforces."""
    contract = re.search(r"layers = \[(.*?)\]", (ROOT / "pyproject.toml").read_text(), re.S)[1]
    packages = re.findall(r"\w+", contract)
    drawing = (ROOT / "ARCHITECTURE.md").read_text()
    places = [drawing.index(f"\n      {package} ") for package in packages]
    assert places == sorted(places)


def test_packages_have_files():
    packages = [path for path in SOURCE.iterdir() if path.is_dir() and path.name != "__pycache__"]
    for package in packages:
        assert len(list(package.glob("_*.py"))) > 1 or any(package.glob("*/_*.py")), package


def test_one_room_touches_the_gpu():
    """Nothing outside the room `gpu` imports a library for it; the setting imports the room by name."""
    libraries = re.compile(r"^\s*(from numba import .*\bcuda\b|import numba\.cuda)", re.M)
    users = {file for file in FILES if libraries.search(file.read_text())}
    assert users == {SOURCE / "gpu" / "_device.py", SOURCE / "gpu" / "_kernels.py"}
    outside = [file for file in FILES if file.parent != SOURCE / "gpu"]
    named = [file for file in outside if "consilience.gpu" in file.read_text()]
    assert named == [SOURCE / "_utils" / "_config.py"]
