"""
Shapes that k-means cannot see
==============================

Letters side by side, and clusters that live in different pairs of dimensions: both from the paper on
generalized cluster aggregation. Thirty k-means runs with twenty clusters each cut the data into small
pieces; GCA joins what the runs put together.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.cluster import KMeans

from consilience import Ensemble
from consilience.consensus import GCA
from consilience.datasets import make_letters, make_subspaces
from consilience.metrics import accuracy

# Okabe and Ito's colours, which colour-blind readers can tell apart.
COLOURS = np.array(["#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00"])


def thirty_runs(X):
    """Cluster the data into twenty pieces, thirty times."""
    runs = [
        KMeans(20, init="random", n_init=1, random_state=seed).fit_predict(X) for seed in range(30)
    ]
    return Ensemble(runs)


# %%
# Both toys, in both ways.
figure, axes = plt.subplots(2, 2, figsize=(9, 6), layout="constrained")
toys = [("letters", make_letters, 5, (0, 1)), ("subspaces", make_subspaces, 4, (1, 2))]
for row, (name, make, n_clusters, shown) in zip(axes, toys, strict=True):
    X, y = make(random_state=0)
    plain = KMeans(n_clusters, n_init=10, random_state=0).fit_predict(X)
    combined = GCA(n_clusters, final="linkage").fit(thirty_runs(X)).labels_
    for axis, title, labels in zip(row, ("k-means", "GCA"), (plain, combined), strict=True):
        right = accuracy(y, labels)
        axis.scatter(*X[:, shown].T, c=COLOURS[labels], s=6)
        axis.set_title(f"{name}: {title}, {right:.0%} right")
        axis.set_xlabel(f"feature {shown[0]}")
        axis.set_ylabel(f"feature {shown[1]}")
        print(f"{name:10} {title:8} {right:.3f}")
plt.show()
