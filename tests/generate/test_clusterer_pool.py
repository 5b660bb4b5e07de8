"""ClustererPool: grids of clusterers, noise, new rows."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.cluster import DBSCAN, AgglomerativeClustering, KMeans, MiniBatchKMeans
from sklearn.mixture import GaussianMixture
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from consilience.exceptions import InvalidParameterError, UnsupportedInputError
from consilience.generate import ClustererPool


def test_lists_are_multiplied_out(blobs):
    pool = ClustererPool(
        [
            KMeans(2, n_init=1),
            (AgglomerativeClustering(), {"n_clusters": [2, 3], "linkage": ["ward", "single"]}),
        ],
        random_state=0,
    ).fit(blobs)
    assert pool.ensemble_.n_members == 5
    assert sorted(pool.ensemble_.n_clusters.tolist()) == [2, 2, 2, 3, 3]
    found = [(c.n_clusters, getattr(c, "linkage", None)) for c in pool.clusterers_]
    assert len(set(found)) == 5


def test_numbers_of_members_repeat_or_cut_the_list(blobs):
    pool = [(KMeans(n_init=1), {"n_clusters": [2, 9]})]
    assert ClustererPool(pool, n_members=1, random_state=0).fit_transform(blobs).shape[1] == 1
    many = ClustererPool(pool, n_members=6, random_state=0).fit(blobs)
    assert many.ensemble_.n_clusters.tolist() == [2, 9] * 3
    assert len({tuple(member.labels) for member in many.members_[1::2]}) > 1


def test_noise_is_missing(blobs):
    pool = ClustererPool([DBSCAN(eps=1.2)], random_state=0)
    labels = pool.fit_transform(blobs)
    expected = DBSCAN(eps=1.2).fit_predict(blobs)
    assert (expected == -1).any()
    np.testing.assert_array_equal(labels[:, 0], expected)
    assert pool.ensemble_.has_missing
    np.testing.assert_array_equal(pool.transform(blobs), labels)


def test_new_rows_are_predicted_or_join_the_nearest(blobs):
    near = blobs[:50] + 1e-6
    pool = ClustererPool([AgglomerativeClustering(4), GaussianMixture(4)], random_state=0).fit(
        blobs
    )
    labels = np.column_stack([member.labels for member in pool.members_])
    np.testing.assert_array_equal(pool.transform(near), labels[:50])
    assert pool._seen is not None
    assert "model" in pool.members_[1].arrays
    assert ClustererPool([KMeans(2, n_init=1)], random_state=0).fit(blobs)._seen is None


def test_seeds_reach_inner_clusterers(blobs):
    inner = make_pipeline(StandardScaler(), KMeans(6, n_init=1, init="random"))
    pool = ClustererPool([inner], n_members=6, random_state=0)
    labels = pool.fit_transform(blobs)
    np.testing.assert_array_equal(pool.fit_transform(blobs), labels)
    assert len({tuple(column) for column in labels.T}) > 1


def test_sparse_data_where_clusterers_take_them(blobs):
    X = sparse.csr_matrix(np.maximum(blobs, 0))
    pool = ClustererPool([MiniBatchKMeans(3, n_init=1), DBSCAN(eps=3.0)], random_state=0)
    labels = pool.fit_transform(X)
    np.testing.assert_array_equal(pool.transform(X), labels)
    with pytest.raises(UnsupportedInputError, match="ClustererPool cannot use sparse data; pass X"):
        ClustererPool([AgglomerativeClustering()], random_state=0).fit(X)


@pytest.mark.parametrize(
    "clusterers",
    [[], None, KMeans(), [KMeans], [StandardScaler()], [(KMeans(), [2, 3])], [(KMeans(),)]],
)
def test_what_is_no_pool(clusterers, blobs):
    with pytest.raises(InvalidParameterError, match="clusterers must be a list of clusterers with"):
        ClustererPool(clusterers, random_state=0).fit(blobs)
