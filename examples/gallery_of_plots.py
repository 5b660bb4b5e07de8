"""
Every picture of `consilience.plot`
===================================

Drawn from data that every install has. A display keeps its numbers and a caption that says how to read
it; `plot(ax=...)` draws on axes of your own.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_iris, load_wine

from consilience import ConsensusClustering, plot
from consilience.consensus import HBGF, IPC
from consilience.datasets import load_digits_ensemble, make_planted_ensemble
from consilience.generate import Subsample
from consilience.metrics import accuracy

# %%
# How many clusters do the wines have?
# ------------------------------------
X, y = load_wine(return_X_y=True, as_frame=True)
model = ConsensusClustering(n_clusters=(2, 8), random_state=0).fit(X)
print(model.verdict_)
print(plot.ConsensusCDFDisplay.from_estimator(model).plot().caption)
plt.show()

# %%
# Which objects change sides when k grows.
print(plot.TrackingDisplay.from_estimator(model).plot().caption)
plt.show()

# %%
# Are the clusters real?
# ----------------------
# The consensus of pairs, object by object, and as means of blocks.
print(plot.ConsensusHeatmapDisplay.from_estimator(model).plot().caption)
plt.show()

# %%
print(plot.ConsensusHeatmapDisplay.from_estimator(model, kind="blocks").plot().caption)
plt.show()

# %%
# Consensus of every cluster, and of every object with every cluster.
print(plot.ConsensusBarsDisplay.from_estimator(model).plot().caption)
plt.show()

# %%
# Members and objects
# -------------------
# Every row an object, every column a member.
print(plot.MembershipDisplay.from_estimator(model).plot().caption)
plt.show()

# %%
# Where objects go from clustering to clustering.
grapes = y.map({0: "Barolo", 1: "Grignolino", 2: "Barbera"})
print(plot.AlluvialDisplay({"grape variety": grapes, "found": model.labels_}).plot().caption)
plt.show()

# %%
# Fifty clusterings of digits
# ---------------------------
# Good and different: what a consensus lives from.
ensemble, y = load_digits_ensemble()
labels = HBGF(10, random_state=0).fit(ensemble).labels_
print(plot.DiversityQualityDisplay.from_ensemble(ensemble, y).plot().caption)
plt.show()

# %%
# Is the consensus better than its members?
found = {"HBGF": labels, "IPC": IPC(10, random_state=0).fit(ensemble).labels_}
display = plot.MemberQualityDisplay.from_ensemble(ensemble, y, consensus=found, metric=accuracy)
print(display.plot().caption)
plt.show()

# %%
# Are there enough members?
display = plot.EnoughMembersDisplay.from_ensemble(ensemble, IPC(10), n_repeats=5, random_state=0)
print(display.plot().caption)
plt.show()

# %%
# A sample stands for all, so that pictures of large ensembles are as quick.
large, planted = make_planted_ensemble(200_000, 20, 8, noise=0.2, missing=0.1, random_state=0)
print(plot.ConsensusHeatmapDisplay.from_ensemble(large, planted).plot().caption)
plt.show()

# %%
# Missing labels are grey.
left_out = Subsample(n_members=8, n_clusters=3, left_out="missing", random_state=0)
members = left_out.fit(load_iris().data).ensemble_
labels = IPC(3, random_state=0).fit(members).labels_
print(plot.MembershipDisplay.from_ensemble(members, labels).plot().caption)
plt.show()
