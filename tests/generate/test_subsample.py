"""Subsample: parts of the rows, bootstrap, left-out rows, any clusterer."""

import numpy as np
import pytest
from sklearn.cluster import DBSCAN, AgglomerativeClustering, KMeans
from sklearn.datasets import make_blobs

from consilience.consensus import PluralityVoting
from consilience.exceptions import InvalidParameterError
from consilience.generate import Subsample
from consilience.metrics import ari


def test_left_out_rows_are_missing(blobs):
    generator = Subsample(n_members=6, n_clusters=4, left_out="missing", random_state=0)
    labels = generator.fit_transform(blobs)
    assert (np.count_nonzero(labels >= 0, axis=0) == 160).all()
    assert generator.ensemble_.has_missing
    filled = generator.transform(blobs)
    assert (filled >= 0).all()
    np.testing.assert_array_equal(filled[labels >= 0], labels[labels >= 0])


def test_rows_are_left_out_at_random(blobs):
    labels = Subsample(
        n_members=200, n_clusters=2, fraction=0.5, left_out="missing", random_state=0
    ).fit_transform(blobs)
    shares = (labels >= 0).mean(axis=1)
    assert 0.3 < shares.min() < shares.max() < 0.7


def test_bootstrap_repeats_rows(blobs):
    generator = Subsample(
        n_members=30, n_clusters=2, fraction=1.0, replace=True, left_out="missing", random_state=0
    )
    shares = (generator.fit_transform(blobs) >= 0).mean(axis=0)
    np.testing.assert_allclose(shares, 1 - np.exp(-1), atol=0.1)
    sample = generator._sample(200, np.random.default_rng(0))
    assert len(sample) == 200
    assert len(np.unique(sample)) < 200


def test_bagging_finds_the_blobs():
    X, truth = make_blobs(300, 4, centers=3, cluster_std=1.0, random_state=2)
    members = Subsample(n_members=20, n_clusters=3, fraction=1.0, replace=True, random_state=0)
    labels = PluralityVoting(n_clusters=3).fit(members.fit(X).ensemble_).labels_
    assert ari(labels, truth) > 0.95


@pytest.mark.parametrize("left_out", ["predict", "missing"])
@pytest.mark.parametrize(
    "clusterer", [KMeans(4, n_init=1), AgglomerativeClustering(4), DBSCAN(eps=2.5)]
)
def test_any_clusterer(clusterer, left_out, blobs):
    generator = Subsample(
        n_members=4, clusterer=clusterer, left_out=left_out, fraction=0.7, random_state=0
    )
    labels = generator.fit_transform(blobs)
    for j, member in enumerate(generator.members_):
        sample, seen = member.arrays["sample"], member.arrays["seen"]
        np.testing.assert_array_equal(labels[sample, j], seen)
        if left_out == "missing":
            assert (np.delete(labels[:, j], sample) == -1).all()
    known = labels >= 0
    assert known.any()
    np.testing.assert_array_equal(generator.transform(blobs)[known], labels[known])


def test_clusterers_get_numbers_and_seeds(blobs):
    generator = Subsample(
        n_members=12, n_clusters=(2, 4), clusterer=KMeans(n_init=1), random_state=0
    ).fit(blobs)
    assert set(generator.ensemble_.n_clusters.tolist()) == {2, 3, 4}
    with pytest.raises(InvalidParameterError, match="n_clusters=3 cannot be set on DBSCAN"):
        Subsample(n_clusters=3, clusterer=DBSCAN(), random_state=0).fit(blobs)


@pytest.mark.parametrize(
    ("parameter", "value", "allowed"),
    [
        ("left_out", "drop", "one of 'predict', 'missing'"),
        ("replace", "yes", "True or False"),
        ("fraction", 1.5, "a number above 0 and at most 1"),
        ("clusterer", KMeans, "None or a clusterer with fit_predict"),
    ],
)
def test_parameters_are_declared(parameter, value, allowed, blobs):
    with pytest.raises(InvalidParameterError, match=f"{parameter} must be {allowed}"):
        Subsample(**{parameter: value}).fit(blobs)
