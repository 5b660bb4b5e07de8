import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import consilience
from consilience import Ensemble
from consilience.exceptions import InvalidInputError, InvalidParameterError, MissingExtraError
from consilience.incidence import _cuda
from consilience.incidence._row_vectors import widened

HERE = Path(__file__).parent


def test_gpu_engine_in_the_simulator():
    """The checks of the GPU engine, in another process: the simulator is chosen at import."""
    checks = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
    result = subprocess.run(  # noqa: S603 - our own interpreter and file
        [*checks, str(HERE / "cuda_checks.py")],
        env={**os.environ, "NUMBA_ENABLE_CUDASIM": "1"},
        cwd=HERE.parents[1],
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout[-4000:] + result.stderr[-1000:]
    assert " passed" in result.stdout
    assert "skipped" not in result.stdout


def test_engine_is_one_of_three():
    with pytest.raises(InvalidParameterError, match=r"engine must be 'auto', 'cpu' or 'cuda'"):
        consilience.set_config(engine="gpu")


def test_without_a_gpu_one_sentence(monkeypatch):
    monkeypatch.setattr(_cuda, "_problem", lambda: "no NVIDIA GPU was found")
    previous = consilience.set_config(engine="cuda")
    try:
        with pytest.raises(
            MissingExtraError, match=r"pip install consilience\[cuda\]\), but no NVIDIA"
        ):
            _ = Ensemble([[0, 1], [0, 1]]).incidence
    finally:
        consilience.set_config(engine=previous.engine)


def test_auto_stays_on_threads_without_a_gpu(monkeypatch):
    monkeypatch.setattr(_cuda, "_problem", lambda: "no NVIDIA GPU was found")
    monkeypatch.setattr(_cuda, "_WORTH_IT", 1)
    assert Ensemble([[0, 1], [0, 1]]).incidence.sizes.tolist() == [1, 1, 1, 1]


class _OnDevice:
    """What libraries say of an array on a GPU."""

    __cuda_array_interface__ = {"shape": (2, 2), "typestr": "|u1", "data": (0, True), "version": 3}  # noqa: RUF012
    shape = (2, 2)


def test_arrays_on_the_gpu_have_a_way_in_of_their_own(monkeypatch):
    monkeypatch.setattr(_cuda, "_problem", lambda: "no NVIDIA GPU was found")
    with pytest.raises(InvalidInputError, match=r"use Ensemble.from_device\(labels\)"):
        Ensemble(_OnDevice())
    with pytest.raises(MissingExtraError, match="An array on the GPU needs an NVIDIA GPU"):
        Ensemble.from_labels(_OnDevice())


def test_labels_from_a_gpu_come_in_parts(monkeypatch):
    parts = [(0, np.array([3, 1], dtype=np.uint8)), (2, np.array([2], dtype=np.uint8))]
    monkeypatch.setattr(_cuda, "downloaded", lambda _: iter(parts))
    found = widened(range(3))
    assert found.dtype == np.int32
    assert found.tolist() == [3, 1, 2]
