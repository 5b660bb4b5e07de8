"""The edge verb against H H', for both engines, weights, missing labels and sources outside memory."""

import numpy as np
import pytest

from consilience import Ensemble, set_config
from consilience.exceptions import InvalidInputError, MemoryLimitError
from consilience.incidence import ArraySource, HardBlocks, Incidence
from consilience.incidence._block_source import TakenRows


def _hard(n_rows=80):
    labels = np.random.default_rng(0).integers(-1, 5, (n_rows, 6))
    return Ensemble(labels, weights=[1, 2, 0.5, 0, 1, 3])


def _soft(n_rows=80):
    rng = np.random.default_rng(1)
    soft = []
    for k in (2, 3, 4):
        shares = rng.dirichlet(np.ones(k), n_rows)
        shares[rng.random(n_rows) < 0.2] = 0
        soft.append(shares)
    return Ensemble.from_memberships(soft, weights=[1, 2, 0.5])


def _pairs(n_rows=80, n_edges=300):
    return np.random.default_rng(2).integers(0, n_rows, (n_edges, 2))


@pytest.mark.parametrize("make", [_hard, _soft])
@pytest.mark.parametrize("weighted", [False, True])
def test_edges_are_entries_of_the_product(make, weighted):
    ensemble, pairs = make(), _pairs()
    rows = ensemble.incidence.dense_rows(range(ensemble.n_samples))
    weights = ensemble.weights if weighted else np.ones(ensemble.n_members)
    all_pairs = rows * weights[ensemble.layout.member_of] @ rows.T
    seen = ensemble.layout.sum_by_member(rows, axis=1) > 0.5
    known = seen * weights @ seen.T
    votes = ensemble.incidence.edges(pairs, ensemble.weights if weighted else None)
    np.testing.assert_allclose(votes.together, all_pairs[pairs[:, 0], pairs[:, 1]], atol=1e-6)
    np.testing.assert_allclose(votes.known, known[pairs[:, 0], pairs[:, 1]])
    assert weighted or make is _soft or votes.together.dtype == np.int32


def test_shares_where_nobody_knows():
    ensemble = Ensemble([[0, 0, -1], [1, 0, -1]])
    votes = ensemble.incidence.edges(np.array([[0, 1], [0, 2]]))
    shares = votes.shares()
    assert shares[0] == 0.5
    assert np.isnan(shares[1])
    assert votes.shares(unknown=0.0)[1] == 0.0


def test_threads_and_slices_do_not_matter(monkeypatch):
    from consilience.incidence import _edges

    ensemble, pairs = _hard(), _pairs()
    whole = ensemble.incidence.edges(pairs, ensemble.weights)
    monkeypatch.setattr(_edges, "_SLICE_EDGES", 7)
    previous = set_config(n_threads=3)
    try:
        parts = ensemble.incidence.edges(pairs, ensemble.weights)
    finally:
        set_config(n_threads=previous.n_threads)
    assert np.array_equal(whole.together, parts.together)
    assert np.array_equal(whole.known, parts.known)


def test_labels_outside_memory_give_the_same():
    ensemble, pairs = _hard(), _pairs()
    stored = TakenRows(ArraySource(ensemble.codes), np.arange(80))
    away = Incidence(stored, HardBlocks(ensemble.layout))
    here, there = ensemble.incidence.edges(pairs[:20]), away.edges(pairs[:20])
    assert np.array_equal(here.together, there.together)
    assert np.array_equal(here.known, there.known)
    previous = set_config(memory_limit=1000)
    try:
        with pytest.raises(MemoryLimitError, match="at the ends of edges"):
            away.edges(pairs)
    finally:
        set_config(memory_limit=previous.memory_limit)


@pytest.mark.parametrize(
    ("pairs", "words"),
    [
        (np.zeros((3, 3), int), "array \\(m, 2\\)"),
        (np.zeros((3, 2)), "whole numbers"),
        (np.array([[0, 80]]), "rows from 0 to 79; got 0 to 80"),
        (np.array([[-1, 3]]), "rows from 0 to 79"),
    ],
)
def test_wrong_edges(pairs, words):
    with pytest.raises(InvalidInputError, match=words):
        _hard().incidence.edges(pairs)


def test_no_edges():
    votes = _hard().incidence.edges(np.empty((0, 2), dtype=int))
    assert len(votes.together) == len(votes.shares()) == 0
