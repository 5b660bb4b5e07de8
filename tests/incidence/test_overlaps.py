"""Overlaps where most base clusters share no object: a sparse matrix that says what `gram` says."""

from functools import partial

import numpy as np
import pytest
from scipy.sparse import csr_array, issparse

from consilience import Ensemble, set_config
from consilience.exceptions import MemoryLimitError
from consilience.incidence import Layout, _grid, _overlaps, on_cells, pair_sums
from consilience.partition import member_gram, njw_dense

square = partial(np.square, dtype=np.float64)


@pytest.fixture
def listed(monkeypatch):
    """Let overlaps be listed however few base clusters there are."""
    monkeypatch.setattr(_overlaps, "_SMALL", 0)
    monkeypatch.setattr(_overlaps, "_CELL", np.inf)


def make(n_rows=60, weight=None):
    rng = np.random.default_rng(0)
    labels = rng.integers(-1, 25, (n_rows, 5))
    return Ensemble(labels).with_sample_weight(weight)


@pytest.fixture(params=["plain", "whole", "real"])
def ensemble(request):
    rng = np.random.default_rng(1)
    weight = {"plain": None, "whole": rng.integers(0, 4, 60), "real": rng.random(60)}
    return make(weight=weight[request.param])


@pytest.mark.parametrize("share", [False, True])
def test_listed_overlaps_are_those_of_the_matrix(ensemble, share, listed):
    H = ensemble.incidence
    sample_weight = np.random.default_rng(2).random(60) if share else None
    overlaps, gram = H.overlaps(sample_weight), H.gram(sample_weight)
    assert issparse(overlaps)
    assert overlaps.dtype == gram.dtype
    np.testing.assert_array_equal(overlaps.toarray(), gram)


def test_blocks_are_added_up(ensemble, listed, monkeypatch):
    expected = ensemble.incidence.overlaps().toarray()
    monkeypatch.setattr(_grid, "BLOCK_ROWS", 7)
    monkeypatch.setattr(_grid, "_STRIPE_LABELS", 1)
    monkeypatch.setattr(_grid, "_STRIPE_BLOCKS", 1)
    np.testing.assert_allclose(ensemble.incidence.overlaps().toarray(), expected, rtol=1e-14)


def test_few_base_clusters_or_many_overlaps_make_a_matrix():
    many = Layout([600] * 10)
    assert _overlaps.few_overlap(many, 5_000)
    assert not _overlaps.few_overlap(many, 100_000)
    assert not _overlaps.few_overlap(many, 0)
    assert not _overlaps.few_overlap(Layout([150] * 10), 100)
    assert isinstance(make().incidence.overlaps(), np.ndarray)


def test_soft_members_make_a_matrix(listed):
    soft = Ensemble.from_memberships([[[0.5, 0.5], [1.0, 0.0]]] * 2)
    assert isinstance(soft.incidence.overlaps(), np.ndarray)


def test_overlaps_beyond_the_memory_are_refused(listed):
    overlaps = make().incidence.overlaps
    previous = set_config(memory_limit=1_000)
    try:
        with pytest.raises(
            MemoryLimitError, match=r"The overlaps of \d+ base clusters need.*voting"
        ):
            overlaps()
    finally:
        set_config(memory_limit=previous.memory_limit)


def test_sums_over_pairs_of_members(ensemble, listed):
    H, layout = ensemble.incidence, ensemble.layout
    as_matrix = pair_sums(H.gram(), layout, square)
    for found, expected in zip(pair_sums(H.overlaps(), layout, square), as_matrix, strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-14)
        assert found.dtype == expected.dtype
    np.testing.assert_allclose(member_gram(H), as_matrix.joint, rtol=1e-14)


def test_a_function_of_cells_sees_both_base_clusters(listed):
    H = make().incidence
    clusters = np.arange(H.shape[1]) + 1.0
    found = on_cells(H.overlaps(), lambda cells, a, b: a * cells / b, clusters)
    np.testing.assert_array_equal(found.toarray(), clusters[:, None] * H.gram() / clusters)
    expected = on_cells(H.gram(), lambda cells, a, b: a * cells / b, clusters)
    np.testing.assert_array_equal(found.toarray(), expected)


@pytest.mark.parametrize("keep_diagonal", [False, True])
def test_sparse_graphs_are_cut_like_written_ones(keep_diagonal):
    affinity = np.kron(np.eye(4), np.ones((5, 5))) + np.diag(np.linspace(0.1, 1, 20))
    affinity[-1], affinity[:, -1] = 0, 0  # a vertex alone, without any link to itself
    cut = partial(njw_dense, n_clusters=5, keep_diagonal=keep_diagonal, n_init=5, max_iter=50)
    dense = cut(affinity, rng=np.random.default_rng(0))
    sparse = cut(csr_array(affinity), rng=np.random.default_rng(0))
    np.testing.assert_array_equal(dense.labels, sparse.labels)
