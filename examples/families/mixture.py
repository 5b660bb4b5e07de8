"""
Mixture: labels as data
=======================

The mixture learns, for every consensus cluster and every member, the chances of that member's labels.
The table below is what it has learned: dark where a consensus cluster and a base cluster go together.
"""

import matplotlib.pyplot as plt
import numpy as np

from consilience.consensus import KMCF, MultinomialMixture
from consilience.datasets import make_planted_ensemble
from consilience.metrics import accuracy

ensemble, truth = make_planted_ensemble(400, 6, 3, noise=0.25, random_state=1)
mixture = MultinomialMixture(3, random_state=0).fit(ensemble)
k_means = KMCF(3, random_state=0).fit(ensemble)

# %%
# Chances of every base cluster inside a consensus cluster: counts of the consensus in each, scaled.
counts = ensemble.incidence.count(mixture.labels_, 3)
chances = counts / np.bincount(mixture.labels_)
figure, axis = plt.subplots(figsize=(8, 2.4), layout="constrained")
image = axis.imshow(chances.T, cmap="Blues", vmin=0, vmax=1, aspect="auto")
axis.set_yticks(range(3), [f"cluster {k}" for k in range(3)])
edges = np.cumsum(ensemble.n_clusters)
axis.set_xticks(edges - ensemble.n_clusters / 2 - 0.5, [f"member {j}" for j in range(6)])
for edge in edges[:-1]:
    axis.axvline(edge - 0.5, color="white", linewidth=3)
figure.colorbar(image, label="chance of the label")
plt.show()

# %%
# Both functions of the family find what was planted.
for function in (mixture, k_means):
    print(f"{type(function).__name__:20} {accuracy(function.labels_, truth):.2f}")
