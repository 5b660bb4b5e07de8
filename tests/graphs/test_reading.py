"""Graphs of every kind come out as the same arrays; wrong ones are refused in one sentence."""

import igraph
import networkx as nx
import numpy as np
import pytest
from scipy import sparse

from consilience.exceptions import InvalidInputError, InvalidLabelsError, UnsupportedInputError
from consilience.graphs import (
    communities_of_labels,
    ensemble_of_communities,
    labels_of_communities,
    read_graph,
)

EDGES = [(0, 1), (1, 2), (0, 2), (2, 3)]
WEIGHTS = [1.0, 2.0, 0.5, 3.0]


def _same(graph, weighted=True):
    assert graph.edges.tolist() == [[0, 1], [0, 2], [1, 2], [2, 3]]
    expected = [1.0, 0.5, 2.0, 3.0]
    assert (graph.weights is None) != weighted
    if weighted:
        assert graph.weights.tolist() == expected


def test_every_kind_of_input_is_the_same_graph():
    triples = [(*edge, weight) for edge, weight in zip(EDGES, WEIGHTS, strict=True)]
    other = nx.Graph()
    other.add_nodes_from(range(4))
    other.add_weighted_edges_from(triples)
    third = igraph.Graph(n=4, edges=EDGES)
    third.es["weight"] = WEIGHTS
    matrix = sparse.coo_array((WEIGHTS, np.array(EDGES).T), shape=(4, 4))
    for kind in (other, third, sparse.csr_matrix(matrix + matrix.T), triples, np.array(triples)):
        _same(read_graph(kind))
        _same(read_graph(kind, weight=None), weighted=False)
    _same(read_graph(read_graph(triples)))


def test_weights_default_to_one_and_names_are_kept():
    graph = nx.Graph()
    graph.add_edge("a", "b")
    graph.add_edge("b", "c", weight=2.5)
    read = read_graph(graph)
    assert read.nodes.tolist() == ["a", "b", "c"]
    assert read.weights.tolist() == [1.0, 2.5]
    named = igraph.Graph(n=2, edges=[(0, 1)])
    named.vs["name"] = ["x", "y"]
    assert read_graph(named).nodes.tolist() == ["x", "y"]
    assert repr(read) == "Graph(3 nodes, 2 edges, weighted)"


def test_loops_go_and_parallel_edges_add_up():
    many = nx.MultiGraph([(0, 1), (0, 1), (1, 1), (1, 2)])
    read = read_graph(many)
    assert read.edges.tolist() == [[0, 1], [1, 2]]
    assert read.weights.tolist() == [2.0, 1.0]
    assert read_graph([(5, 3), (3, 9)]).nodes.tolist() == [3, 5, 9]


def test_induced_graph_and_adjacency():
    read = read_graph(EDGES)
    assert read.induced(np.array([1, 2, 3])).edges.tolist() == [[0, 1], [1, 2]]
    dense = read.adjacency().toarray()
    assert np.array_equal(dense, dense.T)
    assert dense.sum() == 8


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        (nx.DiGraph([(0, 1)]), UnsupportedInputError, "to_undirected"),
        (igraph.Graph(2, [(0, 1)], directed=True), UnsupportedInputError, "as_undirected"),
        (sparse.csr_array([[0, 1], [0, 0]]), UnsupportedInputError, "symmetric"),
        (sparse.csr_array(np.ones((2, 3))), InvalidInputError, "square"),
        ([(0, 1, -2.0)], UnsupportedInputError, "negative"),
        ([(0, 1), (1, 2, 3)], InvalidInputError, "all pairs or all triples"),
        ([(0, 1, "heavy")], InvalidInputError, "must be numbers"),
        ([(0, 1, np.inf)], InvalidInputError, "finite"),
        ("edges.txt", InvalidInputError, "got str"),
        (7, InvalidInputError, "got int"),
        (nx.Graph(), InvalidInputError, "no nodes"),
    ],
)
def test_wrong_graphs(given, error, words):
    with pytest.raises(error, match=words):
        read_graph(given)


def test_communities_in_and_out():
    nodes = ["a", "b", "c", "d"]
    labels = labels_of_communities([{"b", "d"}, ["a"]], nodes)
    assert labels.tolist() == [1, 0, -1, 0]
    assert communities_of_labels(labels, nodes) == [["b", "d"], ["a"]]

    class Clustering:
        communities = ((1, 0), (2, 3))

    ensemble = ensemble_of_communities([Clustering(), [[0], [1, 2, 3]]], nx.path_graph(4))
    assert ensemble.labels.tolist() == [[0, 0], [0, 1], [1, 1], [1, 1]]
    assert ensemble_of_communities([[nodes]], nodes).ids.tolist() == nodes


@pytest.mark.parametrize(
    ("communities", "error", "words"),
    [
        ([["a"], ["a", "b"]], InvalidLabelsError, "'a' is in communities 0 and 1"),
        ([["z"]], InvalidInputError, "'z', which the graph does not have"),
        ([0, 1], InvalidInputError, "Community 0 must be a list"),
        (3, InvalidInputError, "list of lists of nodes"),
    ],
)
def test_wrong_communities(communities, error, words):
    with pytest.raises(error, match=words):
        labels_of_communities(communities, ["a", "b"])


def test_labels_of_other_length():
    with pytest.raises(InvalidLabelsError, match="each of the 2 nodes"):
        communities_of_labels([0, 1, 1], ["a", "b"])
    with pytest.raises(InvalidInputError, match="at least one"):
        ensemble_of_communities([], ["a"])


def test_weights_that_are_not_numbers_are_refused():
    with pytest.raises(InvalidInputError, match="finite numbers"):
        read_graph([("a", "b", 1.0), ("b", "c", float("nan"))])
    with pytest.raises(InvalidInputError, match="finite numbers"):
        read_graph(sparse.csr_array(np.array([[0.0, np.inf], [np.inf, 0.0]])))


def test_a_small_dense_matrix_is_not_taken_for_a_list_of_edges():
    with pytest.raises(InvalidInputError, match="may be an adjacency matrix"):
        read_graph(np.array([[0, 1, 1], [1, 0, 0], [1, 0, 0]]))
