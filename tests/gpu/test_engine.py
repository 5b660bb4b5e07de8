"""The setting of the engine, and what happens without a GPU that works."""

import os
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import consilience
from consilience import Ensemble
from consilience.consensus import IPC
from consilience.exceptions import EngineWarning, InvalidInputError, InvalidParameterError
from consilience.gpu import _engine
from consilience.incidence.internals import ENGINES

HERE = Path(__file__).parent

# Doubts of fits to random labels; a failure of the GPU is an error.
pytestmark = [
    pytest.mark.filterwarnings("ignore::consilience.exceptions.ConsilienceWarning"),
    pytest.mark.filterwarnings("error::consilience.exceptions.EngineWarning"),
]


@pytest.fixture(autouse=True)
def _settings():
    yield
    consilience.set_config(engine="cpu")


def test_kernels_in_the_simulator():
    """The checks of the kernels, in another process: the simulator is chosen at import."""
    checks = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
    result = subprocess.run(  # noqa: S603 - our own interpreter and file
        [*checks, str(HERE / "simulated.py")],
        env={**os.environ, "NUMBA_ENABLE_CUDASIM": "1"},
        cwd=HERE.parents[1],
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout[-4000:] + result.stderr[-1000:]
    assert " passed" in result.stdout
    assert "skipped" not in result.stdout


def test_threads_are_the_default():
    assert consilience.get_config().engine == "cpu"


@pytest.mark.parametrize("engine", ["gpu", "auto", None])
def test_engine_is_one_of_two(engine):
    with pytest.raises(InvalidParameterError, match=r"engine must be 'cpu' or 'cuda'"):
        consilience.set_config(engine=engine)


def _failing(error):
    def fail(*_):
        raise error

    return fail


def _no_numba_cuda(monkeypatch):
    monkeypatch.setitem(sys.modules, "consilience.gpu._device", None)
    return "ModuleNotFoundError.*consilience.gpu._device"


def _no_device(monkeypatch):
    """What machines without a driver say; on one with a GPU this is a stand-in for it."""
    from consilience.gpu import _device

    error = OSError("Error at driver init: \n\nCUDA driver library cannot be found.")
    monkeypatch.setattr(_device.cuda, "device_array", _failing(error))
    return "Error at driver init: CUDA driver library cannot be found"


def _no_kernel(monkeypatch):
    """What numba-cuda says to NumPy 2.5."""
    from consilience.gpu import _device

    error = AttributeError("module 'numpy' has no attribute 'row_stack'")
    monkeypatch.setattr(_device, "send_codes", _failing(error))
    return "AttributeError: module 'numpy' has no attribute 'row_stack'"


def _wrong_numbers(monkeypatch):
    from consilience.gpu import _device

    monkeypatch.setattr(_device, "send_codes", lambda codes: codes.T + 1)
    monkeypatch.setattr(_device, "download", lambda array: array)
    return "wrong numbers"


@pytest.mark.parametrize("fail", [_no_numba_cuda, _no_device, _no_kernel, _wrong_numbers])
def test_one_warning_says_why_the_gpu_is_not_used(fail, monkeypatch):
    labels = np.random.default_rng(0).integers(0, 3, (50, 4))
    expected = IPC(3, random_state=0).fit(labels).labels_
    monkeypatch.setattr(_engine, "_LEAST_LABELS", 1)
    reason = fail(monkeypatch)
    with pytest.warns(EngineWarning, match=reason) as warned:
        consilience.set_config(engine="cuda")
    assert len(warned) == 1
    assert consilience.get_config().engine == "cpu"
    np.testing.assert_array_equal(IPC(3, random_state=0).fit(labels).labels_, expected)


def test_the_engine_can_be_sent_to_other_processes():
    assert isinstance(pickle.loads(pickle.dumps(ENGINES["cuda"])), _engine.CudaExecutor)  # noqa: S301


class _OnDevice:
    """What libraries say of an array on a GPU."""

    __cuda_array_interface__ = {"shape": (2, 2), "typestr": "|u1", "data": (0, True), "version": 3}  # noqa: RUF012
    shape = (2, 2)


@pytest.mark.parametrize("read", [Ensemble, Ensemble.from_labels])
def test_arrays_on_a_gpu_must_be_copied_first(read):
    with pytest.raises(InvalidInputError, match="memory of a GPU; copy them to main memory"):
        read(_OnDevice())
