"""
How many clusters, if any
=========================

The wines come from three grapes; the cloud beside them has the same covariance and no clusters at all.
The choice of k tells the two apart, and the pictures show why a single statistic would not.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler

from consilience.answer import choose_k
from consilience.diagnose import structureless_data
from consilience.plot import ConsensusCDFDisplay

wine = StandardScaler().fit_transform(load_wine().data)
cloud = structureless_data(wine, np.random.default_rng(0))
candidates = range(2, 9)

# %%
# The wines: three clusters score best. Other ways of clustering also find them, but their borders are
# not clear, so the answer is not sure.
choice = choose_k(wine, candidates=candidates, random_state=0)
print(choice.sentence)
ConsensusCDFDisplay(choice).plot()
plt.show()

# %%
# The cloud: borders cost most of what is gained by clusters, so the answer is one.
choice = choose_k(cloud, candidates=candidates, random_state=0)
print(choice.sentence)
ConsensusCDFDisplay(choice).plot()
plt.show()
