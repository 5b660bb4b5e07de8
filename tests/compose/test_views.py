"""Several views of the data, and the choice among them."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import load_digits, load_iris, make_blobs, make_circles, make_moons

from consilience import ConsensusClustering, report
from consilience.compose import View, ViewChoice
from consilience.compose._doubts import doubts_about_views
from consilience.compose._views import Looking, _agreement, _Answer, _choose, look
from consilience.consensus import IPC
from consilience.diagnose._neighbour_graph import NeighbourGraph
from consilience.diagnose._seams import Seams
from consilience.exceptions import (
    BrokenConstraintsWarning,
    InvalidInputError,
    InvalidParameterError,
)
from consilience.generate import KMeansRestarts
from consilience.generate._scaling import CountRows, Rows, looks_like_counts, scalings_to_try
from consilience.metrics import ari, nmi


def _rng():
    """Return a generator of the test's own: which tests run before must not matter."""
    return np.random.default_rng(0)


def texts(n_rows=90, n_words=300):
    """Three topics; half of the words of a text come from its own third of the vocabulary."""
    topic = np.repeat([0, 1, 2], n_rows // 3)
    chances = np.full((3, n_words), 0.5 / n_words)
    for k in range(3):
        chances[k, k * 100 : (k + 1) * 100] += 0.5 / 100
    rng = np.random.default_rng(1)
    counts = np.array([rng.multinomial(60, chances[k]) for k in topic])
    return sparse.csr_matrix(counts.astype(float)), topic


def answer(view, labels, support=0.9, information=1.0):
    return _Answer(view, "LWCL", np.asarray(labels), 0.95, support, information)


# --- unequal sizes, odd shapes, few objects ------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_clusters_of_unequal_size(seed):
    X, y = make_blobs([1000, 100], centers=[[0, 0], [8, 8]], random_state=seed)
    model = ConsensusClustering(2, n_members=20, random_state=seed).fit(X)
    assert ari(model.labels_, y) > 0.99


def test_a_small_cluster_among_many():
    centres = [[0, 0], [7, 0], [0, 7], [7, 7]]
    X, y = make_blobs([900, 40, 40, 20], centers=centres, random_state=0)
    assert ari(ConsensusClustering(4, n_members=20, random_state=0).fit(X).labels_, y) > 0.99


@pytest.mark.parametrize(
    "data",
    [
        make_moons(300, noise=0.05, random_state=0),
        make_circles(400, factor=0.4, noise=0.04, random_state=0),
    ],
    ids=["moons", "rings"],
)
def test_curved_clusters(data):
    X, y = data
    model = ConsensusClustering(2, n_members=20, random_state=0).fit(X)
    assert ari(model.labels_, y) == 1
    assert ari(model.predict(X), y) == 1
    assert "mixture" not in model.view_choice_.chosen.kind


def test_digits_are_better_than_by_k_means_members():
    X, y = load_digits(return_X_y=True)
    X, y = X[:800], y[:800]
    model = ConsensusClustering(10, n_members=20, random_state=0).fit(X)
    before = ConsensusClustering(
        10, n_members=20, generator="kmeans-restarts", scaling="standard", random_state=0
    ).fit(X)
    assert nmi(model.labels_, y) > nmi(before.labels_, y) + 0.05


@pytest.mark.filterwarnings("ignore::consilience.exceptions.ConsilienceWarning")
@pytest.mark.parametrize("n_rows", [2, 3, 4, 6, 9])
def test_few_rows_leave_views_out_with_a_note(n_rows):
    X = _rng().standard_normal((n_rows, 3)) + 20 * (np.arange(n_rows) % 2)[:, None]
    model = ConsensusClustering(2, n_members=5, random_state=0).fit(X)
    assert model.labels_.shape == (n_rows,)
    assert sum(view.chosen for view in model.views_) == 1
    notes = [view.note for view in model.views_ if view.note]
    assert all("too few" in note or "at most" in note for note in notes)
    if n_rows < 6:
        assert notes


def test_columns_without_variance():
    X, y = make_blobs(60, centers=[[0, 0], [9, 9]], random_state=0)
    X = np.hstack([X, np.full((60, 2), 3.0)])
    assert ari(ConsensusClustering(2, n_members=5, random_state=0).fit(X).labels_, y) == 1


@pytest.mark.filterwarnings("ignore::consilience.exceptions.ConsilienceWarning")
def test_nothing_but_equal_rows():
    model = ConsensusClustering(2, n_members=5, random_state=0).fit(np.ones((30, 3)))
    assert model.n_clusters_ == 1
    assert model.chance_confidence_ == 1, "one cluster is as sure by chance"
    assert np.isnan(model.separation_)


# --- what is said about what is returned ---------------------------------------------------------


@pytest.mark.parametrize(
    "noise",
    [
        np.random.default_rng(0).normal(size=(300, 1)),
        np.random.default_rng(1).uniform(size=(300, 2)),
        np.random.default_rng(2).normal(size=(200, 5)),
        np.random.default_rng(3).lognormal(0, 1.5, (200, 2)),
    ],
    ids=["one column", "square", "cloud", "tails"],
)
def test_no_verdict_is_green_on_noise(noise):
    model = ConsensusClustering(2, n_members=20, random_state=0).fit(noise)
    assert model.separation_ > 0.01
    assert "Not every cluster is separated from the rest" in model.verdict_
    summary = report(model).summary
    assert summary["verdict"]["grade"] != "clear"
    assert "not-separated" in [doubt["code"] for doubt in summary["doubts"]]
    assert summary["doubts"] == [doubt.as_dict() for doubt in model.doubts_]


def test_separation_is_that_of_the_labels_that_are_returned():
    X, _ = make_blobs(200, centers=[[0, 0], [9, 9]], random_state=0)
    model = ConsensusClustering(2, n_members=10, random_state=0).fit(X)
    graph = NeighbourGraph.of((X - X.mean(axis=0)) / X.std(axis=0))
    expected = Seams(graph, model.labels_).p_values(0.01).max()
    assert model.separation_ == pytest.approx(expected)
    said = report(model).summary["verdict"]
    assert said["grade"] == "clear"
    assert "Every cluster is separated from the rest" in said["sentences"][-1]
    three = ConsensusClustering(3, n_members=20, random_state=0).fit(X)
    assert report(three).summary["verdict"]["grade"] != "clear"


def test_other_views_that_disagree_are_a_doubt():
    X, _ = make_blobs(200, centers=[[0, 0], [9, 9]], random_state=0)
    model = ConsensusClustering(2, n_members=10, random_state=0).fit(X)
    lonely = [
        view._replace(agreement=0.3) if view.chosen else view for view in model.view_choice_.table
    ]
    model.doubts_ = doubts_about_views(ViewChoice(tuple(lonely), 200), 2)
    summary = report(model).summary
    assert summary["verdict"]["grade"] != "clear"
    (doubt,) = summary["doubts"]
    assert doubt["code"] == "other-views"
    assert doubt["figures"]["mean_nmi"] == 0.3
    assert "the mean NMI with the clusters of the chosen view is 0.30" in doubt["sentence"]


def test_few_members_and_one_cluster_as_asked():
    X, _ = make_blobs(100, centers=[[0, 0], [9, 9]], random_state=0)
    few = report(ConsensusClustering(2, n_members=1, random_state=0).fit(X)).summary
    assert few["verdict"]["grade"] != "clear"
    one = report(ConsensusClustering(1, n_members=5, random_state=0).fit(X)).summary["verdict"]
    assert one["headline"] == "One cluster, as asked"


def test_constraints_that_do_not_hold_are_named():
    X, y = make_blobs(90, centers=[[0, 0], [9, 9], [0, 9]], random_state=0)
    apart = [int(np.flatnonzero(y == k)[0]) for k in (0, 1)]
    with pytest.warns(BrokenConstraintsWarning, match="broke 1 of 1 must-links"):
        model = ConsensusClustering(3, n_members=10, random_state=0).fit(X, must_link=[apart])
    assert "Not all constraints are met: 0 of 1 must-links" in model.verdict_
    empty = ConsensusClustering(3, n_members=10, random_state=0).fit(X, must_link=[])
    assert type(empty.consensus_).__name__ != "GWCA"


# --- what is tried, and what is said -------------------------------------------------------------


def test_the_table_and_the_sentence():
    X = load_iris().data
    model = ConsensusClustering(3, n_members=12, random_state=0).fit(X)
    assert model.views_ == model.view_choice_.table
    assert [view.scaling for view in model.views_] == ["standard"] * 5 + ["common"] * 3
    assert all(view.n_members == 10 and view.seconds > 0 for view in model.views_)
    chosen = model.view_choice_.chosen
    score = [view.support**2 * view.agreement for view in model.views_]
    assert score[model.views_.index(chosen)] == max(score)
    sentence = model.view_choice_.sentence
    assert sentence.startswith(
        f"The data were clustered in 8 ways. One of them was chosen ({chosen.kind}, columns "
    )
    assert f"({chosen.support:.2f})" in sentence
    assert f"(mean NMI {chosen.agreement:.2f})" in sentence
    assert str(model.view_choice_).count("\n") == 9
    assert model.ensemble_.n_members == 12


def test_a_user_decides():
    X = load_iris().data
    one = ConsensusClustering(
        3, n_members=5, generator="kmeans-restarts", scaling="max", random_state=0
    ).fit(X)
    assert len(one.views_) == 1
    assert one.view_choice_.sentence.startswith(
        "The data were clustered in one way: kmeans-restart"
    )
    assert type(one.consensus_).__name__ == "Concord"
    two = ConsensusClustering(3, generator=KMeansRestarts(n_members=5), random_state=0).fit(X)
    assert [view.scaling for view in two.views_] == ["standard", "common"]
    assert {view.kind for view in two.views_} == {"KMeansRestarts"}
    five = ConsensusClustering(3, n_members=5, scaling=None, random_state=0).fit(X)
    assert [view.scaling for view in five.views_] == ["none"] * 5
    named = ConsensusClustering(3, n_members=5, consensus="HBGF", random_state=0).fit(X)
    assert {view.function for view in named.views_} == {"HBGF"}
    assert type(named.consensus_).__name__ == "HBGF"


def test_one_seed_decides_for_any_number_of_jobs():
    X = load_iris().data
    fits = [
        ConsensusClustering(3, n_members=12, n_jobs=n_jobs, random_state=3).fit(X)
        for n_jobs in (None, 1, 2, 3)
    ]
    for fit in fits[1:]:
        np.testing.assert_array_equal(fit.labels_, fits[0].labels_)
        assert [v._replace(seconds=0) for v in fit.views_] == [
            v._replace(seconds=0) for v in fits[0].views_
        ]


def test_large_data_are_tried_on_a_sample():
    X, y = make_blobs(3000, centers=[[0, 0], [9, 0], [0, 9]], random_state=0)
    model = ConsensusClustering(3, n_members=10, random_state=0).fit(X)
    assert model.view_choice_.n_rows == 1000
    assert ari(model.labels_, y) == 1


def test_if_no_view_can_be_made_the_first_error_is_raised():
    looking = Looking(
        np.ones((4, 2)), 3, ["HBGF"], "kmeans-restarts", 3, {"n_jobs": 1, "n_members": 0}
    )
    with pytest.raises(InvalidParameterError, match="n_members must be"):
        look(looking, ["standard", None], 0)


# --- the choice ----------------------------------------------------------------------------------


def test_agreement_counts_views_alike():
    a, b = [0, 0, 1, 1], [0, 1, 0, 1]
    answers = [answer(0, a), answer(1, a), answer(1, a), answer(1, b), answer(2, b)]
    # of answer 0: view 1 agrees by two answers of three, view 2 does not
    assert _agreement(answers)[0] == pytest.approx((2 / 3 + 0) / 2)
    assert _agreement(answers)[4] == pytest.approx((0 + 1 / 3) / 2)


def test_choice_by_support_and_agreement():
    table = [View("standard", f"kind {j}", 10) for j in range(4)]
    a, b = [0, 0, 1, 1], [0, 1, 0, 1]
    # kinds 0 and 1 agree; kind 2 is sure of something else; kind 3 could not be made
    table[3] = table[3]._replace(note="too few rows")
    answers = [answer(0, a, 0.8), answer(1, a, 0.9), answer(2, b, 1.0)]
    chosen = _choose(table, answers)
    assert [view.chosen for view in chosen] == [False, True, False, False]
    assert chosen[3].note == "too few rows"
    assert np.isnan(chosen[3].support)
    choice = ViewChoice(tuple(chosen), 4)
    assert choice.n_compared == 3
    assert "kind 1, columns" in choice.sentence


def test_an_answer_with_fewer_clusters_does_not_win():
    table = [View("standard", "one", 10), View("standard", "two", 10)]
    answers = [answer(0, [0, 0, 0, 0], 1.0), answer(1, [0, 0, 1, 1], 0.3)]
    assert [view.chosen for view in _choose(table, answers)] == [False, True]


# --- scalings ------------------------------------------------------------------------------------


def test_which_scalings_are_tried():
    X = _rng().standard_normal((50, 5))
    assert scalings_to_try(X * [1, 2, 1, 2, 1], "auto") == ["standard", "common"]
    assert scalings_to_try(X * [1000, 1, 1, 1, 1], "auto") == ["standard"]
    same = (X - X.mean(axis=0)) / X.std(axis=0)
    assert scalings_to_try(same, "auto") == ["standard"]
    assert scalings_to_try(X, "max") == ["max"]
    assert scalings_to_try(X, None) == [None]
    assert scalings_to_try(texts()[0], "auto") == ["counts", "log-counts"]
    assert scalings_to_try(sparse.csr_matrix(X), "auto") == ["standard"]


def test_counts_are_told_from_pixels():
    counts, _ = texts()
    assert looks_like_counts(counts)
    assert looks_like_counts(counts.toarray())
    assert not looks_like_counts(load_digits().data)
    assert not looks_like_counts(load_iris().data)
    assert not looks_like_counts(-counts.toarray())
    assert not looks_like_counts(counts.toarray()[:, :20])
    assert not looks_like_counts(np.zeros((5, 60)))
    assert not looks_like_counts(counts.toarray() * 0.5)


def test_rows_of_counts_by_the_formula():
    counts, _ = texts()
    for rare in (True, False):
        fitted = CountRows.fit(counts, rare_counts_more=rare)
        dense = counts.toarray()
        weights = np.log((1 + 90) / (1 + (dense > 0).sum(axis=0))) + 1 if rare else np.ones(300)
        weighted = np.log1p(dense) * weights
        weighted /= np.linalg.norm(weighted, axis=1, keepdims=True)
        U, s, _ = np.linalg.svd(weighted, full_matrices=False)
        expected = U[:, :50] * s[:50]
        expected /= np.linalg.norm(expected, axis=1, keepdims=True)
        rows = fitted.apply(counts)
        # the axes are found up to signs and rotations of equal ones, so products are compared
        # and the last axes are found by random projections, so they are not exact
        assert np.abs(rows @ rows.T - expected @ expected.T).mean() < 0.02
        np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1)
        np.testing.assert_array_equal(fitted.apply(dense[:3]), rows[:3])
    assert not fitted.apply(np.zeros((1, 300))).any()


def test_negative_numbers_are_no_counts():
    with pytest.raises(
        InvalidInputError, match=r"^Counts must not be negative; the number in row 1, col"
    ):
        ConsensusClustering(2, scaling="counts").fit(np.array([[1.0, 2], [-1, 0], [3, 1], [2, 2]]))


def test_counts_end_to_end():
    counts, topic = texts()
    model = ConsensusClustering(3, n_members=10, random_state=0).fit(counts)
    assert ari(model.labels_, topic) > 0.9
    assert model.view_choice_.chosen.scaling in ("counts", "log-counts")
    assert ari(model.predict(counts), topic) > 0.9


@pytest.mark.parametrize("kind", ["standard", "common", "max", None])
def test_scaled_rows(kind):
    X = _rng().standard_normal((40, 3)) * [1, 2, 3]
    rows = Rows(kind, X)(X)
    if kind == "standard":
        np.testing.assert_allclose(rows.std(axis=0), 1)
    elif kind == "common":
        assert rows.var(axis=0).mean() == pytest.approx(1)
        np.testing.assert_allclose(
            rows.std(axis=0) / rows.std(axis=0)[0], X.std(axis=0) / X.std(axis=0)[0]
        )
    elif kind == "max":
        assert abs(rows).max() == 1
    else:
        assert rows is X


def test_data_of_objects_are_for_all_rows_and_not_for_samples():
    """Views and levels of chance use fewer rows than the features have."""
    X = np.random.default_rng(0).standard_normal((1100, 2)) + np.repeat([[0, 0], [9, 9]], 550, 0)
    function = IPC(2, features=X)
    model = ConsensusClustering(2, n_members=4, consensus=function, random_state=0).fit(X)
    assert sorted(np.bincount(model.labels_)) == [550, 550]
    assert model.consensus_.features is not None
