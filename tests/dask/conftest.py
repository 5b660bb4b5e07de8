"""Worker processes that the tests share, and rows cut so finely that few make many stripes."""

import contextlib
import logging
import tempfile
import warnings
from pathlib import Path

import pytest
from distributed import Client, LocalCluster

import consilience
import dask
from calling import caller
from consilience.exceptions import ConsilienceWarning
from consilience.incidence import _grid

# Processes that wait watch themselves, fifty times a second in some ways, which nobody reads here.
QUIET = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "500ms",
    "distributed.admin.system-monitor.interval": "10s",
}


@contextlib.contextmanager
def _workers(**settings):
    given = {
        "n_workers": 2,
        "threads_per_worker": 1,
        "processes": True,
        "silence_logs": logging.CRITICAL,
        # The default port and the default folder are shared with strangers, which may be a warning.
        "dashboard_address": ":0",
        **settings,
    }
    with (
        dask.config.set(QUIET),
        tempfile.TemporaryDirectory() as folder,
        LocalCluster(local_directory=folder, **given) as cluster,
        Client(cluster, set_as_default=False) as client,
    ):
        yield client


@pytest.fixture
def new_cluster():
    """Make a cluster that a test may break; settings are those of LocalCluster."""
    return _workers


# The shared workers, from the first test that needs them to the last one in this folder.
_shared = contextlib.ExitStack()
_clients = []


@pytest.fixture(scope="module")
def session_client():
    """Two processes of one thread each; nobody's default client."""
    if not _clients:
        _clients.append(_shared.enter_context(_workers()))
    return _clients[0]


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(nextitem):
    """Stop the workers when the tests go on elsewhere: they take time even while they wait."""
    if nextitem is None or Path(__file__).parent not in nextitem.path.parents:
        _clients.clear()
        _shared.close()


@pytest.fixture(scope="module")
def client(session_client):
    """The client in use while the tests of a module run."""
    with session_client.as_current():
        yield session_client


@pytest.fixture(scope="module")
def small_stripes():
    """Cut 2,500 rows into five stripes, and these into three groups; the grid travels with the jobs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_grid, "BLOCK_ROWS", 512)
        patch.setattr(_grid, "_STRIPE_BLOCKS", 1)
        patch.setattr(_grid, "_GROUP_STRIPES", 2)
        yield


@pytest.fixture
def memory_limit():
    """Set the memory that a step may use, until the test is over."""
    before = consilience.get_config().memory_limit
    yield lambda n_bytes: consilience.set_config(memory_limit=n_bytes)
    consilience.set_config(memory_limit=before)


@pytest.fixture
def quietly():
    """Silence what small ensembles and few rounds rightly cause."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConsilienceWarning)
        yield


@pytest.fixture
def call(capsys, monkeypatch):
    """Run the command in this process."""
    return caller(capsys, monkeypatch)
