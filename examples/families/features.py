"""
Features: base clusters become numbers
======================================

In every member a path runs through the centres of the clusters, always to the nearest that is left.
Numbers grow along it by the length of the steps, so that near clusters have near numbers. k-means on the
numbers of all members is the consensus.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_blobs

from consilience.consensus import Labelling
from consilience.generate import KMeansRestarts

X, truth = make_blobs(300, centers=5, cluster_std=0.9, random_state=3)
ensemble = KMeansRestarts(n_members=20, n_clusters=7, random_state=0).fit(X).ensemble_
consensus = Labelling(5, random_state=0).fit(ensemble)

# %%
# The paths of three members, with the numbers that they give.
centres = ensemble.cluster_tables["centres"]
figure, axes = plt.subplots(1, 3, figsize=(11, 3.6), layout="constrained")
for member, axis in enumerate(axes):
    numbers = np.asarray(consensus.numeric_labels_[member])
    path = np.argsort(numbers)
    axis.scatter(*X.T, c=numbers[ensemble.labels[:, member]], cmap="viridis", s=8)
    axis.plot(*centres[member][path].T, color="black", linewidth=1)
    for centre, number in zip(centres[member], numbers, strict=True):
        axis.annotate(
            f"{number:.1f}",
            centre,
            ha="center",
            va="center",
            fontsize=9,
            bbox={"boxstyle": "round", "facecolor": "white", "edgecolor": "none"},
        )
    axis.set_title(f"member {member}", loc="left", fontsize=10)
    axis.set_axis_off()
plt.show()
