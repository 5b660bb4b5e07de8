"""
Pairwise: how often two objects are together
============================================

The co-association of 400 points on two moons, clustered thirty times into a dozen pieces. No single run
sees a moon; the pairs do. HAC merges what is together most often.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_moons

from consilience.consensus import HAC
from consilience.generate import KMeansRestarts
from consilience.metrics import accuracy
from consilience.plot import ConsensusHeatmapDisplay

X, truth = make_moons(400, noise=0.06, random_state=0)
members = KMeansRestarts(n_members=30, n_clusters=(12, 20), random_state=0).fit(X).ensemble_
found = HAC(linkage="single").fit(members)
print(f"HAC found {found.n_clusters_} clusters, {accuracy(found.labels_, truth):.0%} right.")

# %%
# One member, the consensus, and the co-association behind it.
colours = np.array([f"C{number % 10}" for number in range(40)])
moons = np.array(["#0072B2", "#E69F00"])
figure, axes = plt.subplots(1, 3, figsize=(11, 3.6), layout="constrained")
axes[0].scatter(*X.T, c=colours[members.labels[:, 0]], s=8)
axes[0].set_title("one member", loc="left", fontsize=10)
axes[1].scatter(*X.T, c=moons[found.labels_ % 2], s=8)
axes[1].set_title("HAC, single linkage", loc="left", fontsize=10)
for axis in axes[:2]:
    axis.set_axis_off()
ConsensusHeatmapDisplay.from_ensemble(members, found.labels_).plot(axes[2])
plt.show()
