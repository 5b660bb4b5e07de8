"""AnnData in, AnnData out: what is written, that it survives a file, and what is refused."""

import json

import anndata
import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_blobs
from sklearn.neighbors import kneighbors_graph

from consilience import Ensemble
from consilience.consensus import MCLA
from consilience.exceptions import InvalidInputError, InvalidParameterError, MissingExtraError
from consilience.metrics import ari
from consilience.scanpy import consensus, leiden_ensemble, resolution_tree


@pytest.fixture
def cells():
    X, y = make_blobs(
        160, centers=[[0, 0], [9, 0], [0, 9], [9, 9]], cluster_std=1.2, random_state=0
    )
    obs = pd.DataFrame(
        {"truth": y, "n_counts": np.arange(160.0)}, index=[f"cell{i}" for i in range(160)]
    )
    data = anndata.AnnData(X.astype(np.float32), obs=obs)
    data.obsm["X_pca"] = X
    graph = kneighbors_graph(X, 10)
    data.obsp["connectivities"] = graph.maximum(graph.T).tocsr()
    return data


def test_end_to_end_and_through_a_file(cells, tmp_path):
    ensemble = leiden_ensemble(cells, [0.5, 2.0, 4.0], n_runs=4, random_state=1)
    assert isinstance(ensemble, Ensemble)
    assert ensemble.n_members == 12
    assert ensemble.ids[0] == "cell0"
    sentence = consensus(cells, n_clusters=4)
    assert sentence.startswith("4 clusters of 40, 40, 40, 40 cells from 12 members")
    assert ari(cells.obs["consensus"].to_numpy(), cells.obs["truth"]) == 1.0
    path = tmp_path / "cells.h5ad"
    cells.write_h5ad(path)
    back = anndata.read_h5ad(path)
    assert isinstance(back.obs["consensus"].dtype, pd.CategoricalDtype)
    assert back.obs["consensus"].cat.categories.tolist() == ["0", "1", "2", "3"]
    np.testing.assert_allclose(back.obs["consensus_confidence"], cells.obs["consensus_confidence"])
    assert back.obsm["consensus_votes"].shape == (160, 4)
    np.testing.assert_allclose(back.obsm["consensus_votes"].sum(axis=1), 1)
    facts = back.uns["consensus"]
    assert facts["sentence"] == sentence
    assert json.loads(facts["provenance"])["parameters"]["n_clusters"] == "4"
    assert facts["members"].loc[ensemble.names[0], "n_clusters"] == ensemble.n_clusters[0]
    # Members in the file are members again.
    assert consensus(back, n_clusters=4) == sentence
    assert np.array_equal(back.obsm["leiden_ensemble"], ensemble.labels)
    assert resolution_tree(back).kind == "runs"


def test_number_of_clusters_from_members_or_representation(cells, tmp_path):
    leiden_ensemble(cells, [0.5, 2.0, 4.0], n_runs=4)
    sentence = consensus(cells)
    assert "Halves of the members" in sentence
    assert cells.uns["consensus"]["table"].shape[0] > 2
    sentence = consensus(cells, use_rep="X_pca", key_added="by_pca")
    assert sentence.startswith("4 clusters")
    assert cells.uns["by_pca"]["choice"] in sentence
    cells.write_h5ad(tmp_path / "cells.h5ad")
    back = anndata.read_h5ad(tmp_path / "cells.h5ad")
    assert back.uns["by_pca"]["table"].loc["k=4", "n_clusters"] == 4


def test_columns_of_obs_by_name_or_pattern(cells):
    truth = cells.obs["truth"].to_numpy()
    for j, noise in enumerate((0.05, 0.1, 0.15)):
        moved = np.random.default_rng(j).random(160) < noise
        cells.obs[f"leiden_{j}"] = pd.Categorical(np.where(moved, 0, truth).astype(str))
    cells.obs.loc["cell3", "leiden_1"] = np.nan
    by_pattern = consensus(cells, "leiden_[0-9]", n_clusters=4, function="MCLA", key_added="a")
    by_name = consensus(
        cells, ["leiden_0", "leiden_1", "leiden_2"], n_clusters=4, function=MCLA(), key_added="b"
    )
    assert by_pattern == by_name
    assert (cells.obs["a"] == cells.obs["b"]).all()
    assert cells.uns["a"]["members"]["cells"].tolist() == [160, 159, 160]
    consensus(cells, "leiden_[0-9]", n_clusters=4, weights=[0, 0, 1], key_added="third")
    assert ari(cells.obs["third"].to_numpy(), cells.obs["leiden_2"].to_numpy()) == 1.0
    tree = resolution_tree(cells, "leiden_.")
    assert [level.title for level in tree.levels] == ["leiden_0", "leiden_1", "leiden_2"]


def test_one_cluster_and_old_colours(cells):
    cells.uns["consensus_colors"] = ["#000000"]
    assert consensus(cells, ["truth"], n_clusters=1).startswith("One cluster of 160 cells")
    assert cells.obs["consensus"].cat.categories.tolist() == ["0"]
    assert "consensus_colors" not in cells.uns


def test_two_clusters_the_larger_one_first(cells):
    names = ["by_40", "by_50", "by_70"]
    for name, first in zip(names, (40, 50, 70), strict=True):
        cells.obs[name] = np.arange(160) >= first
    assert consensus(cells, keys=names, n_clusters=2).startswith(
        "2 clusters of 110, 50 cells from 3 members"
    )
    assert cells.obs["consensus"].tolist() == ["1"] * 50 + ["0"] * 110


def test_one_seed_decides(cells):
    first = leiden_ensemble(cells, [0.5], n_runs=3, random_state=3, subsample=0.7)
    second = leiden_ensemble(cells, [0.5], n_runs=3, random_state=3, subsample=0.7, n_jobs=2)
    assert np.array_equal(first.labels, second.labels)
    assert first.n_observed.tolist() == [112] * 3
    other = leiden_ensemble(cells, [0.5, 3.0], n_runs=1, library="leidenalg", key_added="other")
    assert cells.obsm["other"].shape == (160, 2)
    assert consensus(cells, "other", n_clusters=4, key_added="c").startswith("4 clusters")
    assert other.n_members == 2


def test_neighbours_under_another_name(cells):
    cells.obsp["mine_connectivities"] = cells.obsp["connectivities"]
    del cells.obsp["connectivities"]
    with pytest.raises(InvalidInputError, match=r"scanpy.pp.neighbors\(adata\) first"):
        leiden_ensemble(cells)
    with pytest.raises(InvalidInputError, match="uns has no 'mine'"):
        leiden_ensemble(cells, neighbors_key="mine")
    cells.uns["mine"] = {"connectivities_key": "mine_connectivities"}
    assert leiden_ensemble(cells, [1.0], n_runs=1, neighbors_key="mine").n_samples == 160


def test_wrong_input(cells):
    with pytest.raises(InvalidInputError, match="takes an AnnData object; got ndarray"):
        consensus(np.zeros((3, 2)))
    with pytest.raises(InvalidInputError, match=r"pass adata.copy\(\)"):
        consensus(cells[:10], ["truth"])
    with pytest.raises(InvalidInputError, match="got neither"):
        consensus(cells)
    with pytest.raises(InvalidInputError, match="got neither"):
        resolution_tree(cells)
    with pytest.raises(InvalidInputError, match="no column of obs fits"):
        consensus(cells, "louvain_.*")
    with pytest.raises(InvalidInputError, match="is not a regular expression"):
        consensus(cells, "(")
    with pytest.raises(InvalidInputError, match=r"got \['no'\], obs has"):
        consensus(cells, ["truth", "no"])
    with pytest.raises(InvalidInputError, match="no representation 'X_umap'"):
        consensus(cells, ["truth"], use_rep="X_umap")
    with pytest.raises(InvalidInputError, match="needs n_clusters='auto'"):
        consensus(cells, ["truth"], n_clusters=3, use_rep="X_pca")
    with pytest.raises(InvalidInputError, match="each of the 160 cells; it has 2"):
        consensus(cells, Ensemble([[0, 1]]))
    with pytest.raises(InvalidParameterError, match="'auto' or an integer"):
        consensus(cells, ["truth"], n_clusters=0)
    with pytest.raises(InvalidParameterError, match="a number above 0"):
        leiden_ensemble(cells, [-1.0])
    before = set(cells.obs) | set(cells.obsm) | set(cells.uns)
    assert before == {"truth", "n_counts", "X_pca"}


def test_a_missing_package_is_named(cells, monkeypatch):
    monkeypatch.setattr("consilience._utils._optional.is_available", lambda name: name != "igraph")
    with pytest.raises(MissingExtraError, match=r"consilience\[graphs\]"):
        leiden_ensemble(cells)
    monkeypatch.setattr("consilience._utils._optional.is_available", lambda name: name != "anndata")
    with pytest.raises(MissingExtraError, match=r"consilience\[anndata\]"):
        consensus(cells)


def test_the_function_is_kept_with_the_result(cells):
    cells.obs["a"] = np.repeat(["x", "y"], 80)
    cells.obs["b"] = np.repeat(["x", "y"], [70, 90])
    for given, function, words in (
        (2, "ipc", "IPC("),
        (2, None, "Concord("),
        (1, None, "one cluster"),
    ):
        consensus(cells, ["a", "b"], n_clusters=given, function=function)
        facts = json.loads(cells.uns["consensus"]["provenance"])
        assert facts["function"].startswith(words)
