"""CSPA against the dense co-association graph."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.cluster import KMeans
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler

from consilience.consensus import CSPA, IBGF
from consilience.datasets import make_planted_ensemble
from consilience.exceptions import UnequalClustersWarning
from consilience.metrics import ari, error_rate
from consilience.partition import Balanced
from consilience.testing._checks import quietly
from oracles.graphs import GOLDEN, coassociation, cut, moved, partitions_within, swapped
from oracles.strategies import (
    examples,
    fit,
    incomplete_ensembles,
    member_weights,
    partitions,
)


@pytest.mark.parametrize("partitioner", ["balanced", "metis"])
def test_golden_example(partitioner):
    model = fit(CSPA(2, partitioner=partitioner, random_state=0), GOLDEN)
    assert model.labels_.tolist() == [0, 0, 1, 0, 1, 1]
    assert model.objective_ == pytest.approx(3.25)
    assert cut(coassociation(GOLDEN), [0, 0, 0, 1, 1, 1]) == pytest.approx(3.75)


@given(incomplete_ensembles(), st.sampled_from([0.0, 0.34]), st.data())
@examples(150)
def test_solutions_are_balanced_cuts_that_no_exchange_improves(ensemble, imbalance, data):
    L, K = ensemble
    n = len(L)
    weights = data.draw(member_weights(L.shape[1]))
    S = coassociation(L, weights)
    model = fit(
        CSPA(K, partitioner=Balanced(imbalance, n_init=4, max_iter=20), random_state=0), L, weights
    )
    smallest = n // K if imbalance == 0 else 1
    largest = int((1 + imbalance) * -(-n // K) + 1e-9)
    found = partitions(model)
    assert len(found) == len(set(found))
    for labels, solution in zip(found, model.solutions_, strict=True):
        sizes = np.bincount(labels, minlength=K)
        assert sizes.min() >= smallest
        assert sizes.max() <= largest
        assert solution.objective == pytest.approx(cut(S, labels), abs=1e-9)
        for other in [*swapped(labels), *moved(labels, K, smallest, largest)]:
            assert cut(S, other) >= solution.objective - 1e-9
    assert model.labels_.tolist() == list(found[0])
    assert model.objective_ == model.solutions_[0].objective
    assert all(b <= a + 1e-9 for a, b in pairwise(model.history_))
    assert len(model.history_) == model.n_iter_


@given(incomplete_ensembles(max_n=8, max_r=4), st.data())
@examples(100)
def test_ten_starts_find_the_optimum(ensemble, data):
    # all of these hundred do; nothing guarantees it (tests/partition/test_balanced.py has a share)
    L, K = ensemble
    weights = data.draw(member_weights(L.shape[1]))
    S = coassociation(L, weights)
    model = fit(CSPA(K, random_state=0), L, weights)
    n = len(L)
    best = min(cut(S, p) for p in partitions_within(n, K, n // K, -(-n // K)))
    assert model.objective_ == pytest.approx(best, abs=1e-9)


def test_spectral_form_is_ibgf_with_its_diagonal():
    ensemble, _ = make_planted_ensemble(300, 10, 4, noise=0.3, random_state=0)
    ours = CSPA(4, partitioner="spectral", random_state=0).fit(ensemble)
    theirs = IBGF(4, keep_diagonal=True, random_state=0).fit(ensemble)
    assert ari(ours.labels_, theirs.labels_) == 1.0


def test_metis_comes_close_to_the_local_search():
    ensemble, truth = make_planted_ensemble(400, 12, 4, noise=0.3, random_state=0)
    ours = CSPA(4, random_state=0).fit(ensemble)
    theirs = CSPA(4, partitioner="metis", random_state=0).fit(ensemble)
    assert theirs.objective_ == pytest.approx(ours.objective_, rel=0.01)
    assert ari(ours.labels_, truth) > 0.85
    assert np.bincount(ours.labels_).tolist() == [100] * 4


@pytest.mark.parametrize("partitioner", ["balanced", "metis"])
def test_unequal_clusters_are_warned_about(partitioner):
    ensemble, truth = make_planted_ensemble(
        300, 10, 3, noise=0.2, proportions=[6, 2, 1], random_state=0
    )
    with pytest.warns(UnequalClustersWarning, match="into parts of at most 100; use partitioner="):
        balanced = CSPA(3, partitioner=partitioner, random_state=0).fit(ensemble)
    assert ari(balanced.labels_, truth) < 0.6
    free = CSPA(3, partitioner="spectral", random_state=0).fit(ensemble)  # and is silent
    assert ari(free.labels_, truth) > 0.95


def test_enough_imbalance_is_not_warned_about():
    ensemble, truth = make_planted_ensemble(
        300, 10, 3, noise=0.2, proportions=[6, 2, 1], random_state=0
    )
    model = CSPA(3, partitioner=Balanced(imbalance=1.2), random_state=0).fit(ensemble)
    assert np.bincount(model.labels_).max() <= 220
    assert ari(model.labels_, truth) > 0.6


@pytest.mark.parametrize("partitioner", ["balanced", "metis"])
def test_equal_parts_cannot_beat_the_bound_of_the_class_sizes(partitioner):
    """Wine has 59, 71 and 48 objects: equal parts err on 6.2 % at least."""
    X, truth = load_wine(return_X_y=True)
    X = StandardScaler().fit_transform(X)
    members = [
        KMeans(3, init="random", n_init=1, random_state=seed).fit_predict(X) for seed in range(15)
    ]
    with quietly():
        labels = CSPA(3, partitioner=partitioner, random_state=0).fit_predict(members)
    sizes = np.bincount(labels)
    assert sizes.max() - sizes.min() <= (1 if partitioner == "balanced" else 4)
    best = np.minimum(np.sort(sizes), np.sort(np.bincount(truth))).sum() / len(truth)
    assert 1 - best - 1e-9 <= error_rate(labels, truth) < 0.15
