"""Workers have far less memory than the label matrix needs."""

import os
from pathlib import Path

import dask.array as da
import numpy as np
import pytest

from consilience.consensus import IPC

pytestmark = pytest.mark.usefixtures("quietly")


def _labels(block_info):
    """Make rows of labels from their numbers: five clusters, every member wrong in its own places."""
    (first, last), (_, width) = block_info[None]["array-location"]
    drawn = np.random.default_rng(first).integers(0, 40, (last - first, width), dtype=np.uint8)
    truth = (np.arange(first, last) % 5).astype(np.uint8)[:, None]
    return np.where(drawn < 5, drawn, truth).astype(np.int64)


def _peak():
    """Return the largest memory of this process so far; unlike ru_maxrss not that of its parent."""
    status = Path("/proc/self/status").read_text()
    return 1024 * int(status.split("VmHWM:")[1].split()[0])


def test_memory_of_workers_is_respected(new_cluster):
    n, r, limit = 2_000_000, 40, 600_000_000
    data = da.map_blocks(_labels, chunks=((n // 40,) * 40, (r,)), dtype=np.int64)
    # A worker holds 320 MB before it does anything.
    assert data.nbytes > limit
    with new_cluster(memory_limit=limit) as client, client.as_current():
        before = client.run(os.getpid)
        fitted = IPC(5, n_init=1, max_iter=1, random_state=0).fit(data)
        assert client.run(os.getpid) == before
        assert max(client.run(_peak).values()) < limit
    assert fitted.labels_.shape == (n,)
    assert fitted.n_clusters_ == 5
