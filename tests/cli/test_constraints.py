"""Constraints from files: by id and by row number, wrong ones, and what is said about them."""

import json
from pathlib import Path

import pytest

from consilience import Ensemble
from consilience.tables import read_labels

CLUSTER = ("cluster", "data.csv", "--drop", "kind", "-k", 3, "--members", 5)
COMBINE = ("combine", "a.csv", "b.csv", "c.csv", "-k", 3)
SAVED = ("combine", "e.parquet", "-k", 3)


def _clusters(path):
    found = read_labels(path)
    return dict(zip(found.ids.tolist(), found.labels.tolist(), strict=True))


@pytest.mark.parametrize("line", [CLUSTER, COMBINE, SAVED], ids=["cluster", "files", "saved"])
def test_enforced_constraints_hold(folder, call, line):
    """p0, p25 and p50 are of three classes."""
    Path("must.csv").write_text("one,other\np0,p25\n")
    Path("cannot.tsv").write_text("p0\tp50\n")
    files = ("--must-link", "must.csv", "--cannot-link", "cannot.tsv")
    said = call(*line, *files, "--param", "enforce=true", "--out", "l.csv")
    assert said.code == 0
    clusters = _clusters("l.csv")
    assert clusters["p0"] == clusters["p25"] != clusters["p50"]
    assert "Constraints: 1 of 1 must-links and 2 of 2 cannot-links hold." in said.out
    assert "must.csv: the first line (one, other) names no object, so it counts as a" in said.err


def test_broken_constraints_are_said(folder, call):
    Path("must.csv").write_text("p0,p25\np1,p26\n")
    facts = json.loads(call(*CLUSTER, "--must-link", "must.csv", "--json").out)["constraints"]
    assert facts["all_hold"] is False
    assert (facts["must_link"], facts["must_link_satisfied"]) == (2, 0)
    assert "0 of 2 must-links" in facts["sentence"]
    assert facts["sentence"].endswith("hold; --param enforce=true makes all hold.")


def test_known_classes(folder, call):
    Path("known.csv").write_text("id,class\np0,red\np1,\np2,NA\np25,blue\np26,blue\n")
    said = call(*CLUSTER, "--partial-labels", "known.csv", "--json", "--out", "l.csv")
    facts = json.loads(said.out)["constraints"]
    assert (facts["must_link"], facts["cannot_link"], facts["all_hold"]) == (1, 2, True)


def test_rows_are_numbered_from_one(folder, call):
    """Row 1 is p0 and row 21 is the first of another class."""
    text = Path("data.csv").read_text().splitlines()
    Path("plain.csv").write_text("\n".join(",".join(row.split(",")[1:4]) for row in text) + "\n")
    Path("must.csv").write_text("1,21\n")
    line = ("cluster", "plain.csv", "-k", 3, "--members", 5, "--must-link", "must.csv")
    assert call(*line, "--param", "enforce=true", "--out", "l.csv").code == 0
    clusters = _clusters("l.csv")
    assert clusters["1"] == clusters["21"] != clusters["22"]
    Path("must.csv").write_text("1,61\n")
    said = call(*line)
    assert said.code == 2
    assert "line 1: there is no object '61'" in said.err
    assert "rows are numbered from 1 to 60" in said.err


def test_objects_of_an_ensemble_without_ids_are_numbered_from_one(folder, call):
    Ensemble([[0, 0, 1, 1]] * 3).to_parquet("plain.parquet")
    Path("must.csv").write_text("1,4\n")
    line = ("combine", "plain.parquet", "-k", 2, "--must-link", "must.csv")
    assert call(*line, "--param", "enforce=true", "--out", "l.csv").code == 0
    clusters = _clusters("l.csv")
    assert clusters["1"] == clusters["4"]
    for pair, number in (("1,5", 5), ("0,1", 0)):
        Path("must.csv").write_text(f"{pair}\n")
        said = call(*line)
        assert said.code == 2
        assert f"line 1: there is no object '{number}'" in said.err
        assert "rows are numbered from 1 to 4" in said.err


@pytest.mark.parametrize(
    ("option", "content", "sentence"),
    [
        ("must-link", "p0,p1\np2,nobody\n", "pairs.csv, line 2: there is no object 'nobody' among"),
        ("must-link", "p0\n", "pairs.csv has 1 column; two are needed, the objects of a pair."),
        ("must-link", "p0,p1,p2\n", "pairs.csv has 3 columns; two are needed"),
        ("must-link", "p0,p0\n", "line 1: 'p0' is paired with itself"),
        ("cannot-link", "p0,\n", "line 1: a cell is empty; a pair needs two objects."),
        ("cannot-link", "one,other\n", "its only line (one, other) names no object"),
        ("cannot-link", "", "pairs.csv is empty"),
        ("partial-labels", "p0,a\np0,b\n", "line 2: 'p0' has the class 'b', and 'a' in an earlier"),
        ("partial-labels", "nobody,a\np0,a\n", "line 1: there is no object 'nobody'"),
        ("partial-labels", "p0,a\n,b\n", "line 2: the object is missing"),
    ],
)
def test_wrong_files(folder, call, option, content, sentence):
    Path("pairs.csv").write_text(content)
    for line in (CLUSTER, SAVED):
        said = call(*line, f"--{option}", "pairs.csv")
        assert (said.code, said.out) == (2, "")
        assert sentence in said.err.splitlines()[-1]


def test_contradictions_are_named_by_id(folder, call):
    Path("must.csv").write_text("p0,p1\np1,p2\n")
    Path("cannot.csv").write_text("p0,p2\n")
    files = ("--must-link", "must.csv", "--cannot-link", "cannot.csv")
    said = call(*CLUSTER, *files)
    assert said.code == 2
    assert "'p0' and 'p2' must be apart, but must-links join them: 'p0' = 'p1' = 'p2'" in said.err
    assert "--param conflicts=" in said.err
    said = call(*CLUSTER, *files, "--param", "conflicts=drop_cannot_link")
    assert said.code == 0
    assert "; 1 contradict must-links and were left out." in said.out


def test_too_few_clusters_are_named_by_id(folder, call):
    Path("cannot.csv").write_text("p0,p25\np0,p50\np25,p50\n")
    said = call("combine", "e.parquet", "-k", 2, "--cannot-link", "cannot.csv")
    assert said.code == 2
    assert "must all be apart from each other, but -k is 2" in said.err
    assert "the objects 'p0', 'p25', 'p50'" in said.err


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (("--method", "hbgf"), "HBGF cannot use constraints; these can (--method): GCA, GWCA."),
        (("--sample", 20), "cannot be used with --sample"),
        (("--dask", "local"), "cannot be used with --dask"),
    ],
)
def test_where_constraints_cannot_be_used(folder, call, more, sentence):
    Path("must.csv").write_text("p0,p1\n")
    said = call(*CLUSTER, "--must-link", "must.csv", *more)
    assert (said.code, said.out) == (2, "")
    assert sentence in said.err


@pytest.mark.parametrize("line", [CLUSTER, COMBINE, SAVED], ids=["cluster", "files", "saved"])
def test_broken_constraints_are_a_doubt_that_names_objects(folder, call, line):
    Path("must.csv").write_text("p0,p25\n")
    said = call(*line, "--must-link", "must.csv")
    assert "1 of 1 must-link does not hold" in said.out.splitlines()[1]
    assert not said.out.splitlines()[0].endswith("agree.")
    (warning,) = [text for text in said.err.splitlines() if "GWCA broke" in text]
    assert "for example p0 and p25, which must be together; set --param enforce=True" in warning
    facts = json.loads(call(*line, "--must-link", "must.csv", "--json").out)
    (doubt,) = [doubt for doubt in facts["doubts"] if doubt["code"] == "broken-constraints"]
    assert doubt["sentence"] == warning.removeprefix("Warning: ")
    assert doubt["figures"]["must_link_broken"] == 1
    assert sum("GWCA broke" in text for text in facts["warnings"]) == 1


def test_objects_without_ids_are_named_by_row(folder, call):
    text = Path("data.csv").read_text().splitlines()
    Path("plain.csv").write_text("\n".join(",".join(row.split(",")[1:4]) for row in text) + "\n")
    Path("must.csv").write_text("1,21\n")
    said = call("cluster", "plain.csv", "-k", 3, "--members", 5, "--must-link", "must.csv")
    assert "for example 1 and 21, which must be together" in said.err
