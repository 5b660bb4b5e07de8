"""A labelling against an ensemble, and all members against each other."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from consilience import Ensemble, metrics
from consilience.exceptions import InvalidInputError, InvalidParameterError
from oracles.strategies import any_matrices

PAIRWISE = {
    metrics.pairwise_nmi: metrics.nmi,
    metrics.pairwise_rand: metrics.rand_distance,
    metrics.pairwise_ari: metrics.ari,
}


@pytest.mark.parametrize("pairwise", PAIRWISE)
@given(labels=any_matrices(n_samples=(2, 15)))
def test_pairwise_equals_pair_by_pair(pairwise, labels):
    matrix = pairwise(labels)
    for j in range(labels.shape[1]):
        for m in range(labels.shape[1]):
            both = (labels[:, j] >= 0) & (labels[:, m] >= 0)
            if both.any() and j != m:
                expected = PAIRWISE[pairwise](labels[:, j], labels[:, m])
                assert matrix[j, m] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("pairwise", PAIRWISE)
def test_pairwise_diagonal_and_strangers(pairwise):
    # Members 0 and 1 share no object.
    matrix = pairwise(np.array([[0, -1], [1, -1], [-1, 0], [-1, 1]]))
    same, strange = {"pairwise_nmi": (1, 0), "pairwise_rand": (0, 0), "pairwise_ari": (1, 1)}[
        pairwise.__name__
    ]
    np.testing.assert_array_equal(matrix, [[same, strange], [strange, same]])


@given(any_matrices(n_samples=(2, 15)), st.integers(0, 2**32 - 1))
def test_agreement_with_an_ensemble(labels, seed):
    rng = np.random.default_rng(seed)
    consensus = rng.integers(0, 3, len(labels))
    weights = rng.integers(1, 4, labels.shape[1]).astype(float)
    ensemble = Ensemble(labels, weights=weights)
    known = labels >= 0
    nmis = [
        metrics.nmi(consensus[k], column[k]) for column, k in zip(labels.T, known.T, strict=True)
    ]
    rands = [
        metrics.rand_distance(consensus[k], column[k])
        for column, k in zip(labels.T, known.T, strict=True)
    ]
    assert metrics.snmi(consensus, ensemble) == pytest.approx(ensemble.weights @ nmis)
    observed = weights * known.sum(axis=0)
    assert metrics.anmi(consensus, ensemble) == pytest.approx(np.average(nmis, weights=observed))
    expected = np.average(rands, weights=weights)
    assert metrics.consensus_rand(consensus, ensemble) == pytest.approx(expected, abs=1e-12)


def test_objects_without_a_label_are_left_out():
    labels = np.random.default_rng(0).integers(0, 3, (20, 4))
    consensus = np.where(np.arange(20) < 15, np.arange(20) % 3, -1)
    for measure in (metrics.anmi, metrics.snmi, metrics.consensus_rand):
        assert measure(consensus, labels) == pytest.approx(measure(consensus[:15], labels[:15]))


def test_row_weights_are_repetitions():
    rng = np.random.default_rng(1)
    labels, weight = rng.integers(0, 3, (12, 4)), rng.integers(1, 4, 12)
    repeated = np.repeat(labels, weight, axis=0)
    weighted = Ensemble(labels).with_sample_weight(weight)
    consensus = rng.integers(0, 2, 12)
    for measure in (metrics.anmi, metrics.snmi, metrics.consensus_rand):
        expected = measure(np.repeat(consensus, weight), repeated)
        assert measure(consensus, weighted) == pytest.approx(expected)
    np.testing.assert_allclose(metrics.pairwise_nmi(weighted), metrics.pairwise_nmi(repeated))


def test_a_silent_member_counts_for_nothing():
    labels = np.random.default_rng(2).integers(0, 3, (20, 3))
    silent = np.hstack([labels, np.full((20, 1), -1)])
    consensus = np.arange(20) % 3
    for measure in (metrics.anmi, metrics.snmi, metrics.consensus_rand):
        assert measure(consensus, silent) == pytest.approx(measure(consensus, labels))
    assert metrics.best_member(silent) == metrics.best_member(labels)


@given(any_matrices(missing=False, n_samples=(3, 10), n_members=(2, 5)))
def test_best_member_minimises_the_sum(labels):
    distances = metrics.pairwise_rand(labels).sum(axis=1)
    best = metrics.best_member(labels)
    assert distances[best] == pytest.approx(distances.min())
    assert not np.any(distances[:best] < distances[best] - 1e-9)
    by_nmi = metrics.best_member(labels, criterion="anmi")
    assert metrics.pairwise_nmi(labels).sum(axis=1)[by_nmi] == pytest.approx(
        metrics.pairwise_nmi(labels).sum(axis=1).max()
    )


def test_best_member_among_some():
    labels = np.array([[0, 0, 0], [0, 0, 1], [1, 1, 1], [1, 1, 0]])
    assert metrics.best_member(labels) == 0
    assert metrics.best_member(labels, among=[1, 2]) == 1
    assert metrics.best_member(Ensemble(labels, weights=[0, 1, 1])) == 1


def test_errors():
    with pytest.raises(InvalidInputError, match="The ensemble has 3 objects; got 2 labels"):
        metrics.anmi([0, 1], [[0, 1, 1]])
    with pytest.raises(InvalidParameterError, match="'rand' or 'anmi'; got 'nmi'"):
        metrics.best_member([[0, 1, 1]], criterion="nmi")


def test_uncertainty_of_the_golden_example():
    labels = np.array(
        [[1, 2, 2, 1], [1, 1, 1, 1], [1, 1, 2, 2], [2, 2, 1, 1], [2, 2, 2, 2], [1, 2, 2, 2]]
    )
    # By first appearance: I1 I2 | II2 II1 | III2 III1 | IV1 IV2.
    expected = [2.811278124, 2, 2.811278124, 2, 2.433834373, 2, 2.754887502, 1.836591668]
    np.testing.assert_allclose(metrics.cluster_uncertainty(labels), expected, atol=1e-9)


def test_uncertainty_counts_the_objects_that_a_member_knows():
    # Cluster 0 of member 0 has objects 0, 1, 2; member 1 knows two of them and splits them.
    labels = np.array([[0, 0], [0, 1], [0, -1], [1, 1]])
    assert metrics.cluster_uncertainty(labels)[0] == pytest.approx(1.0)
    weighted = Ensemble(labels, weights=[1, 3])
    assert metrics.cluster_uncertainty(weighted)[0] == pytest.approx(1.5)  # weights of mean one


def test_uncertainty_does_not_depend_on_the_weights_of_whole_clusters():
    # The two objects of cluster 0 count little beside the third; they still are one half each.
    labels = np.array([[0, 0], [0, 1], [1, 2]])
    light = Ensemble(labels).with_sample_weight([0.1, 0.1, 5.0])
    np.testing.assert_allclose(metrics.cluster_uncertainty(light), [1, 0, 0, 0, 0], atol=1e-12)
