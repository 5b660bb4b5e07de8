"""Pieces of any kind."""

import time
from collections.abc import Callable
from typing import Any

import joblib

from experiments.harness._pieces import Pieces


class BinaryPieces(Pieces):
    """Pieces that may be any objects, arrays among them: files of joblib in place of JSON."""

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
