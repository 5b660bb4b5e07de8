"""Matrices beside the members of GCA and GWCA, and an absolute lambda, against dense matrices."""

import numpy as np
import pytest
from scipy.sparse.linalg import aslinearoperator

from consilience import Ensemble
from consilience.consensus import GCA, GWCA
from consilience.exceptions import (
    CollapsedWeightsWarning,
    InvalidInputError,
    InvalidParameterError,
)
from consilience.metrics import ari
from oracles import bregman as oracle
from oracles.strategies import fit

LABELS = np.array(
    [[0, 0, 0], [0, 0, 0], [0, 1, 0], [1, 1, 0], [1, 1, 1], [2, 2, 1], [2, 2, -1], [2, 0, 1]]
)
N = len(LABELS)


def soft_matrix(seed, q=3):
    """A and A A' with entries between 0 and 1."""
    rng = np.random.default_rng(seed)
    factor = rng.dirichlet(np.ones(q), N)
    return factor, factor @ factor.T


def lopsided(seed):
    """(A, B) with different factors, and their symmetric product; entries between 0 and 1."""
    factor, _ = soft_matrix(seed)
    mixing = np.array([[0.2, 0.6, 0.0], [0.6, 0.1, 0.3], [0.0, 0.3, 0.9]])
    return (factor @ mixing, factor), factor @ mixing @ factor.T


def written(model, ensemble, shares):
    from consilience.consensus._constraints import Constraints
    from consilience.consensus.bregman._aggregate import FixedPairs

    nothing = FixedPairs.of(ensemble, Constraints.none(N))
    aggregate = model._aggregate(ensemble, nothing)
    low, high = aggregate.divergence.low, aggregate.divergence.high
    return low + (high - low) * aggregate.operator(shares).times(np.eye(N))


def dense_gwca(members, divergence, lam, sample_weight=None, rounds=200):
    """Algorithm 2 on dense matrices, smoothed already."""
    w = np.full(len(members), 1 / len(members))
    for _ in range(rounds):
        M = oracle.best_matrix(members, w, divergence)
        D = oracle.distances(M, members, divergence, sample_weight)
        w = oracle.weight_step(D, lam)
    M = oracle.best_matrix(members, w, divergence)
    return w, M, w @ oracle.distances(M, members, divergence, sample_weight) + lam * (w @ w)


@pytest.mark.parametrize("divergence", sorted(oracle.DIVERGENCES))
def test_factors_count_like_members(divergence):
    one, first = soft_matrix(0)
    two, second = lopsided(1)
    d = oracle.DIVERGENCES[divergence]
    members = oracle.smoothed(LABELS, divergence)
    members += [d.y0 + (d.y1 - d.y0) * matrix for matrix in (first, second)]
    strength = 40.0 if divergence == "euclidean" else 4000.0
    w, M, objective = dense_gwca(members, divergence, strength)
    model = GWCA(
        3,
        divergence=divergence,
        connectivities=[one, two],
        regularisation=strength,
        regularisation_scale="absolute",
        tol=1e-12,
    )
    fit(model, LABELS)
    shares = np.concatenate([model.weights_, model.connectivity_weights_])
    np.testing.assert_allclose(shares, w, atol=1e-6)
    np.testing.assert_allclose(written(model, Ensemble(LABELS), shares), M, atol=1e-6)
    assert model.objective_ == pytest.approx(objective, rel=1e-6)
    assert model.regularisation_ == strength


@pytest.mark.parametrize("weighted", [False, True])
def test_functions_count_like_factors(weighted):
    one, first = soft_matrix(2)
    two, second = lopsided(3)
    sample_weight = np.arange(1, N + 1) if weighted else None
    members = [*oracle.smoothed(LABELS, "euclidean"), first, second]
    w, _, _ = dense_gwca(members, "euclidean", 400.0, sample_weight)
    for given in (
        [one, two],
        [one, lambda columns: second @ columns],
        [aslinearoperator(first).matmat, lambda columns: second @ columns],
    ):
        model = GWCA(
            3, connectivities=given, regularisation=400, regularisation_scale="absolute", tol=1e-12
        )
        fit(model, LABELS, sample_weight=sample_weight)
        shares = np.concatenate([model.weights_, model.connectivity_weights_])
        np.testing.assert_allclose(shares, w, atol=1e-6)


@pytest.mark.parametrize("final", ["spectral", "kmeans", "linkage"])
def test_a_member_may_be_given_as_its_matrix(final):
    """The last member as A A' of its indicator matrix gives the same consensus as its labels."""
    labels = np.random.default_rng(0).integers(0, 3, (40, 5))
    labels[:, 1:] = np.where(np.random.default_rng(1).random((40, 4)) < 0.8, labels[:, :1], 2)
    indicator = (labels[:, 4:] == np.arange(3)).astype(float)
    plain = GCA(3, final=final, random_state=0).fit(labels)
    for given in (indicator, lambda columns: indicator @ (indicator.T @ columns)):
        model = GCA(3, connectivities=[given], final=final, random_state=0).fit(labels[:, :4])
        assert ari(model.labels_, plain.labels_) == 1
        assert model.objective_ == pytest.approx(plain.objective_)
        np.testing.assert_allclose(model.connectivity_weights_, [0.2])


def test_constraints_fix_entries_of_the_sum():
    one, first = soft_matrix(4)
    members = [*oracle.smoothed(LABELS, "euclidean"), first, first]
    must, cannot = {(0, 7)}, {(1, 3), (2, 5)}
    M = oracle.best_matrix(members, np.full(5, 0.2), "euclidean", must, cannot)
    given = [one, lambda columns: first @ columns]
    model = fit(GCA(3, connectivities=given), LABELS, must_link=[*must], cannot_link=[*cannot])
    expected = 0.2 * oracle.distances(M, members, "euclidean").sum()
    assert model.objective_ == pytest.approx(expected)


def test_matrices_tell_objects_apart_that_members_do_not():
    """One member with one cluster, and an object that it does not label."""
    blocks = np.kron(np.eye(2), np.ones((5, 1)))
    model = fit(GCA(2, connectivities=[blocks]), [[0]] * 9 + [[-1]])
    assert model.labels_.tolist() == [0] * 5 + [1] * 5
    assert not model.unlabelled_.any()


def test_an_absolute_lambda_is_the_papers():
    labels = np.array([[0, 0, 0, 1], [0, 0, 1, 1], [0, 1, 1, 0], [1, 1, 0, 0], [1, 0, 1, 1]])
    for lam in (5.0, 30.0):
        w, _, objective, _ = oracle.gwca(labels, "exponential", lam=lam)
        model = GWCA(
            2, divergence="exponential", regularisation=lam, regularisation_scale="absolute"
        )
        fit(model, labels)
        np.testing.assert_allclose(model.weights_, w, atol=1e-6)
        assert model.objective_ == pytest.approx(objective)


def test_the_doubt_names_the_lambda_from_which_weights_are_unique():
    rng = np.random.default_rng(0)
    truth = np.arange(30)[:, None] % 3
    labels = np.where(rng.random((30, 12)) < 0.4, rng.integers(0, 3, (30, 12)), truth)
    largest = oracle.largest_curvature(oracle.gram(labels))
    expected = f"raise regularisation, now 0.001, to {largest / 2:.3g} or more"
    with pytest.warns(CollapsedWeightsWarning, match=expected):
        GWCA(3, regularisation=0.001, regularisation_scale="absolute").fit(labels)


def test_what_cannot_be_a_matrix_is_refused():
    one, _ = soft_matrix(0)
    for wrong, error, match in (
        ([], InvalidParameterError, "connectivities must be None or a list whose entries"),
        ([[1.0]], InvalidParameterError, "connectivities must be None or a list whose entries"),
        ([one[:5]], InvalidInputError, r"each of the 8 objects .*; got \(5, 3\) and \(5, 3\)"),
        ([one * np.nan], InvalidInputError, r"connectivities\[0\] has numbers that are not finite"),
        (
            [one, (one, one[:, ::-1] ** 2)],
            InvalidInputError,
            r"\[1\] is not symmetric: A B' differs",
        ),
        ([lambda columns: columns[:2]], InvalidInputError, r"\[0\] must return finite numbers"),
    ):
        with pytest.raises(error, match=match):
            GCA(2, connectivities=wrong).fit(LABELS)
    with pytest.raises(InvalidParameterError, match=r"is a function, and .* needs single entries"):
        GCA(2, divergence="kl", connectivities=[lambda columns: columns]).fit(LABELS)
    with pytest.raises(InvalidInputError, match=r"entries outside 0 to 1, for which .*exponential"):
        GCA(2, divergence="exponential", connectivities=[3 * one]).fit(LABELS)
    with pytest.raises(InvalidParameterError, match="GCA: degree=2 works with members alone"):
        GCA(2, divergence="exponential", degree=2, connectivities=[one]).fit(LABELS)
    with pytest.raises(InvalidParameterError, match="regularisation_scale must be one of"):
        GWCA(2, regularisation_scale="n").fit(LABELS)
