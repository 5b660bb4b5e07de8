"""Simulated and real ensembles."""

import numpy as np
import pytest

from consilience.datasets import load_digits_ensemble, make_planted_ensemble
from consilience.exceptions import InvalidParameterError
from consilience.metrics import nmi


def test_members_see_the_truth_through_noise():
    clean, truth = make_planted_ensemble(200, 4, 3, noise=0, random_state=0)
    assert all(nmi(member, truth) == 1 for member in clean.labels.T)
    noisy, truth = make_planted_ensemble(2000, 4, 3, noise=0.5, random_state=0)
    assert all(0.1 < nmi(member, truth) < 0.5 for member in noisy.labels.T)


def test_members_break_clusters_into_pieces():
    ensemble, truth = make_planted_ensemble(500, 3, 4, n_base_clusters=9, noise=0, random_state=0)
    assert ensemble.n_clusters.tolist() == [9, 9, 9]
    for member in ensemble.labels.T:
        assert all(len(np.unique(truth[member == piece])) == 1 for piece in range(9))


def test_shares_of_missing_labels_and_sizes():
    ensemble, truth = make_planted_ensemble(
        4000, 5, 2, missing=0.3, proportions=[3, 1], random_state=0
    )
    assert np.mean(ensemble.labels < 0) == pytest.approx(0.3, abs=0.02)
    assert np.bincount(truth).max() / 4000 == pytest.approx(0.75, abs=0.03)


def test_members_do_not_depend_on_their_number():
    few, many = (make_planted_ensemble(50, r, 3, random_state=1).ensemble for r in (2, 5))
    np.testing.assert_array_equal(few.labels, many.labels[:, :2])


def test_too_few_pieces():
    with pytest.raises(InvalidParameterError, match="at least n_clusters=5; got 4"):
        make_planted_ensemble(n_base_clusters=4)


def test_digits():
    ensemble, truth = load_digits_ensemble(n_members=2)
    assert ensemble.n_samples == len(truth) == 1797
    assert nmi(ensemble.labels[:, 0], truth) > 0.4
