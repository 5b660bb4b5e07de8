"""METIS: sizes, seeds, repair, and what it says when it cannot be used."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from consilience import Ensemble, set_config
from consilience._utils import _optional
from consilience.datasets import make_planted_ensemble
from consilience.exceptions import MemoryLimitError, MissingExtraError, UnsupportedInputError
from consilience.metrics import ari
from consilience.partition import BipartiteGraph, ClusterGraph, Metis, ObjectGraph, _metis
from oracles.graphs import column_weights, cut, inside
from oracles.labels import one_hot


@pytest.fixture(scope="module")
def planted():
    return make_planted_ensemble(2000, 10, 5, noise=0.3, missing=0.1, random_state=0)


def low_rank(ensemble, K, seed=0, c=None, **options):
    c = np.ones(ensemble.n_base_clusters) if c is None else c
    graph = ObjectGraph(ensemble.incidence, c, 1.0)
    (found,) = Metis(**options).cut_objects(graph, K, np.random.default_rng(seed))
    return found.labels


def bipartite(ensemble, K, seed=0, c=None):
    c = np.ones(ensemble.n_base_clusters) if c is None else c
    rng = np.random.default_rng(seed)
    graph = BipartiteGraph(ensemble.incidence, c, ensemble.incidence @ c)
    (found,) = Metis().cut_bipartite(graph, K, rng)
    return found


@pytest.mark.parametrize("K", [2, 5, 7])
@pytest.mark.parametrize("kind", ["low rank", "bipartite"])
def test_part_sizes_are_within_one_percent_or_two_objects(planted, kind, K):
    ensemble, _ = planted
    labels = low_rank(ensemble, K, K) if kind == "low rank" else bipartite(ensemble, K, K).labels
    sizes = np.bincount(labels, minlength=K)
    assert len(sizes) == K
    assert np.abs(sizes - 2000 / K).max() <= max(2, 0.01 * 2000 / K)


def test_planted_parts_are_found(planted):
    ensemble, truth = planted
    assert ari(low_rank(ensemble, 5), truth) > 0.85
    found = bipartite(ensemble, 5)
    assert ari(found.labels, truth) > 0.85
    H, _ = one_hot(ensemble.labels)
    assert found.objective == pytest.approx(inside(H, np.ones(H.shape[1]), found.labels))


def test_same_seed_same_labels(planted):
    ensemble, _ = planted
    np.testing.assert_array_equal(low_rank(ensemble, 5, 3), low_rank(ensemble, 5, 3))
    np.testing.assert_array_equal(
        bipartite(ensemble, 5, 3).labels, bipartite(ensemble, 5, 3).labels
    )


def test_weights_decide():
    blocks = np.repeat([0, 1], 10)
    stripes = np.arange(20) % 2
    L = np.column_stack([blocks, stripes])
    for weights, expected in (([9.0, 1.0], blocks), ([0.25, 2.5], stripes)):
        c = column_weights(L, weights)
        assert ari(low_rank(Ensemble(L), 2, c=c), expected) == 1.0
        assert ari(bipartite(Ensemble(L), 2, c=c).labels, expected) == 1.0


@pytest.mark.parametrize("weight", [np.ones(40), np.random.default_rng(0).random(40) + 0.5])
def test_dense_graph_with_vertex_weights(weight):
    truth = np.repeat([0, 1, 2, 3], 10)
    rng = np.random.default_rng(1)
    affinity = np.where(truth[:, None] == truth, 0.8, 0.1) + 0.1 * rng.random((40, 40))
    affinity = affinity + affinity.T
    (found,) = Metis(imbalance=0.2).cut_clusters(ClusterGraph(affinity, weight), 4, rng)
    assert found.objective == pytest.approx(cut(affinity, found.labels))
    loads = np.bincount(found.labels, weights=weight, minlength=4)
    # METIS takes its tolerance in every bisection, and whole vertices
    assert loads.max() <= 1.2 * weight.sum() / 4 + weight.max()
    assert ari(found.labels, truth) > 0.8


def test_too_many_edges():
    ensemble, _ = make_planted_ensemble(300, 5, 3, random_state=0)
    with pytest.raises(
        UnsupportedInputError, match=r"300 objects have up to \d+ .*max_edges=1000; "
    ):
        low_rank(ensemble, 3, max_edges=1000)
    previous = set_config(memory_limit=1000)
    try:
        with pytest.raises(MemoryLimitError, match="The graph of 300 objects for METIS needs"):
            low_rank(ensemble, 3)
    finally:
        set_config(memory_limit=previous.memory_limit)


def test_the_extra_is_named_when_it_is_missing(planted, monkeypatch):
    monkeypatch.setattr(_optional, "find_spec", lambda name: None)
    with pytest.raises(
        MissingExtraError,
        match=r"partitioner='metis' needs the package pymetis.*pip install consilience\[metis\]",
    ):
        low_rank(planted[0], 3)


def _graph_of(*edges):
    rows, columns, weights = np.array(edges).T
    both = np.concatenate([rows, columns]), np.concatenate([columns, rows])
    return csr_array((np.concatenate([weights, weights]), both), shape=(4, 4))


def test_weights_of_edges_are_whole_and_of_one_total():
    graph = _graph_of((0, 1, 0.5), (1, 2, 0.25), (2, 3, 0.25)) + csr_array(9.0 * np.eye(4))
    found = _metis._whole_weights(graph).toarray()
    expected = np.zeros((4, 4))
    expected[0, 1], expected[1, 2], expected[2, 3] = 25_000_000, 12_500_000, 12_500_000
    np.testing.assert_array_equal(found, expected + expected.T)
    assert _metis._whole_weights(csr_array(np.eye(4))).nnz == 0


def test_edges_that_are_all_light_get_weight_one_or_none(monkeypatch):
    monkeypatch.setattr(_metis, "_TOTAL_WEIGHT", 1.0)
    found = _metis._whole_weights(_graph_of((0, 1, 3.0), (1, 2, 2.0), (2, 3, 1.0))).toarray()
    assert found.tolist() == [[0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 0], [0, 0, 0, 0]]


def test_weights_of_vertices_are_whole():
    whole = _metis._whole_vertex_weights(np.array([3.0, 0.0, 5.0]))
    assert whole.tolist() == [3, 0, 5]
    scaled = _metis._whole_vertex_weights(np.array([0.5, 1.5, 0.0, 1e-12]))
    assert scaled.tolist() == [25_000_000, 75_000_000, 0, 1]


def test_empty_parts_get_the_vertex_with_the_fewest_ties():
    graph = _graph_of((0, 1, 5.0), (1, 2, 1.0), (2, 3, 3.0))
    labels, counted = np.zeros(4, dtype=np.int32), np.ones(4, dtype=bool)
    assert _metis._fill_empty_parts(graph, labels.copy(), counted, 2).tolist() == [0, 0, 0, 1]
    counted[3] = False
    assert _metis._fill_empty_parts(graph, labels.copy(), counted, 2).tolist() == [0, 0, 1, 0]
    assert _metis._fill_empty_parts(graph, np.array([0, 1, 1, 0]), counted, 2).tolist() == [
        0, 1, 1, 0,
    ]  # fmt: skip
