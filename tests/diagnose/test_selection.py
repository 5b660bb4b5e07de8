"""Ensemble selection and member weights."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from consilience import Ensemble
from consilience.datasets import make_planted_ensemble
from consilience.diagnose import diversity_quality, member_weights, select_members
from consilience.exceptions import InvalidParameterError
from oracles import selection as oracle
from oracles.strategies import any_matrices, examples, uniform_ensembles


@examples(80)
@given(any_matrices(n_samples=(2, 12), n_members=(1, 6)), st.data())
def test_joint_choice_is_the_greedy_one(labels, data):
    similarity, quality = oracle.pairwise(labels), oracle.qualities(labels)
    assume(all(value is not None for row in similarity for value in row) and None not in quality)
    size = data.draw(st.integers(1, labels.shape[1]))
    balance = data.draw(st.sampled_from([0.0, 0.3, 0.5, 1.0]))
    expected = oracle.joint_selection(quality, similarity, size, balance)
    assert select_members(labels, size, balance=balance).tolist() == expected


@pytest.mark.parametrize("balance", [0.2, 0.5, 0.9])
def test_joint_choice_of_many(balance):
    ensemble, _ = make_planted_ensemble(60, 16, 3, noise=0.4, random_state=5)
    labels = np.hstack([ensemble.labels, np.random.default_rng(0).integers(0, 3, (60, 4))])
    expected = oracle.joint_selection(
        oracle.qualities(labels), oracle.pairwise(labels), 12, balance
    )
    assert select_members(labels, 12, balance=balance).tolist() == expected


def test_clusters_of_members_are_found():
    first, second = (make_planted_ensemble(200, 6, 3, noise=0.1, random_state=s) for s in (0, 1))
    both = Ensemble(np.hstack([first.ensemble.labels, second.ensemble.labels]))
    selected = select_members(both, 2, method="cluster", random_state=0)
    quality = np.array(oracle.qualities(both.labels))
    assert selected.tolist() == [quality[:6].argmax(), 6 + quality[6:].argmax()]
    again = select_members(both, 5, method="cluster", random_state=4)
    np.testing.assert_array_equal(again, select_members(both, 5, method="cluster", random_state=4))


@pytest.mark.parametrize("method", ["joint", "cluster"])
@pytest.mark.parametrize("n_members", [1, 2, 3, 4])
def test_copies_fill_up(method, n_members):
    copies = np.repeat(np.random.default_rng(0).integers(0, 3, (20, 1)), 4, axis=1)
    selected = select_members(copies, n_members, method=method, random_state=0)
    assert len(set(selected.tolist())) == len(selected) == n_members


@examples(40)
@given(any_matrices(n_samples=(1, 10), n_members=(1, 5)))
def test_any_ensemble_can_be_selected_from(labels):
    size = (labels.shape[1] + 1) // 2
    selected = select_members(labels, size, method="cluster", random_state=0)
    assert len(selected) == len(set(selected.tolist())) == size


@pytest.mark.parametrize("method", ["joint", "cluster"])
def test_silent_and_weightless_members_are_never_chosen(method):
    labels = np.random.default_rng(1).integers(0, 3, (40, 6))
    labels[:, 2] = -1
    ensemble = Ensemble(labels, weights=[1, 0, 1, 1, 2, 1])
    selected = select_members(ensemble, 4, method=method, random_state=0)
    assert not {1, 2} & set(selected.tolist())


def test_the_balance_decides_between_quality_and_diversity():
    ensemble, _ = make_planted_ensemble(150, 20, 3, noise=0.3, random_state=0)
    whole = diversity_quality(ensemble)
    best = select_members(ensemble, 5, balance=1)
    assert whole.member_quality[best].mean() > whole.mean_quality
    diverse = select_members(ensemble, 5, balance=0)
    assert diversity_quality(ensemble.select(diverse)).mean_nmi < whole.mean_nmi


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"n_members": 4}, "from 1 to 3, .*; got 4"),
        ({"n_members": 0}, "n_members must be"),
        ({"balance": 2}, "balance must be a number from 0 to 1; got 2"),
        ({"method": "best"}, "method must be one of 'joint'"),
    ],
)
def test_selection_errors(given, message):
    with pytest.raises(InvalidParameterError, match=message):
        select_members([[0, 1, 0], [0, 0, 1], [1, 1, 0]], **{"n_members": 2, **given})


@examples(80)
@given(uniform_ensembles(), st.sampled_from([0.3, 0.8, 0.95]))
def test_weights_are_the_formula(ensemble, threshold):
    labels, _ = ensemble
    weights = member_weights(labels, threshold=threshold)
    np.testing.assert_allclose(weights, oracle.member_weights(labels, threshold), rtol=1e-6)


@examples(60)
@given(any_matrices(n_samples=(1, 12), n_members=(1, 6)))
def test_weights_are_positive_with_mean_one(labels):
    weights = member_weights(labels)
    assert np.all(weights > 0)
    assert weights.mean() == pytest.approx(1)


def test_copies_share_one_voice():
    good = make_planted_ensemble(200, 5, 3, noise=0.3, random_state=0).ensemble.labels
    noise = np.random.default_rng(0).integers(0, 3, (200, 1))
    weights = member_weights(np.hstack([good, np.repeat(noise, 4, axis=1)]))
    alone = member_weights(np.hstack([good, noise]))
    np.testing.assert_allclose(weights[:5] / weights[5:].sum(), alone[:5] / alone[5], rtol=1e-9)
    assert weights[:5].min() > 10 * weights[5:].max()
    np.testing.assert_allclose(member_weights(np.repeat(noise, 3, axis=1)), 1)


def test_weights_of_members_that_do_not_count():
    labels = np.random.default_rng(2).integers(0, 3, (30, 5))
    labels[:, 1] = -1
    ensemble = Ensemble(labels, weights=[1, 1, 0, 1, 1])
    weights = member_weights(ensemble)
    assert weights[1] == 1
    assert weights[2] == 0
    kept = ensemble.select([0, 3, 4])
    np.testing.assert_allclose(weights[[0, 3, 4]], member_weights(kept))
    assert ensemble.with_weights(weights).weights.sum() == pytest.approx(4)
    with pytest.raises(InvalidParameterError, match="threshold must be a number above 0 and below"):
        member_weights(labels, threshold=1)
