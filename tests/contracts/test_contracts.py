"""Every consensus function found by discovery passes every check."""

from itertools import permutations

import pytest
from sklearn.base import clone

from consilience.consensus import catalogue
from consilience.datasets import make_planted_ensemble
from consilience.testing import CONSENSUS_CHECKS
from consilience.testing._checks import assert_same_state, quietly, with_needs
from instances import CONSENSUS, EXCEPTIONS, FAMILIES, reason_for_exception

# What the base class does for all; variants of a function do not change it.
OF_THE_BASE = {
    "check_input_kind_does_not_matter",
    "check_input_is_not_changed",
    "check_equal_weights_are_no_weights",
    "check_scale_of_weights_does_not_matter",
    "check_silent_member_is_ignored",
    "check_unknown_object_joins_the_largest_cluster",
    "check_pickle",
}
# Blocks on threads are the engine's; tests/incidence has every verb.
OF_THE_ENGINE = {"check_threads_do_not_matter"}


def checks_of(name, number):
    """Return the checks of an instance: all for the first of a function."""
    left_out = set() if number == 0 else OF_THE_BASE
    left_out = left_out if number == 0 and name in FAMILIES else left_out | OF_THE_ENGINE
    return [check for check in CONSENSUS_CHECKS if check.__name__ not in left_out]


CASES = [
    pytest.param(function, checks_of(name, number), id=f"{name}{number or ''}")
    for name, functions in CONSENSUS.items()
    for number, function in enumerate(functions)
]


@pytest.mark.parametrize(("function", "checks"), CASES)
def test_contract(function, checks):
    for check in checks:
        if reason_for_exception(function, check.__name__) is None:
            check(function)
        else:
            with pytest.raises((AssertionError, ValueError)):
                check(function)


@pytest.mark.parametrize(
    "name", sorted(name for name, kinds in CONSENSUS.items() if len(kinds) > 1)
)
def test_a_refit_with_other_parameters_leaves_nothing_of_the_first_fit(name):
    ensemble, _ = make_planted_ensemble(120, 6, 3, noise=0.2, missing=0.02, random_state=0)
    for first, second in permutations(CONSENSUS[name], 2):
        given = with_needs(first, ensemble)
        with quietly():
            fresh = clone(second).fit(given)
            again = clone(first).fit(given).set_params(**second.get_params(deep=False)).fit(given)
        assert_same_state(again, fresh)


def test_names_of_checks_are_right():
    names = {check.__name__ for check in CONSENSUS_CHECKS}
    assert names >= OF_THE_BASE | OF_THE_ENGINE
    assert {check for _, _, check in EXCEPTIONS} <= names


def test_every_family_has_its_function():
    functions = catalogue(extensions=False)
    families = {function.__module__.split(".")[2] for function in functions.values()}
    chosen = {functions[name].__module__.split(".")[2] for name in FAMILIES}
    packages = {family for family in families if not family.startswith("_")}
    assert packages <= chosen
