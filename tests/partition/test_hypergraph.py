"""Mt-KaHyPar: sizes, seeds, objective, repair, and what it says when it is not installed."""

import numpy as np
import pytest

from consilience import Ensemble
from consilience._utils import _optional
from consilience.datasets import make_planted_ensemble
from consilience.exceptions import MissingExtraError
from consilience.metrics import ari
from consilience.partition import Hypergraph, MtKaHyPar, _mtkahypar
from oracles.graphs import broken
from oracles.labels import one_hot


def kahypar(ensemble, K, seed=0, c=None, imbalance=0.05):
    c = np.ones(ensemble.n_base_clusters) if c is None else c
    rng = np.random.default_rng(seed)
    graph = Hypergraph(ensemble.incidence, c)
    (found,) = MtKaHyPar(imbalance=imbalance).cut_hypergraph(graph, K, rng)
    return found


def test_golden_example():
    L = np.array(
        [[0, 1, 1, 0], [0, 0, 0, 0], [0, 0, 1, 1], [1, 1, 0, 0], [1, 1, 1, 1], [0, 1, 1, 1]]
    )
    found = kahypar(Ensemble(L), 2)
    assert found.objective == 5
    assert np.bincount(found.labels).tolist() == [3, 3]


@pytest.mark.parametrize("imbalance", [0.0, 0.05])
def test_sizes_and_objective(imbalance):
    ensemble, _ = make_planted_ensemble(400, 8, 3, noise=0.02, missing=0.1, random_state=0)
    H, _ = one_hot(ensemble.labels)
    c = np.random.default_rng(0).random(H.shape[1]) + 0.1
    found = kahypar(ensemble, 6, c=c, imbalance=imbalance)
    sizes = np.bincount(found.labels, minlength=6)
    assert sizes.min() > 0
    assert sizes.max() <= max(67, (1 + imbalance) * 400 / 6)
    assert found.objective == pytest.approx(broken(H, c, found.labels))


def test_unbroken_members_are_found():
    truth = np.arange(120) % 4
    L = np.column_stack([truth, (truth + 1) % 4])
    found = kahypar(Ensemble(L), 4)
    assert found.objective == 0
    assert ari(found.labels, truth) == 1.0


def test_same_seed_same_labels():
    ensemble, _ = make_planted_ensemble(300, 6, 3, noise=0.2, random_state=0)
    first = kahypar(ensemble, 3, seed=4).labels
    np.testing.assert_array_equal(first, kahypar(ensemble, 3, seed=4).labels)
    others = [kahypar(ensemble, 3, seed=seed).labels for seed in range(4)]
    assert any(ari(first, other) < 1 for other in others)


def test_empty_parts_are_filled():
    labels = _mtkahypar._fill_empty_parts(np.array([0, 0, 0, 2, 2], dtype=np.int32), 4)
    assert sorted(np.bincount(labels, minlength=4).tolist()) == [1, 1, 1, 2]


def test_the_extra_is_named_when_it_is_missing(monkeypatch):
    monkeypatch.setattr(_optional, "find_spec", lambda name: None)
    with pytest.raises(
        MissingExtraError,
        match=r"needs the package mtkahypar.*pip install consilience\[hypergraph\]",
    ):
        kahypar(Ensemble([[0, 0, 1, 1]]), 2)
