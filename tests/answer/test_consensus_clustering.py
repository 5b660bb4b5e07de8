"""One call from data to clusters."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import make_blobs, make_moons
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from consilience import ConsensusClustering, report
from consilience.consensus import HBGF, IPC, IVC, LWEA
from consilience.exceptions import (
    ConsilienceWarning,
    EdgeOfRangeWarning,
    InvalidInputError,
    InvalidParameterError,
    UncertainNumberWarning,
    UnsupportedInputError,
)
from consilience.generate import (
    KMeansRestarts,
    LACSweep,
    RandomProjection,
)
from consilience.generate._catalogue import generators
from consilience.metrics import ari
from sklearn_suite import run_checks

X, Y = make_blobs(240, centers=[[0, 0, 0], [9, 0, 0], [0, 9, 9]], random_state=0)


def quick(n_clusters=3, **options):
    settings = {"n_members": 20, "consensus": "HBGF", "random_state": 0, **options}
    return ConsensusClustering(n_clusters, **settings)


def test_defaults_find_the_clusters_and_say_how_sure():
    model = ConsensusClustering(random_state=0).fit(X)
    assert (model.n_clusters_, model.answer_) == (3, "clusters")
    assert ari(model.labels_, Y) == 1
    assert model.confidence_.shape == (240,)
    assert model.confidence_.min() > 0.5
    assert model.probability_ == model.k_choice_.probability > 0.9
    np.testing.assert_allclose(
        model.cluster_stability_,
        [model.confidence_[model.labels_ == k].mean() for k in range(3)],
    )
    assert model.k_table_ == model.k_choice_.table
    assert model.verdict_.startswith("3 clusters of 80, 80, 80 objects. The evidence")
    assert model.ensemble_.n_members == 30
    assert model.generator_ is None
    assert model.consensus_ is None
    assert model.doubts_ == []
    assert model.provenance_["estimator"] == "ConsensusClustering"


def test_new_rows_go_where_they_belong():
    model = ConsensusClustering(3, random_state=0).fit(X)
    np.testing.assert_array_equal(model.predict(X), model.labels_)
    shares = model.predict_proba([[9.0, 0.2, 0.1], [0.1, 9.0, 9.0]])
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    assert model.predict([[9.0, 0.2, 0.1]])[0] == model.labels_[Y == 1][0]


@pytest.mark.parametrize("n_samples", [400, 3000])
@pytest.mark.parametrize("options", [{}, {"generator": "random-projection"}])
def test_predict_of_the_rows_of_fit_is_the_labels(n_samples, options):
    rows, truth = make_blobs(n_samples, centers=4, cluster_std=1.2, n_features=3, random_state=0)
    weight = np.random.default_rng(0).random(n_samples)
    model = ConsensusClustering(4, random_state=0, **options).fit(rows, sample_weight=weight)
    shares = model.predict_proba(rows)
    np.testing.assert_array_equal(model.predict(rows), model.labels_)
    np.testing.assert_allclose(shares.max(axis=1), model.confidence_)
    np.testing.assert_allclose(model.votes_at(np.arange(9)), shares[:9])
    assert ari(model.labels_, truth) > 0.6


@pytest.mark.parametrize("k", [1, 2, 3, 5, 17])
def test_every_number_from_one_fit_is_that_of_a_fit_with_it(k):
    auto = ConsensusClustering(random_state=3).fit(X)
    given = ConsensusClustering(k, random_state=3).fit(X)
    found = auto.at(k)
    assert (found.n_clusters, given.answer_) == (k, "given")
    np.testing.assert_array_equal(found.labels, given.labels_)
    np.testing.assert_array_equal(found.confidence, given.confidence_)
    np.testing.assert_array_equal(np.bincount(given.labels_), found.sizes)
    assert found.sizes.min() > 0
    assert auto.at(auto.n_clusters_).labels is auto.labels_
    assert k == 1 or found.score == pytest.approx(found.gain - found.border_cost)


def test_a_number_and_a_list_of_it_are_the_same_call():
    first, second = (ConsensusClustering(k, random_state=0).fit(X) for k in (2, [2]))
    np.testing.assert_array_equal(first.labels_, second.labels_)
    assert first.answer_ == second.answer_ == "given"
    assert first.verdict_ == second.verdict_


def test_one_cluster():
    noise = np.random.default_rng(0).standard_normal((200, 4))
    model = ConsensusClustering((2, 4), random_state=0).fit(noise)
    assert (model.n_clusters_, model.answer_) == (1, "one")
    assert not model.labels_.any()
    assert not model.predict(noise).any()
    assert model.verdict_.startswith("One cluster of 200 objects. There is no evidence of clusters")
    assert model.at(3).n_clusters == 3
    given = ConsensusClustering(3, random_state=0).fit(noise)
    assert "no-evidence" in [doubt.code for doubt in given.doubts_]


@pytest.mark.parametrize("candidates", [(2, 5), range(2, 6), [2, 3, 4, 5]])
def test_ranges_of_candidates(candidates):
    model = ConsensusClustering(candidates, random_state=0).fit(X[::4])
    assert [row.n_clusters for row in model.k_table_] == [2, 3, 4, 5]
    assert model.n_clusters_ == 3


def test_a_given_number_leaves_no_choice_behind():
    model = ConsensusClustering((2, 4), random_state=0).fit(X)
    model.set_params(n_clusters=2).fit(X)
    assert not hasattr(model, "k_choice_")
    assert [row.n_clusters for row in model.k_table_] == [2]
    assert model.n_clusters_ == 2


def test_the_edge_and_a_guess_are_doubts():
    with pytest.warns(EdgeOfRangeWarning, match="was chosen, 3, is the largest that was tried"):
        ConsensusClustering([2, 3], random_state=0).fit(X)
    few = np.r_[X[Y == 0][:4], X[Y == 1][:4]]
    with pytest.warns(UncertainNumberWarning, match="best guess"):
        model = ConsensusClustering(random_state=0).fit(few)
    assert model.answer_ == "unsure"
    assert "k-is-a-guess" in [doubt.code for doubt in model.doubts_]
    assert "k-is-a-guess" in [doubt["code"] for doubt in report(model).summary["doubts"]]


def test_curved_clusters_are_found_with_the_number_given_too():
    rows, truth = make_moons(300, noise=0.05, random_state=0)
    for k in ("auto", 2):
        model = ConsensusClustering(k, random_state=0).fit(rows)
        assert ari(model.labels_, truth) == 1
        assert report(model).summary["verdict"]["grade"] == "clear"


@pytest.mark.parametrize("n_samples", [1, 2, 3, 5, 9])
def test_as_many_clusters_as_asked_for_none_empty(n_samples):
    rows = np.random.default_rng(0).standard_normal((n_samples, 3))
    for k in range(1, n_samples + 1):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConsilienceWarning)
            model = ConsensusClustering(k, random_state=0).fit(rows)
        assert np.bincount(model.labels_, minlength=k).min() > 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConsilienceWarning)
        equal = ConsensusClustering(n_samples, random_state=0).fit(np.ones((2 * n_samples, 2)))
    assert np.bincount(equal.labels_, minlength=n_samples).min() > 0


@pytest.mark.parametrize("name", list(generators()))
def test_every_generator_by_name(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConsilienceWarning)
        model = quick(2, generator=name, consensus=None, n_members=4).fit(X)
        assert type(model.generator_).__name__ == type(generators()[name]()).__name__
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
    auto = ConsensusClustering(n_members=5, random_state=0)
    estimator = given if choice == "given" else auto
    run_checks(estimator, all_of_them=choice == "given", excused=EXCUSED)
