"""Members and consensus on graphs, with the real libraries."""

import random
import subprocess
import sys

import igraph
import networkx as nx
import numpy as np
import pytest

from consilience import Ensemble
from consilience.exceptions import (
    InvalidInputError,
    InvalidParameterError,
    MissingExtraError,
    NotConvergedWarning,
)
from consilience.graphs import (
    community_ensemble,
    ecg,
    edge_agreement,
    fast_consensus,
    read_graph,
)
from consilience.graphs._consensus import _closing_pairs, ecg_weights
from consilience.metrics import ari

PAIRS = [
    ("igraph", "leiden"),
    ("igraph", "louvain"),
    ("igraph", "label_propagation"),
    ("leidenalg", "leiden"),
    ("networkx", "louvain"),
    ("networkx", "label_propagation"),
]


@pytest.fixture(scope="module")
def planted():
    graph = nx.planted_partition_graph(4, 25, 0.4, 0.03, seed=3)
    return graph, np.repeat(np.arange(4), 25)


@pytest.mark.parametrize(("library", "algorithm"), PAIRS)
def test_one_seed_decides_every_member(planted, library, algorithm):
    made = [
        community_ensemble(
            planted[0],
            algorithm=algorithm,
            library=library,
            n_members=4,
            random_state=5,
            n_jobs=n_jobs,
        )
        for n_jobs in (None, 2)
    ]
    assert np.array_equal(made[0].labels, made[1].labels)
    assert made[0].n_members == 4
    assert np.all(made[0].n_clusters >= 1)
    assert max(ari(labels, planted[1]) for labels in made[0].labels.T) > 0.8
    assert made[0].names[0] == f"{algorithm}_0"


def test_members_differ_and_igraph_is_left_as_it_was(planted):
    ensemble = community_ensemble(
        planted[0], algorithm="louvain", first_level=True, n_members=5, random_state=0
    )
    assert len({labels.tobytes() for labels in ensemble.labels.T}) > 1
    whole = community_ensemble(planted[0], algorithm="louvain", n_members=5, random_state=0)
    assert ensemble.n_clusters.mean() > whole.n_clusters.mean()
    graph = igraph.Graph.Famous("Zachary")
    random.seed(4)
    before = graph.community_leiden("modularity", n_iterations=1).membership
    community_ensemble(planted[0], n_members=1, random_state=0)
    random.seed(4)
    assert graph.community_leiden("modularity", n_iterations=1).membership == before


def test_resolutions_in_turn_and_subsamples(planted):
    ensemble = community_ensemble(
        planted[0], n_members=6, resolution=[0.2, 3.0], subsample=0.6, random_state=0
    )
    assert ensemble.n_observed.tolist() == [60] * 6
    alone = community_ensemble(planted[0], n_members=3, random_state=0).labels
    whole = community_ensemble(planted[0], n_members=3, subsample=1.0, random_state=0).labels
    assert np.array_equal(alone, whole)
    assert ensemble.n_clusters[1::2].min() > ensemble.n_clusters[::2].max()
    assert ensemble.names[:2] == ("leiden_0.2_0", "leiden_3_1")


def test_a_function_of_the_user(planted):
    def halves(graph, number):
        order = np.random.default_rng(number).permutation(len(graph))
        return [order[:50].tolist(), order[50:].tolist()]

    ensemble = community_ensemble(planted[0], algorithm=halves, n_members=3, random_state=0)
    assert ensemble.n_clusters.tolist() == [2, 2, 2]
    labels = community_ensemble(
        planted[0], algorithm=lambda graph, _: [0] * len(graph), n_members=1
    )
    assert labels.n_clusters.tolist() == [1]
    with pytest.raises(InvalidParameterError, match="subsample has no meaning"):
        community_ensemble(planted[0], algorithm=halves, subsample=0.5)
    with pytest.raises(InvalidParameterError, match="label each of the 100 nodes"):
        community_ensemble(planted[0], algorithm=lambda graph, _: [0, 1])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"algorithm": "infomap"}, "one of 'leiden'"),
        ({"library": "networkx"}, "has no algorithm 'leiden'.*'igraph' and 'leidenalg' have it"),
        ({"first_level": True}, "needs algorithm='louvain'"),
        ({"resolution": 0}, "a number above 0"),
        ({"resolution": []}, "a number above 0"),
        ({"n_members": 0}, "at least 1"),
    ],
)
def test_wrong_parameters(planted, options, words):
    with pytest.raises(InvalidParameterError, match=words):
        community_ensemble(planted[0], **options)


def test_a_missing_library_is_named(planted, monkeypatch):
    monkeypatch.setattr("consilience._utils._optional.is_available", lambda name: name != "igraph")
    with pytest.raises(MissingExtraError, match=r"consilience\[graphs\]"):
        community_ensemble(planted[0])
    with pytest.raises(MissingExtraError, match="ecg needs the package igraph"):
        ecg(planted[0])


def test_libraries_are_not_imported_before_they_are_needed():
    code = (
        "import sys, consilience.graphs as g; g.edge_agreement([(0, 1)], [[0, 0]]); "
        "print({'igraph', 'networkx', 'leidenalg'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603
    assert done.stdout.strip() == "set()"


def test_edge_agreement_takes_graphs_and_positions(planted):
    graph, truth = planted
    ensemble = Ensemble(np.column_stack([truth, truth // 2]), weights=[1, 3])
    found = edge_agreement(graph, ensemble)
    inside = truth[found.edges[:, 0]] == truth[found.edges[:, 1]]
    assert np.all(found.agreement[inside] == 1)
    assert set(np.unique(found.agreement[~inside])) == {0.0, 0.75}
    assert np.array_equal(edge_agreement(found.edges, ensemble).together, found.together)
    assert 0 < found.settled < 1
    with pytest.raises(InvalidInputError, match="each of the 100 nodes; it has 3"):
        edge_agreement(graph, [[0, 1, 1]])


def test_weights_of_ecg_follow_the_paper():
    # A triangle with a tail: the tail is outside the 2-core.
    graph = read_graph([(0, 1), (1, 2), (0, 2), (2, 3)])
    weights = ecg_weights(graph, np.array([1.0, 0.5, 0.0, 1.0]), 0.05)
    np.testing.assert_allclose(weights, [1.0, 0.525, 0.05, 0.05])


@pytest.mark.parametrize("find", [ecg, fast_consensus])
def test_planted_communities_are_found(planted, find):
    graph, truth = planted
    found = find(graph, random_state=0)
    assert ari(found.labels, truth) == 1.0
    assert sorted(map(sorted, found.communities)) == [
        list(range(k, k + 25)) for k in (0, 25, 50, 75)
    ]
    again = find(graph, random_state=0, n_jobs=2)
    assert np.array_equal(found.labels, again.labels)
    assert found.sentence.startswith("4 communities of 25, 25, 25, 25 nodes")
    assert 0 < found.strength <= 1
    assert len(found.agreement) == graph.number_of_edges()


def test_ecg_takes_members_with_missing_labels(planted):
    graph, truth = planted
    labels = np.column_stack([truth, truth])
    labels[::3, 0] = -1
    labels[:2, 1] = -1
    found = ecg(graph, labels, random_state=0)
    assert ari(found.labels[2:], truth[2:]) > 0.95
    assert ari(ecg(graph, library="networkx", final="louvain", random_state=0).labels, truth) > 0.9


def test_graphs_without_edges_or_with_isolated_nodes():
    graph = nx.disjoint_union(nx.complete_graph(5), nx.complete_graph(5))
    graph.add_nodes_from([10, 11])
    for find in (ecg, fast_consensus):
        assert find(graph, random_state=0).n_clusters == 4
        bare = nx.Graph()
        bare.add_nodes_from(range(3))
        assert find(bare, random_state=0).n_clusters == 3


def test_fast_consensus_says_when_it_did_not_end():
    graph = nx.gnp_random_graph(60, 0.2, seed=0)
    with pytest.warns(NotConvergedWarning, match="max_iter=1 rounds"):
        fast_consensus(graph, max_iter=1, random_state=0)


@pytest.mark.parametrize("n_leaves", [4, 9, 49])
@pytest.mark.parametrize("algorithm", ["louvain", "leiden"])
def test_fast_consensus_keeps_what_all_members_agree_on(n_leaves, algorithm):
    # All members find one community in the first round; random triples must not split it afterwards.
    found = fast_consensus(nx.star_graph(n_leaves), algorithm=algorithm, random_state=0)
    assert found.n_iter == 1
    assert found.n_clusters == 1
    assert set(found.ensemble.n_clusters) == {1}


def test_ids_are_numbers_or_text():
    ensemble = community_ensemble(nx.Graph([("a", "b")]), n_members=2, random_state=0)
    assert ensemble.ids.tolist() == ["a", "b"]
    assert "community_ensemble" in str(ensemble.provenance)
    numbers = read_graph(nx.Graph([(5, 7), (7, 9)]))
    assert numbers.ids.tolist() == [5, 7, 9]
    assert read_graph(nx.path_graph(3)).ids is None
    pairs = read_graph(nx.Graph([(("a", 1), ("b", 2))]))
    assert pairs.ids.tolist() == ["('a', 1)", "('b', 2)"]


def test_closing_pairs_join_neighbours_that_no_edge_joins():
    graph = read_graph(nx.Graph([(0, 1), (0, 2), (1, 2), (2, 3)]))
    found = _closing_pairs(graph, 200, np.random.default_rng(0))
    assert found.tolist() == [[0, 3], [1, 3]]
