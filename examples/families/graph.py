"""
Graph: objects and base clusters, linked
========================================

HBGF draws a graph with objects on one side and base clusters on the other, and cuts it where few links
break. Links that break are black.
"""

import matplotlib.pyplot as plt
import numpy as np

from consilience.consensus import HBGF
from consilience.datasets import make_planted_ensemble

COLOURS = np.array(["#0072B2", "#E69F00", "#009E73"])
ensemble, truth = make_planted_ensemble(30, 3, 3, noise=0.2, random_state=5)
consensus = HBGF(3, random_state=0).fit(ensemble)

# %%
# A base cluster belongs to the part in which most of its objects are.
order = np.argsort(consensus.labels_, kind="stable")
height = np.empty(30)
height[order] = np.linspace(0, 1, 30)
part = consensus.vote_table_.argmax(axis=1)
column_order = np.argsort(part, kind="stable")
column_height = np.empty(ensemble.n_base_clusters)
column_height[column_order] = np.linspace(0.02, 0.98, ensemble.n_base_clusters)

figure, axis = plt.subplots(figsize=(7, 5), layout="constrained")
for j in range(ensemble.n_members):
    columns = ensemble.layout.columns(j).start + ensemble.labels[:, j]
    for row, column in enumerate(columns):
        whole = consensus.labels_[row] == part[column]
        colour = COLOURS[consensus.labels_[row]] if whole else "#222222"
        ends = [height[row], column_height[column]]
        axis.plot([0, 1], ends, color=colour, alpha=0.45 if whole else 0.9, linewidth=1, zorder=1)
axis.scatter(np.zeros(30), height, c=COLOURS[consensus.labels_], s=40, zorder=2)
axis.scatter(np.ones(len(part)), column_height, c=COLOURS[part], s=160, marker="s", zorder=2)
axis.text(0, 1.05, "objects", ha="center")
axis.text(1, 1.05, "base clusters", ha="center")
axis.set_axis_off()
plt.show()
