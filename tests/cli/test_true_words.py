"""What the command says is true, in its own words, and never a traceback."""

import io
import json
import sys
from pathlib import Path

import numpy as np
import pytest

from consilience import ConsensusClustering, Ensemble
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


def test_labels_of_joined_files_keep_their_ids(folder, call):
    line = ("combine", "a.csv", "b.csv", "-k", 3)
    facts = json.loads(call(*line, "--json").out)
    assert len(facts["ids"]) == len(facts["labels"])
    assert "p0" in facts["ids"]
    for name in ("one.csv", "two.csv"):
        Path(name).write_text("size\n" + "1\n2\n" * 30)
    assert call("combine", "one.csv", "two.csv", "-k", 2, "--out", "rows.npy").code == 0


# --- options --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["kmeans-restarts", "KMeans_Restarts", "KMeansRestarts"])
def test_names_of_generators(folder, call, points, name):
    assert call(*CLUSTER, "--generator", name).code == 0
    line = ("generate", "data.csv", "--drop", "kind", "--method", name, "--members", 2)
    assert call(*line, "--out", "x.parquet").code == 0
    model = ConsensusClustering(3, generator=name, n_members=5, random_state=0).fit(points[0])
    assert ari(model.labels_, points[1]) == 1


@pytest.mark.parametrize("name", ["hbgf", "HBGF", "h_bgf"])
def test_names_of_consensus_functions(folder, call, points, name):
    assert call("combine", "e.parquet", "-k", 3, "--method", name).code == 0
    model = ConsensusClustering(3, consensus=name, n_members=5, random_state=0).fit(points[0])
    assert type(model.consensus_).__name__ == "HBGF"
    panel = Concord(3, functions=[name, "ipc"], random_state=0).fit(
        Ensemble.from_parquet("e.parquet")
    )
    assert {answer.function for answer in panel.table_} == {"HBGF", "IPC"}


# --- words ----------------------------------------------------------------------------------------


def test_one_row_is_singular(folder, call):
    Path("one.csv").write_text("id,x,y\na,1,2\n")
    said = call("cluster", "one.csv", "-k", 1)
    assert said.code == 0
    assert "1 row, 2 columns of numbers" in said.err
    Path("gap.csv").write_text(Path("data.csv").read_text() + "q,,1,1,kind0\n")
    said = call("cluster", "gap.csv", *CLUSTER[2:], "--missing", "drop")
    assert "1 row with missing cells is left out." in said.err


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
        (("combine", "-", "-k", 3), "e.parquet"),
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
    assert "4 members of an earlier run; the first 3 are used" in said.err
    assert json.loads(said.out)["n_members"] == 3
    assert len(list(members.glob("member_*.npz"))) == 4
    said = call(*line(6, "--resume", "--json", "--force"))
    assert "4 members of an earlier run." in said.err
    assert not members.exists()
    whole = json.loads(call(*line(6, "--force", "--json")).out)
    assert json.loads(said.out)["fingerprint"] == whole["fingerprint"]


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
    facts = json.loads(call("combine", "noise.parquet", "-k", 3, "--method", "ipc", "--json").out)
    doubts = {doubt["code"]: doubt for doubt in facts["doubts"]}
    assert set(doubts["no-signal"]) == {"code", "figures", "sentence"}
    assert doubts["no-signal"]["figures"]["shared_pairs"] < 0.1
    assert doubts["no-signal"]["sentence"] in facts["warnings"]
    assert call("combine", "noise.parquet", "-k", 3, "--out", "l.csv").code == 0
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


def test_reports_quote_the_whole_command(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["/bin/consilience", "combine", "my labels.csv", "-k", "3"])
    assert command_line() == "consilience combine 'my labels.csv' -k 3"
