"""A worker dies in the middle of the work, and nothing else happens."""

import itertools
import os
import signal

import dask.array as da
import numpy as np
import pytest

from consilience.consensus import IPC
from consilience.datasets import make_planted_ensemble
from consilience.incidence import _dask
from consilience.incidence._dask import DaskSource

pytestmark = pytest.mark.usefixtures("small_stripes", "quietly")


def _kill_at(call, client, monkeypatch):
    """Kill one worker when a stripe is asked for the n-th time."""
    victim = next(iter(client.run(os.getpid).values()))
    original, calls = DaskSource.stripe, itertools.count()

    def stripe(source, position):
        if next(calls) == call:
            os.kill(victim, signal.SIGKILL)
        return original(source, position)

    monkeypatch.setattr(DaskSource, "stripe", stripe)
    return victim


def test_a_killed_worker_changes_nothing(new_cluster, monkeypatch):
    ensemble, _ = make_planted_ensemble(2_500, 6, 3, n_base_clusters=5, noise=0.3, random_state=0)
    function = IPC(3, n_init=1, max_iter=4, random_state=0)
    expected = function.fit(ensemble).labels_
    data = da.from_array(ensemble.labels, chunks=(700, 6))
    with new_cluster() as client, client.as_current():
        # Stripes that workers hold in memory and lose, and stripes that are made for every verb.
        for share in (_dask._KEEP_SHARE, 0):
            monkeypatch.setattr(_dask, "_KEEP_SHARE", share)
            with monkeypatch.context() as patch:
                victim = _kill_at(12, client, patch)
                labels = function.fit(data).labels_.compute()
            assert np.array_equal(labels, expected)
            client.wait_for_workers(2, timeout=60)
            assert victim not in client.run(os.getpid).values()
