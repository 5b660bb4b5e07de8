"""Every consensus function found by discovery passes every check."""

from itertools import permutations

import pytest
from sklearn.base import clone

from consilience.datasets import make_planted_ensemble
from consilience.testing import CONSENSUS_CHECKS
from consilience.testing._checks import assert_same_state, quietly, with_needs
from instances import CONSENSUS, reason_for_exception

CASES = [
    pytest.param(function, check, id=f"{function}-{check.__name__}".replace("\n", " "))
    for functions in CONSENSUS.values()
    for function in functions
    for check in CONSENSUS_CHECKS
]


@pytest.mark.parametrize(("function", "check"), CASES)
def test_contract(function, check):
    reason = reason_for_exception(function, check.__name__)
    if reason is None:
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
