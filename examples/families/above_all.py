"""
Above all: ask several, keep what speaks for the members
========================================================

Concord runs four functions and keeps the answer that the members support most, which needs no truth.
Here it is asked to run more functions than by default, to see how well the criterion tells good answers
from bad ones.
"""

import matplotlib.pyplot as plt
import numpy as np

from consilience.consensus import Concord
from consilience.datasets import load_digits_ensemble
from consilience.metrics import nmi

ensemble, digits = load_digits_ensemble()
functions = [
    "LWCL",
    "LWEA",
    "LWGP",
    "MCLA",
    "CBGF",
    "HBGF",
    "IBGF",
    "GWCA",
    "KMCF",
    "IVC",
    "CCU",
    "HAC",
]
consensus = Concord(10, functions=functions, random_state=0).fit(ensemble)
print(f"Kept: {consensus.function_}; NMI with the digits {nmi(consensus.labels_, digits):.2f}.")

# %%
# Every answer by what can be known, the criterion, and by what cannot, the agreement with the digits.
score = np.array([answer.score for answer in consensus.table_])
truth = np.array([nmi(answer.labels, digits) for answer in consensus.table_])
figure, axis = plt.subplots(figsize=(7, 4.5), layout="constrained")
axis.scatter(score, truth, color="#0072B2", s=26)
axis.scatter(score[0], truth[0], color="#D55E00", s=60, label="kept")
for answer, x, y in zip(consensus.table_, score, truth, strict=True):
    axis.annotate(answer.function, (x, y), xytext=(4, 4), textcoords="offset points", fontsize=8)
axis.set_xlabel("confidence^4 times information of the votes")
axis.set_ylabel("NMI with the digits")
axis.legend(frameon=False, fontsize=8, loc="lower right")
axis.spines[["top", "right"]].set_visible(False)
plt.show()
