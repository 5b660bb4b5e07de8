"""Results chosen by any criterion: BEST among members, IVC, IPVC and IPC among their starts."""

from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone

from consilience import Ensemble
from consilience.consensus import BEST, IPC, IPVC, IVC
from consilience.consensus._criteria import CRITERIA
from consilience.exceptions import InvalidInputError, InvalidParameterError
from consilience.metrics import KnownClasses
from oracles import agreement
from oracles.labels import canonical
from oracles.strategies import (
    examples,
    fit,
    incomplete_ensembles,
    label_matrices,
    partitions,
    uniform_ensembles,
)

SIX = np.array([[0, 0, 0, 1, 1, 0], [1, 0, 0, 1, 1, 1], [1, 0, 1, 0, 1, 1], [0, 0, 1, 0, 1, 1]]).T
TRUTH = [0, 0, 0, 1, 1, 1]
VOTING = [pytest.param(f, id=f.__name__) for f in (IVC, IPVC, IPC)]


def _accuracy(labels, truth):
    """Matched objects under the best one-to-one map of clusters to classes, at most as many classes."""
    clusters, classes = sorted(set(labels)), sorted(set(truth))
    padded = classes + [None] * max(0, len(clusters) - len(classes))
    matched = [
        sum(
            dict(zip(clusters, order, strict=False))[a] == b
            for a, b in zip(labels, truth, strict=True)
        )
        for order in permutations(padded, len(clusters))
    ]
    return max(matched) / len(labels)


def _purity(labels, truth):
    pairs = list(zip(labels, truth, strict=True))
    return sum(max(pairs.count((k, c)) for c in set(truth)) for k in set(labels)) / len(labels)


def _ari(labels, truth):
    """Pairs together in both, corrected for their expectation by the numbers of pairs in each."""
    pairs = list(combinations(range(len(labels)), 2))
    here = [labels[i] == labels[j] for i, j in pairs]
    there = [truth[i] == truth[j] for i, j in pairs]
    both = sum(a and b for a, b in zip(here, there, strict=True))
    expected = sum(here) * sum(there) / len(pairs)
    largest = (sum(here) + sum(there)) / 2
    return 1.0 if largest == expected else (both - expected) / (largest - expected)


SCORES = {
    "nmi": agreement.nmi,
    "ari": _ari,
    "accuracy": _accuracy,
    "purity": _purity,
    "rand": lambda labels, truth: 1 - float(agreement.rand_distance(labels, truth)),
}


@pytest.mark.parametrize("score", SCORES)
@given(L=label_matrices(min_r=2, max_n=8), data=st.data())
@examples(40)
def test_best_by_known_classes(score, L, data):
    truth = data.draw(st.lists(st.integers(0, 2), min_size=len(L), max_size=len(L)))
    values = [SCORES[score](column, truth) for column in L.T.tolist()]
    near = [j for j, value in enumerate(values) if value >= max(values) - 1e-9]
    model = fit(BEST(criterion=KnownClasses(truth, score)), L)
    assert model.objective_ == pytest.approx(max(values))
    assert model.member_ in {f"member_{j}" for j in near}
    assert model.labels_.tolist() == L[:, int(model.member_.removeprefix("member_"))].tolist()


@pytest.mark.parametrize("function", [*VOTING, pytest.param(BEST, id="BEST")])
@pytest.mark.parametrize("repeats", [1, 5])
def test_criteria_see_all_objects_and_members_in_their_order(function, repeats):
    """Merged rows, objects without a label and members without weight are put back first."""
    L = np.repeat(SIX, repeats, axis=0)
    L = np.vstack([L, -np.ones((2, 4), dtype=int)])
    ensemble = Ensemble(L, weights=[1, 0, 1, 1])
    seen = []

    def criterion(labels, given):
        seen.append((labels.tolist(), given.n_samples, given.n_members))
        assert given.labels.tolist() == ensemble.labels.tolist()
        return 0.0

    model = fit(function(2, criterion=criterion), ensemble)
    assert {(n, r) for _, n, r in seen} == {(len(L), 4)}
    assert model.labels_.tolist() in [labels for labels, _, _ in seen]
    assert all(len(labels) == len(L) for labels, _, _ in seen)


@pytest.mark.parametrize("function", VOTING)
@given(ensemble=uniform_ensembles(max_n=10), data=st.data())
@examples(40)
def test_starts_are_chosen_by_known_classes(function, ensemble, data):
    L, K = ensemble
    truth = data.draw(st.lists(st.integers(0, 2), min_size=len(L), max_size=len(L)))
    plain = fit(function(K, random_state=0), L)
    model = fit(function(K, criterion=KnownClasses(truth), random_state=0), L)
    assert set(partitions(model)) == set(partitions(plain))
    values = [agreement.nmi(labels, truth) for labels in partitions(model)]
    assert [-s.criterion for s in model.solutions_] == pytest.approx(values)
    assert values == sorted(values, reverse=True) or np.allclose(values, sorted(values)[::-1])
    assert canonical(model.labels_.tolist()) == partitions(model)[0]


@pytest.mark.parametrize("function", VOTING)
def test_the_truth_of_the_paper_is_kept_by_known_classes_alone(function):
    options = {"init": "random_partition", "n_init": 100, "random_state": 0}
    assert fit(function(2, **options), SIX).labels_.tolist() != TRUTH
    model = fit(function(2, criterion=KnownClasses(TRUTH), **options), SIX)
    assert model.labels_.tolist() == TRUTH
    assert model.solutions_[0].criterion == pytest.approx(-1)


@pytest.mark.parametrize("name", sorted(CRITERIA))
@given(ensemble=incomplete_ensembles(max_n=10))
@examples(20)
def test_names_of_panels_are_criteria_too(name, ensemble):
    L, K = ensemble
    members = Ensemble(L)
    model = fit(IPC(K, criterion=name, random_state=0), members)
    values = [CRITERIA[name](s.labels, members) for s in model.solutions_]
    assert [-s.criterion for s in model.solutions_] == pytest.approx(values, abs=1e-9)
    assert values[0] == pytest.approx(max(values), abs=1e-9)
    best = fit(BEST(criterion=name), members)
    assert best.member_ in members.names


@pytest.mark.parametrize("function", [*VOTING, pytest.param(BEST, id="BEST")])
def test_the_use_of_classes_is_recorded(function):
    model = fit(function(2, criterion=KnownClasses(["x"] * 3 + ["y"] * 3, "ari")), SIX)
    assert model.uses_classes_
    (doubt,) = [doubt for doubt in model.doubts_ if doubt.code == "known-classes"]
    assert doubt.sentence == (
        f"{function.__name__} chose its result by known classes, so its agreement with these classes "
        "says nothing about data without them."
    )
    shown = model.provenance_["parameters"]["criterion"]
    assert shown == "KnownClasses(6 objects, 2 classes, score='ari')"
    again = fit(clone(model), SIX)
    assert again.labels_.tolist() == model.labels_.tolist()
    plain = fit(function(2), SIX)
    assert not plain.uses_classes_
    assert "known-classes" not in [doubt.code for doubt in plain.doubts_]


def test_classes_of_some_objects_and_a_score_of_ones_own():
    criterion = KnownClasses([0, 0, None, 1, 1, None])
    assert criterion([1, 1, 0, 0, 0, 1], None) == pytest.approx(1)
    matches = KnownClasses(
        TRUTH, lambda labels, truth: sum(a == b for a, b in zip(labels, truth, strict=True))
    )
    assert matches([0, 0, 0, 0, 1, 1]) == 5
    assert repr(criterion) == "KnownClasses(6 objects, 2 classes, score='nmi')"


@pytest.mark.parametrize("value", ["high", None, float("nan"), float("-inf"), True, np.ones(2)])
def test_criteria_return_finite_numbers(value):
    with pytest.raises(
        InvalidParameterError, match="criterion must return a finite number, larger"
    ):
        IPC(2, criterion=lambda *_: value).fit(SIX)


def test_errors():
    names = r"IVC: criterion must be one of 'rand', 'anmi', 'objective', .*, or a function"
    for wrong in ("nmi", 3, None):
        with pytest.raises(InvalidParameterError, match=names):
            IVC(2, criterion=wrong).fit(SIX)
    with pytest.raises(InvalidParameterError, match=r"score must be one of 'nmi', .*got 'f1'"):
        KnownClasses(TRUTH, "f1")
    with pytest.raises(InvalidInputError, match=r"each of the 6 objects, .*; got 5 classes"):
        BEST(criterion=KnownClasses(TRUTH[1:])).fit(SIX)
