"""Every consensus function found by discovery passes every check."""

import pytest

from consilience.testing import CONSENSUS_CHECKS
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
