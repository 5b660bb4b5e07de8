"""Claims of the paper that hold on data every clone has."""

import numpy as np
import pytest

from consilience.consensus import IVC
from consilience.metrics import KnownClasses, purity
from experiments.harness import Pieces, quietly
from experiments.nguyen2007.example import (
    members,
    recover,
    recovery_entries,
    similarity_entry,
    similarity_table,
)
from experiments.nguyen2007.judge import _as_good, _comparable, _member_starts, _rounds
from experiments.nguyen2007.measure import GENERATORS, PROPOSED, Plan, ensembles, measure
from experiments.nguyen2007.sets import digits

PLAN = Plan(n_members=30, n_ensembles=1)


@pytest.fixture(scope="module")
def cases():
    return measure(digits(), PLAN, Pieces(None))


@pytest.mark.parametrize("count", [lambda cases: _as_good(cases, 0), _comparable, _rounds])
def test_the_three_methods_are_good_alike_and_need_few_rounds(cases, count):
    found = count(cases)
    assert found.holds == found.of


def test_both_pairwise_methods_make_the_same_choices(cases):
    for case in cases:
        assert case.starts["IPC"] == pytest.approx(case.starts["IPVC"])


def test_members_are_better_starts_than_random_partitions_in_most_cases(cases):
    found = _member_starts(cases)
    assert 2 * found.holds >= found.of


def test_starts_chosen_by_a_criterion_are_the_best_by_it(cases):
    for case in cases:
        ours = case.scores[: len(PROPOSED)]
        assert np.allclose(case.own_starts[:, 0], ours[:, 0])
        assert (case.own_starts[:, 1] <= ours[:, 1] + 1e-9).all()
        assert (case.own_starts[:, 2] >= ours[:, 2] - 1e-9).all()


def test_a_fit_that_chooses_by_known_classes_gives_the_same_accuracy(cases):
    data, generator = digits(), next(iter(GENERATORS))
    (ensemble,) = ensembles(data, generator, PLAN)
    known = KnownClasses(data.y, "purity")
    with quietly():
        fitted = IVC(data.n_clusters, n_init=100, criterion=known, random_state=0).fit(ensemble)
    (case,) = [case for case in cases if case.generator == generator]
    assert purity(fitted.labels_, data.y) == pytest.approx(case.own_starts[0, 2])


def test_similarities_of_the_worked_example_are_as_printed():
    assert similarity_entry(similarity_table()).verdict == "reproduced"


def test_the_true_clusters_of_the_worked_example_are_no_optimum():
    # Of all 31 ways to make two clusters, another one agrees best with the members.
    labels = members()
    together = np.array([[np.mean(a == b) for b in labels] for a in labels])
    above = np.triu_indices(6, 1)

    def distance(clusters):
        same = np.equal.outer(clusters, clusters)
        return np.where(same, 1 - together, together)[above].mean()

    ways = [np.array([0, *(code >> k & 1 for k in range(5))]) for code in range(1, 32)]
    found = recover()
    assert (
        found.truth == pytest.approx(distance(np.array([0, 0, 0, 1, 1, 1]))) == pytest.approx(0.45)
    )
    assert min(found.distances.values()) == pytest.approx(min(map(distance, ways)))
    assert [entry.verdict for entry in recovery_entries(found)] == ["reproduced", "reproduced"]
