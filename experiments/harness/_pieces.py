"""Long protocols in pieces, so that one that was stopped continues where it was."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import joblib


class Pieces:
    """Results of parts of a protocol, kept as files in a folder; without one, nothing is kept.

    A file that exists is believed: delete the folder after a change of the code.

    Parameters
    ----------
    folder : Path or None
        Where files go.

    Attributes
    ----------
    seconds : float
        Processor time of the parts that were read from files.
    """

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self.seconds = 0.0

    def get(self, name: str, make: Callable[[], Any]) -> Any:
        """Return the part, from its file or by `make`."""
        if self.folder is None:
            return make()
        path = self.folder / f"{name}.joblib"
        if path.exists():
            part, seconds = joblib.load(path)
            self.seconds += seconds
            return part
        start = time.process_time()
        part = make()
        self.folder.mkdir(parents=True, exist_ok=True)
        new = path.with_suffix(".new")
        joblib.dump((part, time.process_time() - start), new)
        new.replace(path)
        return part
