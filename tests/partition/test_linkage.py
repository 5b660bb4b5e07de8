"""Hierarchical clustering of rows of H against SciPy and a literal agglomeration."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.cluster.hierarchy import is_valid_linkage
from scipy.cluster.hierarchy import linkage as scipy_linkage

import consilience
from consilience import Ensemble
from consilience.exceptions import MemoryLimitError
from consilience.partition._dendrogram import Dendrogram
from consilience.partition._linkage import (
    AverageVectors,
    _average_of_memberships,
    average_of_triangle,
    greedy_merges,
    incidence_linkage,
)
from consilience.partition._pair_similarity import PairSimilarity
from oracles.labels import canonical, one_hot
from oracles.linkage import (
    co_association,
    copies,
    flat,
    greedy,
    is_greedy,
    merge_heights,
    read_linkage,
)
from oracles.strategies import examples, incomplete_matrices, member_weights

LINKAGES = ["average", "single", "complete"]


def member_columns(ensemble):
    return ensemble.weights[ensemble.layout.member_of]


def random_case(seed):
    """Enough members, and weights of base clusters, that no two distances are equal."""
    rng = np.random.default_rng(seed)
    n, r = rng.integers(3, 13), 30
    L = rng.integers(0, 3, (n, r))
    if seed % 2:
        L[rng.random(L.shape) < 0.2] = -1
        L[:, 0] = rng.integers(0, 2, n)
    L = np.repeat(L, rng.integers(1, 4, n), axis=0)
    L = L[rng.permutation(len(L))]
    ensemble = Ensemble(L, weights=rng.uniform(0.5, 2, r))
    trust = rng.uniform(0.5, 1, ensemble.n_base_clusters)
    return ensemble, member_columns(ensemble) * trust


def dense_distances(ensemble, column_weight):
    H, _ = one_hot(ensemble.labels)
    labelling = (ensemble.labels >= 0).any(axis=0)  # silent members are dropped (0.2)
    D = 1 - H @ np.diag(column_weight) @ H.T / ensemble.weights[labelling].sum()
    np.fill_diagonal(D, 0)
    return D


def meeting_heights(dendrogram, leaves, n):
    return merge_heights(read_linkage(dendrogram.merges, leaves), n)


@pytest.mark.parametrize("linkage", LINKAGES)
@pytest.mark.parametrize("block", range(4))
def test_scipy_draws_the_same_tree(linkage, block):
    for seed in range(60 * block, 60 * (block + 1)):
        ensemble, column_weight = random_case(seed)
        D = dense_distances(ensemble, column_weight)
        n, leaves = len(D), copies(ensemble.labels)
        dendrogram = incidence_linkage(ensemble.profiles().ensemble, column_weight, linkage)
        Z = scipy_linkage(D[np.triu_indices(n, 1)], linkage)
        expected = merge_heights(read_linkage(Z, [[i] for i in range(n)]), n)
        ours = meeting_heights(dendrogram, leaves, n)
        apart = ~np.isinf(ours)
        np.testing.assert_allclose(ours[apart], expected[apart], atol=1e-12)
        assert dendrogram.merges[-1, 3] == n
        drawable = dendrogram.counting_leaves()
        assert is_valid_linkage(drawable)
        assert drawable[-1, 3] == len(leaves)


@pytest.mark.parametrize("linkage", LINKAGES)
def test_flat_clusters_without_ties(linkage):
    for seed in range(0, 200, 2):  # complete labels
        ensemble, column_weight = random_case(seed)
        D = dense_distances(ensemble, column_weight)
        leaves = copies(ensemble.labels)
        merges = list(greedy((1 - D).tolist(), leaves, linkage))
        profiles = ensemble.profiles()
        dendrogram = incidence_linkage(profiles.ensemble, column_weight, linkage)
        np.testing.assert_allclose(dendrogram.heights, [m[2] for m in merges], atol=1e-12)
        for K in range(1, len(leaves) + 1):
            labels = dendrogram.cut_into(K)[profiles.inverse]
            assert labels.tolist() == flat(merges, leaves, K, len(D))


@pytest.mark.parametrize("linkage", LINKAGES)
@given(L=incomplete_matrices(max_n=10), data=st.data())
@examples(150)
def test_with_ties_the_tree_is_one_of_greedy_merging(linkage, L, data):
    weights = data.draw(member_weights(L.shape[1]))
    ensemble = Ensemble(L, weights=weights)
    leaves = copies(L)
    dendrogram = incidence_linkage(ensemble.profiles().ensemble, member_columns(ensemble), linkage)
    merges = read_linkage(dendrogram.merges, leaves)
    assert is_greedy(merges, co_association(L, weights), leaves, linkage)
    assert dendrogram.merges[:, 3].tolist() == [len(A) + len(B) for A, B, _ in merges]


@pytest.mark.parametrize("linkage", ["average", "complete"])
@given(L=incomplete_matrices(max_n=10), data=st.data())
@examples(200)
def test_ties_go_to_the_first_pair(linkage, L, data):
    weights = data.draw(member_weights(L.shape[1]))
    ensemble = Ensemble(L, weights=weights)
    leaves = copies(L)
    dendrogram = incidence_linkage(ensemble.profiles().ensemble, member_columns(ensemble), linkage)
    expected = list(greedy(co_association(L, weights), leaves, linkage))
    ours = read_linkage(dendrogram.merges, leaves)
    assert [sorted([A, B]) for A, B, _ in ours] == [[A, B] for A, B, *_ in expected]
    np.testing.assert_allclose(
        dendrogram.heights, [float(height) for _, _, height, _ in expected], atol=1e-12
    )


@given(incomplete_matrices(max_n=10), st.data())
@examples(100)
def test_where_the_tree_of_single_linkage_is_unique_it_is_the_greedy_one(L, data):
    weights = data.draw(member_weights(L.shape[1]))
    leaves = copies(L)
    merges = list(greedy(co_association(L, weights), leaves, "single"))
    assume(all(gap > 0 for *_, gap in merges))
    ensemble = Ensemble(L, weights=weights)
    dendrogram = incidence_linkage(ensemble.profiles().ensemble, member_columns(ensemble), "single")
    expected = merge_heights(merges, len(L))
    np.testing.assert_allclose(meeting_heights(dendrogram, leaves, len(L)), expected, atol=1e-12)


def both_forms(ensemble, column_weight):
    distinct = ensemble.profiles().ensemble
    pairs = PairSimilarity(distinct, column_weight)
    sizes = distinct.sample_weight.astype(float)
    for found in (
        average_of_triangle(pairs.triangle(sizes), sizes, pairs.total),
        greedy_merges(AverageVectors(pairs, sizes), pairs.n_rows),
    ):
        yield Dendrogram.of_pairs(*found, sizes).merges


@given(incomplete_matrices(), st.data())
@examples(300)
def test_sums_of_rows_give_the_same_tree_as_the_triangle(L, data):
    # dyadic weights: sums are exact, so not a bit may differ, ties or not
    ensemble = Ensemble(L, weights=data.draw(member_weights(L.shape[1])))
    triangle, vectors = both_forms(ensemble, member_columns(ensemble))
    np.testing.assert_array_equal(triangle, vectors)


@given(incomplete_matrices(), st.integers(0, 2**32))
@examples(200)
def test_sums_of_rows_agree_for_any_weights(L, seed):
    rng = np.random.default_rng(seed)
    ensemble = Ensemble(L, weights=rng.choice([0.1, 0.2, 0.3, 0.7], L.shape[1]))
    trust = rng.choice([0.1, 0.3, 1.0], ensemble.n_base_clusters)
    triangle, vectors = both_forms(ensemble, member_columns(ensemble) * trust)
    np.testing.assert_array_equal(triangle[:, [0, 1, 3]], vectors[:, [0, 1, 3]])
    np.testing.assert_allclose(triangle[:, 2], vectors[:, 2], atol=1e-12)


@pytest.fixture
def limit_memory():
    previous = consilience.get_config()
    yield lambda n_bytes: consilience.set_config(memory_limit=n_bytes)
    consilience.set_config(memory_limit=previous.memory_limit)


@pytest.fixture(scope="module")
def many_rows():
    ensemble = Ensemble(np.random.default_rng(0).integers(0, 3, (300, 8)))
    return ensemble.profiles().ensemble


@pytest.mark.parametrize("linkage", ["average", "single"])
def test_the_memory_limit_changes_nothing(linkage, many_rows, limit_memory):
    # 300 rows: the triangle needs 358,800 bytes, the sums of rows 38,400
    column_weight = member_columns(many_rows)
    free = incidence_linkage(many_rows, column_weight, linkage)
    limit_memory(100_000)
    np.testing.assert_array_equal(
        free.merges, incidence_linkage(many_rows, column_weight, linkage).merges
    )


def test_the_memory_limit_chooses_the_form(many_rows, limit_memory, monkeypatch):
    limit_memory(100_000)
    monkeypatch.setattr("consilience.partition._linkage.average_of_triangle", None)
    incidence_linkage(many_rows, member_columns(many_rows), "average")


def test_complete_linkage_beyond_the_limit(many_rows, limit_memory):
    limit_memory(100_000)
    words = (
        r"n = \d+ distinct objects, for complete linkage, needs 0\.00 GiB, more than the limit of "
        r".*Average and single linkage do not need it; IPC, KMCF and HBGF grow linearly"
    )
    with pytest.raises(MemoryLimitError, match=words):
        incidence_linkage(many_rows, member_columns(many_rows), "complete")


def test_average_linkage_beyond_the_limit(many_rows, limit_memory):
    limit_memory(10_000)
    words = r"Average linkage of n = \d+ distinct objects in 32 base clusters needs"
    with pytest.raises(MemoryLimitError, match=words):
        incidence_linkage(many_rows, member_columns(many_rows), "average")


@pytest.fixture
def tree():
    """Leaves 0 1 2 3 of sizes 2 1 1 5; 0-1 at 0.125, 2-3 at 0.25, all at 0.75."""
    pairs = np.array([[2, 3], [0, 1], [1, 3]])
    return Dendrogram.of_pairs(pairs, np.array([0.25, 0.125, 0.75]), np.array([2, 1, 1, 5]))


def test_merges_are_sorted_and_numbered(tree):
    assert tree.merges.tolist() == [[0, 1, 0.125, 3], [2, 3, 0.25, 6], [4, 5, 0.75, 9]]
    assert tree.counting_leaves()[:, 3].tolist() == [2, 2, 4]


def test_cuts(tree):
    assert tree.cut_into(1).tolist() == [0, 0, 0, 0]
    assert tree.cut_into(2).tolist() == [0, 0, 1, 1]
    assert tree.cut_into(3).tolist() == [0, 0, 1, 2]
    assert tree.cut_into(4).tolist() == tree.cut_into(9).tolist() == [0, 1, 2, 3]
    assert tree.cut_at(0).tolist() == tree.cut_at(0.125).tolist() == [0, 1, 2, 3]
    assert tree.cut_at(0.13).tolist() == tree.cut_at(0.25).tolist() == [0, 0, 1, 2]
    assert tree.cut_at(0.75).tolist() == [0, 0, 1, 1]
    assert tree.cut_at(0.76).tolist() == [0, 0, 0, 0]


def test_lifetimes(tree):
    assert tree.lifetimes() == {2: 0.5, 3: 0.125, 4: 0.125}
    assert tree.lifetimes(include_one=True) == {1: 0.25, 2: 0.5, 3: 0.125, 4: 0.125}
    assert tree.longest_lived() == 2


def chain_of(heights):
    pairs = np.array([[0, k] for k in range(1, len(heights) + 1)])
    return Dendrogram.of_pairs(pairs, np.array(heights), np.ones(len(heights) + 1))


def test_lifetime_ties_go_to_the_smallest_number():
    assert chain_of([0.3, 0.4, 0.7]).longest_lived() == 2  # k = 4 from 0 to 0.3, k = 2 from 0.4
    assert chain_of([0.3, 0.6, 0.7]).longest_lived() == 3
    assert chain_of([0.4, 0.6, 0.7]).longest_lived() == 4


def test_one_cluster_lives_only_if_asked_for():
    flat_tree = chain_of([0.1, 0.2, 0.3])
    assert flat_tree.longest_lived() == 2
    assert flat_tree.longest_lived(include_one=True) == 1


def test_one_leaf():
    alone = incidence_linkage(Ensemble([[0, 0], [1, 1]]).take([0]), np.ones(2), "average")
    assert alone.merges.shape == (0, 4)
    assert alone.cut_into(1).tolist() == alone.cut_at(0.5).tolist() == [0]
    assert alone.lifetimes() == {1: 1.0}
    assert alone.longest_lived() == 1


@given(incomplete_matrices(), st.sampled_from(LINKAGES))
@examples(150)
def test_cuts_are_nested_and_agree_with_each_other(L, linkage):
    ensemble = Ensemble(L).profiles().ensemble
    tree = incidence_linkage(ensemble, member_columns(ensemble), linkage)
    assert (np.diff(tree.heights) >= 0).all()
    finer = tree.cut_into(tree.n_leaves)
    for k in range(tree.n_leaves - 1, 0, -1):
        coarser = tree.cut_into(k)
        assert len(set(coarser.tolist())) == k
        assert len(set(zip(finer.tolist(), coarser.tolist(), strict=True))) == k + 1
        finer = coarser
    for height in [0.0, 0.3, 0.5, 1.0, 1.1]:
        below = int((tree.heights < height - 1e-9).sum())
        expected = tree.cut_into(tree.n_leaves - below)
        assert canonical(tree.cut_at(height).tolist()) == canonical(expected.tolist())


def test_memory_of_the_similarities_of_soft_members(limit_memory):
    # 100 rows: a square of 80,000 bytes, and a triangle of 39,600.
    rng = np.random.default_rng(0)
    soft = Ensemble.from_memberships([rng.dirichlet([1, 1, 1], 100) for _ in range(2)])
    limit_memory(119_599)
    with pytest.raises(MemoryLimitError, match="The similarity matrix of n = 100 objects"):
        _average_of_memberships(soft, np.ones(6), np.ones(100), unit=False)
    limit_memory(119_600)
    assert _average_of_memberships(soft, np.ones(6), np.ones(100), unit=False).merges.shape == (
        99,
        4,
    )
