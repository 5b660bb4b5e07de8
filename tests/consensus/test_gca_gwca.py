"""GCA and GWCA against the paper's algorithms on dense matrices."""

import warnings
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.cluster import KMeans
from sklearn.datasets import load_iris, load_wine

import consilience
from consilience import Ensemble
from consilience.consensus import GCA, GWCA
from consilience.consensus._constraints import Constraints
from consilience.consensus.bregman import NamedDivergence
from consilience.consensus.bregman._aggregate import (
    FixedPairs,
    LowRankSimilarity,
    TileSimilarity,
)
from consilience.consensus.bregman._divergence import FORMULAS
from consilience.datasets import make_letters, make_planted_ensemble, make_subspaces
from consilience.exceptions import CollapsedWeightsWarning, InvalidParameterError
from consilience.metrics import accuracy, ari
from oracles import bregman as oracle
from oracles.strategies import examples, fit, incomplete_matrices, label_matrices

ALL = sorted(FORMULAS)


@st.composite
def bound_pairs(draw, n):
    """Must-links and cannot-links that do not contradict each other and fit three clusters."""
    classes = draw(st.lists(st.integers(0, 2), min_size=n, max_size=n))
    pair = st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)).filter(lambda p: p[0] != p[1])
    pairs = draw(st.lists(pair, max_size=6))
    must = [(p, q) for p, q in pairs if classes[p] == classes[q]]
    cannot = [(p, q) for p, q in pairs if classes[p] != classes[q]]
    return must, cannot


@st.composite
def problems(draw, matrices):
    L = draw(matrices)
    must, cannot = draw(bound_pairs(len(L))) if draw(st.booleans()) else ([], [])
    return L, must, cannot, draw(st.sampled_from(ALL))


def aggregated(model, L, constraints=None, sample_weight=None):
    """M of a model at its weights, written down."""
    ensemble = L if isinstance(L, Ensemble) else Ensemble(L)
    if constraints is None:
        constraints = Constraints.none(ensemble.n_samples)
    aggregate = model._aggregate(ensemble, FixedPairs.of(ensemble, constraints))
    shares = model.weights_[ensemble.weights > 0]
    similarity = aggregate.operator(shares).times(np.eye(ensemble.n_samples))
    low, high = aggregate.divergence.low, aggregate.divergence.high
    return low + (high - low) * similarity


@given(problems(st.one_of(label_matrices(), incomplete_matrices())), st.sampled_from([1.0, 2.5]))
@examples(300)
def test_gwca_is_the_papers_algorithm(problem, strength):
    L, must, cannot, divergence = problem
    closed = oracle.closure(len(L), must, cannot)
    w, M, objective, history = oracle.gwca(L, divergence, strength, *closed)
    model = GWCA(3, divergence=divergence, regularisation=strength)
    fit(model, L, must_link=must, cannot_link=cannot)
    np.testing.assert_allclose(model.weights_, w, atol=1e-6)
    assert model.objective_ == pytest.approx(objective, rel=1e-8, abs=1e-9)
    constraints = Constraints.read(Ensemble(L), must_link=must, cannot_link=cannot)
    np.testing.assert_allclose(aggregated(model, L, constraints), M, atol=1e-6)
    assert np.all(np.diff(model.history_) <= 1e-9 * max(1.0, abs(history[0])))


@given(problems(st.one_of(label_matrices(), incomplete_matrices())), st.data())
@examples(150)
def test_gca_is_the_papers_mean(problem, data):
    L, must, cannot, divergence = problem
    n, r = L.shape
    weights = data.draw(st.lists(st.sampled_from([0.5, 1.0, 3.0]), min_size=r, max_size=r))
    copies = data.draw(st.lists(st.integers(1, 3), min_size=n, max_size=n))
    closed = oracle.closure(n, must, cannot)
    M, objective = oracle.gca(L, divergence, *closed, weights=weights, sample_weight=copies)
    ensemble = Ensemble(L, weights=weights)
    model = GCA(3, divergence=divergence)
    fit(model, ensemble, must_link=must, cannot_link=cannot, sample_weight=copies)
    assert model.objective_ == pytest.approx(objective, rel=1e-8, abs=1e-9)
    constraints = Constraints.read(ensemble, must_link=must, cannot_link=cannot)
    np.testing.assert_allclose(aggregated(model, ensemble, constraints), M, atol=1e-8)


@given(label_matrices(min_r=2, max_r=4), st.sampled_from(ALL))
@examples(60)
def test_weights_stand_for_copies_of_members(L, divergence):
    once = fit(GWCA(3, divergence=divergence), L, weights=[2.0] + [1.0] * (L.shape[1] - 1))
    twice = fit(GWCA(3, divergence=divergence), np.column_stack([L[:, 0], L]))
    both = np.concatenate([[twice.weights_[:2].sum()], twice.weights_[2:]])
    np.testing.assert_allclose(once.weights_, both, atol=1e-6)
    assert once.objective_ == pytest.approx(twice.objective_, rel=1e-8, abs=1e-9)


@pytest.mark.parametrize("divergence", ALL)
@pytest.mark.parametrize("final", ["spectral", "kmeans", "linkage"])
def test_all_final_steps_find_planted_clusters(divergence, final):
    ensemble, truth = make_planted_ensemble(150, 5, 3, noise=0.02, random_state=3)
    # With the default smoothing k-means sees nothing but unanimous pairs under Itakura-Saito.
    gentle = NamedDivergence("itakura-saito", 0.2) if divergence == "itakura-saito" else divergence
    model = GWCA(3, divergence=gentle, final=final, random_state=0).fit(ensemble)
    assert ari(model.labels_, truth) > 0.95
    if final != "kmeans":  # the rows of M that labels fill are unlike all others
        labelled = np.where(np.arange(150) % 10 == 0, truth, -1)
        model.fit(ensemble, partial_labels=labelled)
        assert ari(model.labels_, truth) > 0.95


@pytest.mark.parametrize("divergence", ["exponential", "logistic"])
@pytest.mark.parametrize("final", ["spectral", "kmeans"])
def test_tiles_need_no_matrix(divergence, final):
    ensemble, truth = make_planted_ensemble(300, n_clusters=3, noise=0.3, random_state=0)
    labelled = np.where(np.arange(300) % 20 == 0, truth, -1)
    model = GWCA(3, divergence=divergence, final=final, random_state=0)
    written = model.fit(ensemble, partial_labels=labelled).labels_
    limit = consilience.get_config().memory_limit
    try:
        consilience.set_config(memory_limit=600_000)
        aggregate = model._aggregate(ensemble, FixedPairs.of(ensemble, Constraints.none(300)))
        assert isinstance(aggregate.operator(model.weights_[ensemble.weights > 0]), TileSimilarity)
        assert ari(model.fit(ensemble, partial_labels=labelled).labels_, written) == 1
    finally:
        consilience.set_config(memory_limit=limit)


@pytest.mark.parametrize("divergence", ALL)
def test_soft_members_by_the_definition(divergence):
    rng = np.random.default_rng(0)
    memberships = [rng.dirichlet(np.ones(3), size=12) for _ in range(4)]
    d = oracle.DIVERGENCES[divergence]
    members = [d.y0 + (d.y1 - d.y0) * np.minimum(P @ P.T, 1) for P in memberships]
    w = np.full(4, 0.25)
    M = oracle.best_matrix(members, w, divergence, {(0, 1)}, {(2, 3)})
    objective = w @ oracle.distances(M, members, divergence)
    soft = Ensemble.from_memberships(memberships)
    model = fit(GCA(2, divergence=divergence), soft, must_link=[(0, 1)], cannot_link=[(2, 3)])
    assert model.objective_ == pytest.approx(
        objective, rel=1e-6
    )  # memberships are single precision
    constraints = Constraints.read(soft, must_link=[(0, 1)], cannot_link=[(2, 3)])
    np.testing.assert_allclose(aggregated(model, soft, constraints), M, atol=1e-6)


@pytest.mark.parametrize(("degree", "bound"), [(1, 0.0841), (2, 0.0144)])
def test_polynomial_is_near_and_says_how_near(degree, bound):
    ensemble, truth = make_planted_ensemble(80, 12, 3, noise=0.2, random_state=2)
    exact = GWCA(3, divergence="exponential").fit(ensemble)
    near = GWCA(3, divergence="exponential", degree=degree).fit(ensemble)
    assert near.approximation_error_ <= bound
    gap = np.abs(aggregated(near, ensemble) - aggregated(near_exact(near), ensemble)).max()
    assert gap <= near.approximation_error_ + 1e-12
    np.testing.assert_allclose(near.weights_, exact.weights_, atol=0.02)
    assert np.all(np.diff(near.history_) <= 1e-9 * abs(near.history_[0]))
    assert ari(near.labels_, truth) == ari(exact.labels_, truth) == 1
    assert not hasattr(exact, "approximation_error_")


def near_exact(model):
    """The same weights with the exact mean."""
    exact = GWCA(model.n_clusters, divergence=model.divergence)
    exact.weights_ = model.weights_
    return exact


def test_polynomial_costs_are_sums_over_pairs():
    ensemble, _ = make_planted_ensemble(n_samples=40, n_members=4, noise=0.4, random_state=5)
    w = np.array([0.1, 0.2, 0.3, 0.4])
    M = [oracle.connectivity(column) for column in ensemble.labels.T]
    model = GCA(3, divergence="exponential", degree=2)
    aggregate = model._aggregate(ensemble, FixedPairs.of(ensemble, Constraints.none(40)))
    a0, a1, a2 = aggregate.polynomial.coefficients
    A = sum(v * m for v, m in zip(w, M, strict=True))
    d = NamedDivergence("exponential")
    costs = [d.c0 * m.sum() - d.c1 * (m * (a0 + a1 * A + a2 * A**2)).sum() for m in M]
    np.testing.assert_allclose(aggregate.evaluate(w).costs, costs, rtol=1e-12)
    S = aggregate.operator(w)
    np.testing.assert_allclose(S.times(np.eye(40)), a0 + a1 * A + a2 * A**2, atol=1e-12)
    np.testing.assert_allclose(S.row_squares(), np.square(a0 + a1 * A + a2 * A**2).sum(axis=1))


def test_polynomial_of_a_steep_divergence_is_refused():
    ensemble, _ = make_planted_ensemble(n_samples=40, random_state=0)
    with pytest.raises(
        InvalidParameterError, match=r"degree 2 cannot stand in .* does not increase"
    ):
        GWCA(3, divergence=NamedDivergence("itakura-saito"), degree=2).fit(ensemble)
    with pytest.raises(
        InvalidParameterError, match="degree must be None or an integer from 1 to 2"
    ):
        GWCA(3, divergence="kl", degree=3).fit(ensemble)


def test_small_regularisation_collapses_with_a_warning():
    rng = np.random.default_rng(0)
    L = rng.integers(0, 3, (60, 12))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = GWCA(3, regularisation=0.0).fit(L)
    collapsed = [str(w.message) for w in caught if w.category is CollapsedWeightsWarning]
    assert len(collapsed) == 1
    assert "to few members" in collapsed[0]
    assert "raise regularisation, now 0," in collapsed[0]
    assert model.weights_.max() == 1
    assert fit(GWCA(3), L).weights_.min() > 0


def test_a_divergence_of_ones_own_is_used():
    ensemble, truth = make_planted_ensemble(60, n_clusters=3, noise=0.2, random_state=0)
    model = GWCA(3, divergence=NamedDivergence("kl", smoothing=0.2)).fit(ensemble)
    assert ari(model.labels_, truth) == 1
    with pytest.raises(InvalidParameterError, match="divergence must be one of 'euclidean'"):
        GWCA(3, divergence="manhattan").fit(ensemble)
    with pytest.raises(InvalidParameterError, match=r"smoothing must lie between 0 and 0\.5"):
        NamedDivergence("kl", smoothing=0.7)


def toy_accuracy(make, K, seed):
    """k-means on the data, and GCA on thirty k-means clusterings of twenty clusters each."""
    X, y = make(random_state=seed)
    rng = np.random.RandomState(seed)
    members = [
        KMeans(20, init="random", n_init=1, random_state=rng).fit_predict(X) for _ in range(30)
    ]
    plain = KMeans(K, n_init=10, random_state=0).fit_predict(X)
    return accuracy(y, plain), accuracy(
        y, fit(GCA(K, final="linkage"), np.array(members).T).labels_
    )


@pytest.mark.parametrize(("make", "K"), [(make_letters, 5), (make_subspaces, 4)])
def test_toys_of_the_paper_are_solved_where_kmeans_fails(make, K):
    plain, combined = toy_accuracy(make, K, 0)
    assert plain < 0.8
    assert combined > 0.95


@pytest.mark.parametrize("divergence", ["euclidean", "exponential"])
def test_a_tenth_of_the_labels_helps_the_others(divergence):
    gain = []
    for (raw, y), seed in product(
        [load_iris(return_X_y=True), load_wine(return_X_y=True)], range(2)
    ):
        rng = np.random.default_rng(seed)
        X = (raw - raw.mean(axis=0)) / raw.std(axis=0)
        seeds = rng.integers(2**31, size=30)
        L = [KMeans(20, init="random", n_init=1, random_state=s).fit_predict(X) for s in seeds]
        known = np.full(len(y), -1)
        chosen = rng.choice(len(y), -(-len(y) // 10), replace=False)
        known[chosen] = y[chosen]
        rest, model = known < 0, GWCA(3, divergence=divergence)
        plain = fit(model, np.array(L).T).labels_
        helped = fit(model, np.array(L).T, partial_labels=known).labels_
        gain.append(accuracy(y[rest], helped[rest]) - accuracy(y[rest], plain[rest]))
    assert np.mean(gain) > 0.02


@given(st.integers(0, 10_000))
@examples(30)
def test_kmeans_on_rows_in_both_forms(seed):
    """The factored rows and the products with M give the same sums of squares."""
    from consilience.consensus.bregman._functions import _factored_rows
    from consilience.partition import operator_kmeans, row_kmeans

    ensemble, _ = make_planted_ensemble(n_samples=40, n_members=5, noise=0.3, random_state=seed)
    model = GCA(3)
    aggregate = model._aggregate(ensemble, FixedPairs.of(ensemble, Constraints.none(40)))
    S = aggregate.operator(np.full(5, 0.2))
    dense = S.times(np.eye(40))
    np.testing.assert_allclose(S.row_squares(), np.square(dense).sum(axis=1))
    options = {"n_init": 5, "max_iter": 100}
    factored = row_kmeans(_factored_rows(S), 3, rng=np.random.default_rng(0), **options)
    found = operator_kmeans(S, 3, rng=np.random.default_rng(0), **options)
    labels = found.labels
    by_hand = sum(
        np.square(dense[labels == k] - dense[labels == k].mean(0)).sum() for k in range(3)
    )
    assert found.objective == pytest.approx(by_hand)
    assert factored.objective == pytest.approx(found.objective, rel=0.2)


@pytest.mark.parametrize("weighted", [False, True])
def test_the_similarity_with_corrections_is_a_dense_matrix(weighted):
    rng = np.random.default_rng(0)
    ensemble = Ensemble(rng.integers(-1, 3, (9, 4)))
    weights, row_weight = np.array([0.1, 0.2, 0.3, 0.4]), rng.integers(1, 4, 9).astype(float)
    if weighted:
        ensemble = ensemble.with_sample_weight(row_weight)
    else:
        row_weight = np.ones(9)
    extra = np.zeros((9, 9))
    extra[[0, 2, 5], [2, 0, 7]] = [0.5, 0.5, -0.25]
    S = LowRankSimilarity(ensemble, weights, sparse.csr_array(extra))
    labels = ensemble.labels
    same = (labels[:, None] == labels[None]) & (labels[:, None] >= 0)
    dense = same @ weights + extra
    np.testing.assert_allclose(S.times(np.eye(9)), dense * row_weight, atol=1e-12)
    np.testing.assert_allclose(S.row_squares(), np.square(dense) @ row_weight, atol=1e-12)
