"""The choice of k: right on planted clusters of any shape, one on data without any, and explained."""

import re
from dataclasses import replace

import numpy as np
import pytest
from consilience.diagnose._k_doubts import doubts_about_k
from consilience.diagnose._k_evidence import similarity
from consilience.diagnose._k_views import few_columns, make_views, scaled_rows
from consilience.diagnose._merge_tree import MergeTree
from consilience.diagnose._seams import Merge
from scipy import sparse
from scipy.spatial.distance import pdist
from sklearn.datasets import load_iris, load_wine, make_blobs, make_circles, make_moons
from sklearn.metrics import adjusted_mutual_info_score
from sklearn.metrics import adjusted_rand_score as ari

from consilience import Ensemble
from consilience.consensus.internals import K_AT_THE_EDGE
from consilience.diagnose import choose_k, structureless_data
from consilience.exceptions import (
    InvalidInputError,
    InvalidParameterError,
    UnsupportedInputError,
)
from consilience.generate import KMeansRestarts

CORNERS = [[0, 0, 0], [8, 0, 0], [0, 8, 0], [0, 0, 8]]


def blobs(k, n_samples=240, seed=0):
    return make_blobs(n_samples, centers=CORNERS[:k], random_state=seed)[0]


@pytest.mark.parametrize("k", [2, 3, 4])
def test_planted_clusters_are_counted(k):
    X, truth = make_blobs(240, centers=CORNERS[:k], random_state=0)
    choice = choose_k(X, candidates=range(2, 7), random_state=0)
    assert choice.n_clusters == k
    assert choice.answer == "clusters"
    assert choice.separated
    assert ari(choice.labels[k], truth) == 1
    assert choice.sentence.startswith(f"{k} clusters: every cluster is separated from the rest")
    assert f"Of the other numbers, {choice.runner_up.n_clusters} has the best" in choice.sentence
    assert not choice.at_the_edge
    assert choice.chosen.seam <= choice.alpha
    assert f"{k:>10.3g}" in str(choice)


@pytest.mark.parametrize(
    ("make", "k"),
    [
        (lambda: make_blobs([1000, 30], centers=[[0, 0], [8, 8]], random_state=0), 2),
        (lambda: make_moons(300, noise=0.05, random_state=0), 2),
        (lambda: make_circles(300, noise=0.05, factor=0.4, random_state=0), 2),
        (lambda: make_blobs(375, centers=10 * np.eye(15), random_state=0), 15),
        (lambda: make_blobs(40, centers=50 * np.eye(4), random_state=0), 4),
    ],
    ids=["1000 : 30", "moons", "rings", "many", "four of ten"],
)
def test_unequal_curved_many_and_few(make, k):
    X, truth = make()
    choice = choose_k(X, random_state=0)
    assert choice.n_clusters == k
    assert choice.answer == "clusters"
    assert ari(choice.labels[k], truth) > 0.97


@pytest.mark.parametrize("kind", ["normal", "uniform", "student", "line", "lognormal"])
def test_one_cluster_is_an_answer(kind):
    rng = np.random.default_rng(0)
    make = {
        "normal": lambda: rng.standard_normal((300, 5)),
        "uniform": lambda: rng.random((300, 5)),
        "student": lambda: rng.standard_t(5, (300, 5)),
        "line": lambda: np.outer(rng.standard_normal(300), [3, 2, 1]) + rng.random((300, 3)),
        "lognormal": lambda: np.exp(rng.standard_normal((300, 10))),
    }
    choice = choose_k(make[kind](), candidates=range(2, 6), random_state=0)
    assert (choice.n_clusters, choice.answer) == (1, "one")
    assert choice.chosen is None
    assert not choice.null_does_as_well
    assert not choice.at_the_edge
    assert choice.sentence.startswith("One cluster: in ")
    assert "no cluster has a border that is clearly thinner" in choice.sentence


def test_noise_in_many_dimensions_is_one_cluster():
    X = np.random.default_rng(0).standard_normal((120, 1000))
    assert choose_k(X, candidates=[2, 3], random_state=0).answer == "one"


@pytest.mark.parametrize("n_samples", [1, 2, 5, 9])
def test_too_few_objects_to_tell(n_samples):
    X = np.random.default_rng(0).standard_normal((n_samples, 3))
    choice = choose_k(X, random_state=0)
    assert (choice.n_clusters, choice.answer, choice.table) == (1, "unsure", ())
    are = "1 object is" if n_samples == 1 else f"{n_samples} objects are"
    assert f"{are} too few" in choice.sentence
    assert choice.tree is None
    assert choice.runner_up is None


def test_few_objects_and_no_border_are_a_guess():
    """Sixty objects on a line: views cut them alike, and a test of borders says little."""
    X = np.random.default_rng(0).random((60, 1))
    choice = choose_k(X, random_state=0)
    assert choice.answer == "unsure"
    assert f"the best guess is {choice.n_clusters} clusters" in choice.sentence
    assert "but with 60 objects that means little" in choice.sentence
    assert "too few" not in choice.sentence, "borders were tested, and p-values are shown"
    assert all(np.isfinite(row.seam) for row in choice.table)


def test_the_largest_number_that_the_data_allow_is_not_the_edge():
    """Of 25 distinct rows no more clusters can be made, whatever is asked for."""
    rows = np.repeat(100 * np.random.default_rng(0).random((25, 3)), 8, axis=0)
    choice = choose_k(rows, candidates=range(2, 51), random_state=0)
    assert choice.n_clusters == choice.table[-1].n_clusters
    assert (choice.candidates[-1], choice.most_possible) == (50, 25)
    assert not choice.at_the_edge
    assert K_AT_THE_EDGE not in {doubt.code for doubt in doubts_about_k(choice)}
    all_of_them = replace(choice, n_clusters=25, candidates=tuple(range(2, 26)))
    assert not all_of_them.at_the_edge
    assert replace(all_of_them, most_possible=100).at_the_edge


def test_the_edge_is_a_doubt_that_names_a_possible_range():
    X, _ = make_blobs(12, centers=[[0, 0], [30, 0], [0, 30], [30, 30]], random_state=0)
    choice = replace(choose_k(X, random_state=0), n_clusters=4, candidates=(2, 3, 4))
    assert choice.most_possible == 6
    (doubt,) = [one for one in doubts_about_k(choice) if one.code == "k-at-the-edge"]
    assert doubt.figures == {"n_clusters": 4, "most_possible": 6}
    assert doubt.sentence.endswith("Try n_clusters=(2, 6).")
    twice = sparse.csr_matrix(np.vstack([X, X, X]))
    assert choose_k(twice, random_state=0).most_possible == 12


def test_views_that_cannot_be_made_are_named():
    """Mixtures with full covariances need more rows than columns."""
    X = np.random.default_rng(0).standard_normal((24, 40))
    X[:12] += 20
    choice = choose_k(X, random_state=0)
    assert [view.split(":")[0] for view in choice.left_out] == ["standard, mixture"]
    assert "Left out: standard, mixture: " in str(choice)


def test_the_tree_has_every_number_of_clusters():
    choice = choose_k(blobs(4), random_state=0)
    tree = choice.tree
    assert len(tree.merges) == tree.n_leaves - 1
    finer = tree.labels_at(tree.n_leaves)
    for k in range(tree.n_leaves, 0, -1):
        labels = tree.labels_at(k)
        assert sorted(set(labels.tolist())) == list(range(k))
        pairs = set(zip(finer.tolist(), labels.tolist(), strict=True))
        assert len(pairs) == len(set(finer.tolist())), "every cluster lies inside one of the next"
        finer = labels
    np.testing.assert_array_equal(tree.labels_at(4), choice.labels[4])
    assert tree.merges[-1].p_value < choice.alpha < tree.merges[0].p_value
    said = tree.sentences(4, most=2)
    assert [line.split(":")[0] for line in said] == [
        "6 to 5 clusters", "5 to 4 clusters", "4 to 3 clusters",
    ]  # fmt: skip
    assert "joined" in said[0]
    assert "would join" in said[-1]
    with pytest.raises(InvalidParameterError, match=r"must be an integer from 1 to .*; got 0"):
        tree.labels_at(0)
    with pytest.raises(InvalidParameterError, match=r"must be an integer .*; got 'x'"):
        tree.labels_at("x")


def test_null_data_are_made_if_asked_for():
    choice = choose_k(blobs(3, 150), candidates=[2, 3, 4], n_null=3, random_state=0)
    assert choice.n_clusters == 3
    assert choice.n_null == 3
    assert choice.chosen.p_value == 1 / 4
    assert not choice.null_does_as_well
    assert choice.chosen.null_pac > choice.chosen.pac
    assert "null_pac" in str(choice)
    without = choose_k(blobs(3, 150), candidates=[2, 3, 4], random_state=0)
    assert np.isnan([row.null_pac for row in without.table]).all()


def test_structureless_data_have_the_covariance():
    rng = np.random.default_rng(0)
    X = rng.standard_t(5, (4000, 3)) @ rng.standard_normal((3, 3)) + 5
    null = structureless_data(X, rng)
    np.testing.assert_allclose(null.mean(axis=0), X.mean(axis=0), atol=0.3)
    np.testing.assert_allclose(np.cov(null.T), np.cov(X.T), rtol=0.2, atol=0.2)
    wide = rng.random((5, 40)).astype(np.float32)
    assert structureless_data(wide, rng).dtype == np.float32


def test_one_seed_decides():
    X = blobs(3, 150)
    first, second = (choose_k(X, candidates=[2, 3], random_state=7) for _ in range(2))
    third = choose_k(X, candidates=[2, 3], random_state=7, n_jobs=2)
    np.testing.assert_array_equal(first.table, second.table)
    np.testing.assert_array_equal(first.table, third.table)


def test_large_data_are_sampled_twice_and_it_is_said():
    X = blobs(3, 900)
    choice = choose_k(X, candidates=[2, 3, 4], max_samples=300, random_state=0)
    assert choice.n_clusters == choice.second.n_clusters == 3
    assert len(choice.rows) == 300 == len(choice.labels[3])
    assert np.all(np.diff(choice.rows) > 0)
    assert not set(choice.rows) & set(choice.second.rows)
    assert "A second sample of 300 objects gave the same: 3 clusters." in choice.sentence
    assert not choice.samples_disagree
    assert 0 <= choice.chosen.pac_error < 0.05


def test_own_generator_and_sparse_data():
    X = blobs(3, 150)
    choice = choose_k(
        X, candidates=[2, 3, 4], random_state=0, generator=KMeansRestarts(n_members=20, n_init=3)
    )
    assert choice.n_clusters == 3
    wide = np.hstack([X, np.zeros((150, 200))])
    assert choose_k(sparse.csr_matrix(wide), candidates=[2, 3, 4], random_state=0).n_clusters == 3


# --- clusterings alone ---------------------------------------------------------------------------


def test_clusterings_alone_have_a_number_of_clusters():
    X, truth = make_blobs([150, 60, 30], centers=CORNERS[:3], random_state=0)
    ensemble = KMeansRestarts(n_members=20, random_state=0).fit(X).ensemble_
    choice = choose_k(ensemble, random_state=0)
    assert (choice.n_clusters, choice.answer) == (3, "clusters")
    assert ari(choice.labels[3], truth) == 1
    assert ari(choice.tree.labels_at(3), choice.labels[3]) == 1
    assert "halves of the members agree best" in choice.sentence


def test_clusterings_that_do_not_agree_are_one_cluster():
    labels = np.random.default_rng(0).integers(0, 4, (300, 12))
    choice = choose_k(Ensemble(labels), random_state=0)
    assert (choice.n_clusters, choice.answer) == (1, "one")
    assert "no more than if objects are put in random order" in choice.sentence


def test_few_clusterings_cannot_tell():
    choice = choose_k(Ensemble([[0] * 20 + [1] * 20] * 3), random_state=0)
    assert (choice.n_clusters, choice.answer) == (1, "unsure")
    assert "3 clusterings of 40 objects are too few" in choice.sentence


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"candidates": [1, 2]}, InvalidParameterError, "integers of at least 2; got .1, 2."),
        ({"candidates": []}, InvalidParameterError, "candidates must be None or a list or range"),
        ({"candidates": [2.5]}, InvalidParameterError, "integers of at least 2; got .2.5."),
        ({"candidates": iter([2])}, InvalidParameterError, "candidates must be None or a list"),
        ({"candidates": [60]}, InvalidParameterError, "at most half .*, 25 of 50; got 60"),
        ({"scaling": "robust"}, InvalidParameterError, "scaling must be None or one of 'auto'"),
        ({"generator": "k-means"}, InvalidParameterError, "such as KMeansRestarts"),
        ({"alpha": 0}, InvalidParameterError, "alpha must be a number above 0 and below 1; got 0"),
        ({"alpha": 1.0}, InvalidParameterError, "above 0 and below 1; got 1.0"),
        ({"n_jobs": 10**9}, InvalidParameterError, "n_jobs must be None or an integer from 1"),
        ({"n_null": -1}, InvalidParameterError, "n_null must be an integer of at least 0"),
        ({"max_samples": 3}, InvalidParameterError, "max_samples must be"),
    ],
)
def test_bad_parameters(options, error, message):
    with pytest.raises(error, match=message):
        choose_k(blobs(2, 50), **{"random_state": 0, **options})


@pytest.mark.parametrize(
    "options", [{"n_null": 3}, {"scaling": None}, {"alpha": 0.5}, {"generator": KMeansRestarts()}]
)
def test_what_needs_features_is_refused_for_labels(options):
    name = next(iter(options))
    with pytest.raises(UnsupportedInputError, match=f"{name} has no meaning for an Ensemble"):
        choose_k(Ensemble([[0, 1] * 10] * 5), random_state=0, **options)


def test_bad_data():
    X = blobs(2, 50)
    X[3, 1] = np.nan
    with pytest.raises(InvalidInputError, match=r"row 3.*column 1"):
        choose_k(X)


def test_no_data():
    with pytest.raises(ValueError, match=r"minimum of 1 is required by choose_k"):
        choose_k(np.zeros((0, 3)))


def test_far_objects_do_not_make_a_guess_of_the_rest():
    """Two objects far away are agreed on by all views; the cloud beside them is still one."""
    rng = np.random.default_rng(0)
    X = np.r_[rng.standard_normal((200, 3)), 30 + rng.standard_normal((2, 3))]
    assert choose_k(X, random_state=0).n_clusters <= 2


@pytest.mark.parametrize("n_samples", [80, 500, 2000])
def test_similarity_is_adjusted_mutual_information(n_samples):
    rng = np.random.default_rng(0)
    first = rng.integers(0, 8, n_samples)
    second = np.where(rng.random(n_samples) < 0.3, rng.integers(0, 5, n_samples), first)
    expected = adjusted_mutual_info_score(first, second)
    assert similarity(first, second) == pytest.approx(expected, abs=1e-3)
    assert similarity(first, first) == pytest.approx(1)
    assert similarity(first, np.zeros_like(first)) == 0


def test_a_single_view_is_made_twice_to_have_somebody_to_agree_with():
    X, _ = make_blobs(60, centers=[[0, 0], [9, 9]], random_state=0)
    generator = KMeansRestarts(n_members=5)
    views, failed = make_views(
        scaled_rows(X, "standard"), generator=generator, most=4, finest=4, candidates=(2, 3),
        random_state=0, n_threads=1,
        advance=lambda _: None,
    )  # fmt: skip
    assert failed == []
    assert [view.kind for view in views] == ["KMeansRestarts"] * 2
    assert views[0].ensemble.fingerprint != views[1].ensemble.fingerprint


@pytest.mark.parametrize(
    "column",
    [lambda rng: rng.integers(0, 2, 300), lambda rng: rng.random(300) < 0.1],
    ids=["even", "one in ten"],
)
def test_yes_and_no_beside_noise_are_no_clusters(column):
    rng = np.random.default_rng(0)
    X = np.c_[column(rng), rng.standard_normal((300, 4))]
    assert choose_k(X, random_state=0).answer == "one"


def test_answers_from_one_to_five_are_no_clusters():
    rng = np.random.default_rng(0)
    X = np.clip(np.round(3 + rng.standard_normal((300, 1)) + rng.standard_normal((300, 6))), 1, 5)
    assert choose_k(X, random_state=0).answer == "one"


def test_rare_values_far_from_the_others_are_a_cluster():
    rng = np.random.default_rng(1)
    rare = rng.random(400) < 0.04
    choice = choose_k(np.c_[rare, rng.standard_normal((400, 4))], random_state=0)
    assert (choice.n_clusters, choice.answer) == (2, "clusters")
    assert ari(choice.labels[2], rare) == 1


@pytest.mark.parametrize("seed", [0, 1])
def test_one_scaling_may_show_clusters_that_another_one_hides(seed):
    """Scaled by its standard deviation, the column with the clusters counts no more than the others."""
    rng = np.random.default_rng(seed)
    truth = np.repeat([0, 1], 300)
    X = rng.standard_normal((600, 6))
    X[:, 0] += 4 * truth
    choice = choose_k(X, random_state=seed)
    assert (choice.n_clusters, choice.answer) == (2, "clusters")
    assert ari(choice.labels[2], truth) > 0.8
    assert '3 views (scaling "common") end with nearly the same clusters' in choice.reason


@pytest.mark.parametrize("n_values", [2, 3, 6])
def test_every_group_of_equal_rows_could_be_a_cluster(n_values):
    X = np.random.default_rng(0).integers(0, n_values, (200, 1)).astype(float)
    choice = choose_k(X, random_state=0)
    assert (choice.n_clusters, choice.answer) == (n_values, "unsure")
    assert f"there are only {n_values} distinct rows" in choice.reason


def test_two_distinct_rows():
    choice = choose_k(np.repeat([[1.0, 2.0], [5.0, 7.0]], 50, axis=0), random_state=0)
    assert choice.n_clusters == 2


def test_many_equal_rows_are_no_clusters_if_there_are_more_than_the_largest_candidate():
    X = np.random.default_rng(0).integers(0, 6, (200, 1)).astype(float)
    assert choose_k(X, candidates=[2, 3, 4, 5], random_state=0).answer == "one"


def test_a_few_outliers_are_no_cluster_of_their_own():
    """Views agree best on five clusters of wine with this seed, two of them of four and five objects."""
    choice = choose_k(load_wine().data, random_state=0)
    assert (choice.n_clusters, choice.answer) == (3, "clusters")


def test_sentences_of_one_cluster_do_not_contradict_the_views():
    rng = np.random.default_rng(12)
    X = rng.lognormal(3, 1, size=(400, 3)) * (rng.random((400, 3)) < 0.5)
    choice = choose_k(X, random_state=0)
    assert choice.answer == "one"
    assert (
        "6 of 7 views have separated clusters (p at most 0.003), but not the same" in choice.reason
    )
    assert "no cluster has a border" not in choice.reason


def test_many_blobs_of_ten_objects():
    X, truth = make_blobs(80, centers=40 * np.eye(8), random_state=0)
    choice = choose_k(X, random_state=0)
    assert choice.n_clusters == 8
    assert ari(choice.labels[8], truth) == 1


@pytest.mark.parametrize(
    ("n_samples", "seed", "line"), [(200, 4, [[1.0]]), (200, 4, [[2, 1, -1.0]])]
)
def test_gaps_on_a_line_are_no_borders(n_samples, seed, line):
    """On a line a border is a single object, and random gaps have no neighbours across."""
    X = np.random.default_rng(100 + seed).standard_normal((n_samples, 1)) @ line
    assert choose_k(X, candidates=range(2, 11), random_state=seed).answer == "one"


def test_clusters_on_a_line():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 5, 300)
    choice = choose_k((6 * truth + rng.standard_normal(300))[:, None], random_state=0)
    assert (choice.n_clusters, choice.answer) == (5, "clusters")


def test_the_table_and_the_tree_have_the_p_values_of_the_test():
    """A border that is undecided may be separated by valleys, and then every figure must say so."""
    X = load_iris().data
    choice = choose_k(X, random_state=0)
    assert choice.separated
    assert choice.chosen.seam <= choice.alpha
    merge = next(m for m in choice.tree.merges if m.n_clusters == choice.n_clusters)
    assert max(merge.p_value, merge.weakest) <= choice.alpha
    finer = [m for m in choice.tree.merges if m.n_clusters > choice.n_clusters]
    assert all(merge.p_value > choice.alpha for merge in finer)


def test_clusters_whose_number_is_no_candidate():
    choice = choose_k(blobs(2, 80), candidates=[5, 6], random_state=0)
    assert choice.n_clusters in (5, 6)
    assert choice.answer == "unsure"
    assert "2 clusters are separated from the rest" in choice.sentence
    assert "but 2 is no candidate" in choice.sentence
    assert "not the same ones" not in choice.sentence


def test_one_object_is_no_objects():
    tree = MergeTree(np.array([0, 1, 1]), (Merge(2, 0, 1, (1, 2), 0.5, 0.5),), 0.01)
    assert tree.sentences(1)[0].startswith("2 to 1 clusters: 1 object joined 2")


def test_many_clusters_on_a_plane_are_all_found():
    places = np.array([[i, j] for i in range(5) for j in range(5)])
    X = np.repeat(places, 30, axis=0) + np.random.default_rng(1).normal(0, 0.12, (750, 2))
    choice = choose_k(X, random_state=0)
    assert (choice.n_clusters, choice.answer) == (25, "clusters")


def unequal_blobs(seed):
    """Five blobs in ten columns, sizes to 10 : 1, the nearest ones 4 standard deviations apart."""
    rng = np.random.default_rng(seed)
    centres = rng.standard_normal((5, 10))
    centres *= 4 / pdist(centres).min()
    share = np.exp(rng.uniform(0, np.log(10), 5))
    labels = rng.choice(5, 500, p=share / share.sum())
    return centres[labels] + rng.standard_normal((500, 10)), labels


def test_clusters_without_a_border_on_which_all_views_agree():
    X, labels = unequal_blobs(1)
    choice = choose_k(X, random_state=0)
    assert (choice.n_clusters, choice.answer, choice.separated) == (5, "clusters", False)
    assert re.search(
        r"[34] clusters are separated .* agree on 5 too \(they share \d\d% .* higher by 0\.\d\d than "
        r".*\), but not on 6$",
        choice.reason,
    )
    assert ari(labels, choice.labels[5]) > 0.9


def test_more_clusters_at_a_looser_level_on_which_all_views_agree():
    """Of few objects on a plane, a border may have p between 0.003 and 0.01."""
    rng = np.random.default_rng(6)
    centres, sizes = [[20, 65], [43, 146], [99, 119], [69, 22]], [20, 23, 17, 15]
    X = np.vstack([rng.normal(c, 9, (n, 2)) for c, n in zip(centres, sizes, strict=True)])
    choice = choose_k(X, random_state=0)
    assert (choice.n_clusters, choice.answer, choice.alpha) == (4, "clusters", 0.01)
    assert "most support and agreement" in choice.reason


@pytest.mark.parametrize("n_samples", [300, 1000])
def test_arms_of_spirals(n_samples):
    """The arms have gaps, and their ends are so sparse that they have links with the other arm."""
    rng = np.random.default_rng(0)
    arm = rng.integers(0, 2, n_samples)
    turn = 1.5 + np.sqrt(rng.random(n_samples)) * 2.5 * np.pi
    places = np.c_[turn * np.cos(turn + np.pi * arm), turn * np.sin(turn + np.pi * arm)] / 4
    choice = choose_k(places + 0.06 * rng.standard_normal((n_samples, 2)), random_state=0)
    assert (choice.n_clusters, choice.answer) == (2, "clusters")
    assert ari(choice.labels[2], arm) > 0.9


@pytest.mark.parametrize(("n_samples", "seed"), [(200, 78), (500, 63)])
def test_a_thin_place_in_a_curve_is_no_border(n_samples, seed):
    """Of all places at which half a circle could be cut, one has few objects by accident."""
    rng = np.random.default_rng(seed)
    turn = rng.uniform(0, np.pi, n_samples)
    arc = np.c_[np.cos(turn), np.sin(turn)] + 0.1 * rng.standard_normal((n_samples, 2))
    choice = choose_k(arc, random_state=seed)
    assert (choice.n_clusters, choice.answer) == (1, "one")


@pytest.mark.parametrize("seed", [63, 64])
def test_outliers_that_only_one_scaling_shows_are_no_cluster(seed):
    """All views of one scaling agree on some objects of a tail, but there is no valley before them."""
    X = np.exp(np.random.default_rng(seed).standard_normal((500, 10)))
    choice = choose_k(X, random_state=seed)
    assert (choice.n_clusters, choice.answer) == (1, "one")


@pytest.mark.parametrize("seed", [1, 4])
def test_one_scaling_does_not_decide_if_its_views_agree_on_more_clusters(seed):
    """In one scaling two clusters are separated, but the views hardly agree on two, and well on four."""
    rng = np.random.default_rng(seed)
    X = np.vstack([rng.normal(7 * np.eye(10)[corner], 1, (8, 10)) for corner in range(4)])
    choice = choose_k(X, random_state=0)
    assert choice.n_clusters == 4
    assert ari(choice.labels[4], np.repeat(range(4), 8)) == 1


def test_clusters_that_are_not_clearly_the_same_do_not_hide_a_number_on_which_all_agree():
    rng = np.random.default_rng(4)
    centres = [[0] * 5, [6] * 5, [6, 0, 6, 0, -6]]
    choice = choose_k(np.vstack([rng.normal(c, 1, (10, 5)) for c in centres]), random_state=0)
    assert (choice.n_clusters, choice.answer) == (3, "clusters")
    assert "share 100% of the information" in choice.reason


def test_a_single_object_is_no_cluster_on_which_views_agree():
    rng = np.random.default_rng(1)
    X = np.vstack([rng.normal(7 * np.eye(5)[corner], 1, (8, 5)) for corner in range(4)])
    choice = choose_k(X, random_state=0)
    assert choice.n_clusters in (3, 4)
    assert np.bincount(choice.labels[choice.n_clusters]).min() >= 5


def test_equal_rows_are_one_cluster():
    choice = choose_k(np.ones((50, 3)), random_state=0)
    assert choice.sentence == "One cluster: all rows are equal."


def test_an_array_of_one_dimension_is_not_printed_number_by_number():
    with pytest.raises(InvalidInputError, match="Reshape your data") as caught:
        choose_k(np.arange(180.0))
    assert len(str(caught.value)) < 250


@pytest.mark.parametrize("n_columns", [20, 150])
def test_copies_with_errors_of_rounding(n_columns):
    """Neighbours at a distance of nothing, which scikit-learn may round to 0."""
    rng = np.random.default_rng(0)
    X = np.repeat(rng.standard_normal((2, n_columns)), 20, axis=0)
    assert choose_k(X, random_state=0).n_clusters == 2
    nearly = X + 1e-9 * rng.standard_normal(X.shape)
    assert choose_k(nearly, random_state=0).n_clusters == 2


def test_copies_of_rows_with_many_columns_stay_copies():
    X = np.repeat(np.random.default_rng(0).standard_normal((10, 150)), 20, axis=0)
    assert len(np.unique(few_columns(X), axis=0)) == 10


def test_groups_of_copies_whose_number_is_no_candidate():
    X = np.repeat(np.eye(5), 20, axis=0)
    choice = choose_k(X, candidates=[2, 10], random_state=0)
    assert (choice.n_clusters in (2, 10), choice.answer) == (True, "unsure")


def test_columns_that_show_a_number_that_is_no_candidate():
    rng = np.random.default_rng(0)
    groups = np.repeat([[0, 0], [10, 0], [0, 10]], 80, axis=0) + rng.standard_normal((240, 2))
    X = np.c_[groups, rng.standard_normal((240, 20))]
    choice = choose_k(X, candidates=[5, 6], random_state=0)
    assert (choice.n_clusters in (5, 6), choice.answer) == (True, "unsure")
    assert "columns 0, 1 (counted from 0) fall into groups" in choice.reason
    assert "would show" not in choice.reason


def test_a_very_small_alpha_ends():
    assert choose_k(blobs(2, 80), alpha=1e-30, random_state=0).n_clusters in (1, 2)
