"""Threads survive what processes do."""

import subprocess
import sys

import pytest

from consilience.incidence._executor import _joined

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


def test_few_blocks_are_not_joined():
    blocks = [(low, low + 10) for low in range(0, 70, 10)]
    assert _joined(blocks[:3], 2) == blocks[:3]
    # Every thread gets two pieces at least: of one block for three threads, of three for one.
    assert _joined(blocks, 3) == blocks
    assert _joined(blocks, 1) == [(0, 30), (30, 60), (60, 70)]
