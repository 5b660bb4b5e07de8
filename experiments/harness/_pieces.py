"""Long protocols in pieces, so that one that was stopped continues where it was."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any


class Pieces:
    """Results of parts of a protocol, kept as JSON files in build/experiments/<key>/pieces.

    A file that exists is believed: delete the folder after a change of the code.

    Parameters
    ----------
    key : str or None
        The paper; None: nothing is kept.

    Attributes
    ----------
    seconds : float
        Processor time of the parts that were read from files.
    """

    def __init__(self, key: str | None) -> None:
        self.folder = None if key is None else Path("build/experiments") / key / "pieces"
        self.seconds = 0.0

    def get(self, name: str, make: Callable[[], Any]) -> Any:
        """Return the part, from its file or by `make`; it must survive JSON unchanged."""
        if self.folder is None:
            return make()
        path = self.folder / f"{name}.json"
        if path.exists():
            kept = json.loads(path.read_text())
            self.seconds += kept["seconds"]
            return kept["part"]
        start = time.process_time()
        part = make()
        self.folder.mkdir(parents=True, exist_ok=True)
        new = path.with_suffix(".new")
        new.write_text(json.dumps({"seconds": time.process_time() - start, "part": part}))
        new.replace(path)
        return part
