"""Diversity and quality, pair by pair."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from consilience import Ensemble
from consilience.datasets import make_planted_ensemble
from consilience.diagnose import diversity_quality
from consilience.exceptions import InvalidInputError
from oracles.agreement import nmi
from oracles.selection import pairwise, qualities, shared
from oracles.strategies import any_matrices, examples, member_weights


@examples(60)
@given(any_matrices(n_samples=(2, 12)), st.data())
def test_cloud_is_the_formula(labels, data):
    weights = data.draw(member_weights(labels.shape[1]))
    cloud = diversity_quality(Ensemble(labels, weights=weights))
    similarity, quality = pairwise(labels), qualities(labels, weights)
    expected = {
        (j, m): (similarity[j][m], (quality[j] + quality[m]) / 2)
        for m in range(labels.shape[1])
        for j in range(m)
        if similarity[j][m] is not None
    }
    figures = np.column_stack([cloud.nmi, cloud.quality]).tolist()
    found = dict(zip(map(tuple, cloud.pairs.tolist()), map(tuple, figures), strict=True))
    assert found.keys() == expected.keys()
    for pair, pair_figures in expected.items():
        assert found[pair] == pytest.approx(pair_figures, abs=1e-9)
    if expected:
        assert cloud.mean_nmi == pytest.approx(np.mean([y for y, _ in expected.values()]))


@examples(60)
@given(any_matrices(n_samples=(2, 12)), st.integers(0, 2**32 - 1))
def test_quality_with_the_truth(labels, seed):
    truth = np.random.default_rng(seed).integers(-1, 3, len(labels))
    truth[0] = 0
    cloud = diversity_quality(labels, truth)
    for j, column in enumerate(labels.T.tolist()):
        if shared(column, truth.tolist()):
            assert cloud.member_quality[j] == pytest.approx(nmi(column, truth.tolist()), abs=1e-9)
        else:
            assert np.isnan(cloud.member_quality[j])
    assert np.isfinite(cloud.quality).all()


def test_means_and_sentence():
    ensemble, truth = make_planted_ensemble(300, 10, 3, noise=0.3, random_state=0)
    cloud = diversity_quality(ensemble, truth)
    assert len(cloud.pairs) == 45
    # With complete labels every member is in as many pairs.
    assert cloud.mean_quality == pytest.approx(cloud.quality.mean())
    assert cloud.mean_quality > cloud.mean_nmi
    assert f"with the truth at a mean NMI of {cloud.mean_quality:.3f}" in str(cloud)
    assert "with the other members" in str(diversity_quality(ensemble))


def test_silent_and_weightless_members_form_no_pairs():
    labels = np.random.default_rng(0).integers(0, 3, (30, 4))
    labels[:, 1] = -1
    cloud = diversity_quality(Ensemble(labels, weights=[1, 1, 0, 1]))
    assert cloud.pairs.tolist() == [[0, 3]]
    one = diversity_quality(labels[:, :1], truth=labels[:, 2])
    assert len(one.pairs) == 0
    assert np.isnan(one.mean_nmi)
    assert np.isfinite(one.mean_quality)


def test_soft_members_count_by_their_most_likely_labels():
    rng = np.random.default_rng(1)
    soft = Ensemble.from_memberships([rng.dirichlet(np.ones(3), 20) for _ in range(4)])
    np.testing.assert_array_equal(diversity_quality(soft).nmi, diversity_quality(soft.labels).nmi)


def test_rows_count_by_their_weight():
    rng = np.random.default_rng(2)
    labels, weight = rng.integers(-1, 3, (15, 4)), rng.integers(1, 4, 15)
    weighted = diversity_quality(Ensemble(labels).with_sample_weight(weight))
    repeated = diversity_quality(np.repeat(labels, weight, axis=0))
    np.testing.assert_allclose(weighted.quality, repeated.quality)


def test_the_truth_must_fit():
    with pytest.raises(InvalidInputError, match="The ensemble has 3 objects; got 2 labels"):
        diversity_quality([[0, 1, 1], [0, 0, 1]], [0, 1])
