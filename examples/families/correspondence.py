"""
Correspondence: which base clusters mean the same
=================================================

Members name their clusters as they like. CCC finds out which names belong together, one to one in every
member; then objects vote. Ribbons are objects, coloured by the consensus.
"""

import matplotlib.pyplot as plt

from consilience.consensus import CCC, CCSVD, CCU
from consilience.datasets import make_planted_ensemble
from consilience.metrics import accuracy
from consilience.plot import AlluvialDisplay

ensemble, truth = make_planted_ensemble(300, 5, 4, noise=0.15, random_state=2)
consensus = CCC(4).fit(ensemble)
AlluvialDisplay.from_ensemble(ensemble, consensus.labels_, n_members=4).plot()
plt.show()

# %%
# The three functions of the family.
for function in (CCC(4), CCU(4), CCSVD(4, random_state=0)):
    print(f"{type(function).__name__:8} {accuracy(function.fit(ensemble).labels_, truth):.2f}")
