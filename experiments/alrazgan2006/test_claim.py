"""WSPA and WBPA, cut by our own search, not worse than CSPA and MCLA, on data that every clone has."""

import numpy as np
import pytest

from experiments.alrazgan2006.judge import SLACK
from experiments.alrazgan2006.measure import (
    ENGINES,
    METHODS,
    SEARCH,
    STANDARD,
    as_measured,
    measure,
)
from experiments.harness import load


@pytest.fixture(scope="module")
def errors() -> dict[str, float]:
    sets = ("two_gaussians", "three_gaussians", "iris", "wdbc_bal424_s0")
    cuts = tuple(ENGINES[SEARCH].items())
    found = [as_measured(measure(*load(name), STANDARD, range(2), cuts)) for name in sets]
    return {
        method: float(np.mean([one.mean(method, SEARCH).error for one in found]))
        for method in METHODS
    }


@pytest.mark.parametrize("ours", ["WSPA", "WBPA"])
@pytest.mark.parametrize("theirs", ["CSPA", "MCLA"])
def test_weighted_functions_are_not_worse(errors: dict[str, float], ours: str, theirs: str) -> None:
    assert errors[ours] <= errors[theirs] + SLACK
