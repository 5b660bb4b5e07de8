"""
Several platforms, partly the same patients
===========================================

Expression, methylation and proteins were measured for overlapping groups of patients, and each was
clustered by itself. A cluster of clusters joins them by the ids of the patients. Every platform counts
as much as every other, however many clusterings it has. Needs
``pip install "consilience[plot]" pandas``.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.cluster import KMeans

from consilience.metrics import ari
from consilience.platforms import cluster_of_clusters

rng = np.random.default_rng(0)
patients = np.array([f"patient {number}" for number in range(240)])
truth = pd.Series(rng.integers(0, 4, 240), index=patients)
batch = pd.Series(rng.integers(0, 3, 240), index=patients)


def measure(share, centres, groups, noise):
    """Return measurements of a share of the patients."""
    chosen = np.sort(rng.choice(240, int(share * 240), replace=False))
    values = centres[groups.iloc[chosen]] + noise * rng.normal(size=(len(chosen), centres.shape[1]))
    return pd.DataFrame(values, index=patients[chosen])


def clusterings(values, n_clusters, n_runs):
    """Cluster a platform several times."""
    runs = {
        f"run {number}": KMeans(n_clusters, n_init=1, random_state=number).fit_predict(values)
        for number in range(n_runs)
    }
    return pd.DataFrame(runs, index=values.index)


# Methylation sees the batch in which patients were measured, and it was clustered ten times.
centres = rng.normal(size=(4, 8))
platforms = {
    "expression": clusterings(measure(0.9, 2 * centres, truth, 1.0), 4, 2),
    "protein": clusterings(measure(0.6, 2 * rng.normal(size=(4, 5)), truth, 1.0), 4, 2),
    "methylation": clusterings(measure(0.7, 4 * rng.normal(size=(3, 8)), batch, 1.0), 3, 10),
}
for name, table in platforms.items():
    print(f"{name:12s} {len(table)} patients, {table.shape[1]} clusterings")

# %%
# With balanced platforms the groups of patients are found. Without, ten clusterings of the batches
# outvote the rest.
found = cluster_of_clusters(platforms, n_clusters=4)
plain = cluster_of_clusters(platforms, n_clusters=4, balance=False)
print(found.sentence)
for name, answer in (("balanced", found), ("every clustering once", plain)):
    print(f"{name:22s} ARI with the groups {ari(answer.labels, truth[answer.ids].to_numpy()):.2f}")

# %%
# What every platform brings.
print(pd.DataFrame(found.table).round(2).to_string(index=False))

# %%
# A panel per platform: dark cells in one row each mean that the platform agrees with the consensus.
found.display().plot()
plt.show()
