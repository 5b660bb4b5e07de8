"""The example workflow: the shell lines of the Snakefile are run, in the order of their files.

Snakemake itself is not needed: the few of its words that the example uses are read here.
"""

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pyarrow.csv
import pytest

from calling import caller

ROOT = Path(__file__).parents[2]
WORKFLOW = ROOT / "examples" / "workflow"


class Files(list):
    """Files of a rule; named ones are attributes, and together they are written with spaces."""

    def __init__(self, positional, named):
        super().__init__([*positional, *named.values()])
        self.__dict__.update(named)

    def __format__(self, _):
        return " ".join(self)


def _arguments(text):
    call = ast.parse(f"f({text.strip()})", mode="eval").body
    named = {word.arg: ast.literal_eval(word.value) for word in call.keywords}
    return Files([ast.literal_eval(value) for value in call.args], named)


def _rules():
    """Return {name: namespace with input, output, shell} and the constants of the Snakefile."""
    text = (WORKFLOW / "Snakefile").read_text(encoding="utf-8")
    top, *parts = re.split(r"^rule (\w+):\n", text, flags=re.MULTILINE)
    constants = {name: int(value) for name, value in re.findall(r"^(\w+) = (\d+)$", top, re.M)}
    rules = {}
    for name, body in zip(parts[::2], parts[1::2], strict=True):
        pieces = re.split(r"^    (\w+):", body, flags=re.MULTILINE)[1:]
        given = dict(zip(pieces[::2], pieces[1::2], strict=True))
        assert set(given) <= {"input", "output", "threads", "shell"}
        rules[name] = SimpleNamespace(
            input=_arguments(given.get("input", "")),
            output=_arguments(given.get("output", "")),
            threads=int(given.get("threads", 1)),
            shell=ast.literal_eval(f"({given['shell'].strip()})") if "shell" in given else None,
        )
    return rules, constants


def _line(rule, constants):
    return rule.shell.format(
        input=rule.input, output=rule.output[0], threads=rule.threads, **constants
    ).split()


def _run(rule, constants, folder):
    # The interpreter of the tests, whatever "python" and "consilience" are on this machine.
    program, *rest = _line(rule, constants)
    start = {"python": [sys.executable], "consilience": [sys.executable, "-m", "consilience.cli"]}
    return subprocess.run(  # noqa: S603 - lines of our own example
        [*start[program], *rest],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """Run every rule whose inputs are there, until all are done."""
    folder = tmp_path_factory.mktemp("workflow")
    shutil.copy(WORKFLOW / "make_table.py", folder)
    rules, constants = _rules()
    goal = rules.pop("all")
    order = []
    while rules:
        ready = [n for n, rule in rules.items() if all((folder / f).exists() for f in rule.input)]
        assert ready, f"no rule makes the inputs of {sorted(rules)}"
        rule = rules.pop(ready[0])
        done = _run(rule, constants, folder)
        assert done.returncode == 0, done.stderr
        assert done.stderr == ""
        assert all((folder / file).exists() for file in rule.output)
        order.append(ready[0])
    assert all((folder / file).exists() for file in goal.input)
    return folder, order


def test_rules_run_in_order_of_their_files(results):
    folder, order = results
    assert order == ["table", "generate", "consensus", "report"]
    labels = pyarrow.csv.read_csv(folder / "results" / "labels.csv").to_pydict()
    found = dict(zip(labels["id"], labels["cluster"], strict=True))
    groups = [{found[f"s{j}"] for j in range(20 * g, 20 * g + 20)} for g in range(3)]
    assert [len(group) for group in groups] == [1, 1, 1]
    assert len(set.union(*groups)) == 3
    assert "g0" in (folder / "results" / "report.html").read_text(encoding="utf-8")


def test_steps_are_pure(results, tmp_path, capsys, monkeypatch):
    """The same inputs give the same bytes; a step that fails has exit code 2 and no output."""
    call = caller(capsys, monkeypatch)
    monkeypatch.chdir(tmp_path)
    folder, _ = results
    rules, constants = _rules()
    shutil.copytree(folder / "results", tmp_path / "results")
    wanted = (tmp_path / "results" / "labels.csv").read_bytes()
    (tmp_path / "results" / "labels.csv").unlink()
    program, *step = _line(rules["consensus"], constants)
    assert program == "consilience"
    assert call(*step).code == 0
    assert (tmp_path / "results" / "labels.csv").read_bytes() == wanted
    (tmp_path / "results" / "labels.csv").unlink()
    (tmp_path / "results" / "ensemble.parquet").write_bytes(b"damaged")
    failed = call(*step)
    assert failed.code == 2
    assert len(failed.err.strip().splitlines()) == 1
    assert not (tmp_path / "results" / "labels.csv").exists()
