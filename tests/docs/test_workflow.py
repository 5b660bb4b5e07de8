"""The example workflow: the shell lines of the Snakefile are run, in the order of their files.

Snakemake itself is not needed: the few of its words that the example uses are read here.
"""

import ast
import re
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

    def __init__(self, text):
        call = ast.parse(f"f({text.strip()})", mode="eval").body
        named = {word.arg: ast.literal_eval(word.value) for word in call.keywords}
        super().__init__([*map(ast.literal_eval, call.args), *named.values()])
        vars(self).update(named)

    def __format__(self, _):
        return " ".join(self)


def _rules():
    """Return {name: namespace with input, output, shell} and the constants of the Snakefile."""
    text = (WORKFLOW / "Snakefile").read_text(encoding="utf-8")
    constants = {name: int(value) for name, value in re.findall(r"^(\w+) = (\d+)$", text, re.M)}
    rules = {}
    for name, body in re.findall(r"^rule (\w+):\n(.*?)(?=^rule |\Z)", text, re.M | re.S):
        given = dict(re.findall(r"^    (\w+):(.*?)(?=^    \w+:|\Z)", body, re.M | re.S))
        assert set(given) <= {"input", "output", "threads", "shell"}
        rules[name] = SimpleNamespace(
            input=Files(given.get("input", "")),
            output=Files(given.get("output", "")),
            threads=int(given.get("threads", 1)),
            shell=ast.literal_eval(f"({given['shell'].strip()})") if "shell" in given else None,
        )
    return rules, constants


def _line(rule, constants):
    return rule.shell.format(
        input=rule.input, output=rule.output[0], threads=rule.threads, **constants
    ).split()


@pytest.fixture
def step(tmp_path, capsys, monkeypatch):
    """Return a function that runs the line of a rule in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    call = caller(capsys, monkeypatch)

    def run(line):
        program, *rest = line
        if program == "consilience":
            return call(*rest)
        assert program == "python"
        script = [sys.executable, WORKFLOW / rest[0], *rest[1:]]
        return subprocess.run(script, check=True)  # noqa: S603 - our own example

    return run


def test_rules_run_in_the_order_of_their_files(step):
    rules, constants = _rules()
    goal = rules.pop("all")
    while rules:
        ready = [name for name, rule in rules.items() if all(Path(f).exists() for f in rule.input)]
        assert ready, f"no rule makes the inputs of {sorted(rules)}"
        rule = rules.pop(ready[0])
        done = step(_line(rule, constants))
        if "consilience" in rule.shell:
            assert (done.code, done.err) == (0, "")
        assert all(Path(file).exists() for file in rule.output)
    assert all(Path(file).exists() for file in goal.input)
    labels = pyarrow.csv.read_csv("results/labels.csv").to_pydict()
    found = dict(zip(labels["id"], labels["cluster"], strict=True))
    groups = [{found[f"s{j}"] for j in range(20 * g, 20 * g + 20)} for g in range(3)]
    assert [len(group) for group in groups] == [1, 1, 1]
    assert len(set.union(*groups)) == 3
    assert "g0" in Path("results/report.html").read_text(encoding="utf-8")
    # The same inputs give the same bytes; a step that fails has exit code 2 and no output.
    (again,) = [rule for rule in _rules()[0].values() if rule.output == ["results/labels.csv"]]
    labels = Path("results/labels.csv")
    wanted = labels.read_bytes()
    labels.unlink()
    assert step(_line(again, constants)).code == 0
    assert labels.read_bytes() == wanted
    labels.unlink()
    Path("results/ensemble.parquet").write_bytes(b"damaged")
    failed = step(_line(again, constants))
    assert (failed.code, len(failed.err.strip().splitlines())) == (2, 1)
    assert not labels.exists()
