"""
Bregman: the nearest connectivity, and whom to trust
====================================================

Left: what each divergence makes of the share of members that join a pair. The Euclidean one keeps the
share; Kullback-Leibler and Itakura-Saito want near unanimity; the logistic one is a majority vote.
Right: weights that GWCA learns for twelve members, of which the last four are pure noise.
"""

import matplotlib.pyplot as plt
import numpy as np

from consilience.consensus import GWCA
from consilience.consensus.bregman import NamedDivergence
from consilience.datasets import make_planted_ensemble

planted, _ = make_planted_ensemble(300, 8, 4, noise=0.2, random_state=0)
noise = np.random.default_rng(0).integers(0, 4, (300, 4))
ensemble = planted.append(noise)
weights = GWCA(4, random_state=0).fit(ensemble).weights_

# %%
share = np.linspace(0, 1, 101)
figure, (left, right) = plt.subplots(1, 2, figsize=(9.5, 3.4), layout="constrained")
for name, style in [
    ("euclidean", "-"),
    ("exponential", "--"),
    ("kl", "-."),
    ("itakura-saito", ":"),
    ("logistic", (0, (5, 1, 1, 1, 1, 1))),
]:
    mean = [float(NamedDivergence(name).mean(value)) for value in share]
    left.plot(share, mean, linestyle=style, label=name)
left.set_xlabel("share of the members that join a pair")
left.set_ylabel("entry of the aggregate M")
left.legend(frameon=False, fontsize=8)
right.bar(range(12), weights, color=["#0072B2"] * 8 + ["#D55E00"] * 4)
right.set_xticks(range(12))
right.set_xlabel("member; orange is noise")
right.set_ylabel("weight learned by GWCA")
for axis in (left, right):
    axis.spines[["top", "right"]].set_visible(False)
plt.show()
