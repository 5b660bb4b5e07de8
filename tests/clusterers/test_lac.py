"""LAC against a literal version of its equations."""

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.cluster import KMeans
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler

from consilience import set_config
from consilience.clusterers import LAC
from consilience.clusterers._lac import (
    _assign,
    _Assigned,
    _dispersion,
    feature_weights,
    well_scattered,
)
from consilience.datasets import make_three_gaussians, make_two_gaussians
from consilience.exceptions import (
    ConsilienceWarning,
    FewerClustersWarning,
    InvalidInputError,
    InvalidParameterError,
    NotConvergedWarning,
    UnsupportedInputError,
)
from consilience.metrics import ari, error_rate
from oracles import lac as oracle
from oracles.draws import row_draw
from oracles.strategies import examples
from sklearn_suite import run_checks


@pytest.mark.filterwarnings(f"ignore::{ConsilienceWarning.__module__}.ConsilienceWarning")
def test_sklearn_checks():
    run_checks(LAC(3, random_state=0), all_of_them=True)
    run_checks(LAC(2, h=np.inf, scaling=None, random_state=0), all_of_them=False)


@st.composite
def data(draw, largest=25):
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n, D, k = rng.integers(6, largest), rng.integers(1, 5), rng.integers(2, 4)
    means = rng.normal(0, 2, (k, D))
    X = means[rng.integers(k, size=n)] + rng.normal(size=(n, D)) * rng.uniform(0.1, 1.5, D)
    return X, int(k), float(rng.choice([0.05, 0.2, 1.0, 5.0]))


def quietly_fit(model, X):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConsilienceWarning)
        return model.fit(X)


@given(data(), st.integers(0, 9))
@examples(80)
def test_equations(case, seed):
    X, k, h = case
    start = X[np.random.default_rng(seed).choice(len(X), k, replace=False)]
    expected = oracle.lac(X.tolist(), start.tolist(), h)
    assume(expected is not None)
    labels, centres, weights, n_iter = expected
    model = quietly_fit(LAC(k, h=h, init=start, scaling=None), X)
    assert model.labels_.tolist() == labels
    assert model.n_iter_ == n_iter
    np.testing.assert_allclose(model.cluster_centers_, centres, atol=1e-9)
    np.testing.assert_allclose(model.weights_, weights, atol=1e-9)
    np.testing.assert_allclose(model.weights_.sum(axis=1), 1)
    np.testing.assert_allclose(
        model.predict_proba(X), oracle.posteriors(X, centres, weights), atol=1e-9
    )


@given(data(), st.integers(0, 99))
@examples(40)
def test_starting_centres_are_far_from_each_other(case, seed):
    X, k, _ = case
    drawn = int(np.random.default_rng(seed).integers(len(X)))
    start = well_scattered(X, k, np.random.default_rng(seed))
    np.testing.assert_array_equal(start, X[oracle.furthest_first(X, k, drawn)])


def test_weights_of_the_worked_example():
    weights = feature_weights(np.array([[0.2, 0.4]]), 1 / 7)
    assert weights.round(6).tolist() == [[0.802184, 0.197816]]


def test_limits_of_h():
    dispersion = np.array([[0.3, 0.1, 0.2], [0.1, 0.1, 5.0], [0.0, 0.0, 0.0]])
    np.testing.assert_allclose(feature_weights(dispersion, np.inf), 1 / 3)
    for h in (0.0, 1e-320, 1e-9):
        np.testing.assert_allclose(
            feature_weights(dispersion, h), [[0, 1, 0], [0.5, 0.5, 0], [1 / 3, 1 / 3, 1 / 3]]
        )


@pytest.mark.parametrize("seed", range(2))
def test_infinite_h_is_kmeans(seed):
    X = load_wine().data
    Z = StandardScaler().fit_transform(X)
    start = X[np.random.default_rng(seed).choice(len(X), 3, replace=False)]
    ours = LAC(3, h=np.inf, init=start).fit(X)
    scaled = (start - X.mean(axis=0)) / X.std(axis=0)
    theirs = KMeans(3, init=scaled, n_init=1, tol=0, max_iter=1000).fit(Z)
    np.testing.assert_array_equal(ours.labels_, theirs.labels_)
    centres = theirs.cluster_centers_ * X.std(axis=0) + X.mean(axis=0)
    np.testing.assert_allclose(ours.cluster_centers_, centres)
    np.testing.assert_allclose(ours.weights_, 1 / X.shape[1])


def test_h_of_zero_keeps_one_feature():
    X, _ = make_three_gaussians(random_state=0)
    model = quietly_fit(LAC(3, h=0, random_state=0), X)
    assert sorted(model.weights_.ravel().tolist()) == [0, 0, 0, 1, 1, 1]


@pytest.mark.parametrize("make", [make_two_gaussians, make_three_gaussians])
@pytest.mark.parametrize("seed", range(3))
def test_some_h_finds_the_clusters(make, seed):
    X, y = make(random_state=seed)
    k = int(y.max()) + 1
    errors = [
        error_rate(LAC(k, h=1 / i, random_state=seed).fit(X).labels_, y) for i in range(1, 13)
    ]
    assert min(errors) <= 0.02


def test_narrow_features_weigh_most():
    X, y = make_three_gaussians(random_state=0)
    model = LAC(3, h=0.1, random_state=0).fit(X)
    narrow = [int(model.weights_[model.labels_[y == k][0]].argmax()) for k in range(3)]
    assert narrow == [0, 1, 1]


def test_units_do_not_matter_when_scaled():
    X, _ = make_two_gaussians(random_state=1)
    first = LAC(2, random_state=0).fit(X)
    second = LAC(2, random_state=0).fit(X * [1000, 0.25] + [1e6, -3])
    np.testing.assert_array_equal(first.labels_, second.labels_)
    np.testing.assert_allclose(first.weights_, second.weights_, rtol=1e-6)


@pytest.mark.parametrize("scaling", ["common", "max"])
def test_scalings_are_divisions(scaling):
    """The same as data that were divided before, and h in squares of these units."""
    X, _ = make_two_gaussians(random_state=1)
    n, d = X.shape
    if scaling == "max":
        divisor = np.array([max(abs(value) for value in X[:, i]) for i in range(d)])
    else:
        means = [sum(X[:, i]) / n for i in range(d)]
        squares = [(x - means[i]) ** 2 for row in X for i, x in enumerate(row)]
        divisor = np.full(d, (sum(squares) / (n * d)) ** 0.5)
    model = LAC(2, scaling=scaling, random_state=0).fit(X)
    before = LAC(2, scaling=None, random_state=0).fit(X / divisor)
    np.testing.assert_array_equal(model.labels_, before.labels_)
    np.testing.assert_allclose(model.weights_, before.weights_, rtol=1e-6)
    np.testing.assert_allclose(model.cluster_centers_, before.cluster_centers_ * divisor)
    np.testing.assert_array_equal(model.predict(X[:9]), model.labels_[:9])


def test_far_from_the_origin_and_tiny():
    """Distances are multiplied out, so neither a common shift nor a common factor may matter."""
    X, _ = make_three_gaussians(random_state=2)
    first = LAC(3, h=5.0, scaling=None, random_state=0).fit(X)
    moved = LAC(3, h=5.0, scaling=None, random_state=0).fit(X + 1e7)
    small = LAC(3, h=5.0 * 1e-12, scaling=None, random_state=0).fit(X * 1e-6)
    np.testing.assert_array_equal(first.labels_, moved.labels_)
    np.testing.assert_array_equal(first.labels_, small.labels_)
    np.testing.assert_allclose(first.weights_, small.weights_, rtol=1e-6)


def test_threads_and_blocks_do_not_matter():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40_000, 3)) + rng.integers(0, 3, 40_000)[:, None] * [4.0, 1.0, 0.0]
    results = []
    for n_threads in (1, 3):
        previous = set_config(n_threads=n_threads)
        try:
            results.append(quietly_fit(LAC(3, max_iter=6, random_state=0), X))
        finally:
            set_config(n_threads=previous.n_threads)
    np.testing.assert_array_equal(results[0].weights_, results[1].weights_)
    np.testing.assert_array_equal(results[0].predict_proba(X), results[1].predict_proba(X))


@given(st.integers(0, 10**6), st.integers(0, 9))
@examples(60)
def test_random_ties_are_those_of_the_draws(data_seed, seed):
    """Rows on a small grid, so that many are as near to several centres."""
    rng = np.random.default_rng(data_seed)
    X = rng.integers(0, 4, (int(rng.integers(8, 30)), 2)).astype(float)
    k = int(rng.integers(2, 4))
    start = np.unique(X, axis=0)[:k] + 0.0
    assume(len(start) == k)
    h = float(rng.choice([0.5, 2.0, np.inf]))
    stream = np.random.default_rng(np.random.SeedSequence(seed))
    drawn = int(stream.integers(2**63))
    draws = [row_draw(drawn, row) for row in range(len(X))]
    expected = oracle.lac(X.tolist(), start.tolist(), h, max_iter=20, draws=draws)
    assume(expected is not None)
    model = LAC(k, h=h, init=start, scaling=None, ties="random", max_iter=20, random_state=seed)
    assert quietly_fit(model, X).labels_.tolist() == expected[0]


def test_random_ties_depend_on_the_seed_and_the_row_alone(monkeypatch):
    # two lines of rows at 0 and 4, and rows at 2 that are as near to both
    X = np.repeat([[0.0], [2.0], [4.0]], [500, 400, 500], axis=0)
    start = np.array([[0.0], [4.0]])

    def labels(seed):
        # one round, since the means move after it
        model = LAC(
            2, init=start, scaling=None, ties="random", max_iter=1, h=np.inf, random_state=seed
        )
        return quietly_fit(model, X).labels_

    one = labels(0)
    assert set(one[:500]) == {0}
    assert set(one[900:]) == {1}
    assert 150 < one[500:900].sum() < 250
    assert labels(1)[500:900].tolist() != one[500:900].tolist()
    for n_threads, rows in ((1, 7), (3, 64)):
        monkeypatch.setattr("consilience.clusterers._lac._BLOCK_ROWS", rows)
        previous = set_config(n_threads=n_threads)
        try:
            assert labels(0).tolist() == one.tolist()
        finally:
            set_config(n_threads=previous.n_threads)
    first = LAC(2, init=start, scaling=None, max_iter=1, h=np.inf)
    assert quietly_fit(first, X).labels_[500:900].sum() == 0


def test_prediction():
    X, _ = make_three_gaussians(random_state=0)
    model = LAC(3, random_state=0).fit(X)
    np.testing.assert_array_equal(model.predict(X), model.labels_)
    shares = model.predict_proba(X)
    np.testing.assert_array_equal(shares.argmax(axis=1), model.labels_)
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    assert (shares > 0).all()


def test_single_precision_stays():
    X, _ = make_two_gaussians(random_state=0)
    narrow = LAC(2, random_state=0).fit(X.astype(np.float32))
    wide = LAC(2, random_state=0).fit(X)
    assert narrow.predict_proba(X.astype(np.float32)).dtype == np.float32
    np.testing.assert_array_equal(narrow.labels_, wide.labels_)
    np.testing.assert_allclose(narrow.weights_, wide.weights_, atol=1e-5)


def test_every_row_a_cluster():
    X = np.arange(10.0).reshape(5, 2) ** 2
    model = LAC(5, random_state=0).fit(X)
    assert sorted(model.labels_.tolist()) == [0, 1, 2, 3, 4]
    np.testing.assert_allclose(model.weights_, 0.5)
    np.testing.assert_allclose(np.sort(model.cluster_centers_[:, 0]), np.sort(X[:, 0]), atol=1e-9)


def test_identical_rows_cannot_be_told_apart():
    X = np.repeat([[0.0, 1.0], [5.0, 5.0]], [3, 4], axis=0)
    with pytest.warns(FewerClustersWarning, match="LAC returned 2 of 4 clusters"):
        model = LAC(4, random_state=0).fit(X)
    assert ari(model.labels_, [0] * 3 + [1] * 4) == 1
    assert model.weights_.shape == model.cluster_centers_.shape == (2, 2)


def test_an_empty_cluster_starts_again_at_the_furthest_row():
    X = np.array([[0.0], [1.0], [2.0], [10.0], [30.0]])
    model = LAC(3, h=np.inf, init=[[0.0], [0.0], [11.0]], scaling=None).fit(X)
    assert ari(model.labels_, [0, 0, 0, 1, 2]) == 1
    with pytest.warns(FewerClustersWarning):
        LAC(3, init=[[0.0]] * 3, scaling=None).fit(X[:1].repeat(4, axis=0))


def test_a_constant_feature_is_not_divided_by_zero():
    X, _ = make_two_gaussians(random_state=0)
    model = LAC(2, h=np.inf, random_state=0).fit(np.column_stack([X, np.full(len(X), 0.1)]))
    assert ari(model.labels_, LAC(2, h=np.inf, random_state=0).fit(X).labels_) == 1
    assert model.scale_[2] == 1


def test_running_out_of_rounds_is_warned_about():
    X, _ = make_three_gaussians(random_state=0)
    with pytest.warns(NotConvergedWarning, match="LAC stopped after max_iter=1 iterations"):
        LAC(3, max_iter=1, random_state=0).fit(X)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_clusters": 0}, "LAC: n_clusters must be an integer of at least 1; got 0"),
        ({"h": -1.0}, "LAC: h must be a number of at least 0, infinity included; got -1.0"),
        ({"h": True}, "h must be a number of at least 0"),
        ({"init": "k-means++"}, r"init must be 'furthest' or an array \(n_clusters, n_features\)"),
        ({"init": [[0.0, 0.0]]}, r"init must be 2 finite rows of 2 features; got shape \(1, 2\)"),
        ({"init": [[0, np.nan], [1, 1]]}, "init must be 2 finite rows .* that are not finite"),
        ({"scaling": "mean"}, "scaling must be None or one of 'standard', 'max', 'common'"),
        ({"n_clusters": 4}, "n_clusters=4 is more than the number of rows; got n_samples = 3"),
    ],
)
def test_parameters_are_checked(parameters, message):
    with pytest.raises(InvalidParameterError, match=message):
        LAC(**{"n_clusters": 2, **parameters}).fit(np.eye(3)[:, :2])


def test_numbers_must_be_dense_and_finite():
    with pytest.raises(UnsupportedInputError, match=r"LAC cannot use sparse data.*X\.toarray\(\)"):
        LAC(2).fit(sparse.eye_array(4))
    X = np.ones((4, 3))
    X[2, 1] = np.nan
    with pytest.raises(InvalidInputError, match="X contains NaN in row 2, column 1; every number"):
        LAC(2).fit(X)
    X[2, 1] = -np.inf
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    with pytest.raises(InvalidInputError, match=r"infinity \(inf\) in row 2, column 'b'"):
        LAC(2).fit(frame)


def test_dispersion_is_the_mean_over_the_rows_of_a_cluster():
    X = np.array([[1.0, 0.0], [3.0, 2.0], [7.0, 5.0]])
    assigned = _Assigned(np.array([0, 0, 1]), np.zeros((3, 2)), np.array([2, 1, 0]))
    centres = np.array([[1.0, 1.0], [5.0, 4.0], [0.0, 0.0]])
    assert _dispersion(X, centres, assigned).tolist() == [[2, 1], [4, 1], [0, 0]]


def test_a_cluster_stays_empty_only_if_all_rows_lie_on_centres():
    centres, weights = np.array([[0.0], [50.0]]), np.ones((2, 1))
    # The second row is at distance 1 from its centre, so the empty cluster is restarted there.
    assigned, moved, _ = _assign(np.array([[0.0], [1.0]]), centres, weights, None, None)
    assert (assigned.labels.tolist(), moved.tolist()) == ([0, 1], [[0], [1]])
    assigned, moved, _ = _assign(np.array([[0.0], [0.0]]), centres, weights, None, None)
    assert (assigned.labels.tolist(), moved.tolist()) == ([0, 0], [[0], [50]])
