"""KMeansRestarts: plain k-means from random rows."""

import numpy as np
import pytest

from consilience.exceptions import InvalidParameterError, NotConvergedWarning
from consilience.generate import (
    FeatureSubsets,
    FeatureWeightedKMeans,
    IntelligentKMeans,
    KMeansRestarts,
    PCASubsample,
    ProjectedPCA,
    RandomProjection,
    Subsample,
)
from oracles import lloyd as oracle


def test_a_member_is_a_run_of_k_means(blobs):
    """Every row belongs to its nearest centre, every centre is the mean of its rows."""
    generator = KMeansRestarts(n_members=5, n_clusters=4, random_state=0).fit(blobs)
    for member in generator.members_:
        labels = oracle.assign(blobs, member.centres, [-1] * 200)
        np.testing.assert_array_equal(member.labels, labels)
        for k, centre in enumerate(member.centres):
            np.testing.assert_allclose(centre, blobs[member.labels == k].mean(axis=0), atol=0.05)


def test_tol_of_zero_runs_until_no_label_changes():
    """Centres are the means of the rows that are nearest to them; the usual tolerance ends earlier."""
    X = np.random.default_rng(0).normal(size=(800, 2))
    generator = KMeansRestarts(n_members=3, n_clusters=9, tol=0, random_state=0).fit(X)
    for member in generator.members_:
        means = [X[member.labels == k].mean(axis=0) for k in range(9)]
        assert oracle.assign(X, means, member.labels.tolist()) == member.labels.tolist()
        np.testing.assert_allclose(member.centres, means, atol=1e-12)
        assert member.arrays["converged"]
    usual = KMeansRestarts(n_members=3, n_clusters=9, random_state=0).fit(X)
    rounds = [[int(m.arrays["n_iter"]) for m in g.members_] for g in (usual, generator)]
    assert all(a <= b for a, b in zip(*rounds, strict=True))
    assert rounds[0] != rounds[1]


@pytest.mark.parametrize(
    "generator",
    [
        FeatureSubsets,
        FeatureWeightedKMeans,
        IntelligentKMeans,
        KMeansRestarts,
        PCASubsample,
        ProjectedPCA,
        RandomProjection,
        Subsample,
    ],
)
def test_every_k_means_generator_says_which_members_stopped_early(generator):
    X = np.random.default_rng(1).normal(size=(200, 4))
    options = {"n_members": 4, "n_clusters": 6, "random_state": 0}
    with pytest.warns(NotConvergedWarning, match=r"4 of 4 members stopped after max_iter=2 rounds"):
        stopped = generator(max_iter=2, tol=0, **options).fit(X)
    assert [bool(m.arrays["converged"]) for m in stopped.members_] == [False] * 4
    assert stopped.n_iter_ == 2
    done = generator(tol=0, **options).fit(X)
    assert [bool(m.arrays["converged"]) for m in done.members_] == [True] * 4
    with pytest.raises(InvalidParameterError, match=r"tol must be a finite number of at least 0"):
        generator(tol=-1, **options).fit(X)
