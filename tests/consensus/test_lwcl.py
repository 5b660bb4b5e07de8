"""LWCL against cosines and averages over all objects; samples of rows in place of all (max_samples)."""

from math import sqrt

import dask.array as da
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from consilience import Ensemble
from consilience.consensus.pairwise import HAC, LWCL, LWEA
from consilience.datasets import make_planted_ensemble
from consilience.exceptions import InvalidParameterError, UnsupportedInputError
from consilience.metrics import ari
from oracles import votes
from oracles.linkage import cluster_index, copies, flat, greedy, is_greedy, read_linkage
from oracles.strategies import (
    ensembles,
    examples,
    fit,
    incomplete_ensembles,
    member_weights,
    multiplicities,
)

SIX = np.array([[0, 1, 1, 0], [0, 0, 0, 0], [0, 0, 1, 1], [1, 1, 0, 0], [1, 1, 1, 1], [0, 1, 1, 1]])


def cosines(L, theta, weights=None):
    """S: x_i' x_k, x_i the trusts of the base clusters of object i, scaled to length one."""
    trust = cluster_index(L, theta, weights)
    w = [1.0] * np.asarray(L).shape[1] if weights is None else weights
    rows = [
        {(j, v): w[j] * trust[j][v] for j, v in enumerate(row) if v >= 0}
        for row in np.asarray(L).tolist()
    ]
    return _gram(rows)


def _gram(rows):
    lengths = [sqrt(sum(x**2 for x in row.values())) for row in rows]
    return [
        [
            sum(a[c] * b[c] for c in a if c in b) / (p * q)
            for b, q in zip(rows, lengths, strict=True)
        ]
        for a, p in zip(rows, lengths, strict=True)
    ]


def test_golden_tree_by_hand():
    # x3 and x6 share I1, III2, IV2 and differ in II: 0.286505 and 0.172553 (see test_lwea.py).
    shared = 0.172553**2 + 0.218461**2 + 0.317312**2
    lengths = sqrt((shared + 0.286505**2) * (shared + 0.172553**2))
    assert cosines(SIX, 0.4)[2][5] == pytest.approx(shared / lengths, abs=1e-5)
    # x5 and x6 share II2, III2, IV2 and differ in I: 0.286505 and 0.172553 again, so that the
    # cosine is the same; x3, x6 come first.
    model = fit(LWCL(2), SIX)
    assert model.linkage_matrix_[0] == pytest.approx([2, 5, 1 - shared / lengths, 2], abs=1e-5)


@given(incomplete_ensembles(max_n=10), st.sampled_from([0.1, 0.4, 2.0]), st.data())
@examples(150)
def test_tree_is_one_of_greedy_merging(ensemble, theta, data):
    L, K = ensemble
    weights = data.draw(member_weights(L.shape[1]))
    L = np.repeat(L, data.draw(multiplicities(len(L))), axis=0)[:14]
    S = cosines(L, theta, weights)
    leaves = copies(L)
    model = fit(LWCL(K, theta=theta), L, weights)
    assert is_greedy(read_linkage(model.linkage_matrix_, leaves), S, leaves, "average")


@given(incomplete_ensembles(max_n=10), st.data())
@examples(150)
def test_without_ties_the_cut_is_that_of_all_objects(ensemble, data):
    L, K = ensemble
    weights = data.draw(member_weights(L.shape[1]))
    S = cosines(L, 0.4, weights)
    leaves = copies(L)
    merges = list(greedy(S, leaves, "average"))
    assume(all(gap > 1e-8 for *_, gap in merges[: len(leaves) - K]))
    assert fit(LWCL(K), L, weights).labels_.tolist() == flat(merges, leaves, K, len(L))


@given(incomplete_ensembles(max_n=10), st.integers(0, 2**32 - 1), st.data())
@examples(75)
def test_soft_members(ensemble, seed, data):
    """Memberships in place of ones; every object is a leaf of its own."""
    L, K = ensemble
    rng = np.random.default_rng(seed)
    weights = data.draw(member_weights(L.shape[1]))
    given = [rng.dirichlet([0.5] * 3, len(L)) * (column >= 0)[:, None] for column in L.T]
    soft = Ensemble.from_memberships(given, weights=weights)
    members = votes.soft_members(np.split(soft.memberships, L.shape[1], axis=1))
    w = votes.certainties(members, weights or [1.0] * len(members), [1.0] * len(L), 0.4)
    rows = [
        {(j, c): w[j, c] * share for j, m in enumerate(members) for c, share in m[i].items()}
        for i in range(len(L))
    ]
    leaves = [[i] for i in range(len(L))]
    model = fit(LWCL(K), soft)
    merges = read_linkage(model.linkage_matrix_, leaves)
    assert is_greedy(merges, _gram(rows), leaves, "average")
    assert model.labels_.tolist() == flat(merges, leaves, K, len(L))


@given(ensembles())
@examples(75)
def test_boundless_trust_in_complete_labels_is_average_linkage(ensemble):
    """All rows have the length sqrt(r) then, so that the cosine is the share of members."""
    L, K = ensemble
    trusting, plain = fit(LWCL(K, theta=1e15), L), fit(HAC(K), L)
    np.testing.assert_allclose(trusting.linkage_matrix_, plain.linkage_matrix_, atol=1e-9)
    assert trusting.labels_.tolist() == plain.labels_.tolist()


large = pytest.mark.parametrize("kind", [LWCL, LWEA, HAC])


def _planted(**given):
    return make_planted_ensemble(
        3_000, 10, 4, n_base_clusters=8, **{"noise": 0.3, "random_state": 0, **given}
    )


@large
@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_a_sample_of_rows_is_about_as_good_as_all(kind, missing):
    ensemble, truth = _planted(missing=missing)
    assert ensemble.n_profiles > 2_900
    exact = fit(kind(4, max_samples=None), ensemble)
    sampled = fit(kind(4, max_samples=200), ensemble)
    assert sampled.n_clusters_ == len(np.unique(sampled.labels_)) == 4
    assert ari(sampled.labels_, truth) > ari(exact.labels_, truth) - 0.05
    assert len(sampled.linkage_matrix_) <= 199
    assert (sampled.profile_of_ >= 0).sum() <= 200
    assert (exact.profile_of_ >= 0).all()


def _small_cluster(seed, noise=0.1):
    """15 of 3,000 objects that every member keeps together, but for noise."""
    rng = np.random.default_rng(seed)
    truth = rng.permutation(np.repeat([0, 1, 2, 3], [1_200, 1_000, 785, 15]))
    members = []
    for _ in range(10):
        pieces = 3 * truth + rng.integers(0, 3, 3_000)
        pieces[truth == 3] = 9
        members.append(np.where(rng.random(3_000) < noise, rng.integers(0, 9, 3_000), pieces))
    return Ensemble(np.column_stack(members)), truth


@large
@pytest.mark.parametrize("seed", range(5))
def test_a_small_cluster_is_found(kind, seed):
    ensemble, truth = _small_cluster(seed)
    found = fit(kind(4, max_samples=200), ensemble).labels_
    assert len(np.unique(found)) == 4
    small = truth == 3
    label = np.bincount(found[small]).argmax()
    assert (found[small] == label).mean() > 0.8
    assert (found[~small] == label).mean() < 0.01


@large
def test_a_sample_of_weighted_rows(kind):
    """Objects of weight 0 are not in the sample, and all the same they have labels."""
    ensemble, truth = _planted(noise=0.2)
    weight = np.random.default_rng(0).integers(0, 4, 3_000)
    model = fit(kind(4, max_samples=200), ensemble, sample_weight=weight)
    assert ari(model.labels_, truth) > 0.9
    assert (model.profile_of_[weight == 0] < 0).all()


def test_a_sample_of_soft_members():
    ensemble, truth = _planted(noise=0.2, missing=0.1)
    rng = np.random.default_rng(0)
    memberships = []
    for column in ensemble.labels.T:
        shares = rng.dirichlet([0.1] * 8, 3_000) + 4 * np.eye(8)[column]
        memberships.append(shares / shares.sum(axis=1, keepdims=True) * (column >= 0)[:, None])
    model = fit(LWCL(4, max_samples=200), Ensemble.from_memberships(memberships))
    assert len(model.linkage_matrix_) < 200
    assert ari(model.labels_, truth) > 0.9


@large
def test_chunks_do_not_matter(kind, tmp_path):
    ensemble, _ = _planted(missing=0.1)
    here = fit(kind(4, max_samples=200), ensemble)
    np.save(tmp_path / "labels.npy", ensemble.labels)
    opened = fit(kind(4, max_samples=200), Ensemble.from_large_file(tmp_path / "labels.npy"))
    assert np.array_equal(np.asarray(opened.labels_), here.labels_)
    for chunks in ((500, 10), (1_700, 3)):
        chunked = Ensemble.from_dask(da.from_array(ensemble.labels, chunks=chunks))
        away = fit(kind(4, max_samples=200), chunked)
        assert isinstance(away.labels_, da.Array)
        assert np.array_equal(away.labels_.compute(), here.labels_)
        np.testing.assert_array_equal(away.linkage_matrix_, here.linkage_matrix_)


@large
def test_all_pairs_are_not_compared_in_chunks(kind):
    ensemble, _ = _planted()
    chunked = Ensemble.from_dask(da.from_array(ensemble.labels, chunks=(500, 10)))
    with pytest.raises(UnsupportedInputError, match=r"compares all pairs.*these can: "):
        kind(4, max_samples=None).fit(chunked)


@large
def test_a_tree_of_two_rows_is_refused(kind):
    with pytest.raises(
        InvalidParameterError,
        match=rf"^{kind.__name__}: max_samples must be None or an integer of at least 100; got 2 ",
    ):
        kind(2, max_samples=2).fit(SIX)
