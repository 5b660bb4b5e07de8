"""
Voting: what the members say, row by row
========================================

Twelve members label ninety objects, each under names of its own and with nearly a quarter of the labels
wrong. Coloured by the consensus, a column is a member and a row an object: IPC lets every row join the
cluster whose rows look most like it.
"""

import matplotlib.pyplot as plt

from consilience.consensus import BEST, IPC, IVC, PluralityVoting
from consilience.datasets import make_planted_ensemble
from consilience.metrics import accuracy
from consilience.plot import MembershipDisplay

ensemble, truth = make_planted_ensemble(90, 12, 4, noise=0.3, random_state=0)
consensus = IPC(4, random_state=0).fit(ensemble)
MembershipDisplay.from_ensemble(ensemble, consensus.labels_).plot()
plt.show()

# %%
# A single member is right on three objects of four; the votes are right on nearly all.
print(f"members on average   {sum(accuracy(m, truth) for m in ensemble.labels.T) / 12:.2f}")
for function in (BEST(), PluralityVoting(4), IVC(4, random_state=0), IPC(4, random_state=0)):
    print(f"{type(function).__name__:20} {accuracy(function.fit(ensemble).labels_, truth):.2f}")
