"""Consensus functions compared by the protocol of Fern and Brodley."""

import numpy as np
import pytest
from scipy.stats import t as student_t
from scipy.stats import ttest_rel

from consilience import Ensemble, metrics
from consilience.consensus import BEST, HAC, HBGF, IPC, KMCF
from consilience.datasets import make_planted_ensemble
from consilience.diagnose import compare_functions
from consilience.diagnose._compare_functions import _summary, paired_p_values, ranking
from consilience.exceptions import InvalidInputError, InvalidParameterError
from oracles.strategies import fit


@pytest.fixture(scope="module")
def planted():
    return [
        make_planted_ensemble(80, 6, 3, noise=0.5, missing=0.1, random_state=j) for j in range(5)
    ]


@pytest.fixture(scope="module")
def compared(planted):
    ensembles, truths = [p.ensemble for p in planted], [p.truth for p in planted]
    return compare_functions(ensembles, ["BEST", IPC(3), "HBGF"], truths, random_state=0)


def test_table_is_what_every_fit_gives(planted, compared):
    for row, (ensemble, truth) in zip(compared.nmi, planted, strict=True):
        labels = fit(BEST(n_clusters=3), ensemble).labels_
        assert row[0] == pytest.approx(metrics.nmi(labels, truth))
    assert compared.functions == ("BEST", "IPC", "HBGF")
    assert str(compared).startswith(f"{compared.ranking} on 5 ensembles: ")
    assert compared.nmi.shape == compared.snmi.shape == (5, 3)


def test_figures_follow_from_the_table(planted, compared):
    quality = [
        np.mean([metrics.nmi(column, truth) for column in ensemble.labels.T])
        for ensemble, truth in planted
    ]
    np.testing.assert_allclose(compared.base_quality, quality)
    rates = compared.nmi / np.array(quality)[:, None] - 1
    np.testing.assert_allclose(compared.improvement, rates)
    np.testing.assert_array_equal(compared.upper_bound, compared.nmi.max(axis=1))
    for number, column in enumerate(compared.chosen):
        assert compared.snmi[number, column] == pytest.approx(compared.snmi[number].max())
        assert compared.realistic[number] == compared.nmi[number, column]
    assert np.all(compared.realistic <= compared.upper_bound)
    expected = ttest_rel(compared.nmi[:, 0], compared.nmi[:, 1]).pvalue
    assert compared.p_values[0, 1] == compared.p_values[1, 0] == pytest.approx(expected)


def test_ranking_by_improvement_rates():
    """NMI is dominated by the easy data set, rates by the hard one: the functions change places."""
    table = np.array([[0.90, 0.80], [0.92, 0.83], [0.10, 0.15], [0.12, 0.19]])
    quality = np.array([0.80, 0.80, 0.10, 0.10])
    by_nmi = _summary(("A", "B"), table, table, quality, "nmi")
    by_rate = _summary(("A", "B"), table, table, quality, "improvement")
    # mean NMI .51 and .4925; mean rates .11875 and .359375
    assert (by_nmi.ranking, by_rate.ranking) == ("B <= A", "A <= B")
    differences = np.array([0.125, 0.15, 0.0, 0.2]) - [0.0, 0.0375, 0.5, 0.9]
    t = differences.mean() / (differences.std(ddof=1) / 2)
    assert by_rate.p_values[0, 1] == pytest.approx(2 * student_t(3).sf(abs(t)))
    assert str(by_rate).startswith("A <= B by improvement rate on 4 ensembles: ")
    assert str(by_nmi).startswith("B <= A on 4 ensembles: ")
    # An ensemble whose members know nothing of the truth has no rate.
    more = np.vstack([table, [0.5, 0.1]])
    found = _summary(("A", "B"), more, np.ones((5, 2)), np.append(quality, 0), "improvement")
    np.testing.assert_allclose(found.p_values, by_rate.p_values)
    assert found.ranking == "A <= B"


def test_the_score_decides_what_is_ranked(planted, compared):
    ensembles, truths = [p.ensemble for p in planted], [p.truth for p in planted]
    functions = ["BEST", IPC(3), "HBGF"]
    rates = compare_functions(ensembles, functions, truths, score="improvement", random_state=0)
    np.testing.assert_array_equal(rates.nmi, compared.nmi)
    assert (compared.score, rates.score) == ("nmi", "improvement")
    np.testing.assert_array_equal(rates.p_values, paired_p_values(compared.improvement))
    order = np.argsort(compared.improvement.mean(axis=0), kind="stable")
    assert [name for name in rates.ranking.split() if "<" not in name] == [
        rates.functions[k] for k in order
    ]
    with pytest.raises(InvalidParameterError, match="score must be one of 'nmi', 'improvement'"):
        compare_functions(ensembles, functions, truths, score="ari")


def test_ranking_notation():
    table = np.array([[0.1, 0.5, 0.52], [0.2, 0.6, 0.58], [0.1, 0.55, 0.57], [0.2, 0.6, 0.61]])
    p_values = paired_p_values(table)
    assert ranking(["A", "B", "C"], table.mean(axis=0), p_values) == "A < B <= C"
    assert ranking(["A", "C", "B"], table.mean(axis=0)[[0, 2, 1]], p_values) == "A < B <= C"
    assert ranking(["A"], np.array([0.5]), np.ones((1, 1))) == "A"


def test_columns_without_spread_need_no_test():
    column = np.array([0.3, 0.6, 0.1 + 0.2])
    p_values = paired_p_values(np.column_stack([column, column, column + 0.1, column[::-1]]))
    assert p_values[0, 1] == 1
    assert p_values[0, 2] == 0
    assert 0 < p_values[0, 3] <= 1


def test_two_differences_are_enough_for_a_test():
    table = np.array([[0.1, 0.4, 0.3], [0.2, 0.4, 0.4]])
    p_values = paired_p_values(table)
    assert p_values[0, 1] == pytest.approx(ttest_rel(table[:, 0], table[:, 1]).pvalue)
    assert 0 < p_values[0, 1] < 1
    assert p_values[0, 2] == 0, "a constant apart on two rows"
    alone = paired_p_values(table[:1, [0, 1, 0]])
    assert np.isnan(alone[0, 1])
    assert alone[0, 2] == 1


def test_one_ensemble_allows_no_test(planted):
    ensemble, truth = planted[0]
    compared = compare_functions([ensemble], [BEST(), HAC(3)], truth, random_state=0)
    assert np.isnan(compared.p_values[0, 1])
    assert "<=" in compared.ranking
    assert "on 1 ensemble:" in str(compared)


def test_one_truth_for_all_and_classes_as_text(planted):
    ensemble, truth = planted[0]
    half = ensemble.select(range(3))
    words = np.array(["x", "y", "z"])[truth]
    functions = {"exact": HBGF(3, random_state=0), "coarse": HBGF(2, random_state=0)}
    one = compare_functions([ensemble, half], functions, truth)
    for given in ([truth, words.tolist()], np.array([truth, truth])):
        each = compare_functions([ensemble, half], functions, given)
        np.testing.assert_array_equal(one.nmi, each.nmi)
    alone = compare_functions([ensemble], functions, [truth])
    np.testing.assert_array_equal(alone.nmi, one.nmi[:1])
    assert one.functions == ("exact", "coarse")


def test_estimators_of_one_class_are_numbered_and_seeds_decide(planted):
    ensembles, truths = [p.ensemble for p in planted[:2]], [p.truth for p in planted[:2]]
    functions = [KMCF(3), KMCF(4), "KMCF"]
    one = compare_functions(ensembles, functions, truths, random_state=1)
    two = compare_functions(ensembles, functions, truths, random_state=1, n_jobs=2)
    assert one.functions == ("KMCF", "KMCF 2", "KMCF 3")
    np.testing.assert_array_equal(one.nmi, two.nmi)


def test_names_get_the_number_of_classes_unless_told(planted):
    ensemble, truth = planted[0]
    told = compare_functions([ensemble], ["HAC"], truth, n_clusters=2)
    assert told.nmi[0, 0] == compare_functions([ensemble], [HAC(2)], truth).nmi[0, 0]
    classes = compare_functions([ensemble], ["HAC"], truth)
    assert classes.nmi[0, 0] == compare_functions([ensemble], [HAC(3)], truth).nmi[0, 0]


def test_members_without_quality_have_no_improvement():
    constant = Ensemble(np.zeros((6, 2), dtype=int))
    compared = compare_functions([constant], [BEST()], [0, 1] * 3)
    assert np.isnan(compared.improvement).all()
    two = compare_functions([constant], [BEST(), BEST()], [0, 1] * 3, score="improvement")
    assert np.isnan(two.p_values[0, 1])
    assert two.ranking == "BEST <= BEST 2"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([], ["IPC"], [0, 1]), "ensembles must be a list of at least one ensemble"),
        (([[[0, 1]]], ["IPC"], [[0, 1], [0, 1]]), "got 2 vectors for 1 ensembles"),
        (([[[0, 1]]], [], [0, 1]), "at least one consensus function"),
        (([[[0, 1]]], "IPC", [0, 1]), "at least one consensus function .*; got 'IPC'"),
        (([[[0, 1]]], ["Nobody"], [0, 1]), "name among BALLS, .*; got 'Nobody'"),
    ],
)
def test_errors(arguments, message):
    with pytest.raises((InvalidInputError, InvalidParameterError), match=message):
        compare_functions(*arguments)
    with pytest.raises(InvalidParameterError, match="n_clusters must be None or an integer"):
        compare_functions([[[0, 1]]], ["IPC"], [0, 1], n_clusters=0)
