"""The answer of a view that was tried, carried to all rows."""

import numpy as np

from consilience import Ensemble
from consilience.compose._kept_answer import KeptAnswer
from consilience.compose._views import Tried, View, ViewChoice, _Answer
from consilience.consensus import LWCL
from consilience.datasets import make_planted_ensemble
from consilience.metrics import ari

ENSEMBLE, TRUTH = make_planted_ensemble(400, 10, 4, noise=0.2, random_state=0)


def test_labels_of_all_rows_are_kept():
    labels = TRUTH[::-1].copy()
    kept = KeptAnswer(4, places=np.arange(400), labels=labels)
    assert ari(kept.labels_inside(ENSEMBLE), labels) == 1


def test_other_rows_follow_the_votes():
    places = np.arange(0, 400, 5)
    kept = KeptAnswer(4, places=places, labels=TRUTH[places]).fit(ENSEMBLE)
    assert ari(kept.labels_[places], TRUTH[places]) == 1
    assert ari(kept.labels_, TRUTH) > 0.95
    assert ari(kept.predict(ENSEMBLE), TRUTH) > 0.95


def test_merged_and_unknown_rows():
    L = np.vstack([ENSEMBLE.labels[:3], ENSEMBLE.labels[:3], np.full((1, 10), -1)])
    places = np.array([0, 1, 2, 6])
    kept = KeptAnswer(3, places=places, labels=np.array([0, 1, 2, 0]))
    labels = kept.labels_inside(Ensemble(L))
    assert labels[:6].tolist() == [0, 1, 2, 0, 1, 2]


def test_the_answer_that_won_is_kept_if_all_rows_blur_it():
    truth, wrong = np.repeat([0, 1], [90, 10]), np.repeat([0, 1], [50, 50])
    ensemble = Ensemble(
        [truth, np.repeat([0, 1, 2], [50, 40, 10]), np.repeat([0, 1, 2], [45, 45, 10])]
    )
    views = (
        View("standard", "a", 10, "LWCL", 1.0, 1.0, 1.0, 1.0, chosen=True),
        View("standard", "b", 10, "LWCL", 1.0, 1.0, 1.0, 1.0),
    )
    answers = [_Answer(view, "LWCL", truth, 1.0, 1.0, 1.0) for view in (0, 1)]
    tried = Tried(ViewChoice(views, 100), np.arange(100), answers)
    bad = KeptAnswer(2, places=np.arange(100), labels=wrong)
    best = tried.best_function([bad], ensemble, 2, 0)
    assert best is not bad
    assert ari(best.labels, truth) == 1
    # a function that finds the same comes first
    assert tried.best_function(["LWCL"], ensemble, 2, 0) == "LWCL"
    assert ari(LWCL(2).labels_inside(ensemble), truth) == 1


def test_rows_of_a_sample_are_found_among_all():
    views = (View("standard", "a", 10, "LWCL", chosen=True),)
    tried = Tried(ViewChoice(views, 2), np.array([0, 2]), [])
    assert tried.at(slice(None)) is tried
    assert tried.at(np.array([5, 7, 9])).places.tolist() == [5, 9]
