"""WSPA and WBPA against the dense graphs of posteriors."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.cluster.hierarchy import fcluster
from scipy.cluster.hierarchy import linkage as scipy_linkage
from scipy.spatial.distance import squareform

from consilience import Ensemble
from consilience.consensus import CSPA, HAC, HBGF, WBPA, WSPA
from consilience.datasets import make_planted_ensemble, make_three_gaussians, make_two_gaussians
from consilience.exceptions import (
    InvalidInputError,
    InvalidParameterError,
    UnequalClustersWarning,
)
from consilience.generate import LACSweep
from consilience.metrics import ari, error_rate, nmi
from consilience.partition import Balanced, Spectral
from oracles import spectral
from oracles.graphs import cut, moved, swapped
from oracles.lac import psi
from oracles.strategies import examples, fit, member_weights, partitions


@st.composite
def soft_members(draw, largest=10):
    """(members, K): posteriors with some structure; now and then a member that knows not all."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n, K = int(rng.integers(5, largest)), int(rng.integers(2, 4))
    truth = rng.integers(K, size=n)
    members = []
    for _ in range(int(rng.integers(1, 4))):
        clusters = int(rng.integers(1, 4))
        P = rng.dirichlet(np.ones(clusters), n) + 2 * np.eye(clusters)[truth % clusters]
        P /= P.sum(axis=1, keepdims=True)
        if members and draw(st.booleans()):
            P[rng.integers(n)] = 0
        members.append(P)
    return members, K


def soft(members, weights=None):
    return Ensemble.from_memberships(members, weights=weights)


def sweep(make, random_state=0):
    X, y = make(random_state=random_state)
    k = int(y.max()) + 1
    return LACSweep(n_clusters=k, random_state=random_state).fit(X).ensemble_, y, k


# --- WSPA --------------------------------------------------------------------------------------------


@given(soft_members(), st.sampled_from([0.0, 0.34]), st.data())
@examples(80)
def test_solutions_are_balanced_cuts_that_no_exchange_improves(case, imbalance, data):
    members, K = case
    n = len(members[0])
    weights = data.draw(member_weights(len(members)))
    graph = psi(members, weights)
    ensemble = soft(members, weights)
    model = fit(
        WSPA(K, partitioner=Balanced(imbalance, n_init=4, max_iter=20), random_state=0), ensemble
    )
    smallest = n // K if imbalance == 0 else 1
    largest = int((1 + imbalance) * -(-n // K) + 1e-9)
    for labels, solution in zip(partitions(model), model.solutions_, strict=True):
        sizes = np.bincount(labels, minlength=K)
        assert smallest <= sizes.min()
        assert sizes.max() <= largest
        assert solution.objective == pytest.approx(cut(graph, labels), abs=1e-9)
        for other in [*swapped(labels), *moved(labels, K, smallest, largest)]:
            assert cut(graph, other) >= solution.objective - 1e-9
    assert model.objective_ == pytest.approx(cut(graph, model.labels_), abs=1e-9)
    assert all(b <= a + 1e-9 for a, b in pairwise(model.history_))


@given(soft_members(), st.data())
@examples(60)
def test_spectral_form_clusters_the_leading_vectors_of_psi(case, data):
    members, _ = case
    weights = data.draw(member_weights(len(members)))
    graph = psi(members, weights)
    matrix = spectral.njw_matrix(graph, keep_diagonal=True)
    values = np.linalg.eigvalsh(matrix)[::-1]
    assume(values[1] - values[2] > 1e-3 and values[1] > 1e-3)
    options = {"partitioner": Spectral(n_init=40), "random_state": 0}
    model = fit(WSPA(2, **options), soft(members, weights))
    rows = spectral.unit(spectral.top_vectors(matrix, 2)[1])
    assert spectral.sum_of_squares(rows, model.labels_.tolist()) == pytest.approx(
        spectral.best_sum_of_squares(rows, 2), abs=1e-7
    )
    assert model.objective_ == pytest.approx(cut(graph, model.labels_), abs=1e-9)


@given(soft_members(), st.data())
@examples(60)
def test_linkage_form_is_average_linkage_of_psi(case, data):
    members, K = case
    weights = data.draw(member_weights(len(members)))
    distances = 1 - psi(members, weights)
    np.fill_diagonal(distances, 0)
    tree = scipy_linkage(squareform(distances, checks=False), "average")
    assume(np.diff(tree[:, 2]).min(initial=1) > 1e-6)
    model = fit(WSPA(K, partitioner="linkage"), soft(members, weights))
    assert ari(model.labels_, fcluster(tree, K, "maxclust")) == 1


def test_metis_comes_close_to_the_local_search():
    ensemble, y, k = sweep(make_three_gaussians)
    ours = WSPA(k, random_state=0).fit(ensemble)
    theirs = WSPA(k, partitioner="metis", random_state=0).fit(ensemble)
    assert theirs.objective_ == pytest.approx(ours.objective_, rel=0.01)
    assert error_rate(theirs.labels_, y) < 0.05
    assert np.bincount(ours.labels_).tolist() == [300] * 3


def test_unequal_clusters_are_warned_about():
    P = np.repeat([[0.9, 0.1], [0.1, 0.9]], [25, 5], axis=0)
    ensemble = soft([P, 0.8 * P + 0.1])
    with pytest.warns(UnequalClustersWarning, match="WSPA cuts clusters of 5 to 25 .* or WBPA if"):
        balanced = WSPA(2, random_state=0).fit(ensemble)
    assert np.bincount(balanced.labels_).tolist() == [15, 15]
    for partitioner in ("spectral", "linkage"):
        free = WSPA(2, partitioner=partitioner, random_state=0).fit(ensemble)  # and is silent
        assert np.bincount(free.labels_).tolist() == [25, 5]


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (WSPA(4, random_state=0), CSPA(4, random_state=0)),
        (
            WSPA(4, partitioner="spectral", random_state=0),
            CSPA(4, partitioner="spectral", random_state=0),
        ),
        (
            WSPA(4, partitioner="metis", random_state=0),
            CSPA(4, partitioner="metis", random_state=0),
        ),
        (WSPA(4, partitioner="linkage"), HAC(4)),
        (WBPA(4, random_state=0), HBGF(4, random_state=0)),
        (
            WBPA(4, partitioner="balanced", random_state=0),
            HBGF(4, partitioner="balanced", random_state=0),
        ),
        (
            WBPA(4, partitioner="metis", random_state=0),
            HBGF(4, partitioner="metis", random_state=0),
        ),
    ],
)
def test_labels_are_certain_posteriors(ours, theirs):
    ensemble, _ = make_planted_ensemble(200, 8, 4, noise=0.25, missing=0.1, random_state=1)
    expected = fit(theirs, ensemble).labels_
    np.testing.assert_array_equal(fit(ours, ensemble).labels_, expected)
    certain = soft(list(ensemble.labels.T))
    if ours.partitioner != "metis":  # which rounds weights of dense edges another way
        assert ari(fit(ours, certain).labels_, expected) == 1


# --- WBPA --------------------------------------------------------------------------------------------


@given(soft_members(largest=8), st.booleans(), st.data())
@examples(60)
def test_wbpa_clusters_the_leading_vectors_of_the_bipartite_graph(case, objects_only, data):
    members, _ = case
    weights = data.draw(member_weights(len(members))) or [1.0] * len(members)
    A = np.hstack([w * P for w, P in zip(weights, members, strict=True)])
    n, t = A.shape
    assume(t >= 3 and (A.sum(axis=1) > 0).all())
    graph = np.block([[np.zeros((n, n)), A], [A.T, np.zeros((t, t))]])
    matrix = spectral.njw_matrix(graph, keep_diagonal=False)
    values, vectors = spectral.top_vectors(matrix, 3)
    assume(values[1] - values[2] > 1e-3)
    rows = spectral.unit(vectors[: n if objects_only else n + t, :2])
    assume(len(rows) <= 12)
    options = {"partitioner": Spectral(objects_only, n_init=40), "random_state": 0}
    model = fit(WBPA(2, **options), soft(members, weights))
    assert model.objective_ == pytest.approx(spectral.best_sum_of_squares(rows, 2), abs=1e-7)


# --- both --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [make_two_gaussians, make_three_gaussians])
@pytest.mark.parametrize("seed", range(3))
def test_as_good_as_the_best_member(make, seed):
    ensemble, y, k = sweep(make, seed)
    best = min(error_rate(labels, y) for labels in ensemble.labels.T)
    assert best <= 0.02
    for model in (WSPA(k, random_state=0), WBPA(k, random_state=0)):
        assert error_rate(model.fit(ensemble).labels_, y) <= best + 0.01


@pytest.mark.parametrize("model", [WSPA(3, random_state=0), WBPA(3, random_state=0)])
def test_new_rows_are_labelled_by_their_posteriors(model):
    X, _ = make_three_gaussians(random_state=0)
    generator = LACSweep(n_clusters=3, random_state=0).fit(X)
    model.fit(generator.ensemble_)
    new, truth = make_three_gaussians(random_state=99)
    labels = model.predict(Ensemble.from_memberships(generator.memberships(new)))
    assert error_rate(labels, truth) < 0.03


# --- feature weights ---------------------------------------------------------------------------------


def literal_feature_weights(ensemble, labels):
    """Average the rows of phi over objects and members, one at a time."""
    rows = []
    for k in range(labels.max() + 1):
        total, mass = 0.0, 0.0
        for i in np.flatnonzero(labels == k):
            for j, table in enumerate(ensemble.cluster_tables["feature_weights"]):
                if ensemble.labels[i, j] >= 0 and table is not None:
                    total = total + ensemble.weights[j] * table[ensemble.labels[i, j]]
                    mass += ensemble.weights[j]
        rows.append(total / mass)
    return np.array(rows)


@pytest.mark.parametrize("model", [WSPA(3, random_state=0), WBPA(3, random_state=0)])
def test_features_that_define_a_cluster(model):
    ensemble, _, _ = sweep(make_three_gaussians)
    ensemble = ensemble.with_weights(np.linspace(0, 2, 12))
    model.fit(ensemble)
    expected = literal_feature_weights(ensemble, model.labels_)
    np.testing.assert_allclose(model.feature_weights_, expected)
    np.testing.assert_allclose(model.feature_weights_.sum(axis=1), 1)
    assert model.feature_weights_[model.labels_[[0, 300, 600]]].argmax(axis=1).tolist() == [0, 1, 1]
    model.fit(ensemble.with_cluster_tables(feature_weights=None))
    assert not hasattr(model, "feature_weights_")


def test_feature_weights_of_some_members():
    ensemble, _ = make_planted_ensemble(60, 4, 3, missing=0.2, noise=0.1, random_state=0)
    rng = np.random.default_rng(0)
    tables = [None, *(rng.dirichlet(np.ones(5), k) for k in ensemble.n_clusters[1:])]
    ensemble = ensemble.with_cluster_tables(feature_weights=tables)
    model = fit(WBPA(3, random_state=0), ensemble)
    np.testing.assert_allclose(
        model.feature_weights_, literal_feature_weights(ensemble, model.labels_)
    )
    bad = ensemble.with_cluster_tables(feature_weights=[*tables[:3], np.ones((3, 2))])
    with pytest.raises(InvalidInputError, match=r"same features in every member; got .*\(2,\)"):
        fit(WBPA(3, random_state=0), bad)


@pytest.mark.parametrize("kind", [WSPA, WBPA])
def test_feature_weights_of_the_nearest_member(kind):
    ensemble, _, _ = sweep(make_three_gaussians)
    ensemble = ensemble.with_weights([0, *np.ones(11)])
    model = kind(3, feature_weights="nearest", random_state=0).fit(ensemble)
    similarity = [nmi(model.labels_, ensemble.labels[:, j]) for j in range(12)]
    nearest = 1 + int(np.argmax(similarity[1:]))
    assert len(set(np.round(similarity, 6))) > 2
    for k in range(3):
        inside = ensemble.labels[model.labels_ == k, nearest].tolist()
        most = max(set(inside), key=inside.count)
        expected = ensemble.cluster_tables["feature_weights"][nearest][most]
        np.testing.assert_array_equal(model.feature_weights_[k], expected)


def test_the_nearest_member_may_not_label_a_cluster():
    labels = np.column_stack([np.repeat([0, 1, 2], 10), np.repeat([0, 1, -1], 10)])
    labels[0, 0] = 1
    tables = [np.eye(3), np.eye(3)[:2]]
    ensemble = Ensemble(labels, weights=[1.0, 3.0]).with_cluster_tables(feature_weights=tables)
    model = fit(WBPA(3, feature_weights="nearest", random_state=0), ensemble)
    assert model.labels_.tolist() == np.repeat([0, 1, 2], 10).tolist()
    # The second member agrees fully where it has labels; the third cluster is left to the first.
    np.testing.assert_allclose(model.feature_weights_, np.eye(3))


@pytest.mark.parametrize(("h", "weighted"), [(0.3, False), (2.0, False), (0.3, True)])
def test_feature_weights_by_the_formula_of_lac(h, weighted):
    X, _ = make_three_gaussians(random_state=0)
    X = X[::9] / 5
    ensemble, _ = make_planted_ensemble(100, 4, 3, noise=0.1, random_state=0)
    sample_weight = np.arange(1, 101) if weighted else np.ones(100, dtype=int)
    model = WBPA(3, feature_weights="dispersion", features=X, h=h, random_state=0)
    fit(model, ensemble, sample_weight=sample_weight)
    for k in range(3):
        copies = [
            x
            for x, c, m in zip(X, model.labels_, sample_weight, strict=True)
            if c == k
            for _ in range(m)
        ]
        centre = [sum(x[i] for x in copies) / len(copies) for i in range(2)]
        spread = [sum((x[i] - centre[i]) ** 2 for x in copies) / len(copies) for i in range(2)]
        shares = [np.exp(-one / h) / sum(np.exp(-other / h) for other in spread) for one in spread]
        np.testing.assert_allclose(model.feature_weights_[k], shares)


def test_features_must_be_those_of_the_objects():
    ensemble, _ = make_planted_ensemble(30, 4, 3, random_state=0)
    for keywords, error, match in (
        ({}, InvalidParameterError, "WSPA: feature_weights='dispersion' needs the data"),
        (
            {"features": np.ones((9, 2))},
            InvalidInputError,
            r"each of the 30 objects; got .*\(9, 2\)",
        ),
        ({"features": [1.0]}, InvalidParameterError, "features must be None or an array"),
    ):
        with pytest.raises(error, match=match):
            WSPA(3, feature_weights="dispersion", **keywords).fit(ensemble)
    with pytest.raises(InvalidParameterError, match="one of 'mean', 'nearest', 'dispersion'"):
        WSPA(3, feature_weights="median").fit(ensemble)
