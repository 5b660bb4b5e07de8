"""Claims of the paper that hold on data every clone has."""

import pytest

from experiments.nguyen2007.claims import among_the_best, few_rounds, worked_example
from experiments.nguyen2007.measure import Plan, measure
from experiments.nguyen2007.sets import digits
from experiments.nguyen2007.tables import similarity_table


@pytest.fixture(scope="module")
def cases():
    return measure(digits(), Plan(n_members=30, n_ensembles=1))


def test_the_three_methods_are_among_the_best_by_consensus_rand(cases):
    assert among_the_best(cases, "consensus Rand").verdict == "reproduced"


def test_the_three_methods_need_few_rounds(cases):
    assert few_rounds(cases).verdict == "reproduced"


def test_both_pairwise_methods_make_the_same_choices(cases):
    for case in cases:
        assert case.starts["IPC"] == pytest.approx(case.starts["IPVC"])


def test_similarities_of_the_worked_example_are_as_printed():
    assert worked_example(similarity_table()).verdict == "reproduced"
