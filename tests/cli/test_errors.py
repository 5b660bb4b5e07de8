"""Bad input to every verb: exit code 2, one sentence, nothing written.

The command runs in this process; test_processes.py has bad input to processes of their own.
"""

from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

CLUSTER = ("cluster", "data.csv", "--drop", "kind", "-k", 3, "--members", 5)
COMBINE = ("combine", "a.csv", "b.csv")
REPORT = ("report", "e.parquet", "--labels", "truth.csv")

# Every verb that reads a file, and which of its inputs does not exist.
READERS = [
    ("cluster", "none.csv", "--out", "out.csv", "--report", "out.html"),
    ("choose-k", "none.csv"),
    ("choose-k", "none.csv", "--labels"),
    ("generate", "none.csv", "--out", "out.parquet"),
    ("combine", "none.csv", "-k", 2, "--out", "out.csv", "--report", "out.html"),
    ("combine", "a.csv", "none.csv", "-k", 2),
    ("combine", "a.csv", "-k", 2, "--must-link", "none.csv"),
    ("inspect", "none.csv"),
    ("compare", "none.csv", "truth.csv"),
    ("compare", "truth.csv", "none.csv", "--json"),
    ("report", "none.csv", "--labels", "truth.csv", "--out", "out.html"),
    ("report", "e.parquet", "--labels", "none.csv", "--out", "out.html"),
    (*REPORT, "--data", "none.csv", "--out", "out.html"),
]
# Files that no verb can read, those of numbers, and those of labels; None = a folder.
FILES = [
    ("folder.csv", None, "folder.csv is a folder"),
    ("empty.csv", b"", "empty.csv is empty"),
    ("header.csv", b"id,x,y\n", "header.csv holds a header line and nothing else"),
    ("ragged.csv", b"id,x,y\na,1,2\nb,3\n", "ragged.csv, line 3 has 2 cells"),
    ("twice.csv", b"id,x,y\na,1,2\na,3,4\n", "data row 2, column 'id': the id 'a' is also"),
    ("broken.parquet", b"PAR1 is not enough", "broken.parquet cannot be read as Parquet"),
]
NUMBERS = [
    ("word.csv", b"id,x,y\na,1,2\nb,3,oops\nc,3,4\n", "data row 2, column 'y': 'oops' is not"),
    ("nan.csv", b"id,x,y\na,1,2\nb,NaN,4\nc,5,6\n", "data row 2, column 'x': the value is miss"),
]
LABELS = [("real.csv", b"id,x\na,1\nb,2.5\n", "data row 2, column 'x': 2.5 is a measurement")]


def _names():
    return sorted(file.name for file in Path().iterdir())


def _refused(said, sentence, before):
    assert (said.code, said.out) == (2, "")
    last = said.err.splitlines()[-1]
    assert last.startswith("consilience: ")
    assert sentence in last
    assert _names() == before


@pytest.mark.parametrize("line", READERS)
def test_missing_files(folder, call, line):
    _refused(call(*line), "There is no file none.csv", _names())


@pytest.mark.parametrize(
    ("lines", "file"),
    [
        *[((("cluster",), ("combine", "-k", 2)), file) for file in FILES],
        *[((("cluster",), ("choose-k",)), file) for file in NUMBERS],
        *[((("combine", "-k", 2), ("inspect",)), file) for file in LABELS],
    ],
    ids=lambda value: value[0] if isinstance(value[0], str) else None,
)
def test_bad_files(folder, call, lines, file):
    name, content, sentence = file
    Path(name).mkdir() if content is None else Path(name).write_bytes(content)
    before = _names()
    for verb, *rest in lines:
        _refused(call(verb, name, *rest), sentence, before)


def test_pickled_objects_are_not_read(folder, call):
    np.save("pickle.npy", np.array([{}], dtype=object), allow_pickle=True)
    _refused(call("cluster", "pickle.npy"), "it holds Python objects", _names())


WRITERS = {
    "demo": (("demo", "--report"), ".html"),
    "cluster": ((*CLUSTER, "--out"), ".csv"),
    "cluster-report": ((*CLUSTER, "--report"), ".html"),
    "combine": ((*COMBINE, "-k", 2, "--out"), ".csv"),
    "generate": (("generate", "data.csv", "--drop", "kind", "--out"), ".parquet"),
    "report": ((*REPORT, "--out"), ".html"),
}


@pytest.mark.parametrize("verb", WRITERS)
@pytest.mark.parametrize(
    ("target", "sentence"),
    [
        ("there", "exists already; choose another name, or replace it with --force"),
        ("data.csv/out", "does not exist"),
        ("/proc/out", "/proc"),
    ],
)
def test_outputs_that_cannot_be(folder, call, verb, target, sentence):
    """Root is above permission bits, so a file in place of a folder and /proc stand for them."""
    line, suffix = WRITERS[verb]
    Path(f"there{suffix}").write_text("kept")
    _refused(call(*line, target + suffix), sentence, _names())
    assert Path(f"there{suffix}").read_text() == "kept"


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        # what cannot be typed
        (("cluster",), "Missing argument 'DATA'. See consilience cluster --help."),
        ((*CLUSTER, "--loud"), "No such option"),
        (("clutter",), "No such command 'clutter'"),
        (("inspect", "a.csv", "b.csv"), "unexpected extra argument (b.csv)"),
        *[(("cluster", "data.csv", "-k", k), "no number of clusters") for k in ("0", "2 3", "1:5")],
        (("choose-k", "data.csv", "-k", "1"), "no number of clusters"),
        (("generate", "data.csv", "--out", "f.parquet", "-k", "2,3"), "no number of clusters"),
        ((*CLUSTER, "--out", ""), "'' is not the name of a file"),
        (("cluster", "a\0b.csv"), "'a\\x00b.csv' is not the name of a file"),
        ((*CLUSTER, "--jobs", "0"), "--jobs must be"),
        ((*CLUSTER, "--jobs", 99999), "--jobs must be None or an integer from 1 to 4,096"),
        ((*CLUSTER, "--id", "a", "--no-id"), "contradict each other"),
        ((*CLUSTER, "--label-column", "kind"), "name the column kind; name it once"),
        ((*CLUSTER, "--rep", "X_pca"), "data.csv: --rep names a part of an .h5ad file"),
        # methods and their parameters
        ((*CLUSTER, "--method", "magic"), "There is no method 'magic'; there are BALLS, BEST"),
        ((*CLUSTER, "--method", ""), "There is no method ''"),
        ((*CLUSTER, "--generator", "magic"), "There is no generator 'magic'"),
        (("methods", "--family", "magic"), "There is no family 'magic'"),
        ((*CLUSTER, "--param", "n_init"), "--param takes NAME=VALUE"),
        ((*CLUSTER, "--param", "magic=1"), "Concord has no parameter 'magic' (--param)"),
        ((*CLUSTER, "--param", "n_clusters=5"), "'n_clusters' has an option of its own; use -k"),
        ((*COMBINE, "-k", 3, "--param", "random_state=5"), "use --seed instead of --param"),
        ((*COMBINE, "-k", 3, "--param", "a=1", "--param", "a=1"), "has no parameter 'a'"),
        (
            (*COMBINE, "-k", 3, "--param", "criterion=anmi", "--param", "criterion=anmi"),
            "--param criterion is given twice",
        ),
        ((*COMBINE, "-k", 3, "--method", "ipc", "--param", "n_init=a"), "IPC: n_init must be"),
        ((*CLUSTER, "--generator", "lac-sweep"), "so --members cannot be used with it"),
        (("combine", "e.parquet", "--method", "labelling", "-k", 3), "needs the centres"),
        # numbers of clusters
        (("cluster", "data.csv", "--drop", "kind", "-k", 61), "more than the number of objects"),
        (("cluster", "data.csv", "--drop", "kind", "-k", "2:99"), "half the number of objects"),
        (COMBINE, "Concord needs the number of clusters, -k; only BALLS, BEST and HAC find"),
        ((*COMBINE, "-k", "0"), "-k"),
        ((*COMBINE, "-k", "1000"), "Concord: -k 1000 is more than the number of objects"),
        (
            ("generate", "data.csv", "--drop", "kind", "-k", 61, "--out", "x.parquet"),
            "KMeansRestarts: -k 61 is more than the data can give",
        ),
        # outputs
        ((*CLUSTER, "--out", "l.docx"), "labels are written to .csv"),
        ((*CLUSTER, "--out", "l.h5ad"), "only from an .h5ad file"),
        ((*CLUSTER, "--out", "n" * 300 + ".csv"), ".csv: File name too long."),
        ((*CLUSTER, "--out", "l.csv", "--report", "l.csv"), "both --out and --report"),
        ((*CLUSTER, "--out", "data.csv", "--force"), "is what is read"),
        ((*CLUSTER, "--report", "x.pdf"), "x.pdf: reports are written as HTML"),
        ((*REPORT, "--out", "x.docx"), "x.docx: reports are written as HTML"),
        (("generate", "data.csv", "--out", "e.csv"), "ensembles are written to .parquet"),
        ((*CLUSTER, "--missing", "drop", "--out", "l.npy"), ".npy has no place for ids"),
        ((*COMBINE, "-k", 3, "--out", "l.npy"), "joined by id have no common order"),
        # files that do not belong together
        (("combine", "a.csv", "plain.csv", "-k", 2), "a.csv has ids and plain.csv has none"),
        (("combine", "plain.csv", "short.csv", "-k", 2), "joined row by row"),
        (("combine", "a.csv", "other.csv", "-k", 2), "hold the same ids (--id)"),
        (("combine", "a.csv", "b.csv", "./a.csv", "-k", 2), "a.csv is given more than once"),
        (("combine", "a.csv", "again.csv", "-k", 2), "is given more than once"),
        (("combine", "e.parquet", "--drop", "magic", "-k", 2), "no member 'magic'"),
        (("compare", "plain.csv", "short.csv"), "without ids in both they cannot be matched"),
        (("compare", "a.csv", "other.csv"), "have no id in common"),
        (("compare", "a.csv", "truth.csv", "--column", "magic"), "no column 'magic' (--column)"),
        (("compare", "e.parquet", "truth.csv"), "; name one with --column."),
        (("compare", "truth.csv", "e.parquet"), "; name one with --truth-column."),
        (("report", "e.parquet", "--labels", "a.csv", "--out", "r.html"), "a.csv lacks"),
        # options that do not belong together
        (("choose-k", "e.parquet", "--labels", "--scaling", "max"), "has no meaning with --labels"),
        (("choose-k", "data.csv", "--labels", "--transpose"), "--transpose cannot be used with"),
        ((*CLUSTER, "--transpose", "--sample", 20), "--transpose cannot be used with --sample"),
        ((*CLUSTER, "--transpose", "--dask", "local"), "--transpose cannot be used with --dask"),
        (
            ("cluster", "data.csv", "--transpose", "--label-column", "x"),
            "every column is an object",
        ),
        ((*REPORT, "--transpose", "--out", "o.html"), "give --data or leave it out"),
        ((*COMBINE, "-k", 2, "--dask", "local"), "--dask reads one file"),
    ],
)
def test_wrong_requests(folder, call, line, sentence):
    Path("plain.csv").write_text("group\n" + "1\n2\n" * 30)
    Path("short.csv").write_text("group\n1\n2\n")
    Path("other.csv").write_text("id,group\nq1,1\nq2,2\n")
    Path("again.csv").symlink_to("a.csv")
    _refused(call(*line), sentence, _names())


@pytest.mark.parametrize("verb", [*WRITERS, "choose-k", "inspect", "compare", "methods"])
def test_interrupted_at_the_last_moment(folder, call, verb, monkeypatch):
    """Ctrl-C while a file is renamed, or an answer given: code 130, and the folder is as it was."""
    lines = {
        **{name: (*line, f"out{suffix}") for name, (line, suffix) in WRITERS.items()},
        "choose-k": ("choose-k", "data.csv", "--drop", "kind", "-k", "2:3"),
        "inspect": ("inspect", "e.parquet"),
        "compare": ("compare", "a.csv", "truth.csv"),
        "methods": ("methods",),
    }

    def interrupt(*arguments, **named):
        raise KeyboardInterrupt

    if verb == "demo":
        monkeypatch.setattr("consilience.answer.ConsensusClustering.fit", interrupt)
    monkeypatch.setattr(Path, "replace", interrupt)
    monkeypatch.setattr("consilience.cli._output.Output.answer", interrupt)
    before = _names()
    said = call(*lines[verb])
    assert said.code == 130
    assert said.err.splitlines()[-1] == "consilience: Stopped; nothing was left half-written."
    assert _names() == before


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
