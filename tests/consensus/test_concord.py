"""Concord: the best answer of a panel by what the votes of base clusters say."""

import pytest
from hypothesis import given

from consilience.consensus import Concord, Supra
from consilience.consensus._panel import PANEL
from consilience.datasets import make_planted_ensemble
from consilience.metrics import anmi, ari, confidence, vote_information
from oracles.strategies import examples, fit, incomplete_ensembles

ENSEMBLE, TRUTH = make_planted_ensemble(200, 9, 3, noise=0.4, missing=0.1, random_state=1)


def test_the_answer_with_the_best_criterion_is_kept():
    fitted = Concord(3, random_state=0).fit(ENSEMBLE)
    assert {row.function for row in fitted.table_} == set(PANEL)
    assert fitted.objective_ == max(row.score for row in fitted.table_)
    sure, told = confidence(fitted.labels_, ENSEMBLE), vote_information(fitted.labels_, ENSEMBLE)
    assert fitted.objective_ == pytest.approx(sure**4 * told)
    assert ari(fitted.labels_, TRUTH) > 0.85


@pytest.mark.parametrize("criterion", ["confidence", "information", "anmi"])
@pytest.mark.parametrize("panel", [Concord, Supra])
def test_other_criteria(panel, criterion):
    fitted = panel(3, criterion=criterion, random_state=0).fit(ENSEMBLE)
    measure = {"confidence": confidence, "information": vote_information, "anmi": anmi}[criterion]
    assert fitted.objective_ == pytest.approx(measure(fitted.labels_, ENSEMBLE))
    assert fitted.objective_ == max(row.score for row in fitted.table_)


@given(incomplete_ensembles(max_n=12))
@examples(40)
def test_table_says_what_every_answer_is_worth(problem):
    L, K = problem
    fitted = fit(Concord(K, functions=["IVC", "KMCF"], random_state=0), L)
    rank = [(row.n_clusters, row.score) for row in fitted.table_]
    assert rank == sorted(rank, reverse=True)
    assert fitted.n_clusters_ == max(row.n_clusters for row in fitted.table_)


def test_the_panel_is_the_same_for_many_objects():
    ensemble, truth = make_planted_ensemble(6000, 12, 4, noise=0.3, random_state=0)
    fitted = Concord(4, random_state=0).fit(ensemble)
    assert {row.function for row in fitted.table_} == set(PANEL)
    assert ari(fitted.labels_, truth) > 0.95
