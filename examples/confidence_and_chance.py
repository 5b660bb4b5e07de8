"""
Confidence, and evidence of clusters
====================================

Members that are made in the same way agree with each other even if there are no clusters. So a high
mean confidence is no evidence of clusters; the probability that there are clusters is another figure.
"""

import warnings

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits, load_wine, make_blobs

from consilience import ConsensusClustering
from consilience.exceptions import ConsilienceWarning

rng = np.random.default_rng(0)
DATA = {
    "a uniform square, 4 clusters": (rng.random((500, 2)), 4),
    "noise in 10 dimensions, 3 clusters": (rng.standard_normal((500, 10)), 3),
    "two overlapping groups": (make_blobs(500, centers=[[0, 0], [3, 0]], random_state=0)[0], 2),
    "three groups": (make_blobs(500, centers=[[0, 0], [8, 0], [0, 8]], random_state=0)[0], 3),
    "wines, 3 cultivars": (load_wine().data, 3),
    "digits, 10 classes": (load_digits().data, 10),
}

# %%
# The same call for all of them.
figures = []
for name, (X, n_clusters) in DATA.items():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConsilienceWarning)
        model = ConsensusClustering(n_clusters, random_state=0, verbose=0).fit(X)
    figures.append((model.probability_, model.confidence_.mean()))
    print(f"{name}: {model.verdict_}")

# %%
# Both figures side by side.
probability, found = np.array(figures).T
places = np.arange(len(DATA))[::-1]
figure, axis = plt.subplots(figsize=(9, 3.4), layout="constrained")
axis.scatter(probability, places, color="0.5", s=50, label="probability of clusters")
axis.scatter(found, places, color="#0072B2", s=50, label="mean confidence")
axis.set_yticks(places, list(DATA))
axis.set_xlim(-0.02, 1.02)
axis.spines[["top", "right", "left"]].set_visible(False)
axis.tick_params(axis="y", length=0)
axis.legend(loc="center left", frameon=False)
plt.show()
