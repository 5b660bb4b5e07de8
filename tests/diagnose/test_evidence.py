"""What the choice of k stands on: null data, mixtures, fixed trees, parts of clusters, best scores."""

import re

import numpy as np
import pytest
from scipy.stats import norm, spearmanr
from sklearn.datasets import load_breast_cancer, make_blobs, make_circles
from sklearn.mixture import GaussianMixture

from consilience.diagnose import choose_k
from consilience.diagnose._fixed_trees import (
    AVERAGE,
    DIFFUSION,
    MOST_ROWS,
    WARD,
    diffusion_map,
    fixed_trees,
)
from consilience.diagnose._k_evidence import (
    Agreement,
    agreement_of,
    first_before_a_drop,
    shared_information,
    smallest_of_nearly_best,
)
from consilience.diagnose._k_views import KView, ScaledRows, cut_at, make_views, scaled_rows
from consilience.diagnose._merged_views import Ending, Merged
from consilience.diagnose._mixture_evidence import MixtureEvidence, mixture_evidence
from consilience.diagnose._neighbour_graph import NeighbourGraph
from consilience.diagnose._null_agreement import NullAgreement
from consilience.diagnose._null_data import data_of_same_columns, normal_scores, one_mode
from consilience.diagnose._spread_values import has_few_values, spread_values
from consilience.ensemble import Ensemble
from consilience.generate import GaussianMixtures, KMeansRestarts, LandmarkSpectral
from consilience.generate.internals import EvenRange, fit_mixture
from consilience.metrics import confidence

# --- data without clusters -----------------------------------------------------------------------


def test_normal_scores_are_quantiles_at_the_ranks():
    X = np.array([[5.0, 1.0], [-2.0, 2.0], [7.0, 3.0], [6.0, 0.0]])
    scores = normal_scores(X, np.random.default_rng(0))
    np.testing.assert_allclose(scores[:, 0], norm.ppf([3 / 8, 1 / 8, 7 / 8, 5 / 8]))
    np.testing.assert_allclose(scores[:, 1], norm.ppf([3 / 8, 5 / 8, 7 / 8, 1 / 8]))


def test_equal_values_have_scores_in_any_order():
    X = np.array([[0.0], [0.0], [0.0], [1.0]])
    seen = {
        tuple(normal_scores(X, np.random.default_rng(seed))[:, 0].round(9)) for seed in range(30)
    }
    low = norm.ppf([1 / 8, 3 / 8, 5 / 8]).round(9)
    assert all(scores[3] == norm.ppf(7 / 8).round(9) for scores in seen)
    assert all(sorted(scores[:3]) == low.tolist() for scores in seen)
    assert len(seen) == 6


def test_data_of_same_columns_keep_values_and_rank_correlations_only():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((1500, 3)) @ rng.standard_normal((3, 3))
    X[:, 1] = np.exp(X[:, 1])
    X[:, 2] = X[:, 2].round()
    null = data_of_same_columns(X, rng)
    np.testing.assert_array_equal(np.sort(null, axis=0), np.sort(X, axis=0))
    np.testing.assert_allclose(spearmanr(null)[0], spearmanr(X)[0], atol=0.08)
    # Two clusters that only both columns together show are gone.
    side = rng.integers(0, 2, 1500) * 2 - 1
    crossed = np.c_[side + 0.1 * rng.standard_normal(1500), 0.3 * rng.standard_normal(1500)]
    turned = crossed @ [[1, 1], [1, -1]]
    gap = np.abs(turned.sum(axis=1)).min()
    assert np.abs(data_of_same_columns(turned, rng).sum(axis=1)).min() < gap / 2


# --- mixtures ------------------------------------------------------------------------------------


def test_the_likelihood_is_that_of_scikit_learn():
    rng = np.random.default_rng(0)
    X = np.vstack([rng.standard_normal((200, 2)), rng.standard_normal((200, 2)) + 9])
    ours = fit_mixture(X, 2, rng, diagonal=False, max_iter=200, tol=1e-9)
    theirs = GaussianMixture(2, random_state=0, reg_covar=1e-3 * X.var(axis=0).mean()).fit(X)
    assert ours.likelihood - np.log(2 * np.pi) == pytest.approx(theirs.score(X), abs=1e-3)


@pytest.mark.parametrize(
    "make",
    [np.array, np.exp, lambda X: np.sign(X) * X**2, np.round, lambda X: np.maximum(X, 0).round()],
)
def test_one_normal_cloud_is_no_mixture_in_any_columns(make):
    rng = np.random.default_rng(3)
    X = make(rng.standard_normal((300, 4)) @ rng.standard_normal((4, 4)))
    found = mixture_evidence(X, np.random.default_rng(0))
    assert not found.clear


def test_clusters_of_different_density_without_a_valley_are_a_mixture():
    rng = np.random.default_rng(1)
    dense, sparse = rng.standard_normal((250, 4)), 2 * rng.standard_normal((150, 4)) + 4
    found = mixture_evidence(np.vstack([dense, sparse]), np.random.default_rng(0))
    assert found.n_components == 2
    assert found.gain > found.null + 0.2
    assert found.clear
    assert found.margin == pytest.approx(0.1)
    assert not MixtureEvidence(2, 0.3, 0.25, 0.1).clear
    # Ten columns of 200 objects: 45 parameters of a component, and a margin that grows with them.
    many = mixture_evidence(rng.standard_normal((200, 10)), np.random.default_rng(0))
    assert many.margin == pytest.approx(0.3 * 45 * np.log(200) / 400)


def test_mixtures_need_rows_and_columns():
    rng = np.random.default_rng(0)
    assert mixture_evidence(rng.standard_normal((49, 5)), rng) is None
    assert mixture_evidence(rng.standard_normal((50, 5)), rng) is not None
    assert mixture_evidence(np.c_[rng.standard_normal(80), np.zeros(80)], rng) is None


def test_breast_cancer_is_a_guess_of_two():
    X, _ = load_breast_cancer(return_X_y=True)
    choice = choose_k(X, random_state=0)
    assert (choice.n_clusters, choice.answer) == (2, "unsure")
    assert "2 normal components describe the objects better than one" in choice.reason


# --- trees of the data ---------------------------------------------------------------------------


def test_fixed_trees_do_not_depend_on_anything_but_the_data():
    X, truth = make_blobs(120, centers=[[0, 0], [9, 0], [0, 9]], random_state=0)
    graph = NeighbourGraph.of(X)
    trees = fixed_trees(graph)
    assert set(trees) == {WARD, AVERAGE, DIFFUSION}
    for name, merges in fixed_trees(NeighbourGraph.of(X)).items():
        np.testing.assert_array_equal(merges, trees[name])
        cut = cut_at(merges, np.arange(120), [3])[3]
        assert len({*zip(cut.tolist(), truth.tolist(), strict=True)}) == 3


def test_the_diffusion_map_is_that_of_the_dense_matrix():
    X = np.random.default_rng(0).standard_normal((25, 2))
    graph = NeighbourGraph.of(X)
    weights = np.zeros((25, 25))
    for i in range(25):
        distance = np.linalg.norm(X - X[i], axis=1)
        for j in np.argsort(distance)[1 : graph.n_nearest + 1]:
            value = np.exp(-(distance[j] ** 2) / (graph.radius[i] * graph.radius[j]))
            weights[i, j] = weights[j, i] = value
    np.testing.assert_allclose(graph.weights().toarray(), weights)
    degree = weights.sum(axis=1)
    walk = np.linalg.matrix_power(weights / degree[:, None], 8)
    # Distances on the map are those of the places that walks reach, weighted by degree.
    places = diffusion_map(graph)
    ours = np.linalg.norm(places[:, None] - places, axis=2)
    theirs = np.sqrt((np.square(walk[:, None] - walk) / degree).sum(axis=2))
    np.testing.assert_allclose(ours, theirs, atol=5e-3 * theirs.max())


def test_copies_of_an_object_have_a_radius():
    X = np.repeat(np.array([[0.0, 0.0], [5.0, 5.0], [9.0, 0.0]]), 20, axis=0)
    assert np.isfinite(diffusion_map(NeighbourGraph.of(X))).all()


def test_curved_clusters_are_in_the_diffusion_tree():
    X, truth = make_circles(300, noise=0.04, factor=0.4, random_state=0)
    cut = cut_at(fixed_trees(NeighbourGraph.of(X))[DIFFUSION], np.arange(300), [2])[2]
    assert max(np.mean(cut == truth), np.mean(cut != truth)) == 1


def test_many_objects_have_no_fixed_trees_and_it_is_said():
    X = np.random.default_rng(0).standard_normal((MOST_ROWS + 1, 2))
    views, left_out = make_views(
        scaled_rows(X, "standard"), generator=None, most=4, finest=4, candidates=(2, 3),
        random_state=0, n_threads=2,
        advance=lambda _: None,
    )  # fmt: skip
    assert all(view.ensemble is not None for view in views)
    assert left_out == ["standard, trees of the data: they need at most 4,000 objects; got 4,001"]


# --- parts of clusters ---------------------------------------------------------------------------


def test_clusters_are_divided_where_no_link_connects_them():
    X, truth = make_blobs([40, 30, 20], centers=[[0, 0], [50, 0], [0, 50]], random_state=0)
    graph = NeighbourGraph.of(X)
    whole = np.zeros(90, dtype=np.int32)

    def divided(labels, fewest):
        parts = graph.connected_parts(labels, fewest)
        return sorted(sorted(set(truth[parts == part])) for part in set(parts.tolist()))

    assert divided(whole, 1) == [[0], [1], [2]]
    # A part without links to others stays, however small it is.
    assert divided(whole, 25) == [[0], [1], [2]]
    # Islands join the part around them.
    islands = whole.copy()
    islands[np.flatnonzero(truth == 1)[:2]] = 1
    islands[np.flatnonzero(truth == 2)[:1]] = 1
    assert len(set(graph.connected_parts(islands, 1).tolist())) >= 5
    assert divided(islands, 5) == [[0], [1], [2]]


# --- agreement -----------------------------------------------------------------------------------


def scored(pairs):
    return [Agreement(k, score, 1.0, 1.0, 0, 1.0, 9) for k, score in pairs]


def test_the_smallest_number_that_is_nearly_best():
    found = scored([(5, 0.99), (3, 0.93), (2, 0.91), (4, 1.0)])
    assert smallest_of_nearly_best(found).n_clusters == 3
    assert smallest_of_nearly_best(found, at_least=4).n_clusters == 4
    assert smallest_of_nearly_best(found, at_least=9).n_clusters == 5
    assert smallest_of_nearly_best(found, at_most=2).n_clusters == 2
    assert smallest_of_nearly_best(found, at_least=4, at_most=3).n_clusters == 4
    assert smallest_of_nearly_best([]) is None


def shared_and_scored(rows):
    return {k: Agreement(k, score, 1.0, shared, 0, 1.0, 9) for k, score, shared in rows}


def test_the_first_number_before_a_drop():
    rows = [
        (2, 1.0, 1.0),
        (3, 0.9, 0.9),
        (4, 0.95, 0.9),
        (5, 0.9, 0.9),
        (6, 0.98, 0.85),
        (7, 0.9, 0.8),
    ]
    found = shared_and_scored(rows)
    # After 4 the score is lower by 5 %, after 6 by 8 %; 2 is followed by a drop too.
    assert first_before_a_drop(found, 1).n_clusters == 2
    assert first_before_a_drop(found, 2).n_clusters == 6
    assert first_before_a_drop(found, 6) is None
    # The score of 6 must be nearly the best, and the views must share 85 % of the information.
    assert first_before_a_drop(found | shared_and_scored([(3, 1.1, 0.9)]), 3) is None
    assert first_before_a_drop(found | shared_and_scored([(6, 0.98, 0.84)]), 2) is None
    # Its score must not be clearly lower than that of the separated clusters.
    for lower, answer in ((0.03, 6), (0.05, None)):
        own = shared_and_scored([(3, found[6].score / (1 - lower), 0.9)])
        larger = first_before_a_drop(found | own, 3)
        assert (larger and larger.n_clusters) == answer
    # What comes after the last number is not known.
    del found[7]
    assert first_before_a_drop(found, 2) is None
    # A drop by a fiftieth is enough at twenty clusters, if the views share 90 %.
    many = shared_and_scored([(18, 1.0, 0.9), (19, 0.985, 0.9), (20, 0.98, 0.9), (21, 0.95, 0.9)])
    assert first_before_a_drop(many, 18).n_clusters == 20
    assert first_before_a_drop(many | shared_and_scored([(20, 0.98, 0.89)]), 18) is None


def test_trees_without_random_numbers_count_as_much_as_all_views():
    first = np.repeat([0, 1], 30).astype(np.int32)
    second = np.tile([0, 1], 30).astype(np.int32)
    ensemble = Ensemble([first, first, first])
    members = KView("", "a", None, ensemble, {2: first}, any_shape=True)
    fixed = [KView("", kind, None, None, {2: second}, any_shape=True) for kind in "bc"]
    # Of three pairs one shares log 2 nats, less what is shared by chance; the trees alone share as much.
    alone = shared_information(second, second) / np.log(2) ** 0.6
    found = agreement_of([members, *fixed], 2)
    assert found.score == pytest.approx((alone / 3 + alone) / 2)


# --- data without clusters that decide -----------------------------------------------------------


def null_of(rows, agreements, **options):
    scaled = ScaledRows("standard", rows, rows, rows, first=True)
    options = {"fill_valleys": False, "verbose": 0} | options
    return NullAgreement(scaled, agreements, np.random.default_rng(0), **options)


def test_null_agreement_is_over_all_sets():
    """The best quality of any set, the mean score of every number that all sets have."""
    seen = []

    def agreements(rows):
        seen.append(rows)
        numbers = [(2, 0.2), (3, 0.4)] if len(seen) == 1 else [(2, 0.3), (4, 0.9)]
        found = {one.n_clusters: one for one in scored(numbers)}
        return {k: one._replace(quality=one.score) for k, one in found.items()}

    null = null_of(np.arange(12.0).reshape(6, 2), agreements)
    data = {one.n_clusters: one for one in scored([(2, 0.75), (3, 0.5)])}
    assert null.excess(data) == {2: pytest.approx(0.5)}
    assert [sorted(one.rows[:, 0]) for one in seen] == [[0, 2, 4, 6, 8, 10]] * 2
    assert all(one.even is one.rows and one.few is one.rows for one in seen)
    assert null.quality(np.inf) == 0.9
    assert len(seen) == 2


def test_no_more_null_data_are_made_than_needed():
    seen = []

    def agreements(rows):
        seen.append(rows)
        return {2: scored([(2, 0.0)])[0]._replace(quality=0.1 * len(seen))}

    null = null_of(np.arange(12.0).reshape(6, 2), agreements)
    assert null.quality(0.05) == pytest.approx(0.1)
    assert len(seen) == 1
    assert null.quality(0.1) == pytest.approx(0.1)
    assert len(seen) == 1
    assert null.quality(0.15) == pytest.approx(0.2)
    assert null.quality(0.9) == pytest.approx(0.2)
    assert len(seen) == 2


def test_null_data_inside_clusters_keep_the_clusters():
    """Two clusters, each with a correlation of its own; in both the values of columns stay."""
    rng = np.random.default_rng(0)
    x = rng.standard_normal((2, 200))
    rows = np.r_[np.c_[x[0], x[0]], np.c_[x[1] + 50, -x[1]]]
    clusters = np.repeat([3, 1], 200)
    seen = []
    null_of(rows, lambda rows: seen.append(rows.rows) or {}, clusters=clusters).excess({})
    assert len(seen) == 2
    for null in seen:
        for cluster, sign in ((3, 1), (1, -1)):
            own = clusters == cluster
            assert np.array_equal(np.sort(null[own], axis=0), np.sort(rows[own], axis=0))
            assert sign * spearmanr(null[own])[0] > 0.99
            assert not np.array_equal(null[own], rows[own])


def test_null_data_of_many_objects_are_fewer_and_without_valleys():
    column = np.r_[np.linspace(0, 1, 400), np.linspace(50, 51, 400)]
    sides = np.repeat([0.0, 1.0], 400)
    rows = np.c_[column, sides]
    seen = []
    null_of(rows, lambda rows: seen.append(rows.rows) or {}, fill_valleys=True).excess({})
    assert [rows.shape for rows in seen] == [(500, 2)] * 2
    gaps = np.diff(np.sort(seen[0][:, 0]))
    assert gaps.max() < 1  # the valley from 1 to 50 is filled
    assert set(seen[0][:, 1]) == {0.0, 1.0}  # a column with few values stays as it is


def test_a_column_with_one_mode_stays_nearly_the_same():
    column = np.array([3.0, -4.0, 0.0, 1.0, -1.0, 7.0, -9.0])
    assert one_mode(column) == pytest.approx(column)


def test_a_valley_is_filled_by_equal_gaps():
    """Gaps 0.1, 0.1, 0.1 | 6, 0.2, 0.4: those behind the densest part may not become narrower."""
    column = np.array([0.0, 0.1, 0.2, 0.3, 6.3, 6.5, 6.9])
    filled = one_mode(column)
    assert filled[:4] == pytest.approx(column[:4])
    assert np.diff(filled[3:]) == pytest.approx([2.2, 2.2, 2.2])
    assert filled[-1] == pytest.approx(column[-1])


# --- columns with few values ---------------------------------------------------------------------


def test_equal_values_are_spread_evenly_to_half_of_the_way():
    X = np.c_[np.tile([0.0, 1.0], 4), np.arange(8.0) ** 2]
    spread = spread_values(X)
    places = (np.arange(4) + 0.5) / 4 - 0.5
    assert np.sort(spread[::2, 0]) == pytest.approx(places)
    assert np.sort(spread[1::2, 0]) == pytest.approx(1 + places)
    assert spread[:, 1] == pytest.approx(X[:, 1])


def test_wide_gaps_stay():
    values = np.repeat([0.0, 1.0, 2.0, 50.0], 5)
    spread = spread_values(np.c_[values, np.arange(20.0)])[:, 0]
    assert spread[15:].min() == pytest.approx(50 - 0.4)
    assert spread[:15].max() == pytest.approx(2 + 0.4)


def test_copies_of_rows_stay_copies():
    X = np.repeat(np.c_[np.tile([0.0, 1.0], 4), np.arange(8.0)], 3, axis=0)
    spread = spread_values(X)
    assert len(np.unique(spread, axis=0)) == 8
    assert (spread[::3] == spread[2::3]).all()


def test_rare_values_and_columns_without_equal_values_are_not_spread():
    rare = np.r_[1.0, np.zeros(99)]
    X = np.c_[rare, np.arange(100.0)]
    assert np.array_equal(spread_values(X), X)
    other = np.c_[np.arange(100.0), np.arange(100.0) ** 2]
    assert spread_values(other) is other
    constant = np.c_[np.ones(100), np.arange(100.0)]
    assert np.array_equal(spread_values(constant), constant)


def test_many_columns_are_not_spread():
    X = np.random.default_rng(0).integers(0, 2, (300, 101)).astype(float)
    few, many = scaled_rows(X[:, :100], "standard")[0], scaled_rows(X, "standard")[0]
    assert few.few is few.rows
    assert np.abs(few.even - few.rows).max() > 0.5
    assert many.few.shape == (300, 50)
    assert many.even is many.few


def test_half_as_many_values_as_rows_are_few():
    assert has_few_values(np.repeat(np.arange(5.0), 2))
    assert not has_few_values(np.r_[np.repeat(np.arange(4.0), 2), 8, 9])


def test_support_is_that_of_the_members_with_enough_clusters():
    rng = np.random.default_rng(0)
    members = [rng.integers(0, k, 90).astype(np.int32) for k in (2, 6, 3, 5, 4, 6)]
    ensemble = Ensemble(members)
    cuts = {k: rng.integers(0, k, 90).astype(np.int32) for k in (2, 4, 5, 6)}
    view = KView("", "a", None, ensemble, cuts, any_shape=True)
    # At least three members are asked, those with most clusters; the first of equal ones.
    asked = {2: [0, 1, 2, 3, 4, 5], 4: [1, 3, 4, 5], 5: [1, 3, 5], 6: [1, 3, 5]}
    for k, places in asked.items():
        part = Ensemble([members[place] for place in places])
        expected = confidence(cuts[k], part, adjusted=True)
        assert view.support(k) == pytest.approx(expected)


def test_trees_without_members_agree_but_give_no_support():
    halves = np.repeat([0, 1], 30).astype(np.int32)
    other = np.roll(halves, 10)
    ensemble = Ensemble([halves, halves, halves])
    with_members = KView("", "a", None, ensemble, {2: halves}, any_shape=True)
    same = KView("", "b", None, None, {2: halves}, any_shape=True)
    different = KView("", "c", None, None, {2: other}, any_shape=True)
    assert agreement_of([same, different], 2) is None
    found = agreement_of([same, with_members], 2)
    assert (found.best, found.support, found.shared) == (1, 1.0, pytest.approx(1.0))
    assert found.smallest == 30
    less = agreement_of([same, with_members, different], 2)
    assert less.best == 1
    assert less.score < found.score
    assert np.isnan(same.support(2))


# --- numbers of clusters of members --------------------------------------------------------------


@pytest.mark.parametrize(
    "generator", [KMeansRestarts(), LandmarkSpectral(), GaussianMixtures(covariance="diagonal")]
)
def test_an_even_range_has_all_sizes_for_any_seed(generator):
    X = np.random.default_rng(0).standard_normal((150, 3))
    wanted = None
    for seed in (0, 1):
        generator.set_params(n_clusters=EvenRange(2, 9), n_members=8, random_state=seed)
        sizes = generator.fit(X).ensemble_.n_clusters
        wanted = sizes if wanted is None else wanted
        np.testing.assert_array_equal(sizes, wanted)
    assert wanted.max() == 9
    assert len(set(wanted.tolist())) >= 6


# --- what a user may bring -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "make",
    [
        lambda rng: np.repeat(rng.standard_normal((50, 3)), 6, axis=0),
        lambda rng: np.repeat(rng.standard_normal((60, 2)), 5, axis=0),
        lambda rng: (2 * rng.standard_normal((250, 2))).round(),
    ],
    ids=["50 of six", "60 of five", "rounded"],
)
def test_copies_of_rows_are_no_clusters(make):
    choice = choose_k(make(np.random.default_rng(1)), random_state=0)
    assert choice.answer != "clusters"


def test_clusters_with_copies_are_found():
    X, _ = make_blobs(60, centers=[[0, 0], [30, 0], [0, 30]], random_state=0)
    choice = choose_k(np.repeat(X, 4, axis=0), random_state=0)
    assert (choice.n_clusters, choice.answer) == (3, "clusters")


def test_candidates_beyond_what_the_views_find_are_named_as_such():
    X = np.vstack([np.random.default_rng(0).standard_normal((60, 2)) + 9 * i for i in range(2)])
    choice = choose_k(X, candidates=[4, 5], random_state=0)
    assert "2 is no candidate; of the candidates" in choice.reason
    assert (choice.n_clusters in (4, 5), choice.answer) == (True, "unsure")


def test_a_level_is_a_probability():
    cloud = np.random.default_rng(0).standard_normal((150, 4))
    reason = choose_k(cloud, alpha=0.4, random_state=0).reason
    assert re.search("p (would have to be )?at most 0.5", reason)


# --- what views end with -------------------------------------------------------------------------


def ending(numbers, similarity):
    """What views end with, if every two have one similarity."""
    merged = [Merged(place, np.zeros(4), k, ()) for place, k in enumerate(numbers)]
    table = np.full((len(numbers), len(numbers)), similarity)
    np.fill_diagonal(table, 0)
    return Ending(None, merged, table, len(numbers))


def test_most_views_of_one_number_may_be_less_alike():
    some = ending([3, 3, 4, 3, 3, 3], 0.75).of_one_number(0.7)
    assert some.alike
    assert (some.numbers, some.n_views) == ([3] * 5, 6)
    assert [one.view for one in some.merged] == [0, 1, 3, 4, 5]
    assert some.likeness == pytest.approx([0.75] * 5)


@pytest.mark.parametrize(
    ("numbers", "similarity"),
    [
        ([3, 3, 4, 5, 3, 4], 0.75),  # too few have the same number
        ([3] * 6, 0.6),  # too different
        ([1, 1, 1, 1, 3], 0.75),  # one cluster is no cluster that views share
        ([3, 3, 3, 4], 0.9),  # all views are alike already
    ],
)
def test_else_all_views_count(numbers, similarity):
    every = ending(numbers, similarity)
    assert every.of_one_number(0.7) is every
