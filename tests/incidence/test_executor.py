"""Threads survive what processes do."""

import multiprocessing
import sys

import numpy as np
import pytest

from consilience import Ensemble


def _gram_sum(labels):
    return int(Ensemble(labels).incidence.gram().sum())


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_a_forked_child_makes_its_own_pool():
    labels = np.random.default_rng(0).integers(0, 4, (40_000, 3))
    expected = _gram_sum(labels)  # the pool of this process exists from here on
    context = multiprocessing.get_context("fork")
    with context.Pool(1) as pool:
        assert pool.apply_async(_gram_sum, (labels,)).get(timeout=60) == expected
