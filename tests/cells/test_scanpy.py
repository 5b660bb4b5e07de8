"""The tutorial of scanpy with scanpy itself, and the consensus in its place between its steps."""

import anndata
import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
import scanpy as sc

from consilience.metrics import ari
from consilience.scanpy import consensus, leiden_ensemble, resolution_tree

# scanpy calls things of other packages that these want to drop some day; our own warnings are errors.
pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::PendingDeprecationWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
]

N_TYPES, CELLS_OF_TYPE, N_GENES = 4, 60, 300


@pytest.fixture(scope="module")
def counts():
    """Counts of four types of cells; each type has thirty genes that are three times as active."""
    rng = np.random.default_rng(0)
    types = np.repeat(np.arange(N_TYPES), CELLS_OF_TYPE)
    rates = np.tile(rng.gamma(1.0, 1.5, N_GENES), (N_TYPES, 1))
    for kind in range(N_TYPES):
        rates[kind, 30 * kind : 30 * (kind + 1)] *= 3
    depth = rng.uniform(0.5, 2.0, (len(types), 1))
    obs = pd.DataFrame({"type": types.astype(str)}, index=[f"cell{i}" for i in range(len(types))])
    var = pd.DataFrame(index=[f"gene{j}" for j in range(N_GENES)])
    matrix = rng.poisson(rates[types] * depth).astype(np.float32)
    return anndata.AnnData(matrix, obs=obs, var=var)


def test_the_steps_of_the_tutorial(counts, tmp_path):
    cells = counts.copy()
    sc.pp.filter_genes(cells, min_cells=3)
    sc.pp.normalize_total(cells)
    sc.pp.log1p(cells)
    sc.pp.highly_variable_genes(cells, n_top_genes=150)
    sc.pp.pca(cells, n_comps=20, mask_var="highly_variable", random_state=0)
    sc.pp.neighbors(cells, n_neighbors=10, random_state=0)
    for resolution in (0.5, 1.0, 2.0):
        sc.tl.leiden(
            cells, resolution=resolution, key_added=f"leiden_{resolution}", random_state=0,
            flavor="igraph", n_iterations=2, directed=False,
        )  # fmt: skip

    # Columns that scanpy made, and members of our own on the graph that scanpy made.
    by_columns = consensus(cells, keys=r"leiden_\d\.\d", n_clusters=4, key_added="of_columns")
    assert by_columns.startswith("4 clusters")
    assert leiden_ensemble(cells, [0.5, 1.0], n_runs=5, random_state=0).n_members == 10
    assert consensus(cells, n_clusters=4).startswith("4 clusters of 60, 60, 60, 60 cells")
    for key in ("consensus", "of_columns"):
        assert ari(cells.obs[key].to_numpy(), cells.obs["type"].to_numpy()) == 1.0
    assert resolution_tree(cells, r"leiden_\d\.\d").kind != "runs"

    # What is drawn does not depend on how places were computed, and umap compiles for ten seconds.
    cells.obsm["X_umap"] = cells.obsm["X_pca"][:, :2]
    with mpl.rc_context({"backend": "agg"}):
        axes = sc.pl.umap(cells, color=["consensus", "consensus_confidence"], show=False)
        legend = [text.get_text() for text in axes[0].get_legend().get_texts()]
        axis = sc.pl.embedding(cells, "X_pca", color="consensus", show=False)
        assert axis.get_title() == "consensus"
        plt.close("all")
    assert legend == ["0", "1", "2", "3"]
    assert len(cells.uns["consensus_colors"]) == 4

    # What scanpy does next with a clustering, and what it reads back from a file.
    sc.tl.rank_genes_groups(cells, "consensus", method="t-test")
    assert len(cells.uns["rank_genes_groups"]["names"].dtype.names) == 4
    cells.write_h5ad(tmp_path / "cells.h5ad")
    back = sc.read_h5ad(tmp_path / "cells.h5ad")
    assert back.obs["consensus"].tolist() == cells.obs["consensus"].tolist()
    # A new result has its own colours: those of four clusters do not fit three.
    consensus(cells, n_clusters=3)
    assert "consensus_colors" not in cells.uns
