"""Settings, memory, seeds, provenance."""

from importlib.metadata import PackageNotFoundError

import numpy as np
import pytest

from consilience import __version__, get_config, set_config
from consilience._utils import _memory, _provenance
from consilience._utils._config import thread_count
from consilience._utils._memory import available_memory, memory_limit, require_memory
from consilience._utils._provenance import provenance
from consilience._utils._random import spawn
from consilience.exceptions import InvalidParameterError, MemoryLimitError


@pytest.fixture(autouse=True)
def _restore():
    before = get_config()
    yield
    set_config(memory_limit=before.memory_limit, n_threads=before.n_threads)


def test_set_config_returns_the_previous_settings():
    before = set_config(n_threads=3)
    assert before.n_threads != 3
    assert thread_count() == get_config().n_threads == 3
    set_config(n_threads=None)
    assert thread_count() >= 1


@pytest.mark.parametrize("name", ["memory_limit", "n_threads"])
@pytest.mark.parametrize("value", [0, 1.5, True])
def test_set_config_refuses(name, value):
    with pytest.raises(InvalidParameterError, match=f"{name} must be a positive integer or None"):
        set_config(**{name: value})


def test_memory_limit_defaults_to_half_of_what_is_free(monkeypatch):
    monkeypatch.setattr(_memory, "available_memory", lambda: 1000)
    set_config(memory_limit=None)
    assert memory_limit() == 500
    set_config(memory_limit=123)
    assert memory_limit() == 123


def test_available_memory_is_plausible():
    assert 2**20 < available_memory() < 2**50


def test_require_memory_names_step_bytes_and_way_out():
    set_config(memory_limit=2**30)
    require_memory(2**30, "Thinking", "Think less.")
    message = r"Thinking needs 2.00 GiB, more than the limit of 1.00 GiB .*Think less\."
    with pytest.raises(MemoryLimitError, match=message):
        require_memory(2**31, "Thinking", "Think less.")
    assert issubclass(MemoryLimitError, MemoryError)


def test_streams_do_not_depend_on_their_number():
    few, many = spawn(5, 2), spawn(5, 6)
    assert [stream.integers(10**9) for stream in few] == [
        stream.integers(10**9) for stream in many[:2]
    ]


@pytest.mark.parametrize(
    "make", [lambda: np.random.RandomState(1), lambda: np.random.default_rng(1)]
)
def test_generators_are_seeds_that_move_on(make):
    generator = make()
    first, second = (spawn(generator, 1)[0].integers(10**9) for _ in range(2))
    assert first == spawn(make(), 1)[0].integers(10**9)
    assert first != second


def test_a_source_tree_without_metadata_knows_its_version(monkeypatch):
    def missing(name):
        raise PackageNotFoundError(name)

    monkeypatch.setattr(_provenance, "version", missing)
    _provenance._versions.cache_clear()
    try:
        versions = provenance()["versions"]
    finally:
        _provenance._versions.cache_clear()
    assert versions["consilience"] == __version__
    assert versions["numpy"] == np.__version__


def test_provenance_names_versions():
    facts = provenance(estimator="IPC")
    assert facts["estimator"] == "IPC"
    assert facts["versions"]["numpy"] == np.__version__


def test_free_memory_without_proc(monkeypatch, tmp_path):
    """What macOS and systems that tell nothing answer."""
    monkeypatch.setattr(_memory, "_MEMINFO", tmp_path / "none")
    monkeypatch.setattr(_memory.os, "sysconf_names", {"SC_PHYS_PAGES": 1, "SC_PAGE_SIZE": 2})
    monkeypatch.setattr(_memory.os, "sysconf", {"SC_PHYS_PAGES": 10, "SC_PAGE_SIZE": 100}.get)
    assert available_memory() == 500
    monkeypatch.setattr(_memory.os, "sysconf_names", {})
    assert available_memory() == 4 * 2**30


@pytest.mark.parametrize(("answers", "free"), [(True, 12345), (False, 4 * 2**30)])
def test_free_memory_on_windows(monkeypatch, answers, free):
    """The structure is that of GlobalMemoryStatusEx: its length is 64 bytes, free memory at byte 16."""
    import ctypes

    class Kernel:
        @staticmethod
        def GlobalMemoryStatusEx(pointer):  # noqa: N802 - its name
            status = pointer._obj
            assert (status.length, type(status).free.offset) == (64, 16)
            status.free = 12345
            return answers

    class Libraries:
        kernel32 = Kernel

    monkeypatch.setattr(_memory.sys, "platform", "win32")
    monkeypatch.setattr(ctypes, "windll", Libraries, raising=False)
    assert available_memory() == free
