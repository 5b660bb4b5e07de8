"""
Good and different: what a consensus lives from
===============================================

Three ways to cluster the same digits thirty times. Every point is a pair of members: to the right they
are better, further down more different. Random projections make members that are worse one by one than
plain restarts, but differ more.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_digits

from consilience.consensus import GWCA
from consilience.diagnose import diversity_quality
from consilience.generate import KMeansRestarts, RandomProjection
from consilience.metrics import nmi
from consilience.plot import DiversityQualityDisplay

X, digits = load_digits(return_X_y=True)
generators = {
    "restarts, k = 10": KMeansRestarts(n_members=30, n_clusters=10, random_state=0),
    "restarts, k = 10 to 42": KMeansRestarts(n_members=30, n_clusters=(10, 42), random_state=0),
    "random projection, k = 15": RandomProjection(
        n_members=30, n_clusters=15, n_components=15, random_state=0
    ),
}

# %%
# What the pairs look like, and what comes out.
figure, axes = plt.subplots(1, 3, figsize=(12, 4), layout="constrained", sharex=True, sharey=True)
for axis, (name, generator) in zip(axes, generators.items(), strict=True):
    ensemble = generator.fit(X).ensemble_
    cloud = diversity_quality(ensemble, digits)
    labels = GWCA(10, random_state=0).fit(ensemble).labels_
    print(
        f"{name:26} pairs agree {cloud.mean_nmi:.2f}, members {cloud.mean_quality:.2f}, "
        f"consensus {nmi(labels, digits):.2f}"
    )
    DiversityQualityDisplay.from_ensemble(ensemble, digits).plot(axis)
    axis.set_title(f"{name}\nconsensus {nmi(labels, digits):.2f}", loc="left", fontsize=10)
plt.show()
