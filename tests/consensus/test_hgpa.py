"""HGPA against counting broken base clusters."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from consilience.consensus import HGPA
from consilience.metrics import ari
from oracles.graphs import GOLDEN, broken, column_weights, partitions_within
from oracles.labels import one_hot
from oracles.strategies import examples, fit, incomplete_ensembles, member_weights

PARTITIONERS = pytest.mark.parametrize("partitioner", ["balanced", "hypergraph"])


@PARTITIONERS
def test_golden_example(partitioner):
    model = fit(HGPA(2, partitioner=partitioner, random_state=0), GOLDEN)
    assert model.objective_ == 5
    assert np.bincount(model.labels_).tolist() == [3, 3]
    assert broken(one_hot(GOLDEN)[0], np.ones(8), model.labels_.tolist()) == 5


@PARTITIONERS
@pytest.mark.parametrize("edge_weight", ["one", "size"])
@given(ensemble=incomplete_ensembles(), data=st.data())
@examples(40)
def test_objective_and_sizes(partitioner, edge_weight, ensemble, data):
    L, K = ensemble
    weights = data.draw(member_weights(L.shape[1]))
    H, _ = one_hot(L)
    c = column_weights(L, weights) * (H.sum(axis=0) if edge_weight == "size" else 1)
    model = fit(
        HGPA(K, partitioner=partitioner, edge_weight=edge_weight, random_state=0),
        L,
        weights,
    )
    assert model.objective_ == pytest.approx(broken(H, c, model.labels_.tolist()), abs=1e-9)
    sizes = np.bincount(model.labels_, minlength=K)
    assert sizes.min() >= 1
    assert sizes.max() <= max(-(-len(L) // K), 1.05 * len(L) / K)


@given(incomplete_ensembles(max_n=9, max_r=4))
@examples(60)
def test_no_partition_beats_the_optimum(ensemble):
    # the search mostly reaches it (tests/partition/test_balanced.py has the share)
    L, K = ensemble
    n = len(L)
    H, _ = one_hot(L)
    c = np.ones(H.shape[1])
    model = fit(HGPA(K, random_state=0), L)
    largest = max(-(-n // K), int(1.05 * n / K))
    assert model.objective_ >= min(broken(H, c, p) for p in partitions_within(n, K, 1, largest))


def test_unanimous_members_of_equal_sizes_win():
    truth = np.arange(120) % 6
    L = np.column_stack([truth, (truth + 2) % 6, truth[::1]])
    model = fit(HGPA(6, random_state=0), L)
    assert model.objective_ == 0
    assert ari(model.labels_, truth) == 1.0


def test_sizes_as_weights_spare_large_clusters():
    # cutting the first member costs two clusters of 4, the second two of 2 and of 6
    L = np.column_stack([np.repeat([0, 1], 4), [0, 0, 1, 1, 1, 1, 1, 1]])
    one = fit(HGPA(2, random_state=0), L)
    size = fit(HGPA(2, edge_weight="size", random_state=0), L)
    assert one.objective_ == 1
    assert size.objective_ == 6
