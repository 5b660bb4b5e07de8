"""Worker processes that the tests share, and rows cut so finely that few make many stripes."""

import contextlib
import logging
import tempfile
import warnings

import pytest
from distributed import Client, LocalCluster

import consilience
from calling import caller
from consilience.exceptions import ConsilienceWarning
from consilience.incidence import _grid


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
        tempfile.TemporaryDirectory() as folder,
        LocalCluster(local_directory=folder, **given) as cluster,
        Client(cluster, set_as_default=False) as client,
    ):
        yield client


@pytest.fixture
def new_cluster():
    """Make a cluster that a test may break; settings are those of LocalCluster."""
    return _workers


@pytest.fixture(scope="session")
def session_client():
    """Two processes of one thread each; nobody's default client."""
    with _workers() as client:
        yield client


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
