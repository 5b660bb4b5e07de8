"""--transpose in the verbs that read numbers: the same answer as for the table turned by hand."""

import json

import pyarrow.parquet as pq
import pytest


@pytest.fixture
def both(folder, points):
    """The same numbers, with a row and with a column per object."""
    X, _ = points
    header = "gene," + ",".join(f"p{i}" for i in range(60))
    lines = [f"g{j}," + ",".join(f"{v:.4f}" for v in X[:, j]) for j in range(3)]
    (folder / "turned.csv").write_text("\n".join([header, *lines]) + "\n")
    rows = [f"p{i}," + ",".join(f"{v:.4f}" for v in x) for i, x in enumerate(X)]
    (folder / "plain.csv").write_text("id,g0,g1,g2\n" + "\n".join(rows) + "\n")
    return folder


def test_cluster(both, call):
    call("cluster", "plain.csv", "-k", 3, "--members", 5, "--out", "plain_out.csv")
    said = call(
        "cluster", "turned.csv", "--transpose", "-k", 3, "--members", 5, "--out", "turned_out.csv"
    )
    assert (
        "3 rows of features (g0, g1, g2; names from 'gene'), 60 columns are the objects" in said.err
    )
    assert (both / "turned_out.csv").read_text() == (both / "plain_out.csv").read_text()
    assert (both / "turned_out.csv").read_text().startswith("id,")


def test_generate(both, call):
    call("generate", "plain.csv", "--members", 3, "-k", 3, "--out", "a.parquet")
    call("generate", "turned.csv", "--transpose", "--members", 3, "-k", 3, "--out", "b.parquet")
    assert pq.read_table("a.parquet").equals(pq.read_table("b.parquet"))


def test_report(both, call):
    line = ("report", "e.parquet", "--labels", "truth.csv", "--transpose", "--out", "o.html")
    said = call(*line)
    assert said.code == 2
    assert "give --data or leave it out" in said.err
    said = call(*line, "--data", "turned.csv", "--id", "id")
    assert said.code == 0, said.err
    assert "3 rows of features" in said.err
    assert "g1" in (both / "o.html").read_text(encoding="utf-8")


def test_choose_k(both, call):
    said = call("choose-k", "turned.csv", "--transpose", "--k", "2:4", "--json")
    assert json.loads(said.out)["n_clusters"] == 3


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (("cluster", "--sample", 20), "--transpose cannot be used with --sample"),
        (
            ("cluster", "--dask", "local", "--out", "o.parts"),
            "--transpose cannot be used with --dask",
        ),
        (("choose-k", "--labels"), "--transpose cannot be used with --labels"),
        (("generate", "--out", "o.parquet", "--label-column", "p1"), "every column is an object"),
    ],
)
def test_refusals(both, call, line, sentence):
    said = call(line[0], "turned.csv", "--transpose", *line[1:])
    assert said.code == 2
    assert sentence in said.err
    assert not list(both.glob("o.*"))
