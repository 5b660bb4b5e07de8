"""Plurality voting against all one-to-one matchings."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from consilience import Ensemble
from consilience.consensus import PluralityVoting
from consilience.exceptions import InvalidParameterError
from oracles.agreement import exact_weights
from oracles.best import best_by_rand
from oracles.plurality import agrees, matched_share, soft_consensus, vote_outcomes
from oracles.strategies import (
    examples,
    fit,
    incomplete_matrices,
    label_matrices,
    member_weights,
)


def draw_weights(data, L):
    """Weights for the library, and as fractions."""
    weights = data.draw(member_weights(L.shape[1]))
    return weights, exact_weights(weights, L.shape[1])


def reference_of(L, weights):
    """BEST's member and its number of clusters, asked for so that nothing is merged or split."""
    reference = L[:, best_by_rand(L, weights)].tolist()
    K = max(reference) + 1
    assume(K >= 2)
    assume(min(reference) >= 0)
    return reference, K


def outcomes_of(L, reference, w, K):
    """All outcomes the specification allows.

    Left aside: thousands of tied matchings, and objects where a label of its own, from a surplus
    cluster of a heavy member, would win (the specification would let it, the library does not).
    """
    outcomes = vote_outcomes(L, reference, w, K)
    assume(outcomes is not None)
    assume(all(all(allowed) for allowed in outcomes))
    return outcomes


@given(label_matrices(), st.data())
@examples(250)
def test_every_object_gets_a_label_with_most_votes(L, data):
    # which of several best matchings, and which of several labels with most votes, is open
    weights, w = draw_weights(data, L)
    reference, K = reference_of(L, weights)
    outcomes = outcomes_of(L, reference, w, K)
    labels = fit(PluralityVoting(K), L, weights).labels_.tolist()
    assert any(agrees(labels, allowed, K) for allowed in outcomes)


@given(incomplete_matrices(), st.data())
@examples(150)
def test_missing_labels_do_not_vote(L, data):
    # the best member must know all objects: how it is completed otherwise is open
    known = (L >= 0).astype(int)
    assume((known.T @ known).min() >= 2)
    weights, w = draw_weights(data, L)
    reference, K = reference_of(L, weights)
    outcomes = outcomes_of(L, reference, w, K)
    labels = fit(PluralityVoting(K), L, weights).labels_.tolist()
    assert any(agrees(labels, allowed, K) for allowed in outcomes)


@given(incomplete_matrices(), st.data())
@examples(150)
def test_objective_is_the_matched_share(L, data):
    known = (L >= 0).astype(int)
    assume((known.T @ known).min() >= 2)
    weights, w = draw_weights(data, L)
    reference, K = reference_of(L, weights)
    model = fit(PluralityVoting(K), L, weights)
    assert model.objective_ == pytest.approx(float(matched_share(L, reference, w, K)))
    assert model.history_[-1] == pytest.approx(model.objective_)


@given(label_matrices(), st.data())
@examples(200)
def test_iterated_matching(L, data):
    # compared where no two matchings tie in any round
    weights, w = draw_weights(data, L)
    reference, K = reference_of(L, weights)
    means = soft_consensus(L, reference, w, K)
    assume(means is not None)
    allowed = [{k for k, v in enumerate(row) if v == max(row)} for row in means]
    assert agrees(fit(PluralityVoting(K, iterate=True), L, weights).labels_.tolist(), allowed, K)


def test_a_reference_can_be_named():
    """BagClust1 matches to a clustering of all data; here to a member that agrees with nobody."""
    labels = np.array([[0, 0, 0, 1, 1, 1], [0, 0, 0, 1, 1, 1], [0, 1, 0, 1, 0, 1]]).T
    ensemble = Ensemble(labels, names=["a", "b", "odd"])
    named = fit(PluralityVoting(2, reference="odd"), ensemble)
    best = fit(PluralityVoting(2), ensemble)
    assert named.objective_ < best.objective_
    with pytest.raises(InvalidParameterError, match=r"reference must be a member .*; got 'c'"):
        PluralityVoting(2, reference="c").fit(ensemble)


def test_matching_that_is_cut_short_has_not_converged():
    """Labels by chance, of which one matching is changed by the mean."""
    rng = np.random.default_rng(43)
    truth, drawn = rng.integers(0, 3, 20), rng.random((20, 5)) < 0.3
    L = np.where(drawn, truth[:, None], rng.integers(0, 3, (20, 5)))
    short, long = (
        fit(PluralityVoting(3, iterate=True, max_iter=most), Ensemble(L)) for most in (1, 100)
    )
    assert (short.n_iter_, long.n_iter_) == (1, 2)
    assert [doubt.code for doubt in short.doubts_] == ["not-converged", "no-signal"]
    assert [doubt.code for doubt in long.doubts_] == ["no-signal"]
