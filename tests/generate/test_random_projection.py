"""RandomProjection and ProjectedPCA: matrices, dimensions, k-means in the projection."""

import numpy as np
import pytest
from scipy import sparse

from consilience.exceptions import InvalidParameterError
from consilience.generate import ProjectedPCA, RandomProjection
from consilience.generate._pca import count_kept, covariance, dimension, leading_axes
from oracles import lloyd as oracle

BOTH = [RandomProjection, ProjectedPCA]


def _wide(rng, n_samples=120, n_columns=30):
    """Three strong directions and a little noise."""
    return rng.normal(size=(n_samples, 3)) @ rng.normal(size=(3, n_columns)) * 5 + rng.normal(
        scale=0.01, size=(n_samples, n_columns)
    )


def test_columns_of_a_projection_have_length_one(blobs):
    generator = RandomProjection(n_members=6, n_components=3, random_state=0).fit(blobs)
    for projection in generator.projections_:
        assert projection.shape == (5, 3)
        np.testing.assert_allclose(np.linalg.norm(projection, axis=0), 1)
        assert np.abs(projection.T @ projection - np.eye(3)).max() > 1e-3
    assert not np.allclose(generator.projections_[0], generator.projections_[1])


def test_entries_are_normal(rng):
    X = rng.normal(size=(20, 400))
    generator = RandomProjection(n_members=5, n_components=20, n_clusters=2, random_state=0).fit(X)
    entries = np.concatenate([projection.ravel() for projection in generator.projections_]) * 20
    assert abs(entries.mean()) < 0.02
    assert abs(entries.std() - 1) < 0.02
    assert abs((entries**4).mean() - 3) < 0.15


def test_a_member_is_k_means_on_the_projected_data(blobs):
    X = blobs + 50
    generator = RandomProjection(n_members=6, n_components=2, n_clusters=4, random_state=0).fit(X)
    for projection, member in zip(generator.projections_, generator.members_, strict=True):
        projected = X @ projection
        np.testing.assert_array_equal(
            member.labels, oracle.assign(projected, member.centres, [-1] * 200)
        )
        for k, centre in enumerate(member.centres):
            np.testing.assert_allclose(centre, projected[member.labels == k].mean(axis=0), atol=0.1)


def test_a_member_of_projected_pca(blobs):
    X = blobs + 50
    generator = ProjectedPCA(n_members=5, n_components=2, n_clusters=4, random_state=0).fit(X)
    for projection, member in zip(generator.projections_, generator.members_, strict=True):
        projected = X @ projection
        assert projected.shape == (200, 4)
        axes = member.arrays["axes"]
        np.testing.assert_allclose(axes.T @ axes, np.eye(2), atol=1e-12)
        variances = np.linalg.eigvalsh(np.cov(projected.T, bias=True))[::-1]
        np.testing.assert_allclose((projected @ axes).var(axis=0), variances[:2])
        np.testing.assert_array_equal(
            member.labels, oracle.assign(projected @ axes, member.centres, [-1] * 200)
        )


@pytest.mark.parametrize("kind", BOTH)
def test_dimension_keeps_a_given_share(kind, rng):
    X = rng.normal(size=(300, 6)) * [8, 4, 2, 1, 1, 1]
    variances = np.linalg.eigvalsh(np.cov(X.T))[::-1]
    for kept in (0.8, 0.9, 0.999):
        needed, total = 0, 0.0
        while total < kept * variances.sum():
            total += variances[needed]
            needed += 1
        given = {} if kept == 0.9 else {"variance_kept": kept}
        generator = kind(n_members=1, n_clusters=2, random_state=0, **given).fit(X)
        assert generator.members_[0].centres.shape == (2, needed)
        width = min(6, needed * (2 if kind is ProjectedPCA else 1))
        assert generator.projections_[0].shape[1] == width
    with pytest.raises(InvalidParameterError, match="variance_kept must be a number above 0 and"):
        kind(variance_kept=0, random_state=0).fit(X)


def test_first_dimension_of_projected_pca(blobs):
    given = {"n_members": 4, "n_components": 2, "n_clusters": 4, "random_state": 0}
    generator = ProjectedPCA(n_projected=3, **given).fit(blobs)
    for projection, member in zip(generator.projections_, generator.members_, strict=True):
        assert projection.shape == (5, 3)
        projected = blobs @ projection
        vectors = np.linalg.eigh(np.cov(projected.T))[1]
        np.testing.assert_allclose(
            np.abs(member.arrays["axes"].T @ vectors[:, ::-1]), np.eye(2, 3), atol=1e-8
        )
        np.testing.assert_array_equal(
            member.labels,
            oracle.assign(projected @ member.arrays["axes"], member.centres, [-1] * 200),
        )
    usual, written = ProjectedPCA(**given), ProjectedPCA(n_projected=4, **given)
    np.testing.assert_array_equal(usual.fit_transform(blobs), written.fit_transform(blobs))
    for wrong, match in (
        ({"n_projected": 6}, r"n_projected=6 .* the number of columns, 5"),
        ({"n_projected": 1}, r"n_components=2 .* at most n_projected, 1"),
        ({"n_projected": 0}, "n_projected must be None or an integer of at least 1"),
    ):
        with pytest.raises(InvalidParameterError, match=match):
            ProjectedPCA(**given, **wrong).fit(blobs)


@pytest.mark.parametrize("kind", BOTH)
def test_dimensions_are_drawn_from_a_range(kind, blobs):
    generator = kind(n_members=30, n_components=(2, 4), n_clusters=3, random_state=0).fit(blobs)
    assert {member.centres.shape[1] for member in generator.members_} == {2, 3, 4}
    np.testing.assert_array_equal(
        generator.transform(blobs), np.column_stack([m.labels for m in generator.members_])
    )


@pytest.mark.parametrize("kind", BOTH)
def test_more_dimensions_than_columns_is_an_error(kind, blobs):
    with pytest.raises(InvalidParameterError, match=r"n_components=6 .* the number of columns, 5"):
        kind(n_components=6, random_state=0).fit(blobs)


def test_dimension_of_wide_data_is_that_of_its_rows(rng):
    narrow = _wide(rng, 60, 40)
    wide = np.hstack([narrow] * 30)
    exact = dimension(narrow, 0.99, rng)
    assert dimension(wide, 0.99, rng) == exact == 3
    assert dimension(sparse.csr_matrix(wide), 0.99, rng) == exact
    assert dimension(np.ones((5, 1)), 0.9, rng) == 1
    assert dimension(np.ones((5, 3)), 0.9, rng) == 2


def test_covariance_and_axes(rng):
    X = rng.normal(size=(50, 4)) @ rng.normal(size=(4, 4)) + 3
    for given in (X, X.astype(np.float32), sparse.csr_matrix(X)):
        np.testing.assert_allclose(covariance(given), np.cov(X.T, bias=True), atol=1e-4)
    axes = leading_axes(covariance(X), 2)
    assert (np.take_along_axis(axes, np.abs(axes).argmax(axis=0)[None], 0) > 0).all()
    assert count_kept(np.array([5.0, 3.0, 2.0]), 0.8) == 2
    assert count_kept(np.array([5.0, 3.0, 2.0]), 1.0) == 3
    assert count_kept(np.zeros(3), 0.9) == 1


def test_whitened_axes_of_a_projection_have_scores_of_unit_variance(blobs):
    given = {
        "n_members": 3,
        "n_clusters": 4,
        "n_components": 2,
        "n_projected": 4,
        "random_state": 0,
    }
    generator = ProjectedPCA(whiten=True, **given).fit(blobs)
    plain = ProjectedPCA(**given).fit(blobs)
    pairs = zip(generator.members_, plain.members_, generator.projections_, strict=True)
    for member, other, projection in pairs:
        axes = member.arrays["axes"]
        np.testing.assert_allclose((blobs @ projection @ axes).std(axis=0), 1)
        np.testing.assert_allclose(axes / np.linalg.norm(axes, axis=0), other.arrays["axes"])
