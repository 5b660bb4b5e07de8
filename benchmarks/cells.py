"""Stability of clusters of cells over seeds: single Leiden beside the consensus of many runs.

    CONSILIENCE_DATA=folder python benchmarks/cells.py [--seeds 6] [--clusters 6 7 8]
                                                       [--runs 20] [--figure F]

Needs scanpy and the set pbmc3k (counts in pbmc3k.npz, types of cells in pbmc3k.labels.txt.gz). The steps
are those of scanpy's tutorial. For every number of clusters k, the resolution of single Leiden is
searched for each seed until k clusters come out, and the consensus is asked for k clusters. Figures are
mean adjusted Rand indices between answers of different seeds, and with the published types of cells.
"""

import argparse
import gzip
import os
import warnings
from itertools import combinations
from pathlib import Path

import anndata
import matplotlib as mpl
import numpy as np
import scanpy as sc
from scipy import sparse

from consilience.exceptions import ConsilienceWarning
from consilience.metrics import ari
from consilience.scanpy import consensus, leiden_ensemble


def tutorial(folder):
    """Return the cells with a neighbour graph, in the order of scanpy's tutorial."""
    cells = anndata.AnnData(sparse.load_npz(folder / "pbmc3k.npz").tocsr().astype(np.float32))
    with gzip.open(folder / "pbmc3k.labels.txt.gz", "rt") as file:
        cells.obs["type"] = file.read().splitlines()
    sc.pp.normalize_total(cells, target_sum=1e4)
    sc.pp.log1p(cells)
    sc.pp.highly_variable_genes(cells, n_top_genes=2000)
    sc.pp.pca(cells, mask_var="highly_variable", random_state=0)
    sc.pp.neighbors(cells, n_neighbors=10, n_pcs=40, random_state=0)
    return cells


def single(cells, n_clusters, number):
    """Return one run of Leiden with so many clusters; the resolution is searched."""
    low, high = 0.05, 4.0
    for _ in range(25):
        resolution = (low + high) / 2
        sc.tl.leiden(
            cells, resolution, flavor="igraph", n_iterations=2, directed=False, random_state=number
        )
        found = cells.obs["leiden"].nunique()
        if found == n_clusters:
            return cells.obs["leiden"].to_numpy().astype(str)
        low, high = (resolution, high) if found < n_clusters else (low, resolution)
    return None


def combined(cells, members, n_clusters, number):
    """Return the consensus of runs of Leiden over resolutions, all made with other seeds."""
    consensus(cells, members, n_clusters=n_clusters, random_state=number)
    return cells.obs["consensus"].to_numpy().astype(str)


def agreement(answers):
    """Return the mean adjusted Rand index of all pairs."""
    return float(np.mean([ari(one, other) for one, other in combinations(answers, 2)]))


def draw(rows, path):
    """Draw stability against the number of clusters."""
    mpl.use("agg")
    from matplotlib import pyplot as plt

    figure, ax = plt.subplots(figsize=(6, 3.4), layout="constrained")
    numbers = [row[0] for row in rows]
    for place, (name, colour) in enumerate(
        (("single Leiden", "#e69f00"), ("consensus", "#0072b2"))
    ):
        stability = [row[1 + 2 * place] for row in rows]
        ax.plot(numbers, stability, "o-", color=colour, label=name)
    ax.set_xticks(numbers)
    ax.set(xlabel="number of clusters", ylabel="agreement of repeated runs (mean ARI)")
    ax.set_title("2,638 blood cells: the same steps with other seeds", loc="left", fontsize=10)
    ax.set_ylim(0.7, 1.01)
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(frameon=False, loc="lower left")
    figure.savefig(path, dpi=130)


def main():
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=6)
    parser.add_argument("--clusters", type=int, nargs="+", default=[6, 7, 8, 9, 10])
    parser.add_argument(
        "--runs", type=int, help="n_runs of leiden_ensemble; its default if not given"
    )
    parser.add_argument("--figure", type=Path)
    given = parser.parse_args()
    warnings.simplefilter("ignore", ConsilienceWarning)
    cells = tutorial(Path(os.environ["CONSILIENCE_DATA"]))
    types = cells.obs["type"].to_numpy().astype(str)
    columns = [
        "single Leiden, over seeds",
        "with the types",
        "consensus, over seeds",
        "with the types",
    ]
    print(f"| clusters | {' | '.join(columns)} |")
    print("| --- | --- | --- | --- | --- |")
    rows = []
    runs = {} if given.runs is None else {"n_runs": given.runs}
    ensembles = [
        leiden_ensemble(cells, random_state=number, **runs) for number in range(given.seeds)
    ]
    for n_clusters in given.clusters:
        alone = [single(cells, n_clusters, number) for number in range(given.seeds)]
        alone = [labels for labels in alone if labels is not None]
        together = [
            combined(cells, members, n_clusters, number) for number, members in enumerate(ensembles)
        ]
        row = [n_clusters]
        for answers in (alone, together):
            row += [agreement(answers), np.mean([ari(labels, types) for labels in answers])]
        rows.append(row)
        print(
            f"| {n_clusters} | " + " | ".join(f"{value:.3f}" for value in row[1:]) + " |",
            flush=True,
        )
    if given.figure:
        draw(rows, given.figure)


if __name__ == "__main__":
    main()
