"""Doubts are data: codes, figures and sentences, from the fit or for labels of anybody."""

import json
import threading
import warnings

import numpy as np
import pytest

from consilience import Ensemble
from consilience.consensus import CSPA, GWCA, IPC, IVC, PluralityVoting
from consilience.consensus import _doubts as doubts
from consilience.consensus._doubts import Doubt, untold, warn_of
from consilience.consensus._trust import doubts_about
from consilience.datasets import make_planted_ensemble
from consilience.exceptions import (
    BrokenConstraintsWarning,
    ConsilienceWarning,
    FewerClustersWarning,
    NoDiversityWarning,
    NoSignalWarning,
    UnlabelledObjectsWarning,
)

PLANTED, TRUTH = make_planted_ensemble(300, 8, 3, noise=0.2, random_state=0)
RANDOM = np.random.default_rng(0).integers(0, 3, (2000, 6))
CODES = {
    value
    for name, value in vars(doubts).items()
    if name.isupper() and isinstance(value, str) and not name.startswith("_")
}


def codes(found):
    return [doubt.code for doubt in found]


def quietly(function, labels, **given):
    with untold():
        return function.fit(labels, **given)


def test_every_code_has_a_title_and_at_most_one_warning():
    assert len(CODES) == 20
    for code in CODES:
        doubt = Doubt(code, {"figure": float("nan"), "count": 3}, "A sentence.", "a clause")
        assert doubt.title
        assert json.loads(json.dumps(doubt.as_dict(), allow_nan=False))["figures"] == {
            "figure": None,
            "count": 3,
        }


@pytest.mark.parametrize(
    ("function", "labels", "category", "code", "figures"),
    [
        (IPC(3), np.column_stack([TRUTH] * 3), NoDiversityWarning, "no-diversity", {"mean_ari": 1}),
        (IVC(3, random_state=0), RANDOM, NoSignalWarning, "no-signal", {}),
        (
            PluralityVoting(3),
            [[0, 0, 1, 1, 0], [0, 0, 1, 1, 1]],
            FewerClustersWarning,
            "fewer-clusters",
            {"clusters": 2, "asked": 3},
        ),
    ],
    ids=["same", "random", "fewer"],
)
def test_warnings_are_made_of_doubts(function, labels, category, code, figures):
    with pytest.warns(category) as caught:
        function.fit(labels)
    doubt = next(doubt for doubt in function.doubts_ if doubt.code == code)
    assert doubt.sentence in {str(warning.message) for warning in caught}
    for name, value in figures.items():
        assert doubt.figures[name] == pytest.approx(value)


def test_figures_of_doubts_are_numbers_in_their_sentences():
    function = quietly(IVC(3, random_state=0), RANDOM)
    (doubt,) = function.doubts_
    assert f"{doubt.figures['shared_pairs']:.3f}" in doubt.sentence


def test_doubts_of_given_labels_are_those_of_the_fit():
    function = quietly(IVC(3, random_state=0), RANDOM)
    assert doubts_about(function.labels_, Ensemble(RANDOM)) == function.doubts_


def test_broken_constraints_are_a_doubt_with_names():
    ids = [f"p{row}" for row in range(300)]
    far = [int(np.flatnonzero(k == TRUTH)[0]) for k in (0, 1)]
    named = Ensemble(PLANTED.labels, ids=ids)
    with pytest.warns(BrokenConstraintsWarning, match=f"'p{min(far)}' and 'p{max(far)}'"):
        function = GWCA(3, random_state=0).fit(named, must_link=[[f"p{row}" for row in far]])
    (doubt,) = [doubt for doubt in function.doubts_ if doubt.code == "broken-constraints"]
    assert doubt.clause == "1 of 1 must-link does not hold"
    assert (doubt.figures["must_link"], doubt.figures["must_link_broken"]) == (1, 1)
    assert sorted((doubt.figures["first"], doubt.figures["second"])) == sorted(far)


def test_objects_that_no_member_knows():
    labels = PLANTED.labels.copy()
    labels[:7] = -1
    with pytest.warns(UnlabelledObjectsWarning, match="7 of 300 objects are labelled by no member"):
        function = IPC(3, random_state=0).fit(labels)
    (doubt,) = function.doubts_
    assert doubt.figures == {"objects": 7, "of": 300, "share": pytest.approx(7 / 300)}
    assert "put into the largest cluster" in doubt.sentence
    (given,) = doubts_about(TRUTH, Ensemble(labels))
    assert given.code == "unknown-objects"
    assert "put into" not in given.sentence, "given labels were put nowhere"


@pytest.mark.parametrize(("n_once", "doubtful"), [(14, False), (15, True)])
def test_objects_that_one_member_knows_are_a_doubt_from_five_percent(n_once, doubtful):
    labels = PLANTED.labels.copy()
    labels[:n_once, 1:] = -1
    ensemble = Ensemble(labels)
    function = IPC(3, random_state=0).fit(ensemble)
    expected = ["known-to-one-member"] if doubtful else []
    assert codes(function.doubts_) == codes(doubts_about(TRUTH, ensemble)) == expected
    if doubtful:
        assert function.doubts_[0].figures["objects"] == 15
        assert "15 of 300 objects (5%) are labelled by one member only" in str(function.doubts_[0])


def test_members_of_weight_zero_know_nothing():
    ensemble = PLANTED.select([0, 1]).with_weights([1.0, 0.0])
    function = quietly(IPC(3, random_state=0), ensemble)
    assert function.doubts_[0].figures["share"] == 1.0
    assert codes(doubts_about(TRUTH, ensemble)) == ["known-to-one-member"]


def test_untold_doubts_are_kept_and_filters_left_alone():
    before = list(warnings.filters)
    with untold():
        function = IPC(3).fit(np.column_stack([TRUTH] * 3))
        assert warnings.filters == before
    assert codes(function.doubts_) == ["no-diversity"]
    with pytest.warns(NoDiversityWarning):
        warn_of(function.doubts_)


@pytest.mark.filterwarnings("error::consilience.exceptions.ConsilienceWarning")
def test_other_threads_are_told():
    caught = []

    def fit():
        try:
            IPC(3).fit(np.column_stack([TRUTH] * 3))
        except ConsilienceWarning as warning:  # warnings are errors here
            caught.append(warning)

    with untold():
        other = threading.Thread(target=fit)
        other.start()
        other.join()
    assert len(caught) == 1


def test_functions_inside_others_say_nothing():
    """Labels for a panel or a level by chance are asked for without any warning."""
    unequal = np.repeat([0, 1], [90, 10])
    members = Ensemble(np.column_stack([unequal, unequal, np.roll(unequal, 1)]))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        CSPA(2, random_state=0).labels_inside(members)
    function = quietly(CSPA(2, random_state=0), members)
    doubt = next(doubt for doubt in function.doubts_ if doubt.code == "unequal-clusters")
    assert doubt.figures == {"smallest": 10, "largest": 90, "allowed": 50}
