"""Claims of the paper that hold on data every clone has."""

import pytest

from experiments.fern2004.claims import larger_improvement, more_diverse
from experiments.fern2004.measure import Plan, measure
from experiments.fern2004.ranking import agreeing_pairs, ranking
from experiments.fern2004.sets import charts, digits
from experiments.harness import printed

NAMES = ("CHART", "DIGITS")


@pytest.fixture(scope="module")
def measured():
    plan = Plan((20,), 3)
    return {
        data.name: {name: measure(data, name, plan) for name in ("RP", "PCASS")}
        for data in (charts(), digits())
    }


def test_random_projections_are_more_diverse_than_principal_axes_with_subsamples(measured):
    assert more_diverse(NAMES, measured).verdict == "reproduced"


def test_every_function_improves_more_on_random_projections(measured):
    assert larger_improvement(NAMES, measured).verdict == "reproduced"


def test_most_pairs_of_functions_rank_as_printed_on_control_charts(measured):
    (there,) = [
        row["ranking_worst_to_best"]
        for row in printed("fern2004", "table05_improvement_rate_RP")
        if row["dataset"] == "CHART"
    ]
    same, of = agreeing_pairs(ranking(measured["CHART"]["RP"].improvement), there)
    assert same > of / 2


@pytest.mark.parametrize("table", ["table05_improvement_rate_RP", "table06_improvement_rate_PCASS"])
def test_restored_signs_explain_the_printed_averages_and_rankings(table):
    *rows, average = printed("fern2004", table)
    for function in ("IBGF", "CBGF", "HBGF", "KMCF"):
        mean = sum(row[function] for row in rows) / len(rows)
        assert mean == pytest.approx(average[function], abs=0.00051)
    for row in [*rows, average]:
        initials = row["ranking_worst_to_best"].split()[::2]
        means = {name[0]: row[name] for name in ("IBGF", "CBGF", "HBGF", "KMCF")}
        assert [means[initial] for initial in initials] == sorted(means.values())
