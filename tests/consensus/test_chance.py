"""Confidence beside that of members that agree by accident."""

import numpy as np
import pytest

from consilience import Ensemble
from consilience.consensus import IPC, KMCF, Concord, PluralityVoting
from consilience.consensus._votes import accidental
from consilience.datasets import make_planted_ensemble
from consilience.exceptions import UnlabelledObjectsWarning
from consilience.metrics import evidence
from oracles.strategies import fit


def test_two_members_always_agree():
    labels = np.random.default_rng(0).integers(0, 3, (600, 2))
    model = fit(KMCF(3, random_state=0), labels)
    ensemble = Ensemble(labels)
    mean = model.own_shares(ensemble).mean()
    assert mean > 0.6
    assert mean == pytest.approx(model.chance_confidence(ensemble), abs=0.03)
    assert evidence(mean, model.chance_confidence(ensemble)) == "none"


@pytest.mark.parametrize("function", [IPC(3), Concord(3), KMCF(3)])
def test_random_members_give_the_chance_level(function):
    ensemble = Ensemble(np.random.default_rng(1).integers(0, 3, (500, 8)))
    model = fit(function, ensemble)
    level = model.chance_confidence(ensemble)
    assert evidence(model.own_shares(ensemble).mean(), level) == "none"


def test_members_that_know_something_are_above_chance():
    ensemble, _ = make_planted_ensemble(400, 10, 3, noise=0.15, random_state=0)
    model = fit(IPC(3, random_state=0), ensemble)
    assert evidence(model.own_shares(ensemble).mean(), model.chance_confidence(ensemble)) == "some"


def test_permuted_members_keep_sizes_and_missing_labels():
    ensemble, _ = make_planted_ensemble(200, 4, 3, missing=0.2, random_state=0)
    permuted = accidental(ensemble, np.random.default_rng(0))
    assert np.array_equal(permuted.labels < 0, ensemble.labels < 0)
    assert permuted.incidence.sizes.tolist() == ensemble.incidence.sizes.tolist()
    assert not np.array_equal(permuted.labels, ensemble.labels)


def test_permuted_soft_members_keep_their_rows():
    rng = np.random.default_rng(0)
    soft = Ensemble.from_memberships([rng.dirichlet([1, 1, 1], 50), rng.dirichlet([1, 1], 50)])
    permuted = accidental(soft, rng)
    for columns in (slice(0, 3), slice(3, 5)):
        before, after = soft.memberships[:, columns], permuted.memberships[:, columns]
        assert sorted(map(tuple, before.tolist())) == sorted(map(tuple, after.tolist()))
        assert not np.array_equal(before, after)


def test_objects_that_no_member_knows_have_no_confidence():
    labels = np.array([[0, 0], [0, 0], [1, 1], [1, 1], [-1, -1]])
    with pytest.warns(UnlabelledObjectsWarning):
        model = PluralityVoting(2).fit(labels)
    shares = model.own_shares(Ensemble(labels))
    assert np.isnan(shares).tolist() == [False] * 4 + [True]
    assert np.isfinite(model.chance_confidence(labels))
