"""
Above all: ask many, keep what speaks for the members
=====================================================

Concord runs eleven functions, combines their answers, lets objects move to where their base clusters
vote, and keeps the answer with the highest agreement with the members (ANMI), which needs no truth.
"""

import matplotlib.pyplot as plt

from consilience.consensus import Concord
from consilience.datasets import load_digits_ensemble
from consilience.metrics import nmi

ensemble, digits = load_digits_ensemble()
consensus = Concord(10, random_state=0).fit(ensemble)
print(f"Kept: {consensus.function_}; NMI with the digits {nmi(consensus.labels_, digits):.2f}.")

# %%
# Every answer, best first by what can be known. Here the truth is known too, so one can look: agreement
# with the members avoids the bad answers, but does not find the very best one.
answers = consensus.table_[::-1]
figure, axis = plt.subplots(figsize=(7, 6.5), layout="constrained")
for place, answer in enumerate(answers):
    truth = nmi(answer.labels, digits)
    axis.plot([answer.anmi, truth], [place, place], color="#d4d4d4", linewidth=1, zorder=1)
    axis.scatter(answer.anmi, place, color="#0072B2", s=22, label="members (ANMI)" * (place == 0))
    axis.scatter(truth, place, color="#E69F00", s=22, label="digits (NMI)" * (place == 0))
axis.set_yticks(range(len(answers)), [answer.function for answer in answers], fontsize=8)
axis.set_xlabel("agreement with")
axis.legend(frameon=False, fontsize=8, loc="lower center", ncols=2)
axis.spines[["top", "right"]].set_visible(False)
plt.show()
