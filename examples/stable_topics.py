"""
Topics that are the same at every run
=====================================

Topic pipelines such as BERTopic reduce embeddings at random and look for dense groups, so that every run
finds other topics. Here the texts are the docstrings of scikit-learn, and a consensus of many such runs
changes less from seed to seed. `ConsensusTopics` is what BERTopic takes as `hdbscan_model`. Needs
``pip install "consilience[plot]"``.
"""

from itertools import combinations

import matplotlib.pyplot as plt
import numpy as np
from sklearn.cluster import HDBSCAN
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.preprocessing import normalize
from sklearn.random_projection import GaussianRandomProjection
from sklearn.utils.discovery import all_estimators, all_functions

from consilience.metrics import ari
from consilience.topics import ConsensusTopics

things = dict(all_estimators() + all_functions())
texts = {name: thing.__doc__ for name, thing in things.items() if len(thing.__doc__ or "") > 300}
words = TfidfVectorizer(
    stop_words="english",
    min_df=3,
    max_df=0.3,
    sublinear_tf=True,
    token_pattern="[a-z]{3,}",  # noqa: S106 - not a password
)
counts = words.fit_transform(texts.values())
embeddings = normalize(TruncatedSVD(40, random_state=0).fit_transform(counts))
print(f"{len(texts)} docstrings of scikit-learn, {counts.shape[1]} words")

# %%
# One run: a random reduction to twenty axes (BERTopic uses UMAP), then HDBSCAN. The consensus makes
# many such runs and lets them vote, also about what is noise.
reducer = GaussianRandomProjection(20)
answers = {"one run": [], "consensus of 10": [], "consensus of 40": []}
for number in range(4):
    reducer.set_params(random_state=number)
    reduced = reducer.fit_transform(embeddings)
    answers["one run"].append(HDBSCAN(min_cluster_size=6, copy=True).fit(reduced).labels_)
    for n_members in (10, 40):
        topics = ConsensusTopics(
            reducer=reducer, n_members=n_members, min_cluster_size=6, random_state=number
        )
        answers[f"consensus of {n_members}"].append(topics.fit(embeddings).labels_)


# %%
# Agreement of different seeds; noise counts as a group of its own.
def agreement(runs):
    """Return the adjusted Rand index of every pair of runs."""
    return [ari(one + 1, other + 1) for one, other in combinations(runs, 2)]


for name, runs in answers.items():
    numbers = ", ".join(str(labels.max() + 1) for labels in runs)
    noise = np.mean([np.mean(labels < 0) for labels in runs])
    print(
        f"{name:16s} agreement {np.mean(agreement(runs)):.2f}; topics {numbers}; noise {noise:.0%}"
    )

# %%
# The largest topics of one consensus, by the words that tell them apart.
labels = topics.labels_
names = words.get_feature_names_out()
overall = np.asarray(counts.mean(axis=0)).ravel()
for topic in range(6):
    excess = np.asarray(counts[labels == topic].mean(axis=0)).ravel() - overall
    print(f"{np.sum(labels == topic):4d} texts: {', '.join(names[np.argsort(-excess)[:6]])}")

# %%
figure, ax = plt.subplots(figsize=(6, 3.2), layout="constrained")
ax.boxplot([agreement(runs) for runs in answers.values()], widths=0.5)
ax.set_xticklabels(answers)
ax.set(ylabel="agreement of two seeds (ARI)", ylim=(0, 1))
ax.set_title(f"{len(texts)} docstrings: the same texts, other seeds", loc="left")
plt.show()
