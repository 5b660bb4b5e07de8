"""Bad input to every verb: exit code 2, one sentence, nothing written.

The command runs in this process; test_processes.py has bad input to processes of their own.
"""

from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

BAD = {
    "missing.csv": (None, "There is no file missing.csv"),
    "folder.csv": ("folder", "folder.csv is a folder"),
    "empty.csv": (b"", "empty.csv is empty"),
    "header.csv": (b"id,x,y\n", "header.csv holds a header line and nothing else"),
    "ragged.csv": (b"id,x,y\na,1,2\nb,3\n", "ragged.csv, line 3 has 2 cells"),
    "twice.csv": (
        b"id,x,y\na,1,2\na,3,4\n",
        "twice.csv, data row 2, column 'id': the id 'a' is also",
    ),
    "broken.parquet": (b"PAR1 is not enough", "broken.parquet cannot be read as Parquet"),
}
NUMBERS = {
    "word.csv": (
        b"id,x,y\na,1,2\nb,3,oops\nc,3,4\n",
        "word.csv, data row 2, column 'y': 'oops' is not",
    ),
    "nan.csv": (
        b"id,x,y\na,1,2\nb,NaN,4\nc,5,6\n",
        "nan.csv, data row 2, column 'x': the value is miss",
    ),
    "pickle.npy": ("pickle", "pickle.npy cannot be read as NumPy arrays: it holds Python objects"),
}
LABELS = {
    "real.csv": (b"id,x\na,1\nb,2.5\n", "real.csv, data row 2, column 'x': 2.5 is a measurement"),
}


def _lines(name):
    """Return every line that reads the file first; outputs must not appear."""
    data = {
        "cluster": ["cluster", name, "--out", "out.csv", "--report", "out.html"],
        "choose-k": ["choose-k", name],
        "generate": ["generate", name, "--out", "out.parquet"],
    }
    labels = {
        "combine": ["combine", "a.csv", name, "-k", 2, "--out", "out.csv"],
        "consensus": ["consensus", name, "-k", 2, "--out", "out.csv", "--report", "out.html"],
        "inspect": ["inspect", name],
        "compare": ["compare", name, "truth.csv"],
        "compare-truth": ["compare", "truth.csv", name, "--json"],
        "report": ["report", name, "--labels", "truth.csv", "--out", "out.html"],
        "report-labels": ["report", "e.parquet", "--labels", name, "--out", "out.html"],
    }
    return data, labels


CASES = [
    pytest.param(line, name, content, sentence, id=f"{verb}-{name}")
    for kinds, which in ((BAD, (0, 1)), (NUMBERS, (0,)), (LABELS, (1,)))
    for name, (content, sentence) in kinds.items()
    for place in which
    for verb, line in _lines(name)[place].items()
    # With two columns of numbers the verb asks which one it is before it reads them.
    if not ("compare" in verb or verb == "report-labels")
    or name not in ("ragged.csv", "twice.csv", "header.csv")
]


def _make(name, content):
    file = Path(name)
    if content == "folder":
        file.mkdir()
    elif content == "pickle":
        np.save(file, np.array([{}], dtype=object), allow_pickle=True)
    elif content is not None:
        file.write_bytes(content)


def _refused(said, sentence, before):
    assert said.code == 2
    assert said.out == ""
    last = said.err.splitlines()[-1]
    assert last.startswith("consilience: ")
    assert sentence in last
    assert sorted(file.name for file in Path().iterdir()) == before


@pytest.mark.parametrize(("line", "name", "content", "sentence"), CASES)
def test_bad_files(folder, call, line, name, content, sentence):
    _make(name, content)
    before = sorted(file.name for file in folder.iterdir())
    _refused(call(*line), sentence, before)


@pytest.mark.parametrize("verb", ["compare", "report"])
@pytest.mark.parametrize("name", ["ragged.csv", "twice.csv", "header.csv"])
def test_bad_label_files(folder, call, verb, name):
    content, sentence = BAD[name]
    _make(name, content)
    before = sorted(file.name for file in folder.iterdir())
    lines = {
        "compare": ["compare", name, "truth.csv", "--column", "x"],
        "report": ["report", "e.parquet", "--labels", name, "--column", "x", "--out", "out.html"],
    }
    _refused(call(*lines[verb]), sentence, before)


WRITERS = {
    "demo": ["demo", "--report"],
    "cluster": ["cluster", "data.csv", "--drop", "kind", "--out"],
    "cluster-report": ["cluster", "data.csv", "--drop", "kind", "--report"],
    "combine": ["combine", "a.csv", "b.csv", "-k", 2, "--out"],
    "generate": ["generate", "data.csv", "--drop", "kind", "--out"],
    "consensus": ["consensus", "e.parquet", "-k", 2, "--out"],
    "report": ["report", "e.parquet", "--labels", "truth.csv", "--out"],
}


def _suffix(verb):
    pages = {"demo": ".html", "report": ".html", "cluster-report": ".html"}
    return {"generate": ".parquet", **pages}.get(verb, ".csv")


@pytest.mark.parametrize("verb", WRITERS)
@pytest.mark.parametrize(
    ("target", "sentence"),
    [
        ("there", "exists already; choose another name, or replace it with --force"),
        ("data.csv/out", "does not exist"),
        ("/proc/out", "/proc"),
        ("nowhere/out", "The folder nowhere of out"),
    ],
)
def test_outputs_that_cannot_be(folder, call, verb, target, sentence):
    """Root is above permission bits, so a file in place of a folder and /proc stand for them."""
    suffix = _suffix(verb)
    Path(f"there{suffix}").write_text("kept")
    before = sorted(file.name for file in folder.iterdir())
    _refused(call(*WRITERS[verb], target + suffix), sentence, before)
    assert Path(f"there{suffix}").read_text() == "kept"


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (["cluster", "data.csv", "-k", "0"], "no number of clusters"),
        (["cluster", "data.csv", "-k", "many"], "no number of clusters"),
        (["cluster", "data.csv", "-k", "1:5"], "no number of clusters"),
        (["cluster", "data.csv", "--drop", "kind", "-k", "61"], "more than the number of objects"),
        (
            ["cluster", "data.csv", "--method", "magic"],
            "There is no method 'magic'; there are BALLS, BEST",
        ),
        (["cluster", "data.csv", "--generator", "magic"], "There is no generator 'magic'"),
        (["cluster", "data.csv", "--param", "n_init"], "--param takes NAME=VALUE"),
        (["cluster", "data.csv", "--param", "magic=1"], "Concord has no parameter 'magic'"),
        (["cluster", "data.csv", "--out", "l.docx"], "labels are written to .csv"),
        (["cluster", "data.csv", "--out", "l.h5ad"], "only from an .h5ad file"),
        (["cluster", "data.csv", "--out", "l.csv", "--report", "l.csv"], "both --out and --report"),
        (["cluster", "data.csv", "--out", "data.csv", "--force"], "is what is read"),
        (["cluster", "data.csv", "--id", "a", "--no-id"], "contradict each other"),
        (["cluster", "data.csv", "--jobs", "0"], "--jobs must be"),
        (["cluster"], "Missing argument 'DATA'. See consilience cluster --help."),
        (["cluster", "data.csv", "--loud"], "No such option"),
        (["clutter"], "No such command 'clutter'"),
        (["choose-k", "data.csv", "-k", "1"], "no number of clusters"),
        (
            ["combine", "a.csv", "b.csv"],
            "Concord needs the number of clusters, -k; only BALLS, BEST and HAC find",
        ),
        (["combine", "a.csv", "b.csv", "-k", "0"], "-k"),
        (["combine", "a.csv", "b.csv", "-k", "1000"], "more than the number of objects"),
        (["combine", "a.csv", "plain.csv", "-k", "2"], "a.csv has ids and plain.csv has none"),
        (["combine", "plain.csv", "short.csv", "-k", "2"], "joined row by row"),
        (
            ["consensus", "e.parquet", "-k", "61", "--method", "ipc"],
            "more than the number of objects",
        ),
        (["consensus", "e.parquet", "--drop", "magic", "-k", "2"], "no member 'magic'"),
        (["generate", "data.csv", "--out", "e.csv"], "ensembles are written to .parquet"),
        (["generate", "data.csv", "--out", "f.parquet", "--clusters", "2,3"], "not a list"),
        (["compare", "plain.csv", "short.csv"], "without ids in both they cannot be matched"),
        (["compare", "a.csv", "other.csv"], "have no id in common"),
        (
            ["combine", "a.csv", "other.csv", "-k", "2"],
            "in a.csv and 'q1', 'q2' in other.csv; name the columns that hold the same ids (--id)",
        ),
        (["combine", "a.csv", "b.csv", "./a.csv", "-k", "2"], "a.csv is given more than once"),
        (["combine", "a.csv", "a.csv", "a.csv", "-k", "2"], "a.csv is given more than once"),
        (
            ["compare", "a.csv", "truth.csv", "--column", "magic"],
            "has no column 'magic' (--column)",
        ),
        (["report", "e.parquet", "--labels", "a.csv", "--out", "r.html"], "a.csv lacks"),
        (["methods", "--family", "magic"], "There is no family 'magic'"),
    ],
)
def test_wrong_requests(folder, call, line, sentence):
    Path("plain.csv").write_text("group\n" + "1\n2\n" * 30)
    Path("short.csv").write_text("group\n1\n2\n")
    Path("other.csv").write_text("id,group\nq1,1\nq2,2\n")
    before = sorted(file.name for file in folder.iterdir())
    _refused(call(*line), sentence, before)


@pytest.mark.parametrize("verb", [*WRITERS, "choose-k", "inspect", "compare", "methods"])
def test_interrupted_at_the_last_moment(folder, call, verb, monkeypatch):
    """Ctrl-C while a file is renamed, or an answer given: code 130, and the folder is as it was."""
    lines = {
        **{name: [*line, f"out{_suffix(name)}"] for name, line in WRITERS.items()},
        "choose-k": ["choose-k", "data.csv", "--drop", "kind", "-k", "2:3"],
        "inspect": ["inspect", "e.parquet"],
        "compare": ["compare", "a.csv", "truth.csv"],
        "methods": ["methods"],
    }
    fast = ["--members", 5] if "cluster" in verb else []
    fast += ["-k", 3] if "cluster" in verb else []

    def interrupt(*arguments, **named):
        raise KeyboardInterrupt

    if verb == "demo":
        monkeypatch.setattr("consilience.answer.ConsensusClustering.fit", interrupt)
    monkeypatch.setattr(Path, "replace", interrupt)
    monkeypatch.setattr("consilience.cli._output.Output.answer", interrupt)
    before = sorted(file.name for file in folder.iterdir())
    said = call(*lines[verb], *fast)
    assert said.code == 130
    assert said.err.splitlines()[-1] == "consilience: Stopped; nothing was left half-written."
    assert sorted(file.name for file in folder.iterdir()) == before


def test_disk_errors_are_sentences(folder, call, monkeypatch):
    def fail(*arguments, **named):
        raise OSError(28, "No space left on device", "out.csv")

    monkeypatch.setattr(pq, "write_table", fail)
    said = call("generate", "data.csv", "--drop", "kind", "--members", 2, "--out", "o.parquet")
    assert said.code == 2
    assert said.err.endswith("consilience: out.csv: No space left on device.\n")
    assert not Path("o.parquet").exists()


def test_bugs_keep_their_traceback(folder, call, monkeypatch):
    def fail(*arguments, **named):
        raise ZeroDivisionError

    monkeypatch.setattr("consilience.metrics.ari", fail)
    with pytest.raises(ZeroDivisionError):
        call("compare", "a.csv", "truth.csv")
