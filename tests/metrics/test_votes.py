"""Confidence and information of certainty-weighted votes, against loops over objects."""

from math import log

import dask.array as da
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import consilience
from consilience import Ensemble
from consilience.datasets import make_planted_ensemble
from consilience.exceptions import InvalidInputError, InvalidParameterError
from consilience.incidence import _grid
from consilience.metrics import ari, confidence, vote_information
from oracles import votes as oracle
from oracles.strategies import examples, incomplete_matrices, member_weights

MEASURES = {confidence: oracle.confidence, vote_information: oracle.vote_information}
measures = pytest.mark.parametrize("measure", MEASURES, ids=lambda measure: measure.__name__)
thetas = st.sampled_from([0.1, 0.4, 2.0])


@st.composite
def labelled_matrices(draw):
    """(y, L): members with missing labels, objects that none knows, objects without a label in y."""
    L = draw(incomplete_matrices(max_n=12, max_r=5)).copy()
    n = len(L)
    for i in draw(st.lists(st.integers(0, n - 1), max_size=2)):
        if (np.delete(L, i, axis=0) >= 0).any(axis=0).all():
            L[i] = -1
    y = draw(st.lists(st.integers(-1, 3), min_size=n, max_size=n).filter(lambda y: max(y) >= 0))
    if draw(st.booleans()):  # labels that the members know something about
        y = [a if a >= 0 and b < 2 else b for a, b in zip(L[:, 0].tolist(), y, strict=True)]
    return y if max(y) >= 0 else [max(v, 0) for v in y], L


def row_weights(n):
    whole = st.lists(st.integers(1, 4), min_size=n, max_size=n)
    broken = st.lists(st.sampled_from([0.25, 0.5, 1.0, 3.0]), min_size=n, max_size=n)
    return st.one_of(st.none(), whole, broken)


def _ensemble(L, weights, multiplicity):
    return Ensemble(L, weights=weights).with_sample_weight(multiplicity)


@measures
@given(labelled_matrices(), thetas, st.data())
@examples(100)
def test_hard_members(measure, case, theta, data):
    y, L = case
    weights, m = data.draw(member_weights(L.shape[1])), data.draw(row_weights(len(L)))
    expected = MEASURES[measure](y, oracle.hard_members(L), weights, m, theta)
    found = measure(y, _ensemble(L, weights, m), theta=theta)
    assert found == pytest.approx(expected, abs=1e-10)


@measures
@given(labelled_matrices(), thetas, st.integers(0, 2**32 - 1), st.data())
@examples(100)
def test_soft_members_vote_by_their_memberships(measure, case, theta, seed, data):
    y, L = case
    rng = np.random.default_rng(seed)
    memberships = [rng.dirichlet([0.5] * 3, len(L)) * (column >= 0)[:, None] for column in L.T]
    weights, m = data.draw(member_weights(L.shape[1])), data.draw(row_weights(len(L)))
    ensemble = Ensemble.from_memberships(memberships, weights=weights).with_sample_weight(m)
    members = oracle.soft_members(np.split(ensemble.memberships, L.shape[1], axis=1))
    expected = MEASURES[measure](y, members, weights, m, theta)
    assert measure(y, ensemble, theta=theta) == pytest.approx(expected, abs=1e-10)


@given(labelled_matrices(), thetas, st.data())
@examples(100)
def test_adjusted_confidence_is_kappa(case, theta, data):
    y, L = case
    weights, m = data.draw(member_weights(L.shape[1])), data.draw(row_weights(len(L)))
    expected = oracle.adjusted_confidence(y, oracle.hard_members(L), weights, m, theta)
    found = confidence(y, _ensemble(L, weights, m), theta=theta, adjusted=True)
    assert found == pytest.approx(expected, abs=1e-10)


def test_by_hand():
    # I1 is {0, 1, 2}, split in two by II, 0.918 bits; I2 is {3}. II1 is {0, 1}; II2 is {2, 3}, 1 bit.
    L, y = np.array([[0, 0], [0, 0], [0, 1], [1, 1]]), [0, 0, 0, 1]
    bits = -(2 / 3) * np.log2(2 / 3) - np.log2(1 / 3) / 3
    first, second = np.exp(-bits / 0.8), np.exp(-1 / 0.8)
    share = (first + second / 2) / (first + second)  # object 2, for cluster 0
    last = (1 + second / 2) / (1 + second)  # object 3, for cluster 1
    assert confidence(y, L) == pytest.approx((2 + share + last) / 4, abs=1e-12)
    doubt = sum(-p * log(p) for v in (share, last) for p in (v, 1 - v)) / 4
    sizes = -0.75 * log(0.75) - 0.25 * log(0.25)
    assert vote_information(y, L) == pytest.approx(sizes - doubt, abs=1e-12)


@measures
@pytest.mark.parametrize("adjusted", [False, True])
def test_a_silent_member_and_one_of_weight_zero_count_for_nothing(measure, adjusted):
    rng = np.random.default_rng(1)
    L, y = rng.integers(0, 3, (40, 3)), rng.integers(0, 3, 40)
    expected = measure(y, L, adjusted=adjusted)
    silent = np.column_stack([L, np.full(40, -1)])
    assert measure(y, silent, adjusted=adjusted) == pytest.approx(expected, abs=1e-12)
    more = Ensemble(np.column_stack([L, rng.integers(0, 3, 40)]), weights=[1, 1, 1, 0])
    assert measure(y, more, adjusted=adjusted) == pytest.approx(expected, abs=1e-12)


def test_one_giant_cluster_is_confident_and_tells_nothing():
    L = np.random.default_rng(3).integers(-1, 4, (50, 6))
    assert confidence(np.zeros(50), L) == pytest.approx(1, abs=1e-12)
    assert confidence(np.zeros(50), L, adjusted=True) == 1
    assert vote_information(np.zeros(50), L) == pytest.approx(0, abs=1e-12)
    assert vote_information(np.zeros(50), L, adjusted=True) == 0


def test_unanimous_members_are_the_most_possible():
    y = np.repeat([0, 1, 2], [10, 5, 5])
    L = np.column_stack([y, (y + 1) % 3, (y + 2) % 3])
    for adjusted in (False, True):
        assert confidence(y, L, adjusted=adjusted) == pytest.approx(1, abs=1e-12)
    assert vote_information(y, L) == pytest.approx(log(2) / 2 + log(4) / 2, abs=1e-12)
    assert vote_information(y, L, adjusted=True) == pytest.approx(1, abs=1e-12)


def test_random_labels_have_no_adjusted_value_on_average():
    ensemble, truth = make_planted_ensemble(200, 8, 3, noise=0.3, random_state=0)
    rng = np.random.default_rng(4)
    random = [rng.permutation(truth) for _ in range(60)]
    known = [vote_information(y, ensemble, adjusted=True) for y in random]
    # The five orders that chance is taken from are random themselves.
    assert abs(np.mean(known)) < 0.004
    assert np.std(known) < 0.02
    assert vote_information(truth, ensemble, adjusted=True) > 0.2
    assert 0 <= np.mean([confidence(y, ensemble, adjusted=True) for y in random]) < 0.05


def test_unequal_sizes_are_no_disadvantage():
    """1000 : 100, and members that cut the large cluster at random: ANMI would be fooled."""
    rng = np.random.default_rng(5)
    truth = np.repeat([0, 1], [1000, 100])
    halves = np.column_stack(
        [np.where(truth == 1, 2, rng.permutation(1100) % 2) for _ in range(10)]
    )
    cut = np.where(halves[:, 0] == 0, 0, 1)
    assert abs(ari(cut, truth)) < 0.2
    for adjusted in (False, True):
        assert confidence(truth, halves, adjusted=adjusted) > 0.99
        assert confidence(cut, halves, adjusted=adjusted) < 0.8


@pytest.fixture
def small_stripes(monkeypatch):
    monkeypatch.setattr(_grid, "BLOCK_ROWS", 512)
    monkeypatch.setattr(_grid, "_STRIPE_BLOCKS", 1)
    monkeypatch.setattr(_grid, "_GROUP_STRIPES", 2)


def _values(y, ensemble):
    return [measure(y, ensemble, adjusted=a) for measure in MEASURES for a in (False, True)]


@pytest.mark.usefixtures("small_stripes")
@pytest.mark.parametrize("n_threads", [1, 2])
def test_bits_do_not_depend_on_where_labels_are_nor_on_threads(n_threads, tmp_path):
    ensemble, truth = make_planted_ensemble(3_000, 6, 3, noise=0.3, missing=0.1, random_state=0)
    y = np.where(np.arange(3_000) % 7, truth, -1)
    expected = _values(y, ensemble)
    np.save(tmp_path / "labels.npy", ensemble.labels)
    before = consilience.set_config(n_threads=n_threads)
    try:
        assert _values(y, Ensemble(ensemble.labels)) == expected
        assert _values(y, da.from_array(ensemble.labels, chunks=(700, 4))) == expected
        assert _values(y, Ensemble.from_large_file(tmp_path / "labels.npy")) == expected
        consilience.set_config(memory_limit=40_000)  # enough for a stripe, not for all codes
        chunks = da.from_array(ensemble.labels, chunks=(500, 6))
        assert _values(y, Ensemble.from_dask(chunks)) == expected
        assert _values(y, Ensemble.from_large_file(tmp_path / "labels.npy")) == expected
    finally:
        consilience.set_config(n_threads=before.n_threads, memory_limit=before.memory_limit)


@measures
def test_errors(measure):
    L = np.array([[0, 1], [0, 1], [1, 0]])
    with pytest.raises(InvalidInputError, match="3 objects; got 2 labels"):
        measure([0, 1], L)
    with pytest.raises(InvalidInputError, match="No object has a label"):
        measure([-1, -1, -1], L)
    for theta in (0, -0.4, np.nan, np.inf, "a", None):
        with pytest.raises(InvalidParameterError, match="theta must be a finite number"):
            measure([0, 0, 1], L, theta=theta)
