"""
Which resolution? Clusters of cells that do not depend on the seed
==================================================================

Leiden is run at many resolutions and seeds on the neighbour graph that scanpy computed. A tree shows
which resolution is stable, and the consensus is written beside the cells. The 700 blood cells come with
scanpy. Needs ``pip install "consilience[scanpy]"``.
"""

import matplotlib.pyplot as plt
import scanpy as sc

from consilience.scanpy import consensus, leiden_ensemble, resolution_tree

cells = sc.datasets.pbmc68k_reduced()  # normalised, with principal axes and neighbours
members = leiden_ensemble(cells, random_state=0)
print(members)

# %%
# Every row is a resolution. The numbers on the right are the mean adjusted Rand index between runs, each
# with its own seed and its own nine tenths of the cells.
tree = resolution_tree(cells)
print(tree.plot().sentence)
plt.show()

# %%
# The consensus of all runs; the number of clusters comes from the members. Labels, confidence and
# votes are in `obs` and `obsm`, the rest in `uns`; all of it is saved by `write_h5ad`.
print(consensus(cells))
print(cells.uns["consensus"]["members"].head(3))

# %%
# scanpy draws it like any other clustering.
figure, axes = plt.subplots(1, 3, figsize=(12, 3.4), layout="constrained")
for ax, colour in zip(axes, ("consensus", "consensus_confidence", "bulk_labels"), strict=True):
    sc.pl.umap(cells, color=colour, ax=ax, show=False, legend_fontsize=6)
plt.show()
