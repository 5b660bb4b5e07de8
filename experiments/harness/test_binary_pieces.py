"""Pieces of any kind."""

import numpy as np
import pytest

from experiments.harness import BinaryPieces


def test_a_piece_is_made_once(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    made = []

    def make():
        made.append(1)
        return np.arange(3)

    for _ in range(2):
        assert BinaryPieces("paper").get("one", make).tolist() == [0, 1, 2]
    assert len(made) == 1
    assert BinaryPieces(None).get("one", make).tolist() == [0, 1, 2]
    assert len(made) == 2


def test_a_piece_that_failed_is_made_again(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ZeroDivisionError):
        BinaryPieces("paper").get("one", lambda: 1 / 0)
    assert BinaryPieces("paper").get("one", lambda: 2) == 2
