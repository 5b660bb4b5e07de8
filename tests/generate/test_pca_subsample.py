"""PCASubsample: principal axes once, subsamples for every member."""

import numpy as np
import pytest
from scipy import sparse

from consilience import set_config
from consilience.exceptions import InvalidParameterError, MemoryLimitError
from consilience.generate import PCASubsample
from oracles import lloyd as oracle


@pytest.mark.parametrize("kept", [0.5, 0.9, 0.99])
def test_axes_keep_a_share_of_the_variance(kept, blobs):
    given = {} if kept == 0.9 else {"variance_kept": kept}
    generator = PCASubsample(n_members=2, n_clusters=4, random_state=0, **given).fit(blobs)
    variances = np.linalg.eigvalsh(np.cov(blobs.T, bias=True))[::-1]
    width = generator.components_.shape[1]
    shares = np.cumsum(variances) / variances.sum()
    assert shares[width - 1] >= kept
    assert width == 1 or shares[width - 2] < kept
    scores = (blobs - blobs.mean(axis=0)) @ generator.components_
    np.testing.assert_allclose(scores.var(axis=0), variances[:width])


def test_axes_of_the_subsample_alone(blobs):
    given = {"n_members": 3, "n_clusters": 4, "axes": "subsample", "random_state": 0}
    generator = PCASubsample(n_components=2, fraction=0.3, **given).fit(blobs)
    assert not hasattr(generator, "components_")
    streams = np.random.SeedSequence(0).spawn(4)[1:]
    for member, stream in zip(generator.members_, streams, strict=True):
        rows = np.random.default_rng(stream).choice(200, 60, replace=False)
        values, vectors = np.linalg.eigh(np.cov(blobs[rows].T))
        axes = member.arrays["axes"]
        np.testing.assert_allclose(np.abs(axes.T @ vectors[:, ::-1]), np.eye(2, 5), atol=1e-8)
        np.testing.assert_allclose((blobs[rows] @ axes).var(axis=0, ddof=1), values[:-3:-1])
        np.testing.assert_array_equal(
            member.labels, oracle.assign(blobs @ axes, member.centres, [-1] * 200)
        )
    np.testing.assert_array_equal(
        generator.transform(blobs), np.column_stack([m.labels for m in generator.members_])
    )


@pytest.mark.parametrize("axes", ["all", "subsample"])
def test_whitened_scores_have_unit_variance(axes, blobs):
    given = {"n_members": 2, "n_clusters": 4, "n_components": 3, "random_state": 0}
    X = np.column_stack([blobs, np.ones(len(blobs))])
    generator = PCASubsample(axes=axes, whiten=True, fraction=1.0, **given).fit(X)
    member = generator.members_[0]
    found = generator.components_ if axes == "all" else member.arrays["axes"]
    np.testing.assert_allclose((X @ found).std(axis=0), 1)
    plain = PCASubsample(**given).fit(X)
    np.testing.assert_allclose(found / np.linalg.norm(found, axis=0), plain.components_)
    np.testing.assert_array_equal(generator.transform(X)[:, 0], member.labels)


def test_whitening_leaves_constant_scores_alone(blobs):
    line = np.outer(blobs[:, 0], np.ones(3))
    generator = PCASubsample(n_members=1, n_clusters=2, n_components=3, whiten=True, random_state=0)
    norms = np.linalg.norm(generator.fit(line).components_, axis=0)
    np.testing.assert_allclose(norms, [1 / np.std(line.sum(axis=1) / np.sqrt(3)), 1, 1])


def test_axes_of_the_subsample_of_sparse_data_and_of_drawn_width(blobs):
    X = np.where(np.abs(blobs) > 3, blobs, 0)
    given = {"n_members": 9, "n_components": (1, 3), "axes": "subsample", "random_state": 0}
    dense = PCASubsample(n_clusters=3, **given).fit(X)
    thin = PCASubsample(n_clusters=3, **given)
    np.testing.assert_array_equal(
        thin.fit_transform(sparse.csr_matrix(X)),
        np.column_stack([m.labels for m in dense.members_]),
    )
    assert {member.centres.shape[1] for member in thin.members_} == {1, 2, 3}
    with pytest.raises(InvalidParameterError, match="axes must be one of 'all', 'subsample'"):
        PCASubsample(axes="rows", random_state=0).fit(X)


def test_every_row_joins_the_nearest_centre(blobs):
    generator = PCASubsample(n_members=4, n_components=2, n_clusters=4, random_state=0).fit(blobs)
    scores = blobs @ generator.components_
    for member in generator.members_:
        np.testing.assert_array_equal(
            member.labels, oracle.assign(scores, member.centres, [-1] * 200)
        )
    assert not generator.ensemble_.has_missing


def test_samples_are_parts_of_the_rows(blobs):
    generator = PCASubsample(fraction=0.65, random_state=0)
    sample = generator._sample(101, np.random.default_rng(0))
    assert len(sample) == len(np.unique(sample)) == 65
    with pytest.raises(InvalidParameterError, match=r"at most the 2 rows .* \(n_samples = 4\)"):
        PCASubsample(n_clusters=3, random_state=0).fit(blobs[:4])
    with pytest.raises(
        InvalidParameterError, match="fraction must be a number above 0 and at most 1"
    ):
        PCASubsample(fraction=0, random_state=0).fit(blobs)


def test_number_of_axes(blobs):
    generator = PCASubsample(n_members=20, n_components=(1, 3), n_clusters=3, random_state=0)
    labels = generator.fit_transform(blobs)
    assert {member.centres.shape[1] for member in generator.members_} == {1, 2, 3}
    np.testing.assert_array_equal(generator.transform(blobs), labels)
    with pytest.raises(InvalidParameterError, match="the number of columns, 5"):
        PCASubsample(n_components=6, random_state=0).fit(blobs)


def test_wide_sparse_data(rng):
    counts = sparse.random_array((80, 1200), density=0.02, rng=rng, format="csr")
    given = {"n_members": 2, "n_components": 4, "n_clusters": 3, "random_state": 0}
    thin, dense = PCASubsample(**given), PCASubsample(**given)
    labels = thin.fit_transform(counts)
    np.testing.assert_array_equal(dense.fit_transform(counts.toarray()), labels)
    np.testing.assert_allclose(np.abs(thin.components_.T @ dense.components_), np.eye(4), atol=1e-6)


def test_a_covariance_that_is_too_large_is_refused(blobs):
    before = set_config(memory_limit=100)
    try:
        with pytest.raises(MemoryLimitError, match=r"covariance of 5 columns.*Give n_components"):
            PCASubsample(random_state=0).fit(blobs)
    finally:
        set_config(memory_limit=before.memory_limit)
