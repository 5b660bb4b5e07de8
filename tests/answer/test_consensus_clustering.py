"""One call from data to clusters."""

import pickle
import warnings
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from consilience.compose._parts import _clusters_of_members, cluster_range
from consilience.diagnose._k_doubts import doubts_about_k
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import make_blobs, make_moons
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from consilience import ConsensusClustering, report
from consilience.consensus import GWCA, HBGF, IPC, IVC, LWEA
from consilience.consensus._doubts import warn_of
from consilience.diagnose import choose_k
from consilience.exceptions import (
    ConsilienceWarning,
    EdgeOfRangeWarning,
    InvalidInputError,
    InvalidParameterError,
    NullModelWarning,
    UncertainNumberWarning,
    UnsupportedInputError,
)
from consilience.generate import (
    GaussianMixtures,
    KMeansRestarts,
    LACSweep,
    RandomProjection,
    _features,
)
from consilience.generate._catalogue import generators
from consilience.generate._gaussian_mixtures import most_components
from consilience.metrics import ari
from sklearn_suite import run_checks

X, Y = make_blobs(240, centers=[[0, 0, 0], [9, 0, 0], [0, 9, 9]], random_state=0)


def quick(n_clusters=3, **options):
    settings = {"n_members": 20, "consensus": "HBGF", "n_null": 0, "random_state": 0, **options}
    return ConsensusClustering(n_clusters, **settings)


def test_defaults_find_the_clusters_and_say_how_sure():
    model = ConsensusClustering(n_members=20, n_null=0, random_state=0).fit(X)
    assert model.n_clusters_ == model.k_choice_.n_clusters == 3
    assert ari(model.labels_, Y) == 1
    assert model.confidence_.shape == (240,)
    assert model.confidence_.min() > 0.5
    np.testing.assert_allclose(
        model.cluster_stability_,
        [model.confidence_[model.labels_ == k].mean() for k in range(3)],
    )
    assert model.k_table_ == model.k_choice_.table
    assert model.verdict_.startswith("3 clusters of 80, 80, 80 objects; mean confidence")
    assert type(model.consensus_).__name__ == "KeptAnswer", "the clusters by which k was chosen"
    assert model.separation_ <= model.k_choice_.alpha
    assert model.provenance_["estimator"] == "ConsensusClustering"


def test_new_rows_go_where_they_belong():
    model = quick().fit(X)
    assert ari(model.predict(X), model.labels_) == 1
    shares = model.predict_proba([[9.0, 0.2, 0.1], [0.1, 9.0, 9.0]])
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    assert model.predict([[9.0, 0.2, 0.1]])[0] == model.labels_[Y == 1][0]


def test_one_cluster():
    noise = np.random.default_rng(0).standard_normal((200, 4))
    model = quick((2, 4)).fit(noise)
    assert model.n_clusters_ == 1
    assert model.consensus_ is None
    assert not model.predict(noise).any()
    assert model.verdict_ == "One cluster of 200 objects."
    assert model.k_choice_.sentence.startswith("One cluster")


@pytest.mark.parametrize("candidates", [(2, 5), range(2, 6), [2, 3, 4, 5]])
def test_ranges_of_candidates(candidates):
    model = quick(candidates).fit(X[::4])
    assert [row.n_clusters for row in model.k_table_] == [2, 3, 4, 5]
    assert model.n_clusters_ == 3


def test_a_given_number_leaves_no_choice_behind():
    model = quick((2, 4)).fit(X)
    model.set_params(n_clusters=2).fit(X)
    assert not hasattr(model, "k_choice_")
    assert not hasattr(model, "k_table_")
    assert model.n_clusters_ == 2


def test_warnings_name_their_figures():
    model = quick([2, 3]).fit(X)
    with pytest.warns(EdgeOfRangeWarning, match="was chosen, 3, is the largest that was tried"):
        warn_of(doubts_about_k(replace(model.k_choice_, separated=False)))
    model = quick([2, 3, 4])
    model.fit(X)
    row = model.k_choice_.chosen
    poor = row._replace(p_value=0.4, null_pac=0.3)
    table = tuple(poor if r is row else r for r in model.k_choice_.table)
    choice = replace(model.k_choice_, table=table, n_null=5)
    with pytest.warns(NullModelWarning, match=r"on data of the same covariance without clusters"):
        warn_of(doubts_about_k(choice))


def test_separated_clusters_are_not_limited_by_the_candidates():
    model = quick([2, 3])
    with warnings.catch_warnings():
        warnings.simplefilter("error", EdgeOfRangeWarning)
        model.fit(X)
    assert model.k_choice_.separated
    assert not model.k_choice_.at_the_edge


def test_a_guess_is_called_a_guess():
    few = np.random.default_rng(0).standard_normal((8, 2))
    with pytest.warns(UncertainNumberWarning, match="8 objects are too few"):
        model = ConsensusClustering(n_members=5, random_state=0).fit(few)
    assert model.n_clusters_ == 1
    assert model.verdict_.endswith("The number of clusters is a guess.")
    assert [doubt.code for doubt in model.doubts_] == ["k-is-a-guess"]
    assert "k-is-a-guess" in [doubt["code"] for doubt in report(model).summary["doubts"]]


def test_the_clusters_by_which_k_was_chosen_are_returned():
    rows, truth = make_moons(300, noise=0.05, random_state=0)
    model = ConsensusClustering(n_members=10, random_state=0).fit(rows)
    assert model.k_choice_.separated
    assert ari(model.labels_, truth) == 1
    assert ari(model.labels_, model.k_choice_.labels[2]) == 1
    assert model.separation_ <= model.k_choice_.alpha
    assert model.view_choice_.by_k
    assert "when their number was chosen" in model.view_choice_.sentence
    summary = report(model).summary
    assert summary["verdict"]["grade"] == "clear"
    assert len(summary["choice"]["tree"]["merges"]) == len(summary["choice"]["tree"]["sizes"]) - 1


@pytest.mark.parametrize("name", list(generators()))
def test_every_generator_by_name(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConsilienceWarning)
        model = quick(2, generator=name, n_members=4).fit(X)
    assert model.n_clusters_ == 2
    assert model.predict(X).shape == (240,)


@pytest.mark.filterwarnings("ignore::consilience.exceptions.NoDiversityWarning")
def test_parts_as_objects_keep_their_parameters():
    part = RandomProjection(n_members=5, n_clusters=4, n_components=2)
    model = quick(generator=part, consensus=LWEA(theta=0.7), n_members=99).fit(X)
    assert model.ensemble_.n_members == 5
    assert model.consensus_.theta == 0.7
    assert part.random_state is None, "what was passed must stay as it was"
    assert model.generator_.random_state is not None
    seeded = KMeansRestarts(n_members=3, n_clusters=3, random_state=11)
    assert quick(generator=seeded).fit(X).generator_.random_state == 11


def test_soft_posteriors_reach_the_functions_that_use_them():
    model = quick(generator=LACSweep(n_clusters=3), consensus="WBPA").fit(X)
    assert model.ensemble_.is_soft
    assert model.consensus_.feature_weights_.shape == (3, 3)
    assert ari(model.predict(X), Y) > 0.9


def test_constraints_and_weights_pass_through():
    known = np.where(np.arange(240) % 10 == 0, Y, -1)
    model = quick(consensus=None).fit(X, partial_labels=known)
    assert type(model.consensus_).__name__ == "GWCA"
    assert model.consensus_.constraints_.all_hold
    with pytest.raises(UnsupportedInputError, match="HBGF cannot use must_link"):
        quick().fit(X, must_link=[(0, 1)])
    weight = np.r_[np.full(120, 2.0), np.ones(120)]
    assert quick().fit(X, sample_weight=weight).n_clusters_ == 3
    with pytest.raises(UnsupportedInputError, match="CSPA cannot use sample_weight"):
        quick(consensus="CSPA").fit(X, sample_weight=weight)


def test_one_seed_decides_for_any_number_of_jobs():
    first = quick((2, 4)).fit(X)
    second = quick((2, 4), n_jobs=2).fit(X)
    assert first.ensemble_.fingerprint == second.ensemble_.fingerprint
    np.testing.assert_array_equal(first.labels_, second.labels_)
    assert repr(first.k_table_) == repr(second.k_table_)


def test_scikit_learn_can_handle_it():
    model = quick(consensus=LWEA(theta=0.3))
    assert model.get_params()["consensus__theta"] == 0.3
    assert clone(model).set_params(consensus__theta=0.9).consensus.theta == 0.9
    again = pickle.loads(pickle.dumps(model.fit(X)))  # noqa: S301 - our own bytes
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    pipeline = make_pipeline(StandardScaler(), quick()).fit(X)
    assert ari(pipeline.predict(X), Y) == 1
    search = GridSearchCV(
        quick(consensus=IPC()),
        {"n_clusters": [2, 3], "consensus__n_init": [2]},
        scoring=lambda estimator, rows, truth: ari(estimator.predict(rows), truth),
        cv=2,
    )
    assert search.fit(X, Y).best_params_["n_clusters"] == 3


@pytest.mark.parametrize("kind", ["frame", "sparse", "float32", "list"])
def test_kinds_of_data(kind):
    data = {
        "frame": lambda: pd.DataFrame(X, columns=["a", "b", "c"]),
        "sparse": lambda: sparse.csr_matrix(X),
        "float32": lambda: X.astype(np.float32),
        "list": X.tolist,
    }[kind]()
    model = quick().fit(data)
    assert ari(model.labels_, Y) == 1
    assert ari(model.predict(data), Y) == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_clusters": 0}, "n_clusters must be an integer of at least 1"),
        ({"n_clusters": (2.0, 4.0)}, r"integers of at least 2 .*; got \(2.0, 4.0\)"),
        ({"n_clusters": [2.5]}, r"a list or range of integers .*; got \[2.5\]"),
        ({"n_clusters": ["a"]}, r"a list or range of integers .*; got \['a'\]"),
        ({"n_clusters": iter([2, 3])}, "a list or range of integers .*; got <list_iterator"),
        ({"n_clusters": (5, 2)}, r"with low <= high, .*; got \(5, 2\)"),
        ({"n_clusters": []}, r"a list or range of integers .*; got \[\]"),
        ({"n_clusters": (2, 500)}, "at most half the number of objects, 120 of 240; got 500"),
        ({"n_jobs": 10**9}, "n_jobs must be None or an integer from 1 to 4,096"),
        ({"n_clusters": "many"}, 'or "auto"; got'),
        ({"n_clusters": 500}, "n_clusters=500 is more than the number of objects"),
        ({"generator": "magic"}, "generator must be None, a generator, or one of"),
        ({"consensus": HBGF}, "consensus must be None, a consensus function"),
        (
            {"scaling": "robust"},
            "scaling must be None or one of 'auto', 'standard', 'max', 'common'",
        ),
    ],
)
def test_bad_parameters(options, message):
    with pytest.raises(InvalidParameterError, match=message):
        quick(**options).fit(X)


def test_bad_data_and_constant_columns():
    broken = X.copy()
    broken[5, 2] = np.inf
    with pytest.raises(InvalidInputError, match=r"row 5.*column 2"):
        quick().fit(broken)
    padded = np.hstack([X, np.full((240, 1), 7.0)])
    assert ari(quick().fit(padded).labels_, Y) == 1


def test_members_see_coarse_and_fine():
    assert cluster_range(3, 10_000) == (3, 60)
    assert cluster_range(3, 100) == (3, 10)
    assert cluster_range(8, 20) == (8, 8)
    # Few objects: at most half as many clusters, but all of three.
    assert [cluster_range(9, n) for n in (1, 2, 3, 4, 5, 6)] == [
        (1, 1), (2, 2), (3, 3), (2, 2), (2, 2), (3, 3),
    ]  # fmt: skip


# Checks that cannot hold; test_kinds_of_data has sparse matrices.
_ASKS = "asks a clusterer that has predict_proba for the tags of a classifier"
_DRAWN = "members are drawn from all rows alike, whatever these weigh"
EXCUSED = {
    "check_estimator_sparse_array": _ASKS,
    "check_estimator_sparse_matrix": _ASKS,
    "check_sample_weight_equivalence_on_dense_data": _DRAWN,
    "check_sample_weight_equivalence_on_sparse_data": _DRAWN,
}


@pytest.mark.filterwarnings(f"ignore::{ConsilienceWarning.__module__}.ConsilienceWarning")
@pytest.mark.parametrize("choice", ["given", "auto"])
def test_scikit_learns_own_checks(choice):
    # All checks with parts that are given; views and the choice of k see those of their own class.
    parts = {"generator": "kmeans-restarts", "scaling": "standard", "consensus": IVC(n_init=2)}
    given = ConsensusClustering(3, n_members=3, random_state=0, **parts)
    auto = ConsensusClustering(n_members=5, n_null=0, random_state=0)
    estimator = given if choice == "given" else auto
    run_checks(estimator, all_of_them=choice == "given", excused=EXCUSED)


def test_features_are_checked_once(monkeypatch):
    checked = []
    require_finite = _features._require_finite
    monkeypatch.setattr(
        _features, "_require_finite", lambda *given: checked.append(1) or require_finite(*given)
    )
    quick(2).fit(X)
    assert len(checked) == 1


def test_mixtures_may_have_as_many_components_as_rows_allow():
    """Full covariances of two columns need four rows for a component."""
    mixtures = GaussianMixtures()
    assert most_components((40, 2), mixtures.covariance) == 10
    assert _clusters_of_members(mixtures, 10, (40, 2)) == (10, 10)
    with pytest.raises(InvalidParameterError, match="40 rows are too few for mixtures of 11"):
        _clusters_of_members(mixtures, 11, (40, 2))


def test_a_given_function_or_knowledge_overrules_the_clusters_of_the_choice(monkeypatch):
    def refused(*_):
        raise AssertionError("the clusters by which k was chosen are not wanted here")

    monkeypatch.setattr(ConsensusClustering, "_kept_answer", refused)
    rows, truth = X[::6], Y[::6]
    assert isinstance(quick(consensus="HBGF", n_members=3).fit(rows).consensus_, HBGF)
    pair = np.flatnonzero(truth == 0)[:2].tolist()
    model = quick(consensus=None, n_members=3).fit(rows, must_link=[pair])
    assert isinstance(model.consensus_, GWCA)
    with pytest.raises(AssertionError, match="not wanted here"):
        quick(consensus=None, n_members=3).fit(rows)


def test_the_same_seed_makes_the_same_choice_of_k():
    X = np.random.default_rng(0).standard_normal((150, 3))
    X[75:, 0] += 7
    model = ConsensusClustering(random_state=3, verbose=0).fit(X)
    alone = choose_k(X, random_state=3)
    assert alone.table == model.k_choice_.table
    assert np.array_equal(alone.labels[2], model.k_choice_.labels[2])


def test_separation_of_a_sample_is_that_of_the_choice():
    """The sample has other standard deviations than all objects, and the scale changes p-values."""
    rows, _ = make_blobs(5000, centers=[[0, 0, 0], [5, 0, 0], [0, 5, 0]], random_state=0)
    model = ConsensusClustering(n_members=5, random_state=0).fit(rows)
    choice = model.k_choice_
    assert choice.separated
    assert len(choice.rows) == 2000
    last = next(merge for merge in choice.tree.merges if merge.n_clusters == choice.n_clusters)
    assert model.separation_ == pytest.approx(last.weakest)
