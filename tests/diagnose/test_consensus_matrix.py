"""Monti's statistics against the definitions, pair by pair."""

import numpy as np
import pytest
from hypothesis import given

import consilience
from consilience import Ensemble
from consilience.diagnose import ConsensusMatrix
from consilience.exceptions import InvalidInputError, MemoryLimitError
from oracles.strategies import examples, incomplete_matrices


def pair_by_pair(L):
    n = len(L)
    C = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            both = (L[i] >= 0) & (L[j] >= 0)
            C[i, j] = ((L[i] == L[j]) & both).sum() / both.sum() if both.any() else 0.0
    return C


@given(incomplete_matrices(max_n=10))
@examples(80)
def test_against_the_definitions(L):
    C = pair_by_pair(L)
    upper = C[np.triu_indices(len(L), 1)]
    matrix = ConsensusMatrix(Ensemble(L))
    np.testing.assert_allclose(matrix.pairs, upper, atol=1e-12)
    assert matrix.pac() == np.mean((matrix.pairs > 0.1) & (matrix.pairs < 0.9))
    assert matrix.cdf[-1] == pytest.approx(1)
    for k in (10, 50, 73):
        # Values on the edge of a bin may fall on either side of it.
        assert np.mean(upper < k / 100 - 1e-9) <= matrix.cdf[k - 1] + 1e-12
        assert matrix.cdf[k - 1] <= np.mean(upper <= k / 100 + 1e-9) + 1e-12


def test_standard_error_is_that_of_samples():
    rng = np.random.default_rng(0)
    group = rng.integers(0, 4, 3000)
    noisy = np.where(rng.random((3000, 20)) < 0.15, rng.integers(0, 4, (3000, 20)), group[:, None])
    drawn, stated = [], []
    for _ in range(40):
        matrix = ConsensusMatrix(Ensemble(noisy[rng.choice(3000, 150, replace=False)]))
        drawn.append(matrix.pac())
        stated.append(matrix.pac_error())
    assert np.mean(stated) == pytest.approx(np.std(drawn), rel=0.5)


def test_unanimous_members_are_unambiguous():
    matrix = ConsensusMatrix(Ensemble(np.tile([[0], [0], [1], [1]], (1, 5))))
    assert (matrix.pac(), matrix.pac_error()) == (0, 0)


def test_refusals():
    soft = Ensemble.from_memberships([[[0.5, 0.5], [1.0, 0.0]]])
    with pytest.raises(InvalidInputError, match=r"counts labels.*Ensemble\(ensemble.labels\)"):
        ConsensusMatrix(soft)
    limit = consilience.get_config().memory_limit
    try:
        consilience.set_config(memory_limit=10_000)
        with pytest.raises(MemoryLimitError, match="Take a sample of the objects"):
            ConsensusMatrix(Ensemble(np.zeros((100, 2), dtype=int)))
    finally:
        consilience.set_config(memory_limit=limit)


def test_standard_error_by_hand():
    # Two of three pairs are ambiguous: shares of 1/2, 1/2 and 1 of the pairs of the three objects.
    matrix = ConsensusMatrix(Ensemble([[0, 0, 1], [0, 0, 0]]))
    assert matrix.pac() == pytest.approx(2 / 3)
    assert matrix.pac_error() == pytest.approx(2 * np.std([0.5, 0.5, 1.0]) / np.sqrt(3))
