"""What verbs say and write, in this process."""

import json
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from consilience import Ensemble
from consilience.cli._main import command
from consilience.consensus import catalogue
from consilience.metrics import ari
from consilience.tables import read_labels


@pytest.mark.parametrize("verb", command.commands)
def test_every_help_has_examples(call, verb):
    said = call(verb, "--help")
    assert said.code == 0
    assert f"Examples:\n    consilience {verb}" in said.out
    assert f"\n  {verb} " in call("--help").out
    line = next(line for line in call().out.splitlines() if line.split()[:1] == [verb])
    assert line.endswith(command.commands[verb].short_help)


def test_completion(monkeypatch, capsys):
    from consilience.cli._main import _run

    monkeypatch.setenv("_CONSILIENCE_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "consilience co")
    monkeypatch.setenv("COMP_CWORD", "1")
    with pytest.raises(SystemExit):
        _run([])
    assert capsys.readouterr().out.split() == ["plain,combine", "plain,compare"]


def test_cluster_json(folder, call, points):
    line = ["cluster", "data.csv", "--drop", "kind", "--members", 10, "-k", 3]
    said = call(*line, "--json", "--quiet")
    facts = json.loads(said.out)
    assert said.err == ""
    assert facts["n_clusters"] == 3
    assert ari(facts["labels"], points[1]) == 1
    assert facts["verdict"]["headline"].startswith("3 clusters")
    again = json.loads(call(*line, "--json", "--jobs", 2, "--seed", 0).out)
    assert again["labels"] == facts["labels"]


def test_cluster_missing_rows(folder, call):
    text = Path("data.csv").read_text().replace("p7,", "p7,NA,1,1,kind1\np7b,")
    Path("gap.csv").write_text(text.replace("id,", "name,", 1))
    line = ["cluster", "gap.csv", "--no-id", "--drop", "kind", "--drop", "name", "-k", 3]
    line += ["--members", 5, "--missing", "drop", "--out", "l.tsv"]
    said = call(*line)
    assert said.code == 0
    assert "1 row with missing cells is left out" in said.err
    labels = read_labels("l.tsv")
    assert labels.ids.tolist() == [str(row) for row in range(1, 62) if row != 8]
    assert Path("l.tsv").read_text().startswith("row\tcluster\tconfidence\n")
    assert call(*line, "--force").code == 0


def test_cluster_a_sample_and_label_all(folder, call, points):
    line = ["cluster", "data.csv", "--label-column", "kind", "-k", 3, "--members", 5]
    said = call(*line, "--sample", 30, "--out", "all.csv", "--json")
    facts = json.loads(said.out)
    assert sum(facts["sizes"]) == 60
    assert facts["agreement"]["ARI"] == 1
    labels = read_labels("all.csv")
    assert labels.ids.tolist() == [f"p{i}" for i in range(60)]
    assert ari(labels.labels, points[1]) == 1
    assert "a random sample of 30 rows" in said.err


def test_cluster_h5ad(folder, call, points):
    import anndata
    import pandas as pd

    names = [f"cell{i}" for i in range(60)]
    data = anndata.AnnData(
        points[0].astype(np.float32),
        obs=pd.DataFrame(index=names),
        var=pd.DataFrame(index=["a", "b", "c"]),
    )
    data.write_h5ad("cells.h5ad")
    said = call("cluster", "cells.h5ad", "-k", 3, "--members", 5, "--out", "done.h5ad")
    assert said.code == 0
    done = anndata.read_h5ad("done.h5ad")
    assert ari(done.obs["consensus"].to_numpy().astype(str), points[1]) == 1
    assert done.obs["consensus_confidence"].between(0, 1).all()
    assert "ConsensusClustering" in done.uns["consensus"]["provenance"]


def test_combine_by_row_and_by_category(folder, call, points):
    kinds = np.array(["red", "green", "blue"])[points[1]]
    lines = [f"{kind},{t}" for kind, t in zip(kinds, points[1], strict=True)]
    Path("one.csv").write_text("colour,size\n" + "\n".join(lines) + "\n")
    Path("two.csv").write_text("size\n" + "\n".join(map(str, points[1])) + "\n")
    said = call("combine", "one.csv", "two.csv", "-k", 3, "--out", "k.parquet")
    assert said.code == 0
    assert "joined row by row" in said.err
    assert ari(read_labels("k.parquet").labels, points[1]) == 1
    said = call("combine", "one.csv", "--drop", "size", "--method", "best", "--json")
    assert json.loads(said.out)["sizes"] == [20, 20, 20]


def test_ids_that_are_written_differently_meet(folder, call):
    rows = range(1, 21)
    Path("n.csv").write_text("id,s\n" + "".join(f"{i},{i % 2}\n" for i in rows))
    Path("z.csv").write_text("id,g\n" + "".join(f"{i:03d},{i % 2}\n" for i in rows))
    Path("f.csv").write_text("id,h\n" + "".join(f"{i}.0,{i % 2}\n" for i in rows))
    said = call("combine", "n.csv", "z.csv", "f.csv", "-k", 2, "--out", "o.csv", "--json")
    facts = json.loads(said.out)
    assert sum(facts["sizes"]) == 20
    assert read_labels("o.csv").ids.tolist() == [str(i) for i in rows]
    assert any("40 ids are matched as whole numbers" in note for note in facts["notes"])
    assert not any("matched" in sentence for sentence in facts["warnings"])
    said = call("compare", "n.csv", "z.csv", "--json")
    assert json.loads(said.out)["n_matched"] == 20


def test_little_overlap_is_a_warning_with_the_figure(folder, call):
    Path("n.csv").write_text("id,s\n" + "".join(f"{i},{i % 2}\n" for i in range(20)))
    Path("m.csv").write_text("id,g\n" + "".join(f"{i},{i % 2}\n" for i in range(15, 35)))
    facts = json.loads(call("combine", "n.csv", "m.csv", "-k", 2, "--json").out)
    assert any(s.startswith("Only 5 of 20 objects (25% of") for s in facts["warnings"])


@pytest.mark.parametrize("name", sorted(catalogue()))
def test_every_function_by_name(folder, call, name):
    """By lower case; those that need more than labels say so in one sentence."""
    said = call("combine", "e.parquet", "--method", name.lower(), "-k", 3, "--json")
    if catalogue()[name].capabilities.needs:
        assert said.code == 2
    else:
        assert json.loads(said.out)["n_clusters"] <= 3


def test_parameters(folder, call):
    said = call("combine", "e.parquet", "--method", "hac", "--param", "linkage=single", "--json")
    assert said.code == 0
    said = call("combine", "e.parquet", "--method", "ipc", "-k", 3, "--param", "n_init=a")
    assert said.code == 2
    assert "n_init" in said.err


def test_generate(folder, call):
    line = ["generate", "data.csv", "--drop", "kind", "--members", 4, "--clusters", "3:5"]
    assert call(*line, "--out", "one.parquet", "--method", "random-projection").code == 0
    ensemble = Ensemble.from_parquet("one.parquet")
    assert ensemble.ids[0] == "p0"
    assert np.all((ensemble.n_clusters >= 3) & (ensemble.n_clusters <= 5))
    said = call(
        *line, "--out", "two.parquet", "--method", "random-projection", "--resume", "--json"
    )
    assert json.loads(said.out)["fingerprint"] == ensemble.fingerprint
    assert not Path("two.parquet.members").exists()


def test_choose_k(folder, call):
    line = ["choose-k", "data.csv", "--drop", "kind", "-k", "2,3,4", "--sample", 28]
    facts = json.loads(call(*line, "--json").out)
    assert facts["n_clusters"] == 3
    assert [row["n_clusters"] for row in facts["table"]] == [2, 3, 4]
    assert facts["table"][1]["why"] == "chosen"
    assert "a random sample of 28 rows" in facts["notes"][1]
    assert facts["answer"] == "clusters"
    assert "<- " in call(*line).out
    facts = json.loads(call("choose-k", "e.parquet", "--labels", "--json").out)
    assert (facts["answer"], facts["n_clusters"]) == ("clusters", 3)


def test_inspect(folder, call):
    labels = Ensemble.from_parquet("e.parquet").labels
    copies = np.column_stack([labels, labels[:, 0]])
    copies[:6, 0] = -1
    Ensemble(copies).to_parquet("copies.parquet")
    facts = json.loads(call("inspect", "copies.parquet", "--json").out)
    assert facts["redundant"] == [["member_8", "member_0"]] or facts["redundant"] == [
        ["member_0", "member_8"]
    ]
    assert facts["members"][0]["missing"] == pytest.approx(0.1)
    said = call("inspect", "a.csv")
    assert said.code == 0
    assert "by_a" in said.out


def test_compare(folder, call):
    facts = json.loads(
        call("compare", "truth.csv", "data.csv", "--truth-column", "kind", "--json").out
    )
    assert [facts[name] for name in ("NMI", "ARI", "accuracy", "purity", "Rand")] == [1.0] * 5
    facts = json.loads(call("compare", "a.csv", "truth.csv", "--json").out)
    assert facts["n_matched"] < 60
    assert "only in truth.csv" in facts["notes"][-1]


def test_methods(folder, call):
    facts = json.loads(call("methods", "--json").out)
    assert set(facts["consensus"]) == set(catalogue())
    assert "random-projection" in facts["generators"]
    said = call("methods", "--family", "graph")
    assert "HBGF" in said.out
    assert "IPC" not in said.out
    assert "HBGF" in call("methods", "--family", "Graph").out


def test_report_with_data(folder, call):
    line = ["report", "e.parquet", "--labels", "truth.csv", "--out", "r.html"]
    said = call(
        *line, "--data", "data.csv", "--drop", "kind", "--title", "Sixty <points>", "--json"
    )
    assert said.code == 0
    page = Path("r.html").read_text()
    assert "Sixty &lt;points&gt;" in page
    assert json.loads(said.out)["verdict"]["n_clusters"] == 3


def test_warnings_are_sentences(folder, call):
    rng = np.random.default_rng(0)
    Ensemble(rng.integers(0, 3, (60, 6))).to_parquet("noise.parquet")
    said = call("combine", "noise.parquet", "-k", 3, "--method", "ipc", "--json")
    facts = json.loads(said.out)
    assert facts["warnings"]
    assert said.err.count("Warning: ") == len(facts["warnings"])
    assert ".py" not in said.err
    assert call("combine", "noise.parquet", "-k", 3, "--method", "ipc", "-q").err == ""


def test_header_options_reach_every_file(folder, call):
    """A first line of years is names for every verb, and data with --no-header."""
    rng = np.random.default_rng(0)
    values = np.repeat([[0.5, 0.5], [9.5, 9.5]], 15, axis=0) + rng.normal(size=(30, 2))
    lines = "".join(f"{x:.3f},{y:.3f}\n" for x, y in values)
    Path("years.csv").write_text(f"2019,2020\n{lines}")
    labels = "".join(f"{i % 2},{i % 3}\n" for i in range(30))
    Path("labels.csv").write_text(f"2019,2020\n{labels}")
    for verb, n_rows in (([], 30), (["--no-header"], 31), (["--header"], 30)):
        read = [
            ["cluster", "years.csv", "-k", 2, "--members", 3],
            ["choose-k", "years.csv", "-k", 2, "--sample", 40],
            ["generate", "years.csv", "--members", 2, "--out", "g.parquet", "--force"],
            ["combine", "labels.csv", "-k", 2],
            ["inspect", "labels.csv"],
            ["compare", "labels.csv", "labels.csv", "--column", None, "--truth-column", None],
        ]
        for line in read:
            name = "column_1" if verb == ["--no-header"] else "2019"
            said = call(*(name if part is None else part for part in line), *verb)
            assert said.code == 0, said.err
            assert f", {n_rows} rows, " in said.err
    Path("one.csv").write_text("2019\n" + "".join(f"{i % 2}\n" for i in range(30)))
    said = call("report", "labels.csv", "--labels", "one.csv", "--header", "--out", "r.html")
    assert "one.csv: comma-separated text with a header, 30 rows" in said.err


# --- tables with a column per object --------------------------------------------------------------


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


def test_transposed_tables_give_the_same_answer(both, call):
    plain, turned = ("plain.csv",), ("turned.csv", "--transpose")
    line = ("-k", 3, "--members", 5, "--out")
    call("cluster", *plain, *line, "plain_out.csv")
    said = call("cluster", *turned, *line, "turned_out.csv")
    assert "3 rows of features (g0, g1, g2; names from 'gene'), 60 columns" in said.err
    assert (both / "turned_out.csv").read_text() == (both / "plain_out.csv").read_text()
    assert (both / "turned_out.csv").read_text().startswith("id,")
    call("generate", *plain, *line, "a.parquet")
    call("generate", *turned, *line, "b.parquet")
    assert pq.read_table("a.parquet").equals(pq.read_table("b.parquet"))
    assert json.loads(call("choose-k", *turned, "--k", "2:4", "--json").out)["n_clusters"] == 3
    line = ("report", "e.parquet", "--labels", "truth.csv", "--transpose", "--out", "o.html")
    said = call(*line, "--data", "turned.csv", "--id", "id")
    assert said.code == 0, said.err
    assert "3 rows of features" in said.err
    assert "g1" in (both / "o.html").read_text(encoding="utf-8")


# --- labels that are read in pieces ---------------------------------------------------------------


@pytest.mark.parametrize(("n_clusters", "rest"), [(8, ""), (9, ", ...")])
def test_sizes_of_eight_clusters_are_shown(folder, call, n_clusters, rest):
    labels = np.repeat(np.arange(n_clusters), 4)
    (folder / "parts").mkdir()
    Ensemble([labels, labels]).to_parquet("parts/0.parquet")
    said = call("combine", "parts", "-k", n_clusters, "--method", "ipc", "--no-id", "--out", "out")
    sizes = ", ".join(["4"] * 8)
    assert said.out.startswith(
        f"{n_clusters} clusters of {sizes}{rest} objects; mean confidence 1.00, 0 objects below 0.50."
    )
    written = pq.read_table(folder / "out")
    assert written["row"].to_pylist() == list(range(1, len(labels) + 1))
    assert written["cluster"].to_pylist() == labels.tolist()


def test_doubts_of_labels_that_are_read_in_pieces(folder, call):
    labels = np.random.default_rng(0).integers(0, 3, (60, 6))
    (folder / "parts").mkdir()
    Ensemble(labels).to_parquet("parts/0.parquet")
    line = ("combine", "parts", "-k", 3, "--method", "ipc")
    assert call(*line).out.splitlines()[1].startswith("The doubt: the members agree no better")
    facts = json.loads(call(*line, "--json").out)
    assert [doubt["code"] for doubt in facts["doubts"]] == ["no-signal"]
