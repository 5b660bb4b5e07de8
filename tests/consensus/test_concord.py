"""Concord: at least as near to the members as any function it asks."""

import numpy as np
import pytest
from hypothesis import given

from consilience import Ensemble
from consilience.consensus import Concord, Supra
from consilience.consensus._concord import LINEAR_FUNCTIONS, QUADRATIC_FUNCTIONS
from consilience.datasets import make_planted_ensemble
from consilience.metrics import anmi, ari
from oracles.strategies import examples, fit, incomplete_ensembles

ENSEMBLE, TRUTH = make_planted_ensemble(200, 9, 3, noise=0.4, missing=0.1, random_state=1)


def test_never_further_from_the_members_than_its_parts():
    fitted = Concord(3, random_state=0).fit(ENSEMBLE)
    asked = {row.function for row in fitted.table_}
    assert set(LINEAR_FUNCTIONS + QUADRATIC_FUNCTIONS) <= asked
    assert fitted.objective_ == max(row.anmi for row in fitted.table_)
    assert fitted.objective_ == pytest.approx(anmi(fitted.labels_, ENSEMBLE))
    assert fitted.objective_ >= Supra(3, random_state=0).fit(ENSEMBLE).objective_
    assert ari(fitted.labels_, TRUTH) > 0.85


@given(incomplete_ensembles(max_n=12))
@examples(40)
def test_table_says_what_every_answer_is_worth(problem):
    L, K = problem
    fitted = fit(Concord(K, functions=["IVC", "KMCF"], random_state=0), L)
    assert all(a.anmi >= b.anmi for a, b in zip(fitted.table_, fitted.table_[1:], strict=False))
    assert fitted.n_clusters_ == max(row.n_clusters for row in fitted.table_)


def test_soft_members_are_asked_without_linkage():
    P = np.repeat([[0.9, 0.1], [0.2, 0.8]], 10, axis=0)
    soft = Ensemble.from_memberships([P, P[:, ::-1], 0.5 * P + 0.25])
    fitted = fit(Concord(2, random_state=0), soft)
    assert not set(QUADRATIC_FUNCTIONS) & {row.function for row in fitted.table_}
    assert fitted.labels_.tolist() == [0] * 10 + [1] * 10
