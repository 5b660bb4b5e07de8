"""The supra-consensus keeps the best answer and shows all."""

import numpy as np
import pytest

from consilience import Ensemble
from consilience.consensus import BEST, IVC, KMCF, Supra
from consilience.consensus._panel import DEFAULT_FUNCTIONS
from consilience.datasets import make_planted_ensemble
from consilience.exceptions import InvalidParameterError
from consilience.metrics import anmi, ari
from consilience.testing._checks import quietly

ENSEMBLE, TRUTH = make_planted_ensemble(200, 9, 3, noise=0.3, missing=0.1, random_state=1)


def test_the_table_shows_every_function_and_the_best_is_kept():
    fitted = Supra(3, criterion="anmi", random_state=0).fit(ENSEMBLE)
    assert {row.function for row in fitted.table_} == set(DEFAULT_FUNCTIONS)
    scores = [row.score for row in fitted.table_]
    assert scores == sorted(scores, reverse=True)
    assert fitted.function_ == fitted.table_[0].function
    assert fitted.objective_ == scores[0] == pytest.approx(anmi(fitted.labels_, ENSEMBLE))
    for row in fitted.table_:
        assert row.score == pytest.approx(anmi(row.labels, ENSEMBLE))
        assert row.n_clusters == len(np.unique(row.labels))


def test_functions_by_name_and_by_object():
    chosen = ["BEST", IVC(n_init=2, random_state=3), KMCF(random_state=0)]
    fitted = Supra(3, functions=chosen).fit(ENSEMBLE)
    answers = {row.function: row.labels for row in fitted.table_}
    with quietly():
        expected = IVC(3, n_init=2, random_state=3).fit(ENSEMBLE).labels_
        best = BEST(3).fit(ENSEMBLE).labels_
    assert ari(answers["IVC"], expected) == ari(answers["BEST"], best) == 1
    assert chosen[1].n_clusters == 8, "the estimator that was passed must stay as it was"


@pytest.mark.parametrize("functions", [[], "IPC", ["IPC", "nobody"], [3]])
def test_bad_lists(functions):
    with pytest.raises(
        InvalidParameterError, match="functions must be None or a list of consensus"
    ):
        Supra(3, functions=functions).fit(Ensemble([[0, 1, 2]]))
