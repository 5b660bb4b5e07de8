"""IBGF, CBGF, HBGF, LWGP and MCLA against versions that write every matrix down."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from consilience import Ensemble
from consilience.consensus import CBGF, HBGF, IBGF, LWGP, MCLA
from consilience.consensus.graph._cluster_graphs import join_groups
from consilience.partition import Dhillon, Spectral
from consilience.testing._checks import quietly
from oracles import spectral as oracle
from oracles.draws import row_draw
from oracles.strategies import any_matrices, examples


def fit(function, ensemble):
    with quietly():
        return function.fit(ensemble)


def cases(**options):
    matrices = any_matrices(n_samples=(5, 8), n_members=(3, 4), n_labels=3, **options)
    return st.tuples(matrices, st.integers(0, 2**16))


def weights_for(labels, seed):
    """Weights of mean one, as the ensemble scales them: objectives are in these units."""
    weights = np.random.default_rng(seed).uniform(0.5, 2, labels.shape[1])
    return weights / weights.mean()


def clear_gap(matrix, K):
    """Whether the K leading eigenvalues are apart from the next: else the space is not determined."""
    values = np.linalg.eigvalsh(matrix)[::-1]
    return values[K - 1] - values[K] > 1e-4


def assert_best_on(rows, model, extra=0):
    """The objective is the least sum of squares, and that of the labels if no row is extra."""
    assert model.objective_ == pytest.approx(oracle.best_sum_of_squares(rows, 2), abs=1e-8)
    if not extra:
        labels = model.labels_.tolist()
        assert oracle.sum_of_squares(rows, labels) == pytest.approx(model.objective_, abs=1e-8)


@pytest.mark.parametrize("keep", [False, True])
@given(case=cases())
@examples(150)
def test_ibgf(keep, case):
    labels, seed = case
    weights = weights_for(labels, seed)
    matrix = oracle.njw_matrix(oracle.coassociation(labels, weights), keep_diagonal=keep)
    assume(len(np.unique(labels, axis=0)) >= 2 and clear_gap(matrix, 2))
    model = fit(
        IBGF(2, keep_diagonal=keep, n_init=40, random_state=0), Ensemble(labels, weights=weights)
    )
    assert_best_on(oracle.unit(oracle.top_vectors(matrix, 2)[1]), model)


@pytest.mark.parametrize("objects_only", [False, True])
@given(case=cases())
@examples(60)
def test_hbgf(objects_only, case):
    labels, seed = case
    weights = weights_for(labels, seed)
    A = oracle.bipartite(labels, weights)
    assume(len(np.unique(labels, axis=0)) >= 2 and min(A.shape) > 2 and clear_gap(A.T @ A, 2))
    assume(A.shape[1] <= 6 or objects_only)
    U, _, Vt = np.linalg.svd(A)
    rows = oracle.unit(U[:, :2])
    if not objects_only:
        rows = np.vstack([rows, oracle.unit(Vt[:2].T)])
    options = {"partitioner": Spectral(objects_only, n_init=40), "random_state": 0}
    model = fit(HBGF(2, **options), Ensemble(labels, weights=weights))
    assert_best_on(rows, model, extra=not objects_only)


@given(cases())
@examples(60)
def test_hbgf_by_dhillon(case):
    labels, seed = case
    weights = weights_for(labels, seed)
    A = oracle.bipartite(labels, weights)
    assume(len(np.unique(labels, axis=0)) >= 2 and min(A.shape) > 2 and clear_gap(A.T @ A, 2))
    assume(clear_gap(A.T @ A, 1))
    H, members = oracle.incidence(labels)
    degrees = (H * weights[members]).sum(axis=1)
    U = np.linalg.svd(A)[0][:, 1:2] / np.sqrt(degrees)[:, None]
    ensemble = Ensemble(labels, weights=weights)
    partitioner = Dhillon(objects_only=True, n_init=40)
    model = fit(HBGF(2, partitioner=partitioner, random_state=0), ensemble)
    assert_best_on(U, model)


@given(cases())
@examples(100)
def test_lwgp(case):
    labels, seed = case
    weights = weights_for(labels, seed)
    H, members = oracle.incidence(labels)
    eci = oracle.cluster_weights(labels, weights, 0.4)
    B = H * (weights[members] * eci)
    A = B / np.sqrt(B.sum(axis=1, keepdims=True)) / np.sqrt(B.sum(axis=0, keepdims=True))
    assume(len(np.unique(labels, axis=0)) >= 2 and min(A.shape) > 2 and clear_gap(A.T @ A, 2))
    model = fit(LWGP(2, n_init=40, random_state=0), Ensemble(labels, weights=weights))
    np.testing.assert_allclose(model.cluster_weights_, eci)
    assert_best_on(oracle.unit(np.linalg.svd(A)[0][:, :2]), model)


@pytest.mark.parametrize("function", [CBGF, MCLA])
@given(case=cases())
@examples(100)
def test_votes_of_meta_clusters(function, case):
    labels, seed = case
    weights = weights_for(labels, seed)
    assume(len(np.unique(labels, axis=0)) >= 3)
    model = fit(function(3, random_state=seed), Ensemble(labels, weights=weights))
    H, members = oracle.incidence(labels)
    groups = model.meta_clusters_
    votes = np.zeros((len(labels), 3))
    for k in range(3):
        held = groups == k
        share = weights[members] * held
        votes[:, k] = H @ share
        if function is MCLA:
            votes[:, k] /= max(share.sum(), 1e-300)
    expected = (votes >= votes.max(axis=1, keepdims=True) - 1e-9).argmax(axis=1)
    together = expected[:, None] == expected[None, :]
    np.testing.assert_array_equal(model.labels_[:, None] == model.labels_[None, :], together)


def _votes(function, labels, groups, n_groups):
    """Votes of every object for every group: sums, or means over the base clusters of a group."""
    H, _ = oracle.incidence(labels)
    votes = np.column_stack([H[:, groups == k].sum(axis=1) for k in range(n_groups)])
    sizes = [max(int((groups == k).sum()), 1) for k in range(n_groups)]
    return votes / sizes if function is MCLA else votes


@pytest.mark.parametrize("function", [CBGF, MCLA])
def test_random_ties(function):
    """Every object is in one of the groups with most votes, and copies of it in all of them."""
    # two members that agree on six objects, and one object on which they differ
    row = np.array([[0, 0], [0, 0], [0, 0], [1, 1], [1, 1], [1, 1], [0, 1]])
    labels = np.repeat(row, [20, 20, 20, 20, 20, 20, 100], axis=0)
    model = fit(function(2, ties="random", random_state=0), labels)
    votes = _votes(function, labels, model.meta_clusters_, 2)
    tied = np.isclose(votes[:, 0], votes[:, 1])
    assert tied.tolist() == [False] * 120 + [True] * 100
    clear = np.where(votes[:, 0] > votes[:, 1], 0, 1)[:120]
    assert (model.labels_[:120] == clear).all() or (model.labels_[:120] == 1 - clear).all()
    assert 30 < model.labels_[120:].sum() < 70
    again = fit(function(2, ties="random", random_state=0), labels)
    assert again.labels_.tolist() == model.labels_.tolist()
    other = fit(function(2, ties="random", random_state=1), labels)
    assert other.labels_[120:].tolist() != model.labels_[120:].tolist()
    first = fit(function(2, random_state=0), labels)
    assert len(set(first.labels_[120:].tolist())) == 1
    assert not function(2, ties="random").active_capabilities().profile_exact


def test_tied_groups_are_those_of_the_draws():
    labels = np.random.default_rng(0).integers(0, 3, (200, 4))
    ensemble = Ensemble(labels)
    groups = np.arange(12) % 3
    table = np.eye(3)[groups]
    H, _ = oracle.incidence(labels)
    votes = H @ table
    seed = int(np.random.default_rng(5).integers(2**63))
    expected = []
    for i, row in enumerate(votes.tolist()):
        best = [k for k, v in enumerate(row) if v == max(row)]
        expected.append(best[len(best) * row_draw(seed, i) >> 32])
    assert sum(row.count(max(row)) > 1 for row in votes.tolist()) > 20
    found = join_groups(ensemble, table, "random", np.random.default_rng(5))
    assert found.tolist() == expected


@given(cases())
@examples(60)
def test_meta_clusters_are_those_of_the_jaccard_graph(case):
    labels, seed = case
    similarity = oracle.jaccard(labels)
    matrix = oracle.njw_matrix(similarity, keep_diagonal=False)
    assume(4 <= len(matrix) <= 9 and clear_gap(matrix, 2))
    assume(len(np.unique(labels, axis=0)) >= 2)
    model = fit(CBGF(2, n_init=40, random_state=seed), labels)
    rows = oracle.unit(oracle.top_vectors(matrix, 2)[1])
    found = oracle.sum_of_squares(rows, model.meta_clusters_.tolist())
    assert found == pytest.approx(oracle.best_sum_of_squares(rows, 2), abs=1e-8)


def test_mcla_averages_where_cbgf_adds():
    """Figure 1 of [nguyen2007]_, groups {I1, II2, III2} and the rest: sums tie at x3, means do not."""
    labels = np.array(
        [[0, 1, 1, 0], [0, 0, 0, 0], [0, 0, 1, 1], [1, 1, 0, 0], [1, 1, 1, 1], [0, 1, 1, 1]]
    )
    H, _ = oracle.incidence(labels)
    # Columns by first appearance: I1 I2 II2 II1 III2 III1 IV1 IV2.
    groups = np.array([0, 1, 0, 1, 0, 1, 1, 1])
    sums = np.column_stack([H[:, groups == k].sum(axis=1) for k in (0, 1)])
    means = np.column_stack([H[:, groups == k].mean(axis=1) for k in (0, 1)])
    assert (sums[[2, 4], 0] == sums[[2, 4], 1]).all()
    assert means.argmax(axis=1).tolist() == [0, 1, 0, 1, 0, 0]
