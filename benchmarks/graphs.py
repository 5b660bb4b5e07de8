"""Communities of LFR graphs: consensus beside single runs, and the time of the edge verb.

    python benchmarks/graphs.py [--nodes 1000] [--graphs 5] [--runs 5] [--mixing 0.1 0.3 0.5 0.7]
                                [--metric nmi] [--speed] [--edges 1000000]

NMI (or AMI, which chance cannot raise) with the planted communities against the mixing parameter, means
over graphs and runs. Single runs of Leiden go on until nothing changes. `--speed` measures the edge verb
and the weights of ECG instead.
"""

import argparse
import time
import warnings

import networkx as nx
import numpy as np
from sklearn.metrics import adjusted_mutual_info_score

from consilience import Ensemble
from consilience.consensus import Concord
from consilience.exceptions import ConsilienceWarning
from consilience.graphs import community_ensemble, ecg, fast_consensus, read_graph
from consilience.graphs._agreement import agreement_of
from consilience.graphs._consensus import ecg_weights
from consilience.graphs._detect import Detection, Task
from consilience.metrics import nmi

MIXING = (0.1, 0.2, 0.3, 0.4, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8)


def lfr_graph(n_nodes, mixing, number):
    """Return a graph and the planted community of every node; the generator fails for some seeds."""
    for attempt in range(20):
        try:
            graph = nx.LFR_benchmark_graph(
                n_nodes, 2.5, 1.5, mixing, average_degree=15, max_degree=50, min_community=10,
                max_community=50, max_iters=1000, seed=1000 * number + attempt,
            )  # fmt: skip
        except nx.ExceededMaxIterations:
            continue
        labels = np.full(n_nodes, -1)
        for place, community in enumerate({frozenset(graph.nodes[v]["community"]) for v in graph}):
            labels[list(community)] = place
        graph.remove_edges_from(list(nx.selfloop_edges(graph)))
        return read_graph(graph), labels
    raise RuntimeError(f"no LFR graph of {n_nodes} nodes with mixing {mixing}")


def single(graph, algorithm, number):
    """Run an algorithm once."""
    return Detection(algorithm, n_iterations=-1).run(graph, [Task(1.0, number)])[:, 0]


def of_the_house(graph, number):
    """Combine twenty runs of Leiden by Concord, into as many communities as a run has (median)."""
    ensemble = community_ensemble(graph, n_members=20, random_state=number)
    n_clusters = int(np.median(ensemble.n_clusters))
    return Concord(n_clusters, random_state=number).fit_predict(ensemble)


METHODS = {
    "Louvain": lambda graph, number: single(graph, "louvain", number),
    "Leiden": lambda graph, number: single(graph, "leiden", number),
    "`ecg`": lambda graph, number: ecg(graph, random_state=number).labels,
    '`ecg(final="louvain")`': lambda graph, number: (
        ecg(graph, final="louvain", random_state=number).labels
    ),
    "`fast_consensus`": lambda graph, number: fast_consensus(graph, random_state=number).labels,
    "`Concord`": of_the_house,
}


def quality(given):
    """Print NMI or AMI by mixing parameter."""
    score = nmi if given.metric == "nmi" else adjusted_mutual_info_score
    print(f"| mixing asked for | share of edges between communities | {' | '.join(METHODS)} |")
    print("| --- " * (2 + len(METHODS)) + "|")
    for mixing in given.mixing:
        scores = {name: [] for name in METHODS}
        between = []
        for number in range(given.graphs):
            graph, truth = lfr_graph(given.nodes, mixing, number)
            between.append(np.mean(truth[graph.edges[:, 0]] != truth[graph.edges[:, 1]]))
            for name, method in METHODS.items():
                scores[name] += [score(method(graph, run), truth) for run in range(given.runs)]
        row = " | ".join(f"{np.mean(found):.3f}" for found in scores.values())
        print(f"| {mixing:g} | {np.mean(between):.2f} | {row} |", flush=True)


def speed(n_edges, n_members=50):
    """Print seconds of the edge verb and of the weights of ECG."""
    rng = np.random.default_rng(0)
    n_nodes = n_edges // 10
    graph = read_graph(rng.integers(0, n_nodes, (n_edges, 2)))
    ensemble = Ensemble(rng.integers(0, 100, (graph.n_nodes, n_members)))
    agreement_of(graph, ensemble)  # kernels are compiled on first use
    ecg_weights(graph, np.zeros(graph.n_edges), 0.05)
    start = time.perf_counter()
    agreement = agreement_of(graph, ensemble)
    middle = time.perf_counter()
    ecg_weights(graph, agreement, 0.05)
    end = time.perf_counter()
    print(f"{graph.n_edges:,} edges x {n_members} members: agreement {middle - start:.2f} s, "
          f"weights {end - middle:.2f} s")  # fmt: skip


def main():
    """Read the arguments and run."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nodes", type=int, default=1_000)
    parser.add_argument("--graphs", type=int, default=5)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--mixing", type=float, nargs="+", default=MIXING)
    parser.add_argument("--metric", choices=["nmi", "ami"], default="nmi")
    parser.add_argument("--speed", action="store_true")
    parser.add_argument("--edges", type=int, default=1_000_000)
    given = parser.parse_args()
    warnings.simplefilter("ignore", ConsilienceWarning)
    if given.speed:
        speed(given.edges)
    else:
        quality(given)


if __name__ == "__main__":
    main()
