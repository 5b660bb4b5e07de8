"""Long runs in pieces."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import joblib

_FOLDER = Path(__file__).parents[2] / "build" / "pieces"

T = TypeVar("T")


class Pieces:
    """Pieces of a long run, kept in files: a run that was stopped goes on after the last whole piece.

    Files are in build/pieces/<key>; delete the folder after a change of the protocol.

    Attributes
    ----------
    seconds : float
        Processor time of the pieces that were found in files.
    """

    def __init__(self, key: str) -> None:
        self.folder = _FOLDER / key
        self.seconds = 0.0

    def get(self, name: str, make: Callable[[], T]) -> T:
        """Return a piece from its file, or make and write it."""
        path = self.folder / f"{name}.joblib"
        if path.exists():
            piece, seconds = joblib.load(path)
            self.seconds += seconds
            return piece
        start = time.process_time()
        piece = make()
        self.folder.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(".part")
        joblib.dump((piece, time.process_time() - start), unfinished)
        unfinished.rename(path)
        return piece
