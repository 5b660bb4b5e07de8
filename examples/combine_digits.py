"""
Combine fifty clusterings that disagree
=======================================

1797 handwritten digits, clustered fifty times, each time in another random projection. Six consensus
functions combine the fifty; the truth is used at the end only, to see how good they are.
"""

import matplotlib.pyplot as plt
import numpy as np

from consilience.consensus import BEST, IPC, IVC, KMCF, MultinomialMixture, PluralityVoting
from consilience.datasets import load_digits_ensemble
from consilience.metrics import accuracy, anmi, nmi, pairwise_nmi
from consilience.plot import MemberQualityDisplay

ensemble, truth = load_digits_ensemble()
agreement = pairwise_nmi(ensemble)
mutual = agreement[~np.eye(ensemble.n_members, dtype=bool)].mean()
single = np.array([nmi(labels, truth) for labels in ensemble.labels.T])
print(f"{ensemble}; two of them agree with NMI {mutual:.2f} on average.")

# %%
# How well an answer speaks for the members can be known without the truth; how well it matches the
# digits cannot. The two go together.
functions = [
    BEST(),
    PluralityVoting(10),
    IVC(10, random_state=0),
    IPC(10, random_state=0),
    KMCF(10, random_state=0),
    MultinomialMixture(10, random_state=0),
]
print(f"{'':20s}{'agreement with':>16s}{'NMI with':>12s}{'accuracy':>10s}")
print(f"{'':20s}{'the members':>16s}{'the digits':>12s}")
print(f"{'a single member':20s}{mutual:16.3f}{single.mean():12.3f}")
found = []
for function in functions:
    labels = function.fit_predict(ensemble)
    row = (anmi(labels, ensemble), nmi(labels, truth), accuracy(labels, truth))
    print(f"{type(function).__name__:20s}{row[0]:16.3f}{row[1]:12.3f}{row[2]:10.3f}")
    if function.n_clusters == 10:
        found.append((row[0], function))

# %%
# The verdict, by what can be known without the truth.
_, winner = max(found, key=lambda entry: entry[0])
share = winner.predict_proba(ensemble).max(axis=1)
print(
    f"Of those with ten clusters, {type(winner).__name__} agrees best with the members.\n"
    f"Without having seen a digit, it matches them with NMI {nmi(winner.labels_, truth):.2f}; a single "
    f"member reaches {single.mean():.2f}, the best one {single.max():.2f}.\n"
    f"{np.mean(share >= 0.5):.0%} of the objects have most votes on one cluster; the least certain is "
    f"object {share.argmin()} (vote share {share.min():.2f})."
)

# %%
# All of them, against the members.
answers = {type(function).__name__: function.labels_ for function in functions}
MemberQualityDisplay.from_ensemble(ensemble, truth, consensus=answers, metric=nmi).plot()
plt.show()
