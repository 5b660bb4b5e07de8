"""
Fifty answers, one that can be trusted
======================================

One run of k-means depends on where it starts. Two runs on the same points may disagree, and nothing in
either says which to believe. The consensus of fifty runs is stable, and every object knows how far the
runs support its cluster.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.cluster import KMeans
from sklearn.datasets import make_blobs

from consilience import ConsensusClustering
from consilience.metrics import ari

# Okabe and Ito's colours, which colour-blind readers can tell apart.
COLOURS = np.array(["#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9"])

centres = [[0, 0], [6, 0], [3, 4], [-4, 5], [9, 6]]
X, truth = make_blobs(
    [250, 120, 160, 90, 60], centers=centres, cluster_std=[1.5, 1.0, 1.1, 0.9, 0.8], random_state=4
)

# %%
# Two single runs, and one call that makes fifty and combines them.
single = [KMeans(5, init="random", n_init=1, random_state=seed).fit_predict(X) for seed in (2, 4)]
model = ConsensusClustering(n_clusters=5, n_members=50, random_state=0).fit(X)
print(f"The two runs agree with an ARI of {ari(*single):.2f}.")
print(model.verdict_)


# %%
# Colours are given by the nearest true group, so that panels can be compared; the method never saw it.
def colours_of(labels):
    """Give every cluster the colour of its most frequent group, if nobody has it yet."""
    chosen = {}
    for cluster in np.argsort(-np.bincount(labels)):
        order = np.argsort(-np.bincount(truth[labels == cluster], minlength=6))
        chosen[cluster] = next(colour for colour in order if colour not in chosen.values())
    return COLOURS[[chosen[label] for label in labels]]


figure, axes = plt.subplots(1, 3, figsize=(11, 3.6), layout="constrained", sharex=True, sharey=True)
titles = ["one run of k-means", "another run", "consensus of fifty; pale: less sure"]
for axis, title, labels in zip(axes, titles, [*single, model.labels_], strict=True):
    sure = model.confidence_ if labels is model.labels_ else np.ones(len(X))
    axis.scatter(*X.T, c=colours_of(labels), alpha=0.1 + 0.9 * sure**4, s=12, linewidths=0)
    axis.set_title(title, loc="left", fontsize=10)
    axis.set_axis_off()
plt.show()
