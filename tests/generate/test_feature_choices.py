"""FeatureSubsets and FeatureWeightedKMeans: which columns count."""

import numpy as np
import pytest

from consilience.exceptions import InvalidParameterError
from consilience.generate import FeatureSubsets, FeatureWeightedKMeans
from oracles import lloyd as oracle


def test_a_member_sees_its_columns_only(blobs):
    generator = FeatureSubsets(n_members=6, n_clusters=3, random_state=0).fit(blobs)
    for member in generator.members_:
        features = member.arrays["features"]
        assert len(np.unique(features)) == 3
        np.testing.assert_array_equal(
            member.labels, oracle.assign(blobs[:, features], member.centres, [-1] * 200)
        )
    assert len({tuple(member.arrays["features"]) for member in generator.members_}) > 1


def test_numbers_of_columns(blobs):
    generator = FeatureSubsets(n_members=30, n_features=(1, 3), n_clusters=2, random_state=0)
    generator.fit(blobs)
    assert {len(member.arrays["features"]) for member in generator.members_} == {1, 2, 3}
    with pytest.raises(InvalidParameterError, match=r"n_features=9 .* number of columns, 5"):
        FeatureSubsets(n_features=9, random_state=0).fit(blobs)


def test_weights_multiply_standardised_columns(blobs):
    generator = FeatureWeightedKMeans(n_members=5, n_clusters=3, random_state=0).fit(blobs)
    scaled = (blobs - blobs.mean(axis=0)) / blobs.std(axis=0)
    for member in generator.members_:
        weighted = scaled * member.arrays["multipliers"]
        np.testing.assert_array_equal(
            member.labels, oracle.assign(weighted, member.centres, [-1] * 200)
        )


def test_weights_follow_the_law_of_zipf(rng):
    X = rng.normal(size=(12, 3000))
    generator = FeatureWeightedKMeans(
        n_members=30, n_clusters=2, largest_weight=10, random_state=0
    ).fit(X)
    shapes = {float(member.arrays["alpha"]) for member in generator.members_}
    assert shapes <= {0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5}
    assert len(shapes) > 4
    for member in generator.members_:
        chances = np.arange(1, 11.0) ** -float(member.arrays["alpha"])
        found = np.bincount(member.arrays["multipliers"], minlength=11)[1:] / 3000
        np.testing.assert_allclose(found, chances / chances.sum(), atol=0.035)
