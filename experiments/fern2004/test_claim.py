"""Claims of the paper that hold on data every clone has."""

import numpy as np
import pytest

from experiments.fern2004.judge import _consistently, _degrade, _more_diverse, _rates
from experiments.fern2004.measure import Plan, measure
from experiments.fern2004.ranking import agreeing_pairs, ranking
from experiments.fern2004.sets import axes_that_keep, charts, digits
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
    found = _more_diverse(measured)
    assert found.holds == found.of


def test_every_function_improves_more_on_random_projections(measured):
    rates = [_rates(measured, kind, one_start=False) for kind in ("RP", "PCASS")]
    found = _degrade(*rates)
    assert found.holds == found.of


def test_ensembles_of_random_projections_are_better_than_their_members(measured):
    found = _consistently(measured)
    assert found.holds == found.of


def test_one_random_start_of_k_means_is_worse_than_ten_careful_ones(measured):
    for name in NAMES:
        careful, plain = (
            measured[name]["RP"].improvement(one_start=one)["KMCF"].mean() for one in (False, True)
        )
        assert plain < careful


def test_principal_axes_are_counted_by_the_variance_they_keep():
    # Columns without correlation and of variances 8, 1.5 and 0.5.
    X = np.array([[1, 1, 1], [-1, 1, -1], [1, -1, -1], [-1, -1, 1]]) * np.sqrt([8, 1.5, 0.5])
    assert [axes_that_keep(X, share) for share in (0.79, 0.81, 0.94, 0.96)] == [1, 2, 2, 3]


def test_most_pairs_of_functions_rank_as_printed_on_control_charts(measured):
    (there,) = [
        row["ranking_worst_to_best"]
        for row in printed("fern2004", "table05_improvement_rate_RP")
        if row["dataset"] == "CHART"
    ]
    same, of = agreeing_pairs(ranking(measured["CHART"]["RP"].improvement()), there)
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
