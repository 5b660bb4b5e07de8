"""Every consensus function found by discovery passes every check."""

import pytest

from consilience.consensus import catalogue
from consilience.testing import CONSENSUS_CHECKS
from instances import CONSENSUS, EXCEPTIONS, FAMILIES, reason_for_exception

# What the base class does for all; variants of a function do not change it.
OF_THE_BASE = {
    "check_input_kind_does_not_matter",
    "check_input_is_not_changed",
    "check_equal_weights_are_no_weights",
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


def test_names_of_checks_are_right():
    names = {check.__name__ for check in CONSENSUS_CHECKS}
    assert names >= OF_THE_BASE | OF_THE_ENGINE
    assert {check for _, _, check in EXCEPTIONS} <= names


def test_every_family_has_its_function():
    families = {function.__module__.split(".")[2] for function in catalogue().values()}
    chosen = {catalogue()[name].__module__.split(".")[2] for name in FAMILIES}
    rooms = {family for family in families if not family.startswith("_")}
    assert rooms <= chosen
