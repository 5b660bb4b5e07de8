"""A consensus with noise: what BERTopic asks of a cluster model, and what noise means."""

import pickle

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import make_blobs
from sklearn.decomposition import TruncatedSVD
from sklearn.random_projection import GaussianRandomProjection

from consilience.exceptions import InvalidInputError, InvalidParameterError
from consilience.metrics import ari
from consilience.topics import ConsensusTopics


@pytest.fixture(scope="module")
def texts():
    """Three dense groups of unequal size and twenty rows far from everything."""
    X, y = make_blobs([90, 60, 40], centers=np.eye(3, 6) * 10, n_features=6, random_state=0)
    outliers = np.random.default_rng(0).uniform(-60, 60, (20, 6))
    return np.vstack([X, outliers]), np.concatenate([y, np.full(20, -1)])


def test_what_bertopic_asks_for(texts):
    X, y = texts
    model = ConsensusTopics(n_members=10, random_state=0)
    assert model.fit(X, y=None) is model
    assert set(model.labels_) == {-1, 0, 1, 2}
    assert ari(model.labels_[y >= 0], y[y >= 0]) > 0.95
    assert np.mean(model.labels_[y < 0] == -1) > 0.9
    assert np.bincount(model.labels_[model.labels_ >= 0]).tolist() == sorted(
        np.bincount(model.labels_[model.labels_ >= 0]), reverse=True
    )
    assert model.probabilities_.shape == (210,)
    assert np.all(model.probabilities_[model.labels_ < 0] == 0)
    assert np.all(model.probabilities_[model.labels_ >= 0] > 0)
    assert model.probabilities_.max() <= 1
    assert np.mean(model.predict(X) == model.labels_) > 0.95
    far = np.full((1, 6), 500.0)
    near = X[:1]
    assert model.predict(np.vstack([near, far])).tolist() == [model.labels_[0], -1]


def test_noise_votes_or_is_missing(texts):
    X, _ = texts
    vote = ConsensusTopics(n_members=10, random_state=0).fit(X)
    missing = ConsensusTopics(n_members=10, noise="missing", random_state=0).fit(X)
    assert np.array_equal(vote.noise_votes_, missing.noise_votes_)
    assert np.array_equal(vote.labels_ < 0, vote.noise_votes_ > 0.5)
    assert np.array_equal(missing.labels_ < 0, missing.noise_votes_ == 1)
    strict = ConsensusTopics(n_members=10, noise_fraction=0.05, random_state=0).fit(X)
    assert np.count_nonzero(strict.labels_ < 0) >= np.count_nonzero(vote.labels_ < 0)


def test_one_seed_decides_for_any_number_of_jobs(texts):
    X, _ = texts
    made = [
        ConsensusTopics(
            n_members=6, reducer=GaussianRandomProjection(4), random_state=3, n_jobs=n_jobs
        ).fit(X)
        for n_jobs in (1, 2)
    ]
    assert np.array_equal(made[0].labels_, made[1].labels_)
    assert np.array_equal(made[0].ensemble_.labels, made[1].ensemble_.labels)
    # Every member has a projection of its own.
    assert len({member.reducer.random_state for member in made[0]._members}) == 6


def test_consensus_changes_less_than_a_single_run():
    from itertools import combinations

    from sklearn.cluster import HDBSCAN

    rng = np.random.default_rng(0)
    X = rng.normal(size=(8, 30))[np.repeat(np.arange(8), 25)] + 0.6 * rng.normal(size=(200, 30))
    single, combined = [], []
    for number in range(3):
        reducer = GaussianRandomProjection(4, random_state=number)
        model = HDBSCAN(min_cluster_size=8, copy=True).fit(reducer.fit_transform(X))
        single.append(model.labels_)
        topics = ConsensusTopics(
            reducer=reducer, n_members=25, min_cluster_size=8, random_state=number
        )
        combined.append(topics.fit(X).labels_)
    alone, together = (
        np.mean([ari(one + 1, other + 1) for one, other in combinations(runs, 2)])
        for runs in (single, combined)
    )
    assert together > alone + 0.1


def test_kmeans_members_have_no_noise(texts):
    X, y = texts
    model = ConsensusTopics(3, members="kmeans", n_members=12, random_state=0).fit(X[:190])
    assert model.labels_.min() == 0
    assert ari(model.labels_, y[:190]) > 0.95


@pytest.mark.parametrize("n_blobs", [2, 3, 8])
def test_kmeans_finds_the_number_of_separated_topics(n_blobs):
    X, y = make_blobs(40 * n_blobs, centers=n_blobs, n_features=5, cluster_std=0.6, random_state=0)
    model = ConsensusTopics(members="kmeans", random_state=0).fit(X)
    assert model.n_clusters_ == n_blobs
    assert ari(model.labels_, y) == 1.0
    assert model.k_choice_.n_clusters == n_blobs


def test_number_of_topics(texts):
    X, _ = texts
    auto = ConsensusTopics("auto", n_members=12, random_state=0).fit(X)
    assert auto.n_clusters_ == auto.k_choice_.n_clusters
    assert ConsensusTopics(2, n_members=8, random_state=0).fit(X).n_clusters_ == 2
    assert set(ConsensusTopics(1, n_members=4, random_state=0).fit(X).labels_) == {-1, 0}


def test_nothing_but_noise():
    X = np.arange(12.0)[:, None] ** 4
    model = ConsensusTopics(min_cluster_size=5, n_members=3, random_state=0).fit(X)
    assert model.n_clusters_ == 0
    assert set(model.labels_) == {-1}
    assert model.predict(X).tolist() == [-1] * 12


def test_left_out_rows_are_labelled_as_their_neighbours(texts):
    X, y = texts
    model = ConsensusTopics(3, members="kmeans", subsample=0.5, n_members=4, random_state=0)
    model.fit(X[:190])
    assert [len(member.labels) for member in model._members] == [95] * 4
    assert not model.ensemble_.has_missing
    assert ari(model.labels_, y[:190]) > 0.9


def test_sparse_rows_with_a_reducer_and_pickles(texts):
    X, y = texts
    model = ConsensusTopics(n_members=5, reducer=TruncatedSVD(4), random_state=0)
    model.fit(sparse.csr_array(X))
    assert ari(model.labels_[y >= 0], y[y >= 0]) > 0.8
    again = pickle.loads(pickle.dumps(model))  # noqa: S301 - made one line above
    assert np.array_equal(again.predict(sparse.csr_array(X)), model.predict(sparse.csr_array(X)))
    assert clone(model).get_params()["n_members"] == 5


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"members": "dbscan"}, "one of 'hdbscan', 'kmeans'"),
        ({"noise": "own"}, "one of 'vote', 'missing'"),
        ({"reducer": 5}, "a transformer such as"),
        ({"n_clusters": "many"}, "'median', 'auto' or an integer"),
        ({"n_members": 1}, "at least 2"),
        ({"n_clusters": "median", "members": "kmeans"}, "use 'auto' or an integer"),
    ],
)
def test_wrong_parameters(texts, options, words):
    with pytest.raises(InvalidParameterError, match=words):
        ConsensusTopics(**options).fit(texts[0])


def test_too_few_rows():
    with pytest.raises(InvalidInputError, match="min_cluster_size=10 is more than"):
        ConsensusTopics().fit(np.zeros((5, 2)))
