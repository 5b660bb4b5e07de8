"""Every command that the pages show runs, on files of a few rows."""

import itertools
import re
import shlex
import shutil
import sys
import tomllib
from pathlib import Path

import anndata
import click
import numpy as np
import pytest

import consilience
from consilience import Ensemble
from consilience.cli._main import _run, command
from consilience.consensus import catalogue
from consilience.datasets import make_planted_ensemble

ROOT = Path(__file__).parents[2]
# Made by the build from elsewhere.
COPIED = ("api", "gallery", "benchmarks", "experiments")
DOCS = sorted(
    page
    for page in (ROOT / "docs").rglob("*.md")
    if page.relative_to(ROOT / "docs").parts[0] not in COPIED
)
PAGES = [ROOT / "README.md", *DOCS]
FENCE = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# The demo takes its time, and tests/cli runs it.
ONLY_PARSED = ("demo",)


def blocks(page):
    """Return (language, text) of every fenced block, and indented ones as shell."""
    text = page.read_text(encoding="utf-8")
    indented = re.findall(r"(?:^    \S.*\n)+", FENCE.sub("", text), re.MULTILINE)
    return FENCE.findall(text) + [("bash", re.sub("^    ", "", b, flags=re.M)) for b in indented]


def shell_lines(page):
    """Return the lines of blocks that are meant for a shell."""
    shell = [text for language, text in blocks(page) if language == "bash"]
    return [line for text in shell for line in text.splitlines()]


def commands(page):
    """Return the arguments of every line that calls the command."""
    lines = [line for line in shell_lines(page) if line.startswith("consilience ")]
    return [shlex.split(line, comments=True)[1:] for line in lines]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The files that the pages speak of, with the same sixty objects."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    truth = np.repeat([0, 1, 2], 20)
    X = np.array([[0, 0, 0], [9, 0, 0], [0, 9, 0]])[truth] + rng.normal(size=(60, 3))
    ids = [f"p{i}" for i in range(60)]
    rows = [f"{name},{x:.4f},{y:.4f},{z:.4f}" for name, (x, y, z) in zip(ids, X, strict=True)]
    for name in ("data", "large"):
        Path(f"{name}.csv").write_text("\n".join(["id,x,y,z", *rows, ""]))
    Path("truth.csv").write_text("\n".join(["id,class", *map("{},{}".format, ids, truth), ""]))
    for name in "abc":
        known = np.flatnonzero(rng.random(60) < 0.9)
        lines = [f"{ids[i]},{truth[i] + 3 * (rng.random() < 0.5)}" for i in known]
        Path(f"{name}.csv").write_text("\n".join(["customer_id,segment", *lines, ""]))
    members = make_planted_ensemble(60, 8, 3, noise=0.2, random_state=0).ensemble
    Ensemble(members.labels, ids=ids).to_parquet("e.parquet")
    Path("parts").mkdir()
    Ensemble(members.labels, ids=ids).to_parquet("parts/0.parquet")
    for name, pairs in {"together": "p0,p1\n", "apart": "p0,p20\n", "pairs": "p2,p3\n"}.items():
        Path(f"{name}.csv").write_text(pairs)
    Path("known.csv").write_text("p0,red\np1,\np20,blue\n")
    cells = anndata.AnnData(X, obsm={"X_pca": X})
    cells.obs_names = ids
    cells.write_h5ad("cells.h5ad")
    return tmp_path


def remove_outputs(arguments):
    for option, value in itertools.pairwise(arguments):
        if option in ("--out", "--report"):
            shutil.rmtree(value) if Path(value).is_dir() else Path(value).unlink(missing_ok=True)


@pytest.mark.parametrize(
    "page", [page for page in PAGES if commands(page)], ids=lambda p: p.relative_to(ROOT).as_posix()
)
def test_commands_run(page, folder, monkeypatch, capsys):
    before = consilience.get_config()
    for arguments in commands(page):
        if arguments[0] in ONLY_PARSED:
            command.commands[arguments[0]].make_context(arguments[0], arguments[1:])
            continue
        monkeypatch.setattr(sys, "argv", ["consilience", *arguments])
        remove_outputs(arguments)
        code = _run(list(arguments))
        assert code == 0, (arguments, capsys.readouterr().err)
    consilience.set_config(n_threads=before.n_threads)


def test_python_is_run_by_doctest():
    """A block of Python without a prompt would be run by nobody."""
    for page in PAGES:
        for text in [text for language, text in blocks(page) if language == "python"]:
            assert text.startswith(">>> "), page
            assert text.endswith("\n\n"), f"{page}: doctest needs an empty line at the end"


@pytest.mark.parametrize(
    "page", [*sorted(ROOT.glob("*.md")), ROOT / "benchmarks" / "README.md"], ids=lambda p: p.name
)
def test_links_of_the_repository(page):
    """Sphinx checks the links of docs; these pages it does not see."""
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    links = re.findall(r"\]\(([^)#\s]+)", text)
    local = [link for link in links if not re.match(r"[a-z]+:", link)]
    assert [link for link in local if not (page.parent / link).exists()] == []


def test_verbs_are_known():
    options = {name for parameter in command.params for name in parameter.opts}
    known = {*command.list_commands(click.Context(command)), *options}
    used = {arguments[0] for page in PAGES for arguments in commands(page)}
    assert used - known == set()


def test_make_targets_and_extras_exist():
    lines = [line for page in PAGES for line in shell_lines(page)]
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z]+):", makefile, re.MULTILINE))
    assert {line.split()[1] for line in lines if line.startswith("make ")} <= targets
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = [re.findall(r"consilience\[(.*?)\]", line) for line in lines]
    extras = {extra for found in asked for names in found for extra in names.split(",")}
    assert extras <= set(project["optional-dependencies"])


def test_pages_of_methods_describe_the_functions_of_their_family():
    """By hand under a heading, or from their docstrings by the directives on the page."""
    other = {"Declared", "Local", "Final", "Constraints", "Features", "Matrices"}
    for name, kind in catalogue().items():
        place = kind.__module__.removeprefix("consilience.consensus.").split(".")
        family = place[0] if len(place) > 1 else "above all"
        page = ROOT / "docs" / "methods" / f"{family.replace(' ', '_')}.md"
        text = page.read_text(encoding="utf-8")
        assert f"```{{catalogue}} {family}\n" in text, name
        assert f"```{{parameters}} {family}\n" in text, name
        headings = set(re.findall(r"^## (\w+)", text, re.MULTILINE))
        assert headings - other <= set(catalogue()), family
