"""HAC, also EAC and CAL, against a literal agglomeration of all objects."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.cluster.hierarchy import fcluster
from scipy.cluster.hierarchy import linkage as scipy_linkage
from scipy.spatial.distance import squareform

from consilience import set_config
from consilience.consensus.pairwise import HAC
from consilience.datasets import make_planted_ensemble
from consilience.exceptions import (
    InvalidParameterError,
    MemoryLimitError,
)
from consilience.metrics import ari
from oracles.labels import canonical, canonical_members
from oracles.linkage import co_association, copies, flat, greedy
from oracles.strategies import (
    ensembles,
    examples,
    fit,
    incomplete_ensembles,
    label_matrices,
    member_weights,
    multiplicities,
)

# figure 1 of Nguyen and Caruana, printed labels minus 1
SIX = np.array([[0, 1, 1, 0], [0, 0, 0, 0], [0, 0, 1, 1], [1, 1, 0, 0], [1, 1, 1, 1], [0, 1, 1, 1]])


def test_golden_example():
    model = fit(HAC(2), SIX)
    heights = model.linkage_matrix_[:, 2]
    assert heights == pytest.approx([0.25, 0.375, 1.25 / 3, 0.5, 0.6875], abs=1e-12)
    assert model.labels_.tolist() == [0, 1, 0, 1, 0, 0]
    assert model.profile_of_.tolist() == [0, 1, 2, 3, 4, 5]
    merges = list(greedy(co_association(SIX), copies(SIX), "average"))
    assert heights == pytest.approx([float(m[2]) for m in merges], abs=1e-12)


def test_golden_example_by_lifetime_and_threshold():
    # k = 6 lives from 0 to 0.25, longer than k = 2 from 0.5 to 0.6875
    model = fit(HAC(), SIX)
    assert model.n_clusters_ == 6
    assert model.lifetimes_ == pytest.approx(
        {2: 0.1875, 3: 1 / 12, 4: 1 / 24, 5: 0.125, 6: 0.25}, abs=1e-12
    )
    assert fit(HAC(distance_threshold=0.5), SIX).labels_.tolist() == [0, 1, 0, 2, 0, 0]
    assert fit(HAC(distance_threshold=0.501), SIX).labels_.tolist() == [0, 1, 0, 1, 0, 0]
    # three quarters of the members put the other four together, pair by pair
    single = fit(HAC(linkage="single", distance_threshold=0.5), SIX)
    assert single.labels_.tolist() == [0, 1, 0, 2, 0, 0]


@pytest.mark.parametrize("linkage", ["average", "complete"])
@given(ensemble=incomplete_ensembles(max_n=10), data=st.data())
@examples(150)
def test_against_all_objects(linkage, ensemble, data):
    L, K = ensemble
    weights = data.draw(member_weights(L.shape[1]))
    L = np.repeat(L, data.draw(multiplicities(len(L))), axis=0)[:14]
    leaves = copies(L)
    merges = list(greedy(co_association(L, weights), leaves, linkage))
    model = fit(HAC(K, linkage=linkage), L, weights)
    assert model.labels_.tolist() == flat(merges, leaves, K, len(L))


@given(incomplete_ensembles(max_n=10), st.data())
@examples(150)
def test_single_linkage_where_ties_do_not_matter(ensemble, data):
    L, K = ensemble
    weights = data.draw(member_weights(L.shape[1]))
    L = np.repeat(L, data.draw(multiplicities(len(L))), axis=0)[:14]
    leaves = copies(L)
    merges = list(greedy(co_association(L, weights), leaves, "single"))
    undone = len(leaves) - K
    assume(0 < undone < len(merges) and merges[undone - 1][2] < merges[undone][2])
    model = fit(HAC(K, linkage="single"), L, weights)
    assert model.labels_.tolist() == flat(merges, leaves, K, len(L))


@given(label_matrices(), st.data())
@examples(150)
def test_any_cut_at_a_height_of_single_linkage_is_unique(L, data):
    # connected components of S > 1 - h: the majority rule of early evidence accumulation at h = 1/2
    weights = data.draw(member_weights(L.shape[1]))
    height = data.draw(st.sampled_from([0.25, 0.5, 0.75]))
    S = co_association(L, weights)
    labels = list(range(len(L)))
    for x in range(len(L)):
        for y in range(len(L)):
            if 1 - S[x][y] < height:
                labels = [labels[x] if label == labels[y] else label for label in labels]
    model = fit(HAC(linkage="single", distance_threshold=height), L, weights)
    assert model.labels_.tolist() == list(canonical(labels))


@given(ensembles(), st.data())
@examples(100)
def test_objects_of_weight_zero_change_nothing(ensemble, data):
    L, K = ensemble
    counts = np.array(data.draw(st.lists(st.booleans(), min_size=len(L), max_size=len(L))))
    counted = L[counts].tolist()
    assume(len(copies(counted)) >= K)
    merges = list(greedy(co_association(counted), copies(counted), "average"))
    assume(all(gap > 0 for *_, gap in merges))
    model = fit(HAC(K), L, sample_weight=counts.astype(int))
    alone = fit(HAC(K), canonical_members(counted))
    assert canonical(model.labels_[counts].tolist()) == tuple(alone.labels_.tolist())
    np.testing.assert_array_equal(model.linkage_matrix_[:, 2:], alone.linkage_matrix_[:, 2:])
    lonely = np.array([row not in counted for row in L.tolist()])
    assert ((model.profile_of_ < 0) == lonely).all()
    S = np.array(co_association(L), dtype=float)
    for i in np.flatnonzero(lonely):
        means = [S[i, counts & (model.labels_ == k)].mean() for k in range(K)]
        assert means[model.labels_[i]] == pytest.approx(max(means), abs=1e-9)


@given(incomplete_ensembles())
@examples(100)
def test_profiles_are_the_leaves(ensemble):
    L, K = ensemble
    L = np.vstack([L, L[:2], np.full((1, L.shape[1]), -1)])
    model = fit(HAC(K), L)
    leaves = copies(L[:-1])
    assert model.profile_of_[-1] == -1
    assert [np.flatnonzero(model.profile_of_ == p).tolist() for p in range(len(leaves))] == leaves
    assert model.linkage_matrix_.shape == (len(leaves) - 1, 4)
    assert model.linkage_matrix_[-1, 3] == len(leaves)


@pytest.mark.parametrize("linkage", ["average", "complete"])
@pytest.mark.parametrize("missing", [0.0, 0.1])
def test_lifetime_finds_the_planted_number(linkage, missing):
    ensemble, truth = make_planted_ensemble(200, 40, 4, noise=0.1, missing=missing, random_state=0)
    model = fit(HAC(linkage=linkage), ensemble.labels)
    assert model.n_clusters_ == 4
    assert ari(model.labels_, truth) == 1.0
    assert max(model.lifetimes_, key=model.lifetimes_.get) == 4


def test_the_memory_limit_does_not_change_the_answer():
    ensemble, _ = make_planted_ensemble(400, 12, 5, noise=0.4, random_state=1)
    free = fit(HAC(5), ensemble.labels)
    previous = set_config(memory_limit=200_000)
    try:
        limited = fit(HAC(5), ensemble.labels)
        with pytest.raises(MemoryLimitError, match=r"n = 392 distinct.*IPC, KMCF and HBGF"):
            fit(HAC(5, linkage="complete"), ensemble.labels)
    finally:
        set_config(memory_limit=previous.memory_limit)
    np.testing.assert_array_equal(free.linkage_matrix_, limited.linkage_matrix_)
    np.testing.assert_array_equal(free.labels_, limited.labels_)


def test_number_and_threshold_exclude_each_other():
    words = (
        r"HAC: n_clusters and distance_threshold exclude each other; got n_clusters=2 and "
        r"distance_threshold=0\.5\. Leave one of them out"
    )
    with pytest.raises(InvalidParameterError, match=words):
        HAC(2, distance_threshold=0.5).fit(SIX)


def joint_similarity(L, w):
    """Weight of the members that join two objects, over that of the members that label both."""
    n, r = L.shape
    S = np.zeros((n, n))
    for a in range(n):
        for b in range(n):
            both = [j for j in range(r) if L[a, j] >= 0 and L[b, j] >= 0]
            total = sum(w[j] for j in both)
            together = sum(w[j] for j in both if L[a, j] == L[b, j])
            S[a, b] = together / total if total else 0.0
    return S


@pytest.mark.parametrize("linkage", ["average", "single", "complete"])
@pytest.mark.parametrize("repeated", [False, True])
def test_missing_labels_may_be_ignored(linkage, repeated):
    """Heights are those of SciPy on the matrix of BagClust2, in which nothing ties."""
    rng = np.random.default_rng(3)
    L = rng.integers(0, 3, (25, 40))
    L[rng.random(L.shape) < 0.4] = -1
    weights = rng.uniform(0.5, 2, 40)
    if repeated:
        L = np.repeat(L, rng.integers(1, 3, 25), axis=0)
    model = fit(HAC(4, linkage=linkage, missing="ignored"), L, weights)
    distance = 1 - joint_similarity(L, weights)
    np.fill_diagonal(distance, 0)
    merges = scipy_linkage(squareform(distance, checks=False), linkage)
    own = model.linkage_matrix_[:, 2]
    np.testing.assert_allclose(own, merges[len(merges) - len(own) :, 2], atol=1e-9)
    expected = fcluster(merges, 4, "maxclust")
    assert ari(model.labels_, expected) == 1
    complete = np.where(L < 0, 0, L)
    same = [fit(HAC(3, linkage=linkage, missing=m), complete).labels_ for m in ("apart", "ignored")]
    np.testing.assert_array_equal(*same)


def test_bagclust2():
    """Members that label half of the objects: most pairs are together in few members."""
    ensemble, truth = make_planted_ensemble(150, 25, 3, noise=0.15, missing=0.6, random_state=0)
    model = fit(HAC(missing="ignored", distance_threshold=0.5), ensemble)
    apart = fit(HAC(distance_threshold=0.5), ensemble)
    assert ari(model.labels_, truth) > 0.9
    assert apart.n_clusters_ > 20


def test_too_many_objects_to_ignore_missing_labels():
    L = np.random.default_rng(0).integers(-1, 3, (40, 6))
    L[:, 0] = 0
    before = set_config(memory_limit=10_000)
    try:
        with pytest.raises(MemoryLimitError, match=r"Linkage of n = .* over the members that"):
            fit(HAC(3, missing="ignored"), L)
    finally:
        set_config(memory_limit=before.memory_limit)
