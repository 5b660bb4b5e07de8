"""Embeddings against dense eigenvectors."""

import itertools

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.sparse.linalg import aslinearoperator

from consilience import Ensemble
from consilience.consensus import IBGF
from consilience.metrics import accuracy
from consilience.partition import (
    ScaledIncidence,
    _spectral,
    leading_vectors,
    njw_dense,
    njw_embedding,
    row_kmeans,
    written_rows,
    yu_shi,
    zero_diagonal_vectors,
)
from consilience.partition._spectral import _largest_ritz_value, lanczos
from consilience.partition._spectral_partitioner import _without_diagonal
from oracles import spectral as oracle
from oracles.strategies import any_matrices

GOLDEN = np.array(
    [[1, 2, 2, 1], [1, 1, 1, 1], [1, 1, 2, 2], [2, 2, 1, 1], [2, 2, 2, 2], [1, 2, 2, 2]]
)
KEPT = [1, 0.403462, 0.335664, 0.115526, 0.021338, 0]
WITHOUT = [1, 0.099715, 0, -0.237973, -0.353805, -0.507937]


def noisy(n_samples, seed, missing=0.1):
    """Labels without repeated rows, so that eigenvalues are apart."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 4, (n_samples, 9))
    labels[rng.random(labels.shape) < missing] = -1
    labels[:, 0] = np.arange(n_samples) % 4
    return labels


def assert_same_space(found, expected, gap):
    """Equal up to rotation: the projections are the same."""
    assert gap > 1e-6, "the oracle's eigenvalues do not tell the space apart"
    np.testing.assert_allclose(found @ found.T, expected @ expected.T, atol=1e-8)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("lanczos", [False, True])
def test_diagonal_kept(seed, lanczos, monkeypatch):
    if lanczos:
        monkeypatch.setattr(_spectral, "_GRAM_COLUMNS", 1)
    labels, K = noisy(60, seed), 3
    weights = np.random.default_rng(seed).random(9) + 0.5
    ensemble = Ensemble(labels, weights=weights)
    H = ensemble.incidence
    share = (weights / weights.sum())[ensemble.layout.member_of]
    degree = H @ (share * H.sizes)
    scaled = ScaledIncidence(H, 1 / np.sqrt(degree), np.sqrt(share))
    vectors = leading_vectors(scaled, K)
    matrix = oracle.njw_matrix(oracle.coassociation(labels, weights), keep_diagonal=True)
    values, expected = oracle.top_vectors(matrix, K + 1)
    np.testing.assert_allclose(vectors.values**2, values[:K], atol=1e-10)
    found = scaled.row_scale[:, None] * (H @ vectors.table)
    assert_same_space(found, expected[:, :K], values[K - 1] - values[K])


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("n_samples", [12, 90])
def test_zero_diagonal(seed, n_samples):
    labels, K = noisy(n_samples, seed), 3
    ensemble = Ensemble(labels)
    rows = njw_embedding(
        ensemble.incidence, np.full(ensemble.n_base_clusters, 1 / 9), K, keep_diagonal=False
    )
    matrix = oracle.njw_matrix(oracle.coassociation(labels, np.ones(9)), keep_diagonal=False)
    values, expected = oracle.top_vectors(matrix, K + 1)
    assert_same_space(rows.H @ rows.table, expected[:, :K], values[K - 1] - values[K])


def test_golden_eigenvalues():
    ensemble = Ensemble(GOLDEN)
    H, share = ensemble.incidence, np.full(8, 0.25)
    degree = H @ (share * H.sizes)
    np.testing.assert_allclose(degree, [3.75, 2.75, 3.25, 2.75, 3.25, 3.75])
    kept = leading_vectors(ScaledIncidence(H, 1 / np.sqrt(degree), np.sqrt(share)), 6)
    np.testing.assert_allclose(kept.values**2, KEPT, atol=1e-6)
    scaled = ScaledIncidence(H, 1 / np.sqrt(degree - 1), np.sqrt(share))
    values, _ = zero_diagonal_vectors(scaled, 1 / (degree - 1), 6)
    np.testing.assert_allclose(values, WITHOUT, atol=1e-6)
    bipartite = leading_vectors(ScaledIncidence(H, np.full(6, 0.5), 1 / np.sqrt(H.sizes)), 6)
    expected = [1, 0.663044, 0.612372, 0.396348, 0.168169, 0]
    np.testing.assert_allclose(bipartite.values, expected, atol=1e-6)


@given(any_matrices(n_samples=(4, 9), n_members=(2, 4), missing=False), st.integers(0, 9))
def test_profiles_have_the_spectrum_of_their_copies(labels, seed):
    """Zero diagonal: q x q spectrum, plus -S_ii/d0 for the contrasts between copies."""
    repeated = np.vstack([labels, labels[seed % len(labels) :]])
    profiles = Ensemble(repeated).profiles()
    H = profiles.ensemble.incidence
    n_members = labels.shape[1]
    share = np.full(H.shape[1], 1 / n_members)
    without = H @ (share * H.sizes) - 1
    assume(without.min() > 1e-9)
    scaled = ScaledIncidence(H, 1 / np.sqrt(without), np.sqrt(share))
    values, _ = zero_diagonal_vectors(scaled, 1 / without, H.n_rows)
    contrasts = np.repeat(-1 / without, profiles.multiplicity - 1)
    matrix = oracle.njw_matrix(
        oracle.coassociation(repeated, np.ones(n_members)), keep_diagonal=False
    )
    expected = np.linalg.eigvalsh(matrix)
    np.testing.assert_allclose(np.sort(np.concatenate([values, contrasts])), expected, atol=1e-8)


def test_lonely_objects_are_components():
    labels = np.array([[0, 0], [0, 0], [1, 1], [2, 2], [3, 3], [3, 3]])
    rows = njw_embedding(Ensemble(labels).incidence, np.full(8, 0.5), 4, keep_diagonal=False)
    found = row_kmeans(rows, 4, n_init=5, max_iter=100, rng=np.random.default_rng(0))
    assert len(set(found.labels.tolist())) == 4


@pytest.mark.parametrize("seed", range(30))
def test_k_means_finds_the_best_partition(seed):
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(7, 2))
    weight = rng.integers(1, 4, 7)
    rows = written_rows(points, weight)._replace(unit=False)
    found = row_kmeans(rows, 3, n_init=100, max_iter=100, rng=rng)
    repeated = np.repeat(points, weight, axis=0)
    exact = oracle.sum_of_squares(repeated, np.repeat(found.labels, weight).tolist())
    assert found.objective == pytest.approx(exact)
    every = itertools.product(range(3), repeat=6)
    best = min(
        oracle.sum_of_squares(repeated, np.repeat([0, *rest], weight).tolist()) for rest in every
    )
    assert found.objective == pytest.approx(best)


@pytest.mark.parametrize("seed", range(10))
def test_k_means_with_extra_rows(seed):
    rng = np.random.default_rng(seed)
    points, extra = rng.normal(size=(5, 2)), rng.normal(size=(3, 2))
    rows = written_rows(points)._replace(extra=extra)
    found = row_kmeans(rows, 2, n_init=30, max_iter=100, rng=rng)
    together = oracle.unit(np.vstack([points, extra]))
    assert found.objective == pytest.approx(oracle.best_sum_of_squares(together, 2))


def test_small_dense_graphs():
    affinity = np.kron(np.eye(3), np.ones((4, 4))) + 0.01
    labels = njw_dense(affinity, 3, n_init=5, max_iter=50, rng=np.random.default_rng(0)).labels
    assert [len(set(labels[i : i + 4])) for i in (0, 4, 8)] == [1, 1, 1]
    assert len(set(labels.tolist())) == 3


def _literal_yu_shi(X, rounds=100):
    """The steps of [yu2003]_ on a written embedding."""
    X = oracle.unit(X)
    n_vectors = X.shape[1]
    R = np.zeros((n_vectors, n_vectors))
    R[:, 0] = X[0]
    c = np.zeros(len(X))
    for k in range(1, n_vectors):
        c += np.abs(X @ R[:, k - 1])
        R[:, k] = X[np.argmin(c)]
    phi = -np.inf
    for _ in range(rounds):
        Y = np.eye(n_vectors)[(X @ R).argmax(axis=1)]
        U, values, Vt = np.linalg.svd(Y.T @ X)
        if abs(values.sum() - phi) < 1e-12 * max(1, abs(phi)):
            break
        phi, R = values.sum(), Vt.T @ U.T
    return (X @ R).argmax(axis=1)


@pytest.mark.parametrize("seed", range(20))
def test_yu_shi_is_that_of_the_paper(seed):
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(40, 3)) * 0.3 + np.eye(3)[rng.integers(0, 3, 40)]
    np.testing.assert_array_equal(yu_shi(written_rows(points)), _literal_yu_shi(points))


def test_yu_shi_counts_profiles():
    rng = np.random.default_rng(3)
    points = rng.normal(size=(12, 3)) * 0.4 + np.eye(3)[np.arange(12) % 3]
    weight = rng.integers(1, 5, 12)
    merged = yu_shi(written_rows(points, weight))
    repeated = yu_shi(written_rows(np.repeat(points, weight, axis=0)))
    np.testing.assert_array_equal(np.repeat(merged, weight), repeated)


@pytest.mark.parametrize("seed", range(5))
def test_every_copy_of_a_repeated_eigenvalue_is_found(seed):
    """Members that cut planted groups but never join two: as many eigenvalues 1 as groups."""
    rng = np.random.default_rng(seed)
    group = np.repeat(np.arange(5), [60, 40, 50, 30, 70])
    place = rng.random(len(group))
    cuts = np.sort(rng.random((20, 5, 2)), axis=2)
    labels = [3 * group + (place[:, None] > cut[group]).sum(axis=1) for cut in cuts]
    ensemble = Ensemble(np.column_stack(labels))
    S = (ensemble.labels[:, None] == ensemble.labels[None]).mean(axis=2)
    np.fill_diagonal(S, 0)
    degree = S.sum(axis=1)
    dense = np.linalg.eigvalsh(S / np.sqrt(np.outer(degree, degree)))[::-1][:6]
    weight = np.full(ensemble.n_base_clusters, 1 / 20)
    scaled, removed = _without_diagonal(ensemble.incidence, weight)
    values, _ = zero_diagonal_vectors(scaled, removed, 6)
    np.testing.assert_allclose(values, dense, atol=1e-8)
    assert accuracy(group, IBGF(5, random_state=0).fit(ensemble).labels_) == 1


def test_lanczos_survives_a_start_that_arpack_refuses():
    matrix = np.diag(np.arange(100.0))
    values, vectors = lanczos(aslinearoperator(matrix), 3, np.zeros(100))
    np.testing.assert_allclose(values, [99, 98, 97])
    np.testing.assert_allclose(np.abs(vectors[[99, 98, 97]]), np.eye(3), atol=1e-8)


def test_largest_ritz_value_is_independent_of_the_scale():
    values = np.array([4.0, 3.0, 1.0, 0.5])
    for scale in (1.0, 1e-3):
        operator = aslinearoperator(scale * np.diag(values))
        found = _largest_ritz_value(operator, np.ones(4))
        assert found == pytest.approx(4 * scale, rel=1e-9)
    # A start that is a vector itself ends at once.
    assert _largest_ritz_value(aslinearoperator(np.diag(values)), np.eye(4)[1]) == pytest.approx(3)
