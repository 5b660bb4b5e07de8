"""What is written: to terminals, consoles of few characters, full disks, and closed pipes."""

import errno
import json
import os
import subprocess
import sys
from importlib.metadata import requires, version
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import consilience
from consilience.cli import _versions
from consilience.cli._flags import flag, with_flag
from consilience.cli._output import visible, visible_json
from consilience.tables import read_labels

CLUSTER = ("cluster", "data.csv", "--drop", "kind", "-k", 3, "--members", 5)
SEEN = {
    "\x1b[31mred": "\\x1b[31mred",
    "bell\x07": "bell\\x07",
    "\x9b2J": "\\x9b2J",
    "tab\there": "tab\\there",
    "\u202egnp.exe": "\\u202egnp.exe",
    "half \udc80": "half \\udc80",
    "two\nlines": "two\\nlines",
}


@pytest.mark.parametrize("text", SEEN)
def test_hidden_characters_are_written_out(text):
    assert visible(text) == SEEN[text]
    visible(text).encode()
    written = visible_json(json.dumps({"name": text}, ensure_ascii=False))
    assert json.loads(written) == {"name": text}
    written.encode()
    assert not set(written) & {"\x9b", "\u202e"}


@pytest.mark.parametrize("text", ["plain", "größe ≥ 3", "名前", "می‌خواهم"])
def test_other_text_stays(text):
    assert visible(text) == visible_json(text) == text


def test_control_characters_do_not_reach_the_terminal(folder, call):
    """Names of columns, objects, members and files are shown with escapes."""
    rows = "".join(f"p{i}\x1b[31m,{i % 2},{i % 2}\n" for i in range(20))
    Path("odd\x1b[2J\x07.csv").write_text(f"id,by\x9b2J,\u202eby\x1b]0;t\n{rows}")
    Path("other.csv").write_text("id,x\nq1,1\nq2,2\n")
    lines = [
        ["inspect", "odd\x1b[2J\x07.csv"],
        ["inspect", "odd\x1b[2J\x07.csv", "--json"],
        ["combine", "odd\x1b[2J\x07.csv", "-k", 2, "--out", "o\x1b[0m.csv"],
        ["combine", "odd\x1b[2J\x07.csv", "other.csv", "-k", 2],
        ["cluster", "none\x1b[2J.csv"],
    ]
    for line in lines:
        said = call(*line)
        for text in (said.out, said.err):
            assert not set(text) & {"\x1b", "\x07", "\x9b", "\u202e"}
    assert "\\x1b[2J" in said.err
    assert read_labels("o\x1b[0m.csv").ids[0] == "p0\x1b[31m"


# --- flags instead of parameters ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parameter", "library", "said"),
    [
        ("n_clusters", "Try n_clusters=(2, 20).", "Try -k 2:20."),
        ("n_clusters", "IPC: n_clusters=9 is too large.", "IPC: -k 9 is too large."),
        ("n_clusters", "IPC: n_clusters must be an integer.", "IPC: -k must be an integer."),
        ("enforce", "set enforce=True to", "set --param enforce=True to"),
        ("linkage", "HAC: linkage must be a name.", "HAC: linkage must be a name."),
        (None, "There is no column 'n_clusters'.", "There is no column 'n_clusters'."),
    ],
)
def test_flags_instead_of_parameters(parameter, library, said):
    assert with_flag(library, parameter) == said


def test_values_of_flags():
    assert flag("drop", ["a", "two words"]) == "--drop a 'two words'"
    assert [flag("id", value=False), flag("overwrite", value=True)] == ["--no-id", "--force"]


# --- consoles and versions ------------------------------------------------------------------------


def _python(*arguments, **variables):
    return subprocess.run(  # noqa: S603 - our own interpreter and code
        [sys.executable, *arguments],
        capture_output=True,
        check=False,
        env={**os.environ, **variables},
    )


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


def test_versions(call):
    lines = call("--version").out.splitlines()
    assert lines[0] == f"consilience, version {consilience.__version__}"
    assert f"numba {version('numba')}" in lines[4]
    asked = [Requirement(line) for line in requires("consilience")]
    names = {requirement.name for requirement in asked if requirement.marker is None}
    assert names <= set(_versions.REQUIRED.split())
    assert _versions.installed("a-package-that-nobody-has") is None


# --- disks ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "file"),
    [
        ((*CLUSTER, "--out", "l.csv"), "l.csv"),
        ((*CLUSTER, "--report", "r.html"), "r.html"),
        (
            ("generate", "data.csv", "--drop", "kind", "--out", "x.parquet", "--resume"),
            "x.parquet.members/manifest.json",
        ),
    ],
    ids=["labels", "report", "resume"],
)
def test_a_full_disk_is_named(folder, call, monkeypatch, line, file):
    def fail(*arguments, **named):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    before = sorted(path for path in folder.rglob("*") if path.is_file())
    with monkeypatch.context() as patched:
        patched.setattr(Path, "write_bytes", fail)
        patched.setattr(Path, "write_text", fail)
        said = call(*line)
    assert said.code == 2
    assert said.err.splitlines()[-1] == f"consilience: {file}: No space left on device."
    assert sorted(path for path in folder.rglob("*") if path.is_file()) == before


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
def test_a_full_standard_output_is_named(folder):
    line = [sys.executable, "-m", "consilience.cli", "compare", "a.csv", "truth.csv"]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(line, stdout=full, stderr=subprocess.PIPE, text=True, check=False)  # noqa: S603
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == "consilience: standard output: No space left on device."


def test_quiet_draws_no_bars(folder, call, monkeypatch):
    monkeypatch.setattr("consilience._utils._progress._on_terminal", lambda: True)
    assert "Reading" in call("inspect", "e.parquet").err
    for line in (
        ("inspect", "e.parquet"),
        ("compare", "a.csv", "truth.csv"),
        ("combine", "e.parquet", "-k", 3),
        ("choose-k", "e.parquet", "--labels"),
        ("report", "e.parquet", "--labels", "truth.csv", "--out", "r.html"),
        (*CLUSTER, "--report", "c.html"),
    ):
        assert call(*line, "--quiet").err == ""
