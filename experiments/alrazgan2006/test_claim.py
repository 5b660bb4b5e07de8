"""WSPA and WBPA not worse than CSPA and MCLA, on data that every clone has."""

import numpy as np
import pytest

from experiments.alrazgan2006.protocol import MAIN, METHODS, SLACK, measure
from experiments.harness import load


@pytest.fixture(scope="module")
def errors() -> dict[str, float]:
    sets = ("two_gaussians", "three_gaussians", "iris", "wdbc_bal424_s0")
    found = [measure(*load(name), "standard", MAIN, range(2)).consensus for name in sets]
    return {method: float(np.mean([one[method].error for one in found])) for method in METHODS}


@pytest.mark.parametrize("ours", ["WSPA", "WBPA"])
@pytest.mark.parametrize("theirs", ["CSPA", "MCLA"])
def test_weighted_functions_are_not_worse(errors: dict[str, float], ours: str, theirs: str) -> None:
    assert errors[ours] <= errors[theirs] + SLACK
