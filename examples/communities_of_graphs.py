"""
Communities that do not change from run to run
==============================================

Louvain and Leiden give other communities at every run. Many runs are made on one graph with planted
communities, and combined on the edges. Needs ``pip install "consilience[graphs,plot]"``.
"""

import matplotlib.pyplot as plt
import networkx as nx
import numpy as np

from consilience.consensus import Concord
from consilience.graphs import community_ensemble, ecg, fast_consensus
from consilience.metrics import ari, nmi, pairwise_ari

# Communities of 15 to 50 nodes.
graph = nx.LFR_benchmark_graph(
    600, 2.5, 1.5, 0.4, average_degree=12, max_degree=40, min_community=15, max_community=50, seed=2
)
graph.remove_edges_from(list(nx.selfloop_edges(graph)))
truth = np.empty(len(graph), dtype=int)
for number, community in enumerate({frozenset(graph.nodes[node]["community"]) for node in graph}):
    truth[list(community)] = number
between = np.mean([truth[one] != truth[other] for one, other in graph.edges])
print(f"{graph}; {between:.0%} of the edges lead from one community to another.")

# %%
# Twenty runs of Leiden are twenty answers.
runs = community_ensemble(graph, algorithm="leiden", n_members=20, random_state=0)
alike = pairwise_ari(runs)[np.triu_indices(20, 1)]
print(f"{runs}; two runs agree with an adjusted Rand index of {alike.mean():.2f}.")

# %%
# Consensus on the edges: an edge counts by the share of the runs that keep it. Repeated with other seeds
# the answer changes less than that of a single run. `ecg` is also nearer to the planted communities.
answers = {
    "single Leiden": list(runs.labels.T[:8]),
    "ecg": [ecg(graph, random_state=number).labels for number in range(8)],
    "fast_consensus": [fast_consensus(graph, random_state=number).labels for number in range(8)],
}
stability = {
    name: np.mean([ari(one, other) for i, one in enumerate(found) for other in found[:i]])
    for name, found in answers.items()
}
quality = {name: np.mean([nmi(one, truth) for one in found]) for name, found in answers.items()}
for name in answers:
    print(
        f"{name:15s} repeated runs agree {stability[name]:.2f}, planted communities {quality[name]:.2f}"
    )

# %%
# Members are an Ensemble, so every consensus function takes them.
found = ecg(graph, random_state=0)
print(found.sentence)
labels = Concord(found.n_clusters, random_state=0).fit_predict(found.ensemble)
print(f"Concord on the same members: NMI with the planted communities {nmi(labels, truth):.2f}")
print(f"The smallest community: {found.communities[-1][:8]}")

# %%
# Edges inside a community are kept by nearly all members, edges between communities by few.
inside = truth[found.graph.edges[:, 0]] == truth[found.graph.edges[:, 1]]
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
bins = np.linspace(0, 1, 17)
left.hist(
    [found.agreement[inside], found.agreement[~inside]],
    bins,
    label=["inside a planted community", "between two"],
    color=["#0072b2", "#e69f00"],
)
left.set(xlabel="share of the members that keep the edge", ylabel="edges")
left.legend(frameon=False)
places = np.arange(len(answers))
right.bar(
    places - 0.2, stability.values(), 0.4, label="agreement of repeated runs (ARI)", color="#0072b2"
)
right.bar(places + 0.2, quality.values(), 0.4, label="planted communities (NMI)", color="#e69f00")
right.set_xticks(places, answers)
right.set(ylim=(0, 1.25), yticks=np.linspace(0, 1, 6))
right.legend(frameon=False, loc="upper left", fontsize=8)
plt.show()
