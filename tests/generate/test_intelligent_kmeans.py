"""IntelligentKMeans: every run starts from the clusters of the one before."""

import numpy as np

from consilience.clusterers._lloyd import Points
from consilience.generate import IntelligentKMeans, Member


def test_starts_come_from_different_clusters(blobs):
    generator = IntelligentKMeans(n_clusters=4, random_state=0)
    previous = Member(np.arange(200, dtype=np.int32) % 4)
    points = Points.of(blobs)
    drawn = set()
    for seed in range(60):
        start = generator._start(points, 4, np.random.default_rng(seed), previous)
        rows = [int(np.flatnonzero((points.values == row).all(axis=1))[0]) for row in start]
        assert [row % 4 for row in rows] == [0, 1, 2, 3]
        drawn |= set(rows)
    assert len(drawn) > 100
    # A cluster that was lost starts from any row.
    assert generator._start(points, 6, np.random.default_rng(0), previous).shape == (6, 5)


def test_the_chain_has_one_number_of_clusters(blobs):
    for n_clusters in (None, (2, 9)):
        generator = IntelligentKMeans(n_members=6, n_clusters=n_clusters, random_state=1).fit(blobs)
        assert len(set(generator.ensemble_.n_clusters.tolist())) == 1


def test_good_starts_are_kept(rng):
    """With many equal clusters, the chain finds them all; independent random rows would not."""
    centres = rng.normal(size=(12, 4)) * 100
    X = centres[np.arange(600) % 12] + rng.normal(size=(600, 4))
    members = IntelligentKMeans(n_members=12, n_clusters=12, random_state=0).fit(X).members_

    def spread(member):
        return ((X - member.centres[member.labels]) ** 2).sum()

    assert spread(members[-1]) < spread(members[0])


def test_threads_share_the_rows(rng):
    X = rng.normal(size=(40_000, 3)).astype(np.float32)
    one, two = (
        IntelligentKMeans(n_members=3, n_clusters=6, n_jobs=n_jobs, random_state=0).fit_transform(X)
        for n_jobs in (1, 2)
    )
    np.testing.assert_array_equal(one, two)
