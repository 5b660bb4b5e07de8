"""LACSweep: one LAC run per 1/h, from the same centres."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from consilience.clusterers import LAC
from consilience.consensus import WBPA
from consilience.datasets import make_three_gaussians, make_two_gaussians
from consilience.exceptions import (
    FewerClustersWarning,
    InvalidParameterError,
    NotConvergedWarning,
    UnsupportedInputError,
)
from consilience.generate import LACSweep
from oracles.lac import furthest_first, posteriors
from oracles.strategies import examples


@pytest.fixture(scope="module")
def three():
    return make_three_gaussians(random_state=0)[0]


@pytest.fixture(scope="module")
def generator(three):
    return LACSweep(n_clusters=3, random_state=0).fit(three)


def test_twelve_soft_members(generator):
    ensemble = generator.ensemble_
    assert ensemble.is_soft
    assert ensemble.n_members == 12
    assert ensemble.n_clusters.tolist() == [3] * 12
    assert sorted(ensemble.cluster_tables) == ["centres", "feature_weights"]
    for weights in ensemble.cluster_tables["feature_weights"]:
        np.testing.assert_allclose(weights.sum(axis=1), 1)


def test_labels_are_the_most_likely_clusters(generator, three):
    labels = generator.transform(three)
    np.testing.assert_array_equal(labels, generator.ensemble_.labels)
    np.testing.assert_array_equal(
        labels, LACSweep(n_clusters=3, random_state=0).fit_transform(three)
    )


def test_posteriors_are_those_of_the_tables(generator, three):
    ensemble = generator.ensemble_
    Z = (three - three.mean(axis=0)) / three.std(axis=0)
    rows = np.arange(0, 900, 90)
    for j in (0, 6, 11):
        tables = (ensemble.cluster_tables[name][j] for name in ("centres", "feature_weights"))
        expected = posteriors(Z[rows], *tables)
        found = ensemble.memberships[rows][:, ensemble.layout.columns(j)]
        np.testing.assert_allclose(found, expected, atol=1e-9)
        np.testing.assert_allclose(generator.memberships(three[rows])[j], expected, atol=1e-9)


@given(st.integers(0, 1000), st.sampled_from([0, 0.5, 3, np.inf]))
@examples(15)
def test_a_member_is_lac_from_rows_far_from_each_other(seed, inverse):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 3)) + rng.integers(0, 2, 60)[:, None] * [4.0, 1.0, 0.0]
    sweep = LACSweep(n_clusters=2, inverse_h=[inverse], max_iter=200, random_state=seed).fit(X)
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    starts = {tuple(furthest_first(Z, 2, drawn)) for drawn in range(60)}
    h = np.inf if inverse == 0 else 1 / inverse
    possible = [LAC(2, h=h, init=X[list(rows)], max_iter=200).fit(X) for rows in starts]
    labels = sweep.members_[0].labels
    assert any(np.array_equal(labels, model.labels_) for model in possible)


def test_all_members_have_the_same_start(three):
    together = LACSweep(n_clusters=3, inverse_h=[2, 5, 9, 5], random_state=1).fit(three).members_
    alone = LACSweep(n_clusters=3, inverse_h=[9], random_state=1).fit(three).members_
    np.testing.assert_array_equal(together[1].memberships, together[3].memberships)
    np.testing.assert_array_equal(together[2].memberships, alone[0].memberships)


def test_random_ties_split_rows_that_are_as_near():
    # rows at 0 and 4, and copies of a row at 2
    X = np.repeat([[0.0], [2.0], [4.0]], [100, 60, 100], axis=0)
    options = {"n_clusters": 2, "inverse_h": (0, 0), "scaling": None, "max_iter": 1}
    with pytest.warns(NotConvergedWarning):
        first = LACSweep(**options, random_state=0).fit(X).members_
    with pytest.warns(NotConvergedWarning):
        drawn = LACSweep(**options, ties="random", random_state=0).fit(X).members_
    with pytest.warns(NotConvergedWarning):
        again = LACSweep(**options, ties="random", random_state=0, n_jobs=2).fit(X).members_
    for member in first:
        assert len(set(member.labels[100:160].tolist())) == 1
    for member, same in zip(drawn, again, strict=True):
        assert 15 < member.labels[100:160].sum() < 45
        np.testing.assert_array_equal(member.labels, same.labels)
    assert drawn[0].labels.tolist() != drawn[1].labels.tolist(), "every member has its own draws"


def test_numbers_of_clusters_can_be_drawn(three):
    sweep = LACSweep(n_clusters=(2, 5), random_state=0).fit(three)
    drawn = sweep.ensemble_.n_clusters
    assert set(drawn.tolist()) <= {2, 3, 4, 5}
    assert len(set(drawn.tolist())) > 1
    assert WBPA(3, random_state=0).fit(sweep.ensemble_).feature_weights_.shape == (3, 2)


def test_warnings(three):
    with pytest.warns(
        NotConvergedWarning, match=r"2 of 2 members stopped after max_iter=1 .*= 3\)"
    ):
        LACSweep(n_clusters=3, inverse_h=[3, 4], max_iter=1, random_state=0).fit(three)
    X = np.repeat([[0.0, 1.0], [5.0, 5.0]], [3, 4], axis=0)
    with pytest.warns(FewerClustersWarning, match="2 of 2 members have fewer clusters"):
        sweep = LACSweep(n_clusters=3, inverse_h=[1, 2], random_state=0).fit(X)
    assert sweep.ensemble_.n_clusters.tolist() == [2, 2]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"inverse_h": []}, "inverse_h must be a list of at least one number"),
        (
            {"inverse_h": [1, -2]},
            "inverse_h must be a list of at least one number, each at least 0",
        ),
        ({"inverse_h": 5}, "inverse_h must be a list"),
        ({"inverse_h": "12"}, "inverse_h must be a list"),
        ({"n_clusters": 0}, "n_clusters must be"),
        ({"n_clusters": 601}, "n_clusters=601 is more than the data can give.*n_samples = 600"),
    ],
)
def test_parameters_are_checked(parameters, message):
    X, _ = make_two_gaussians(random_state=0)
    with pytest.raises(InvalidParameterError, match=message):
        LACSweep(**parameters).fit(X)


def test_sparse_data_are_refused(generator):
    X = sparse.csr_array(np.eye(5))
    with pytest.raises(UnsupportedInputError, match=r"LACSweep cannot use sparse data.*toarray"):
        LACSweep(n_clusters=2).fit(X)
    for method in (generator.transform, generator.memberships):
        with pytest.raises(UnsupportedInputError, match="LACSweep cannot use sparse data"):
            method(X[:, :2])
