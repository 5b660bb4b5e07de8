"""FC against all pairs of objects."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from consilience import Ensemble
from consilience.consensus.pairwise import FC
from consilience.partition._pair_similarity import PairSimilarity
from oracles.labels import canonical
from oracles.linkage import copies, furthest_consensus
from oracles.strategies import (
    ensembles,
    examples,
    fit,
    incomplete_ensembles,
    member_weights,
    multiplicities,
)

SIX = np.array([[0, 1, 1, 0], [0, 0, 0, 0], [0, 0, 1, 1], [1, 1, 0, 0], [1, 1, 1, 1], [0, 1, 1, 1]])


def test_six_objects_by_hand():
    # S(x2, x5) = S(x3, x4) = 0: the first pair; x1 and x6 are undecided or nearer to x5
    assert fit(FC(2), SIX).labels_.tolist() == [0, 0, 0, 0, 1, 1]
    # x1, x3 and x4 are all half like their nearer centre: the first becomes the third; x6 is
    # as near to it as to x5, which came earlier
    assert fit(FC(3), SIX).labels_.tolist() == [0, 1, 1, 1, 2, 2]


@pytest.mark.parametrize("strategy", [ensembles, incomplete_ensembles])
@given(data=st.data())
@examples(300)
def test_against_all_pairs(strategy, data):
    L, K = data.draw(strategy())
    weights = data.draw(member_weights(L.shape[1]))
    if data.draw(st.booleans()):
        L = np.repeat(L, data.draw(multiplicities(len(L))), axis=0)
    K = min(K, len(copies(L)))
    assert fit(FC(K), L, weights).labels_.tolist() == list(
        canonical(furthest_consensus(L, K, weights))
    )


@given(ensembles(), st.data())
@examples(60)
def test_objects_of_weight_zero_are_no_centres(ensemble, data):
    L, K = ensemble
    distinct = np.array([group[0] for group in copies(L)])
    counts = np.zeros(len(L), dtype=int)
    counts[data.draw(st.permutations(distinct.tolist()))[:K]] = 1
    labels = fit(FC(K), L, sample_weight=counts).labels_
    assert sorted(labels[counts > 0].tolist()) == list(range(K))


def test_the_search_stops_where_nothing_is_shared(monkeypatch):
    rows = []
    original = PairSimilarity.row

    def counting(self, i, start=0):
        rows.append(i)
        return original(self, i, start)

    monkeypatch.setattr(PairSimilarity, "row", counting)
    L = np.random.default_rng(0).integers(0, 4, (2000, 12))
    L[:, 0] = 0  # all pairs share this one
    fit(FC(5), Ensemble(L).labels)
    assert len(rows) == 1 + 5


def test_all_pairs_are_read_where_everything_is_shared():
    # no two rows are apart in all members: row 2 and 4 share one of four, all others two
    L = [[0, 0, 0, 0], [0, 0, 1, 1], [0, 1, 0, 1], [0, 0, 0, 1], [0, 0, 1, 2]]
    assert fit(FC(2), np.array(L)).labels_.tolist() == list(canonical(furthest_consensus(L, 2)))
