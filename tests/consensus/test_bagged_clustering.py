"""BaggedClustering against a literal agglomeration of the centres."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from consilience import Ensemble, set_config
from consilience.consensus import BaggedClustering
from consilience.exceptions import (
    InvalidInputError,
    InvalidParameterError,
    MemoryLimitError,
    UnsupportedInputError,
)
from consilience.generate import KMeansRestarts
from oracles.labels import canonical
from oracles.strategies import examples, fit, incomplete_matrices, label_matrices, member_weights


def groups_of(centres, K, linkage):
    """Merge the two nearest groups of centres, all distances written down, until K are left."""
    groups = [[c] for c in range(len(centres))]

    def far(A, B):
        gaps = [np.linalg.norm(centres[a] - centres[b]) for a in A for b in B]
        if linkage == "ward":
            apart = np.mean(centres[A], axis=0) - np.mean(centres[B], axis=0)
            return np.sqrt(2 * len(A) * len(B) / (len(A) + len(B))) * np.linalg.norm(apart)
        return {"average": np.mean, "single": np.min, "complete": np.max}[linkage](gaps)

    while len(groups) > K:
        pairs = [(a, b) for b in range(len(groups)) for a in range(b)]
        a, b = min(pairs, key=lambda pair: far(groups[pair[0]], groups[pair[1]]))
        groups[a] = groups[a] + groups.pop(b)
    found = np.empty(len(centres), dtype=int)
    for k, group in enumerate(groups):
        found[group] = k
    return found


def with_centres(L, seed, weights=None):
    ensemble = Ensemble(L, weights=weights)
    rng = np.random.default_rng(seed)
    return ensemble.with_cluster_tables(
        centres=[rng.normal(size=(k, 2)) for k in ensemble.n_clusters]
    )


@pytest.mark.parametrize("linkage", ["average", "single", "complete", "ward"])
@given(data=st.data())
@examples(60)
def test_objects_join_the_group_of_most_of_their_centres(linkage, data):
    L = data.draw(st.one_of(label_matrices(), incomplete_matrices()))
    L = L[(L >= 0).any(axis=1)]
    weights = data.draw(member_weights(L.shape[1]))
    ensemble = with_centres(L, data.draw(st.integers(0, 99)), weights)
    used = [j for j in range(L.shape[1]) if ensemble.weights[j] > 0]
    centres = np.concatenate([ensemble.cluster_tables["centres"][j] for j in used])
    K = min(3, len({tuple(row) for row in L.tolist()}))
    model = fit(BaggedClustering(K, linkage=linkage), ensemble)
    groups = groups_of(centres, K, linkage)
    assert canonical(model.meta_clusters_.tolist()) == canonical(groups.tolist())
    first = dict(zip(used, np.cumsum([0, *(ensemble.n_clusters[j] for j in used)]), strict=False))
    expected = []
    for row in ensemble.labels:
        votes = [
            sum(
                ensemble.weights[j]
                for j in used
                if row[j] >= 0 and model.meta_clusters_[first[j] + row[j]] == k
            )
            for k in range(K)
        ]
        best = max(votes)
        expected.append(next(k for k in range(K) if votes[k] > best - 1e-9))
    if all((ensemble.labels[i, used] >= 0).any() for i in range(len(L))):
        assert model.labels_.tolist() == list(canonical(expected))


@pytest.mark.parametrize("missing", [False, True])
def test_objects_join_the_nearest_of_all_centres(missing):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2)) + 5 * rng.integers(0, 3, (60, 1))
    ensemble = KMeansRestarts(n_members=5, n_clusters=(3, 6), random_state=0).fit(X).ensemble_
    if missing:  # what members say is not needed then
        tables = dict(ensemble.cluster_tables)
        labels = ensemble.labels.copy()
        labels[7] = -1
        ensemble = Ensemble(labels).with_cluster_tables(**tables)
    model = fit(BaggedClustering(3, features=X), ensemble)
    centres = np.concatenate(ensemble.cluster_tables["centres"])
    groups = groups_of(centres, 3, "average")
    expected = []
    for x in X:
        distances = [float(np.linalg.norm(x - centre)) for centre in centres]
        expected.append(groups[distances.index(min(distances))])
    assert model.labels_.tolist() == list(canonical(expected))
    assert model.linkage_matrix_.shape == (len(centres) - 1, 4)


def test_one_centre():
    ensemble = Ensemble(np.zeros((4, 1), dtype=int)).with_cluster_tables(centres=[np.zeros((1, 2))])
    model = fit(BaggedClustering(1), ensemble)
    assert model.labels_.tolist() == [0] * 4
    assert model.linkage_matrix_.shape == (0, 4)


def test_what_cannot_be_compared_is_refused():
    labels = np.array([[0, 0], [0, 1], [1, 1]])
    with pytest.raises(
        UnsupportedInputError, match="BaggedClustering needs the centres of the base"
    ):
        BaggedClustering(2).fit(labels)
    ensemble = Ensemble(labels, names=["a", "b"])
    mixed = ensemble.with_cluster_tables(centres=[np.zeros((2, 1)), np.ones((2, 3))])
    with pytest.raises(InvalidInputError, match=r"same features; 'a' has 1 and 'b' has 3"):
        BaggedClustering(2).fit(mixed)
    plain = ensemble.with_cluster_tables(centres=[np.zeros((2, 1)), np.ones((2, 1))])
    with pytest.raises(
        InvalidInputError, match=r"each of the 3 objects and the 1 columns .* \(3, 2\)"
    ):
        BaggedClustering(2, features=np.zeros((3, 2))).fit(plain)
    with pytest.raises(InvalidParameterError, match="features must be None or an array"):
        BaggedClustering(2, features=[[1.0]]).fit(plain)
    before = set_config(memory_limit=10)
    try:
        with pytest.raises(MemoryLimitError, match="The distances of 4 centres"):
            BaggedClustering(2).fit(plain)
    finally:
        set_config(memory_limit=before.memory_limit)
