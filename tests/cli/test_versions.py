"""`consilience --version`, and consoles that cannot write every character."""

import json
import os
import subprocess
import sys
from importlib.metadata import requires, version

import pytest
from packaging.requirements import Requirement

import consilience
from consilience.cli import _versions


def _python(*arguments, **variables):
    return subprocess.run(  # noqa: S603 - our own interpreter and code
        [sys.executable, *arguments],
        capture_output=True,
        check=False,
        env={**os.environ, **variables},
    )


@pytest.mark.parametrize("arguments", [("--version", "--json"), ("--json", "--version")])
def test_versions_for_a_machine(arguments, call):
    found = json.loads(call(*arguments).out)
    assert found["consilience"] == consilience.__version__
    assert found["required"]["numpy"] == version("numpy")
    assert found["threads"] >= 1


def test_versions_for_a_person(call):
    lines = call("--version").out.splitlines()
    assert lines[0] == f"consilience, version {consilience.__version__}"
    assert f"numba {version('numba')}" in lines[4]


def test_every_dependency_is_named():
    asked = [Requirement(line) for line in requires("consilience")]
    names = {requirement.name for requirement in asked if requirement.marker is None}
    assert names <= set(_versions._REQUIRED)


def test_packages_that_are_missing():
    assert _versions.installed("a-package-that-nobody-has") is None
    found = {**_versions.facts(), "optional": {"dask": None}}
    assert _versions.as_text(found).endswith("Optional packages: none")


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_no_console_makes_the_command_fail(encoding, tmp_path):
    """Both lines in one process: what it writes to is the point."""
    code = (
        "import sys; from consilience.cli._main import _run; assert _run(['methods']) == 0;"
        "sys.exit(_run(['inspect', sys.argv[1]]))"
    )
    done = _python("-c", code, str(tmp_path / "nö 数.csv"), PYTHONIOENCODING=encoding)
    assert done.returncode == 2
    rule = done.stdout.decode("utf-8" if encoding == "ascii" else encoding).splitlines()[1]
    assert set(rule) <= set("-─ ")
    (sentence,) = done.stderr.splitlines()
    assert b"There is no file" in sentence


def test_json_is_whole_on_every_console(tmp_path, call):
    file = tmp_path / "members.csv"
    file.write_text("id,größe,数\na,0,0\nb,0,0\nc,1,1\nd,1,0\n", encoding="utf-8")
    line = ("inspect", str(file), "--id", "id", "--json")
    done = _python("-m", "consilience.cli", *line, PYTHONIOENCODING="cp1252")
    narrow = json.loads(done.stdout.decode("cp1252"))
    assert narrow == json.loads(call(*line).out)
    assert "数" in json.dumps(narrow, ensure_ascii=False)
