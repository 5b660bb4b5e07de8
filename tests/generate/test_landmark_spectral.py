"""LandmarkSpectral against dense matrices made row by row, and on data of every kind."""

import dask.array as da
import numpy as np
import pytest
from sklearn.datasets import make_blobs, make_circles, make_moons

from consilience.consensus import HBGF, LWCL, LWGP
from consilience.exceptions import FewerClustersWarning, InvalidParameterError
from consilience.generate import LandmarkSpectral
from consilience.metrics import ari
from consilience.testing._checks import quietly
from oracles import landmarks as oracle

CURVED = {
    "moons": make_moons(500, noise=0.05, random_state=0),
    "rings": make_circles(500, factor=0.5, noise=0.04, random_state=0),
}
kernels = pytest.mark.parametrize("kernel", ["local", "global"])


def _assert_is_the_cut(generator, member, rows):
    """Table and labels of a member are those of the formulas, given its landmarks and centres."""
    stored = member.arrays
    p, k = stored["table"].shape
    linked = oracle.links(rows, generator.landmarks_, stored["landmarks"], int(stored["n_links"]))
    width = None
    if generator.kernel == "global":
        width = oracle.common_width(linked)
        assert stored["scale"] == pytest.approx(width, rel=1e-4)
    B_x, M, D = oracle.graph(oracle.affinities(linked, p, width))
    values, vectors = oracle.leading(M, k)
    # The rows are scaled to length one later, so that the table may have any common factor.
    T = np.sqrt(D)[:, None] * stored["table"].astype(np.float64)
    T /= np.sqrt(np.trace(T.T @ T) / k)
    np.testing.assert_allclose(T.T @ T, np.eye(k), atol=1e-3)
    assert np.trace(T.T @ M @ T) == pytest.approx(values[:k].sum(), abs=1e-3)
    gap = values[k - 1] - values[k]
    if gap > 2e-3:
        assert np.linalg.norm(T @ T.T - vectors @ vectors.T) < 1e-3
    far = np.sqrt(oracle.distances(oracle.embed(B_x, stored["table"]), stored["centres"]))
    own = far[np.arange(len(rows)), member.labels]
    assert (own <= far.min(axis=1) + 1e-4).all()
    return gap


@kernels
@pytest.mark.parametrize("scaling", [None, "standard"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_a_member_is_the_cut_of_its_graph(kernel, scaling, dtype, blobs):
    X = blobs.astype(dtype)
    given = {"n_clusters": (5, 9), "kernel": kernel, "scaling": scaling, "random_state": 0}
    generator = LandmarkSpectral(n_members=5, **given).fit(X)
    rows = X if scaling is None else (X - X.mean(axis=0)) / X.std(axis=0)
    gaps = [_assert_is_the_cut(generator, member, rows) for member in generator.members_]
    assert max(gaps) > 2e-3


@kernels
@pytest.mark.parametrize("n_neighbors", [2, 3, 8])
def test_members_of_curved_clusters(kernel, n_neighbors):
    X, _ = CURVED["moons"]
    generator = LandmarkSpectral(
        n_members=3, n_landmarks=60, n_neighbors=n_neighbors, kernel=kernel, random_state=1
    ).fit(X)
    for member in generator.members_:
        assert member.arrays["n_links"] == n_neighbors
        _assert_is_the_cut(generator, member, X)


def test_more_rows_than_a_block():
    X, _ = make_moons(4_500, noise=0.1, random_state=0)
    generator = LandmarkSpectral(
        n_members=2, n_landmarks=100, n_clusters=(3, 8), random_state=0
    ).fit(X)
    for member in generator.members_:
        _assert_is_the_cut(generator, member, X)


def test_more_rows_than_the_last_k_means_sees():
    X, y = make_blobs(22_000, 2, centers=[[0, 0], [9, 0], [0, 9]], random_state=0)
    generator = LandmarkSpectral(n_members=1, n_landmarks=30, n_clusters=3, random_state=0).fit(X)
    assert ari(generator.members_[0].labels, y) > 0.999


def test_pool_and_halves(blobs):
    generator = LandmarkSpectral(n_members=8, random_state=0).fit(blobs)
    assert generator.landmarks_.shape == (132, 5)  # 2 p, p a third of the rows
    halves = [member.arrays["landmarks"] for member in generator.members_]
    assert all(len(np.unique(half)) == 66 for half in halves)
    assert min(half.min() for half in halves) >= 0
    assert max(half.max() for half in halves) < 132
    assert len({tuple(half.tolist()) for half in halves}) == 8
    drawn = LandmarkSpectral(n_members=40, random_state=0).fit(blobs).ensemble_.n_clusters
    assert drawn.min() >= 2
    assert 10 < drawn.max() <= 15


def test_centres_are_means_of_their_rows(blobs):
    generator = LandmarkSpectral(n_members=5, n_clusters=(3, 8), random_state=0).fit(blobs)
    for member in generator.members_:
        stored = member.arrays
        linked = oracle.links(blobs, generator.landmarks_, stored["landmarks"], 5)
        B_x, *_ = oracle.graph(oracle.affinities(linked, len(stored["landmarks"])))
        U = oracle.embed(B_x, stored["table"])
        means = [U[member.labels == k].mean(axis=0) for k in range(len(stored["centres"]))]
        np.testing.assert_allclose(stored["centres"], means, atol=0.05)


@kernels
@pytest.mark.parametrize("shape", CURVED)
@pytest.mark.parametrize("consensus", [HBGF(2, random_state=0), LWGP(2, random_state=0), LWCL(2)])
def test_curved_clusters_are_found(kernel, shape, consensus):
    X, y = CURVED[shape]
    ensemble = LandmarkSpectral(n_members=20, kernel=kernel, random_state=0).fit(X).ensemble_
    assert ari(consensus.fit(ensemble).labels_, y) == 1


def test_unequal_sizes_are_found():
    X, y = make_blobs([1000, 100], centers=[[0, 0], [8, 8]], random_state=0)
    for seed in range(2):
        ensemble = LandmarkSpectral(n_members=20, random_state=seed).fit(X).ensemble_
        assert ari(LWCL(2).fit(ensemble).labels_, y) > 0.99


# With fewer clusters than separate blobs, the leading vectors are any of those with eigenvalue 1.
ENOUGH = {"n_clusters": (4, 9), "random_state": 0}


def test_a_distant_origin_does_no_harm(blobs):
    given = {"n_members": 10, **ENOUGH}
    near, far = (LandmarkSpectral(**given).fit(X).members_ for X in (blobs, blobs + 1e6))
    assert np.mean([ari(a.labels, b.labels) for a, b in zip(near, far, strict=True)]) > 0.9


@kernels
def test_constant_columns_do_no_harm(kernel, blobs):
    X = np.column_stack([blobs, np.full(200, 0.1), np.zeros(200)])
    for scaling in (None, "standard", "max"):
        given = {"n_members": 5, "kernel": kernel, "scaling": scaling, **ENOUGH}
        more = LandmarkSpectral(**given).fit(X).members_
        plain = LandmarkSpectral(**given).fit(blobs).members_
        assert np.mean([ari(a.labels, b.labels) for a, b in zip(more, plain, strict=True)]) > 0.9


@kernels
def test_repeated_rows(kernel, rng):
    X = np.repeat(rng.normal(size=(10, 4)), 20, axis=0)
    generator = LandmarkSpectral(n_members=6, n_clusters=10, kernel=kernel, random_state=0)
    labels = generator.fit_transform(X)
    assert (labels.reshape(10, 20, 6) == labels[::20, None]).all()
    assert generator.ensemble_.n_clusters.tolist() == [10] * 6
    generator.set_params(n_clusters=12)
    with pytest.warns(
        FewerClustersWarning, match=r"6 of 6 members have fewer .* 10 of 12"
    ) as caught:
        generator.fit(X)
    assert len(caught) == 1
    assert generator.ensemble_.n_clusters.tolist() == [10] * 6


@kernels
def test_few_rows(kernel, rng):
    for n in range(1, 6):
        X = rng.normal(size=(n, 2))
        given = {"n_members": 3, "kernel": kernel, "random_state": 0}
        free = LandmarkSpectral(**given).fit_transform(X)
        assert free.shape == (n, 3)
        assert (free >= 0).all()
        alone = LandmarkSpectral(n_clusters=n, **given).fit_transform(X)
        assert (np.sort(alone, axis=0) == np.arange(n)[:, None]).all()
    many = LandmarkSpectral(n_clusters=50, **given).fit_transform(rng.normal(size=(50, 3)))
    assert (np.sort(many, axis=0) == np.arange(50)[:, None]).all()


@kernels
@pytest.mark.parametrize("far", [1e3, 1e6])
def test_a_far_outlier(kernel, far):
    X, y = make_blobs(300, 2, centers=[[0, 0], [9, 0], [0, 9]], random_state=0)
    generator = LandmarkSpectral(n_members=20, kernel=kernel, random_state=0)
    labels = generator.fit_transform(np.vstack([X, [[far, far]]]))
    assert (labels >= 0).all()
    with quietly():
        found = HBGF(3, random_state=0).fit(generator.ensemble_).labels_
    assert ari(found[:-1], y) > 0.95
    # One that was not there before: no link is strong, and still there are labels.
    generator.fit(X)
    new = generator.transform([[far, far], [-far, far]])
    assert ((new >= 0) & (new < generator.ensemble_.n_clusters)).all()


@pytest.mark.parametrize(
    ("parameter", "value", "allowed"),
    [
        ("n_landmarks", 1, "None or an integer of at least 2"),
        ("n_neighbors", 1, "an integer of at least 2"),
        ("kernel", "rbf", "one of 'local', 'global'"),
    ],
)
def test_parameters_are_declared(parameter, value, allowed, blobs):
    message = rf"^LandmarkSpectral: {parameter} must be .*{allowed}"
    with pytest.raises(InvalidParameterError, match=message):
        LandmarkSpectral().set_params(**{parameter: value}).fit(blobs)


@pytest.mark.parametrize(
    "given",
    [
        {"n_neighbors": 1_000},
        {"n_landmarks": 3, "n_neighbors": 10},
        {"n_landmarks": 1_000},
        {"n_landmarks": 2, "n_clusters": 20},
        {"n_neighbors": 2, "n_clusters": 20},
        {"n_clusters": 1},
    ],
    ids=str,
)
@kernels
def test_extreme_parameters(given, kernel, blobs):
    generator = LandmarkSpectral(n_members=3, kernel=kernel, random_state=0, **given)
    labels = generator.fit_transform(blobs)
    if "n_clusters" in given:
        assert generator.ensemble_.n_clusters.tolist() == [given["n_clusters"]] * 3
    assert (generator.transform(blobs) == labels).mean() > 0.999


@kernels
def test_data_in_chunks(kernel, blobs):
    given = {"n_members": 4, "kernel": kernel, "random_state": 0}
    here = LandmarkSpectral(**given).fit(blobs)
    away = LandmarkSpectral(**given)
    labels = away.fit_transform(da.from_array(blobs, chunks=(70, 3)))
    assert isinstance(labels, da.Array)
    assert labels.chunks == ((70, 70, 60), (4,))
    assert np.array_equal(labels.compute(), here.transform(blobs))
    assert away.ensemble_.is_chunked
    new = away.transform(da.from_array(blobs, chunks=(90, 5)))
    assert np.array_equal(new.compute(), here.transform(blobs))
