"""What the command says is true, in its own words, and never a traceback."""

import errno
import io
import json
import os
import sys
from pathlib import Path

import numpy as np
import pytest

from consilience import ConsensusClustering, Ensemble
from consilience._utils._words import known_name, plural
from consilience.cli._flag_words import with_flags
from consilience.cli._main import command
from consilience.cli._outcome import command_line
from consilience.consensus import Concord
from consilience.metrics import ari
from consilience.tables import read_labels

CLUSTER = ("cluster", "data.csv", "--drop", "kind", "-k", 3, "--members", 5)


@pytest.fixture
def stdin(monkeypatch):
    def give(content):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))

    return give


# --- verdicts ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "sentence"),
    [
        (("--method", "hac"), "HAC found the number of clusters by its own rule"),
        (("--method", "best"), "BEST found the number of clusters by its own rule"),
        (
            ("--method", "hac", "--param", "distance_threshold=0.5"),
            "follows from the distance below which HAC merges clusters, 0.5, which was given",
        ),
    ],
)
def test_a_number_that_was_found_is_not_called_given(folder, call, method, sentence):
    said = call("combine", "a.csv", "b.csv", "c.csv", *method)
    assert said.code == 0
    assert sentence in said.out
    assert "The number of clusters was given" not in said.out


def test_a_number_that_was_given_is_returned(folder, call):
    Path("same.csv").write_text("x,y\n" + "1,1\n" * 30)
    said = call("cluster", "same.csv", "-k", 3, "--members", 5)
    assert said.out.startswith("3 clusters: evidence of clusters none.")
    assert call("cluster", "same.csv", "-k", 1).out.startswith("One cluster.")


def test_given_labels_are_called_given(folder, call):
    said = call("report", "e.parquet", "--labels", "truth.csv", "--out", "r.html")
    assert (
        "The clusters were given; how they and their number were found is not known here"
        in said.out
    )


def test_one_option_names_the_id_column(folder, call):
    """All files of a verb have their ids in the column that --id names."""
    for name in ("a", "truth"):
        text = Path(f"{name}.csv").read_text().replace("id,", "key,", 1)
        lines = [f"{row},{place}" for place, row in enumerate(text.splitlines())]
        Path(f"k_{name}.csv").write_text("\n".join(lines).replace(",0", ",number", 1) + "\n")
    line = ("--id", "key", "--drop", "number")
    said = call(
        "report", "e.parquet", "--labels", "k_truth.csv", "--column", "class", "--out", "r.html"
    )
    assert said.code == 0
    said = call("compare", "k_a.csv", "k_truth.csv", *line[:2], "--column", "by_a")
    assert "ids from 'key'" in said.err
    assert call("inspect", "k_a.csv", *line).code == 0
    assert call("combine", "k_a.csv", "k_truth.csv", *line, "-k", 3).code == 0
    said = call(
        "report", "k_a.csv", *line, "--labels", "k_a.csv", "--column", "by_a", "--out", "s.html"
    )
    assert said.code == 0
    assert said.err.count("ids from 'key'") == 2


# --- files whose rows could not be told apart ------------------------------------------------------


def test_labels_without_ids_are_refused_where_rows_may_be_missing(folder, call):
    said = call(*CLUSTER, "--missing", "drop", "--out", "l.npy")
    assert said.code == 2
    assert "l.npy: --missing drop may leave rows out, and .npy has no place for ids" in said.err
    assert "choose .csv, .tsv, .parquet or .npz." in said.err
    assert not Path("l.npy").exists()
    assert call(*CLUSTER, "--out", "l.npy").code == 0


def test_labels_of_joined_files_keep_their_ids(folder, call):
    line = ("combine", "a.csv", "b.csv", "-k", 3)
    said = call(*line, "--out", "l.npy")
    assert said.code == 2
    assert "files that are joined by id have no common order" in said.err
    facts = json.loads(call(*line, "--json").out)
    assert len(facts["ids"]) == len(facts["labels"])
    assert "p0" in facts["ids"]
    for name in ("one.csv", "two.csv"):
        Path(name).write_text("size\n" + "1\n2\n" * 30)
    assert call("combine", "one.csv", "two.csv", "-k", 2, "--out", "rows.npy").code == 0


def test_a_file_is_combined_once(folder, call):
    Path("again.csv").symlink_to("a.csv")
    said = call("combine", "a.csv", "again.csv", "-k", 2)
    assert said.code == 2
    assert "is given more than once" in said.err


# --- options --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ((*CLUSTER, "--report", "x.pdf"), "x.pdf: reports are written as HTML; choose a name that"),
        (("demo", "--report", "x.pdf"), "x.pdf: reports are written as HTML"),
        (
            ("report", "e.parquet", "--labels", "truth.csv", "--out", "x.docx"),
            "x.docx: reports are written as HTML",
        ),
        ((*CLUSTER, "--param", "n_clusters=5"), "'n_clusters' has an option of its own; use -k"),
        ((*CLUSTER, "--param", "random_state=5"), "use --seed instead of --param"),
        (
            ("combine", "a.csv", "-k", 3, "--param", "n_clusters=5"),
            "'n_clusters' has an option of its own; use -k instead of --param.",
        ),
        (
            ("combine", "a.csv", "-k", 3, "--param", "criterion=anmi", "--param", "criterion=anmi"),
            "--param criterion is given twice",
        ),
        ((*CLUSTER, "--generator", "lac-sweep"), "so --members cannot be used with it"),
        (
            ("generate", "data.csv", "--method", "LAC_Sweep", "--members", 5, "--out", "x.parquet"),
            "LACSweep makes a member for every strength of its weights",
        ),
        ((*CLUSTER, "--method", ""), "There is no method ''"),
        ((*CLUSTER, "--rep", "X_pca"), "data.csv: --rep names a part of an .h5ad file"),
        ((*CLUSTER, "--label-column", "kind"), "--label-column kind and --drop kind contradict"),
        ((*CLUSTER, "--id", "kind"), "--id kind and --drop kind contradict each other"),
        ((*CLUSTER, "--out", ""), "'' is not the name of a file"),
        (("cluster", "a\0b.csv"), "'a\\x00b.csv' is not the name of a file"),
        ((*CLUSTER, "--out", "n" * 300 + ".csv"), ".csv: File name too long."),
        ((*CLUSTER, "--jobs", 99999), "--jobs must be an integer from 1 to 4,096"),
        (
            ("cluster", "data.csv", "--drop", "kind", "-k", "2:99999999"),
            "half the number of objects",
        ),
        (("choose-k", "e.parquet", "--labels", "--scaling", "max"), "--scaling has no meaning"),
        (("compare", "e.parquet", "truth.csv"), "; name one with --column."),
        (("compare", "truth.csv", "e.parquet"), "; name one with --truth-column."),
        (("inspect", "a.csv", "b.csv"), "unexpected extra argument (b.csv). See consilience insp"),
        (
            ("generate", "data.csv", "--drop", "kind", "-k", 61, "--out", "x.parquet"),
            "KMeansRestarts: -k 61 is more than the data can give; it may be at most 60 objects.",
        ),
        (("consensus", "e.parquet", "--method", "labelling", "-k", 3), "by consilience generate."),
    ],
)
def test_refused_in_one_sentence(folder, call, line, sentence):
    before = sorted(file.name for file in folder.iterdir())
    said = call(*line)
    assert (said.code, said.out) == (2, "")
    assert sentence in said.err.splitlines()[-1]
    assert said.err.splitlines()[-1].startswith("consilience: ")
    assert "n_clusters=" not in said.err
    assert sorted(file.name for file in folder.iterdir()) == before


def test_bare_command_lists_the_verbs(call):
    said = call()
    assert (said.code, said.err) == (0, "")
    for name, verb in command.commands.items():
        line = next(line for line in said.out.splitlines() if line.split()[:1] == [name])
        assert line.endswith(verb.short_help)


@pytest.mark.parametrize("name", ["kmeans-restarts", "KMeans_Restarts", "KMeansRestarts"])
def test_names_of_generators(folder, call, points, name):
    assert call(*CLUSTER, "--generator", name).code == 0
    line = ("generate", "data.csv", "--drop", "kind", "--method", name, "--members", 2)
    assert call(*line, "--out", "x.parquet").code == 0
    model = ConsensusClustering(3, generator=name, n_members=5, random_state=0).fit(points[0])
    assert ari(model.labels_, points[1]) == 1


@pytest.mark.parametrize("name", ["hbgf", "HBGF", "h_bgf"])
def test_names_of_consensus_functions(folder, call, points, name):
    assert call("consensus", "e.parquet", "-k", 3, "--method", name).code == 0
    model = ConsensusClustering(3, consensus=name, n_members=5, random_state=0).fit(points[0])
    assert type(model.consensus_).__name__ == "HBGF"
    panel = Concord(3, functions=[name, "ipc"], random_state=0).fit(
        Ensemble.from_parquet("e.parquet")
    )
    assert {answer.function for answer in panel.table_} == {"HBGF", "IPC"}


def test_names_of_families(call):
    assert "HBGF" in call("methods", "--family", "Graph").out


# --- words ----------------------------------------------------------------------------------------


def test_numbers_of_things():
    assert [plural(n, "object") for n in (0, 1, 2, 1000)] == [
        "0 objects",
        "1 object",
        "2 objects",
        "1,000 objects",
    ]
    assert repr(Ensemble([[0]])) == "Ensemble(1 object, 1 member, 1 base cluster)"
    assert known_name("LAC sweep", ["lac-sweep"]) == "lac-sweep"


def test_one_row_is_singular(folder, call):
    Path("one.csv").write_text("id,x,y\na,1,2\n")
    said = call("cluster", "one.csv", "-k", 1)
    assert said.code == 0
    assert "1 row, 2 columns of numbers" in said.err
    Path("gap.csv").write_text(Path("data.csv").read_text() + "q,,1,1,kind0\n")
    said = call("cluster", "gap.csv", *CLUSTER[2:], "--missing", "drop")
    assert "1 row with missing cells is left out." in said.err


@pytest.mark.parametrize(
    ("library", "said"),
    [
        ("Try n_clusters=(2, 20).", "Try -k 2:20."),
        (
            "ConsensusClustering: n_clusters=9 is more than the number of objects; got n_samples = 5.",
            "-k 9 is more than the number of objects, 5.",
        ),
        ("IPC: n_clusters must be an integer.", "IPC: -k must be an integer."),
        ("x.csv exists; choose another name or pass overwrite=True.", None),
        ("IPC stopped after max_iter=9 rounds; raise max_iter.", None),
        ("There is no column 'n_clusters'.", "There is no column 'n_clusters'."),
        ("my/n_clusters.csv is empty.", "my/n_clusters.csv is empty."),
        ("its columns are a, n_clusters.", "its columns are a, n_clusters."),
    ],
)
def test_options_instead_of_parameters(library, said):
    expected = said
    if "overwrite" in library:
        expected = "x.csv exists; choose another name or replace it with --force."
    elif "max_iter" in library:
        expected = "IPC stopped after max_iter=9 rounds; raise it with --param max_iter=N."
    assert with_flags(library) == expected


def test_warnings_speak_of_options(folder, call):
    """Nine well separated clusters and candidates up to three: the hint is about -k."""
    rng = np.random.default_rng(0)
    centres = np.array([[x, y] for x in (0, 20, 40) for y in (0, 20, 40)])
    X = np.repeat(centres, 15, axis=0) + rng.normal(size=(135, 2))
    Path("nine.csv").write_text("x,y\n" + "\n".join(f"{x:.3f},{y:.3f}" for x, y in X) + "\n")
    said = call("cluster", "nine.csv", "-k", "2:5", "--members", 5, "--json")
    warnings = json.loads(said.out)["warnings"]
    assert any("Try -k 2:" in sentence for sentence in warnings)
    assert not any("n_clusters" in sentence for sentence in warnings)


# --- standard input -------------------------------------------------------------------------------


def test_standard_input_is_a_table(folder, call, stdin, points):
    text = Path("data.csv").read_text().replace(",", ";").encode()
    stdin(text)
    said = call("cluster", "-", "--label-column", "kind", "-k", 3, "--members", 5, "--out", "l.csv")
    assert said.code == 0
    assert said.err.startswith("standard input: semicolon-separated text with a header, 60 rows")
    assert ari(read_labels("l.csv").labels, points[1]) == 1


@pytest.mark.parametrize(
    ("line", "file"),
    [
        (("consensus", "-", "-k", 3), "e.parquet"),
        (("inspect", "-"), "e.parquet"),
        (("choose-k", "-", "--labels"), "e.parquet"),
        (("combine", "a.csv", "-", "-k", 3), "b.csv"),
        (("compare", "a.csv", "-"), "truth.csv"),
        (("compare", "-", "truth.csv"), "a.csv"),
        (("report", "e.parquet", "--labels", "-", "--out", "r.html"), "truth.csv"),
        (("generate", "-", "--drop", "kind", "--members", 2, "--out", "x.parquet"), "data.csv"),
        ((*CLUSTER, "--must-link", "-"), None),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else None,
)
def test_every_verb_reads_standard_input(folder, call, stdin, line, file):
    stdin(b"p0,p1\n" if file is None else Path(file).read_bytes())
    said = call(*line)
    assert said.code == 0
    assert "consilience-" not in said.out + said.err


def test_bad_standard_input(folder, call, stdin):
    stdin(b"")
    said = call("cluster", "-")
    assert (
        said.err
        == "consilience: standard input is empty; a table with at least one row is needed.\n"
    )
    stdin(b"id,x\na,1\nb\n")
    assert "consilience: standard input, line 3 has 1 cell;" in call("cluster", "-").err
    stdin(b"")
    said = call("compare", "-", "-")
    assert said.code == 2
    assert "- is standard input, which can be read only once" in said.err


# --- disks ----------------------------------------------------------------------------------------


class _FullDisk:
    """Writes that fail as they do on a full disk: without the name of the file."""

    def __init__(self, monkeypatch):
        def fail(*arguments, **named):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        monkeypatch.setattr(Path, "write_bytes", fail)
        monkeypatch.setattr(Path, "write_text", fail)


@pytest.mark.parametrize(
    ("line", "file"),
    [
        ((*CLUSTER, "--out", "l.csv"), "l.csv"),
        ((*CLUSTER, "--report", "r.html"), "r.html"),
        (("report", "e.parquet", "--labels", "truth.csv", "--out", "r.html"), "r.html"),
        (
            ("generate", "data.csv", "--drop", "kind", "--out", "x.parquet", "--resume"),
            "x.parquet.members/manifest.json",
        ),
    ],
    ids=["labels", "cluster-report", "report", "resume"],
)
def test_a_full_disk_is_named(folder, call, monkeypatch, line, file):
    before = sorted(path for path in folder.rglob("*") if path.is_file())
    with monkeypatch.context() as patched:
        _FullDisk(patched)
        said = call(*line)
    assert said.code == 2
    assert said.err.splitlines()[-1] == f"consilience: {file}: No space left on device."
    assert sorted(path for path in folder.rglob("*") if path.is_file()) == before


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
def test_a_full_standard_output_is_named(process, folder):
    import subprocess

    line = [sys.executable, "-m", "consilience.cli", "compare", "a.csv", "truth.csv"]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(line, stdout=full, stderr=subprocess.PIPE, text=True, check=False)  # noqa: S603
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == (
        "consilience: standard output: No space left on device."
    )


# --- going on -------------------------------------------------------------------------------------


def test_resume_with_other_numbers_of_members(folder, call, monkeypatch):
    def line(n_members, *more):
        start = ("generate", "data.csv", "--drop", "kind", "--members", n_members)
        return (*start, "--out", "e6.parquet", *more)

    def interrupt(*arguments, **named):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Ensemble, "to_parquet", interrupt)
        assert call(*line(4, "--resume")).code == 130
    members = Path("e6.parquet.members")
    assert len(list(members.glob("member_*.npz"))) == 4
    said = call(*line(3, "--resume", "--json"))
    assert "4 members are there already; the first 3 are used, and the folder is kept" in said.err
    assert json.loads(said.out)["n_members"] == 3
    assert len(list(members.glob("member_*.npz"))) == 4
    said = call(*line(6, "--resume", "--json", "--force"))
    assert "4 members are there already." in said.err
    assert not members.exists()
    whole = json.loads(call(*line(6, "--force", "--json")).out)
    assert json.loads(said.out)["fingerprint"] == whole["fingerprint"]


def test_a_second_process_on_one_checkpoint(folder, call):
    from consilience.generate._folder_lock import only_process

    place = Path("x.parquet.members")
    place.mkdir()
    with only_process(place):
        said = call("generate", "data.csv", "--drop", "kind", "--out", "x.parquet", "--resume")
    assert said.code == 2
    assert f"x.parquet.members is in use by process {os.getpid()}" in said.err
    assert said.err.count("consilience: ") == 1


def test_quiet_draws_no_bars(folder, call, monkeypatch):
    monkeypatch.setattr("consilience._utils._progress._on_terminal", lambda: True)
    assert "Reading" in call("inspect", "e.parquet").err
    for line in (
        ("inspect", "e.parquet"),
        ("compare", "a.csv", "truth.csv"),
        ("consensus", "e.parquet", "-k", 3),
        ("choose-k", "e.parquet", "--labels"),
        ("report", "e.parquet", "--labels", "truth.csv", "--out", "r.html"),
        (*CLUSTER, "--report", "c.html"),
    ):
        assert call(*line, "--quiet").err == ""


def test_objects_that_no_member_knows_have_no_confidence(folder, call):
    rows = "\n".join(f"o{i},{i % 2},{i % 2},{i % 2}" for i in range(2, 30))
    Path("some.csv").write_text(f"id,a,b,c\no0,,,\no1,,,\n{rows}\n")
    said = call("combine", "some.csv", "-k", 2, "--method", "ipc", "--out", "l.csv", "--json")
    facts = json.loads(said.out)
    assert facts["mean_confidence"] == 1
    lines = Path("l.csv").read_text().splitlines()
    assert lines[1].split(",")[0] == "o0"
    assert lines[1].split(",")[2] in ("", "nan", "NaN")


def test_doubts_are_data(folder, call):
    rng = np.random.default_rng(0)
    Ensemble(rng.integers(0, 3, (60, 6))).to_parquet("noise.parquet")
    facts = json.loads(call("consensus", "noise.parquet", "-k", 3, "--method", "ipc", "--json").out)
    doubts = {doubt["code"]: doubt for doubt in facts["doubts"]}
    assert set(doubts["no-signal"]) == {"code", "figures", "sentence"}
    assert doubts["no-signal"]["figures"]["shared_pairs"] < 0.1
    assert doubts["no-signal"]["sentence"] in facts["warnings"]
    assert call("consensus", "noise.parquet", "-k", 3, "--out", "l.csv").code == 0
    said = call("report", "noise.parquet", "--labels", "l.csv", "--out", "r.html", "--json")
    assert "no-signal" in [doubt["code"] for doubt in json.loads(said.out)["doubts"]]
    corners = np.repeat(9 * np.eye(5), 40, axis=0) + rng.standard_normal((200, 5))
    np.savetxt("corners.csv", corners, delimiter=",", header="a,b,c,d,e", comments="")
    facts = json.loads(call("choose-k", "corners.csv", "-k", "2:3", "--json").out)
    doubts = {doubt["code"]: doubt for doubt in facts["doubts"]}
    edge = doubts["k-at-the-edge"]
    assert edge["figures"]["n_clusters"] == 3
    assert edge["sentence"].endswith("Try -k 2:6.")


def test_report_says_how_files_were_matched(folder, call):
    members = Ensemble.from_parquet("e.parquet")
    Ensemble(members.labels).to_parquet("plain.parquet")
    said = call("report", "plain.parquet", "--labels", "truth.csv", "--out", "r.html", "--json")
    note = "Matched row by row, since not both files have ids."
    assert note in said.err
    assert note in json.loads(said.out)["notes"]


def test_doubts_of_labels_that_are_read_in_pieces(folder, call):
    labels = np.random.default_rng(0).integers(0, 3, (60, 6))
    (folder / "parts").mkdir()
    Ensemble(labels).to_parquet("parts/0.parquet")
    line = ("consensus", "parts", "-k", 3, "--method", "ipc")
    assert call(*line).out.splitlines()[1].startswith("The doubt: the members agree no better")
    facts = json.loads(call(*line, "--json").out)
    assert [doubt["code"] for doubt in facts["doubts"]] == ["no-signal"]


def test_reports_quote_the_whole_command(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["/bin/consilience", "consensus", "my labels.csv", "-k", "3"])
    assert command_line() == "consilience consensus 'my labels.csv' -k 3"
