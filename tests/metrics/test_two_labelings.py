"""Measures of two labellings: scikit-learn's numbers, invariants, hand examples."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment
from sklearn import metrics as sk

from consilience import metrics, set_config
from consilience.exceptions import InvalidInputError, InvalidParameterError, MemoryLimitError

PAIR = {
    "nmi": metrics.nmi,
    "ari": metrics.ari,
    "rand_distance": metrics.rand_distance,
    "accuracy": metrics.accuracy,
    "error_rate": metrics.error_rate,
    "purity": metrics.purity,
}
SYMMETRIC = {"nmi", "ari", "rand_distance", "accuracy", "error_rate"}
DISTANCES = {"rand_distance", "error_rate"}


def labellings():
    vector = st.lists(st.integers(0, 4), min_size=2, max_size=30)
    return vector.flatmap(
        lambda a: st.tuples(
            st.just(a), st.lists(st.integers(0, 4), min_size=len(a), max_size=len(a))
        )
    )


@given(labellings(), st.sampled_from(["geometric", "arithmetic", "min", "max"]))
def test_nmi_is_that_of_sklearn(pair, average):
    expected = sk.normalized_mutual_info_score(*pair, average_method=average)
    assert metrics.nmi(*pair, average_method=average) == pytest.approx(expected, abs=1e-12)


@given(labellings())
def test_ari_and_rand_are_those_of_sklearn(pair):
    assert metrics.ari(*pair) == pytest.approx(sk.adjusted_rand_score(*pair), abs=1e-12)
    assert 1 - metrics.rand_distance(*pair) == pytest.approx(sk.rand_score(*pair), abs=1e-12)


@pytest.mark.parametrize("n_clusters", [2, 2000])
def test_large_labelings_agree_with_sklearn(n_clusters):
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, n_clusters, (2, 20_000))
    b = np.where(rng.random(20_000) < 0.5, a, b)
    expected = sk.normalized_mutual_info_score(a, b, average_method="geometric")
    assert metrics.nmi(a, b) == pytest.approx(expected, abs=1e-12)
    assert metrics.ari(a, b) == pytest.approx(sk.adjusted_rand_score(a, b), abs=1e-12)
    assert 1 - metrics.rand_distance(a, b) == pytest.approx(sk.rand_score(a, b), abs=1e-12)


@given(labellings())
def test_accuracy_and_purity_from_the_table(pair):
    table = sk.cluster.contingency_matrix(*pair)
    rows, columns = linear_sum_assignment(-table)
    expected = table[rows, columns].sum() / table.sum()
    assert metrics.accuracy(*pair) == pytest.approx(expected)
    assert metrics.error_rate(*pair) == pytest.approx(1 - expected)
    assert metrics.purity(*pair) == pytest.approx(table.max(axis=1).sum() / table.sum())


@pytest.mark.parametrize("name", sorted(SYMMETRIC))
@given(pair=labellings())
def test_symmetric(name, pair):
    assert PAIR[name](*pair) == pytest.approx(PAIR[name](*pair[::-1]), abs=1e-12)


@pytest.mark.parametrize("name", sorted(PAIR))
@given(pair=labellings())
def test_bounds_and_names(name, pair):
    a, b = pair
    value = PAIR[name](a, b)
    assert -0.5 - 1e-12 <= value <= 1
    assert PAIR[name]([f"class {label}" for label in a], b) == value
    assert PAIR[name](a, a) == (0 if name in DISTANCES else 1)


@pytest.mark.parametrize("name", sorted(PAIR))
def test_missing_labels_are_left_out(name):
    a, b = [0, 0, 1, 1, 2, -1, 0], [0, 1, 1, 1, 2, 2, -1]
    assert PAIR[name](a, b) == PAIR[name](a[:5], b[:5])
    with_nan = [np.nan if label < 0 else float(label) for label in a]
    with_none = [None if label < 0 else f"c{label}" for label in b]
    assert PAIR[name](with_nan, with_none) == PAIR[name](a, b)


@pytest.mark.parametrize("name", sorted(PAIR))
def test_one_cluster_and_singletons(name):
    one, apart = np.zeros(50, int), np.arange(50)
    assert PAIR[name](one, one) == PAIR[name](apart, apart) == (0 if name in DISTANCES else 1)
    expected = {
        "nmi": 0, "ari": 0, "rand_distance": 1, "accuracy": 0.02, "error_rate": 0.98, "purity": 0.02,
    }  # fmt: skip
    assert PAIR[name](one, apart) == pytest.approx(expected[name])


def test_singletons_cost_no_quadratic_memory():
    apart = np.arange(200_000)
    assert metrics.nmi(apart, apart[::-1]) == 1
    assert metrics.ari(apart, apart) == 1


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        ([0, 1], [0, 1, 1], "got 2 and 3 labels"),
        ([0, -1], [-1, 0], "No object has a label on both sides"),
        (np.zeros((2, 2)), [0, 1], r"one label per object; got an array of shape \(2, 2\)"),
        ([0.5, 1], [0, 1], "Label 0.5 of object 0 in the first labelling"),
    ],
)
def test_bad_labelings(a, b, message):
    with pytest.raises(InvalidInputError, match=message):
        metrics.nmi(a, b)


def test_unknown_average():
    with pytest.raises(InvalidParameterError, match=r"'geometric', .* got 'mean'"):
        metrics.nmi([0, 1], [0, 1], average_method="mean")


@given(st.integers(0, 2**32 - 1), st.booleans())
def test_compactness_against_all_pairs(seed, squared):
    rng = np.random.default_rng(seed)
    X, labels = rng.normal(size=(12, 3)), rng.integers(-1, 3, 12)
    labels[0] = 0
    expected = 0.0
    for k in range(3):
        points = X[labels == k]
        pairs = [
            np.sum((points[i] - points[j]) ** 2) ** (1 if squared else 0.5)
            for i in range(len(points))
            for j in range(i)
        ]
        expected += len(points) * np.mean(pairs) if pairs else 0.0
    expected /= np.count_nonzero(labels >= 0)
    assert metrics.compactness(X, labels, squared=squared) == pytest.approx(expected)


def test_a_labelling_agrees_with_itself_exactly_at_any_size():
    """Sums of n log n grow with n, and so does their rounding."""
    rng = np.random.default_rng(0)
    for n_samples in range(1_000, 40_000, 1_500):
        labels = rng.integers(0, 9, n_samples)
        assert metrics.nmi(labels, (labels + 4) % 9) == 1


def test_compactness_over_several_tiles():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(5000, 2))
    exact = metrics.compactness(X, np.zeros(5000, int))
    halves = sk.pairwise_distances(X).sum() / (5000 * 4999)
    assert exact == pytest.approx(halves)


def test_bad_features():
    for X, message in (
        (np.zeros((2, 2)), "3 rows"),
        ([[0.0], [np.nan], [1.0]], r"X\[1, 0\] is nan"),
    ):
        with pytest.raises(InvalidInputError, match=message):
            metrics.compactness(X, [0, 0, 1])


def test_memory_of_a_matching():
    # 24 bytes for every pair of the fifty clusters and forty classes.
    labels, truth = np.arange(200) % 50, np.arange(200) % 40
    previous = set_config(memory_limit=48_000)
    try:
        metrics.accuracy(labels, truth)
        set_config(memory_limit=47_999)
        with pytest.raises(MemoryLimitError, match="Matching 50 clusters with 40 classes"):
            metrics.accuracy(labels, truth)
    finally:
        set_config(memory_limit=previous.memory_limit)
