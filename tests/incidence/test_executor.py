"""Threads survive what processes do."""

import subprocess
import sys

import pytest

# In a process of its own: a fork copies locks, and threads of other tests may hold some of them.
_SCRIPT = """
import multiprocessing

import numpy as np

from consilience import Ensemble


def gram_sum(labels):
    return int(Ensemble(labels).incidence.gram().sum())


labels = np.random.default_rng(0).integers(0, 4, (40_000, 3))
expected = gram_sum(labels)  # the pool of this process exists from here on
with multiprocessing.get_context("fork").Pool(1) as pool:
    assert pool.apply_async(gram_sum, (labels,)).get(timeout=60) == expected
print("done")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no fork")
def test_a_forked_child_makes_its_own_pool():
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", _SCRIPT]
    done = subprocess.run(  # noqa: S603 - our own interpreter and code
        command, capture_output=True, text=True, check=False, timeout=120
    )
    assert (done.stdout.strip(), done.stderr) == ("done", "")
