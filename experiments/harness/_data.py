"""Data sets by name."""

import csv
import gzip
import os
import socket
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from experiments.harness._control_charts import control_charts

Pair = tuple[Any, np.ndarray[Any, Any]]


class DataNotAvailable(LookupError):  # noqa: N818 - an answer, not a mistake
    """A set cannot be had here; nothing is put in its place."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"{name}: {reason}")
        self.name = name
        self.reason = reason


@lru_cache(maxsize=64)
def load(name: str) -> Pair:
    """Return features and classes 0, 1, ... of a set, or raise DataNotAvailable.

    Looked for in this order: the folder that the environment variable CONSILIENCE_DATA names
    (NAME.csv.gz with a last column `class`; NAME.npz, sparse, with NAME.labels.txt.gz), scikit-learn and
    simulations, parts of other sets, OpenML. Arrays are shared between calls: do not write into them.
    """
    folder = os.environ.get("CONSILIENCE_DATA")
    if folder and (Path(folder) / f"{name}.csv.gz").exists():
        return _read_table(Path(folder) / f"{name}.csv.gz")
    if folder and (Path(folder) / f"{name}.npz").exists():
        return _read_sparse(Path(folder), name)
    if name in _HERE:
        return _HERE[name]()
    if name in _PARTS:
        whole, part = _PARTS[name]
        return _part(*_with_names(whole), part)
    if name in _OPENML:
        X, classes = _fetch(name)
        return X, _codes(classes)
    where = "not in the folder CONSILIENCE_DATA" if folder else "CONSILIENCE_DATA is not set"
    raise DataNotAvailable(
        name, f"{where}, and neither scikit-learn nor OpenML has it in this form"
    )


def load_sets(names: Mapping[str, str]) -> tuple[dict[str, Pair], list[str]]:
    """Return the sets that can be had, and "called: reason" for the others.

    Parameters
    ----------
    names : mapping of str to str
        What the paper calls a set, and the name to load it by; a name that starts with "!" is the
        reason why there is none.
    """
    found: dict[str, Pair] = {}
    missing = []
    for called, name in names.items():
        if name.startswith("!"):
            missing.append(f"{called}: {name[1:]}")
            continue
        try:
            found[called] = load(name)
        except DataNotAvailable as answer:
            missing.append(f"{called}: {answer.reason}")
    return found, missing


def _read_table(path: Path) -> Pair:
    X, classes = _table_with_names(path)
    return X, _codes(classes)


def _table_with_names(path: Path) -> Pair:
    with gzip.open(path, "rt") as file:
        rows = list(csv.reader(file))[1:]
    return np.array([row[:-1] for row in rows], dtype=float), np.array([row[-1] for row in rows])


def _read_sparse(folder: Path, name: str) -> Pair:
    from scipy import sparse

    X = sparse.load_npz(folder / f"{name}.npz").tocsr()
    with gzip.open(folder / f"{name}.labels.txt.gz", "rt") as file:
        classes = file.read().split("\n")[: X.shape[0]]
    return X, _codes(np.array(classes))


def _codes(classes: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return np.unique(classes, return_inverse=True)[1]


def _bundled(name: str) -> Callable[[], Pair]:
    def read() -> Pair:
        from sklearn import datasets

        X, y = getattr(datasets, f"load_{name}")(return_X_y=True)
        return X, y

    return read


def _simulated(name: str) -> Callable[[], Pair]:
    def make() -> Pair:
        from consilience import datasets

        X, y = getattr(datasets, f"make_{name}")(random_state=0)
        return X, y

    return make


_HERE: dict[str, Callable[[], Pair]] = {
    "iris": _bundled("iris"),
    "wine": _bundled("wine"),
    "wdbc": _bundled("breast_cancer"),
    "digits": _bundled("digits"),
    "chart": control_charts,
    "two_gaussians": _simulated("two_gaussians"),
    "three_gaussians": _simulated("three_gaussians"),
    "letters": _simulated("letters"),
    "subspaces": _simulated("subspaces"),
}


# Parts of other sets: (whole, classes kept, rows drawn with seed 0).
# `balanced`: as many rows of the larger class as the smaller has. Drawn rows keep their order.
_PARTS: dict[str, tuple[str, dict[str, Any]]] = {
    "wdbc_bal424_s0": ("wdbc", {"balanced": True}),
    "breast_w_bal478_s0": ("breast_w", {"balanced": True}),
    "letter_AB": ("letter", {"classes": ("A", "B")}),
    "letter_IJL_227_s0": ("letter", {"classes": ("I", "J", "L"), "rows": 227}),
    "digits389_456_s0": ("pendigits", {"classes": ("3", "8", "9"), "rows": 456}),
}


def _with_names(name: str) -> Pair:
    """A whole set with the classes as they are called."""
    folder = os.environ.get("CONSILIENCE_DATA")
    if folder and (Path(folder) / f"{name}.csv.gz").exists():
        return _table_with_names(Path(folder) / f"{name}.csv.gz")
    return _HERE[name]() if name in _HERE else _fetch(name)


def _part(X: Any, classes: np.ndarray[Any, Any], part: dict[str, Any]) -> Pair:
    rng = np.random.default_rng(0)
    if "classes" in part:
        kept = np.flatnonzero(np.isin(classes.astype(str), part["classes"]))
        X, classes = X[kept], classes[kept]
    if "rows" in part:
        chosen = np.sort(rng.choice(len(classes), part["rows"], replace=False))
        X, classes = X[chosen], classes[chosen]
    if part.get("balanced"):
        names, sizes = np.unique(classes, return_counts=True)
        small, large = names[np.argmin(sizes)], names[np.argmax(sizes)]
        drawn = rng.choice(np.flatnonzero(classes == large), sizes.min(), replace=False)
        chosen = np.sort(np.concatenate([np.flatnonzero(classes == small), drawn]))
        X, classes = X[chosen], classes[chosen]
    return X, _codes(classes)


# Ours: (name on OpenML, rows, columns, columns that are no features). Version 1 of each.
_OPENML: dict[str, tuple[str, int, int, tuple[str, ...]]] = {
    "breast_w": ("breast-w", 683, 9, ()),
    "glass": ("glass", 214, 9, ()),
    "ionosphere": ("ionosphere", 351, 34, ()),
    "isolet": ("isolet", 7797, 617, ()),
    "letter": ("letter", 20000, 16, ()),
    "mfeat_fourier": ("mfeat-fourier", 2000, 76, ()),
    "new_thyroid": ("thyroid-new", 215, 5, ()),
    "optdigits": ("optdigits", 5620, 64, ()),
    "pendigits": ("pendigits", 10992, 16, ()),
    "segmentation": ("segment", 2310, 19, ()),
    "zoo": ("zoo", 101, 16, ("animal",)),
}


@lru_cache(maxsize=1)
def _reachable() -> bool:
    """Whether OpenML answers at all, asked once: without a network every set would wait."""
    try:
        socket.create_connection(("api.openml.org", 443), timeout=5).close()
    except OSError:
        return False
    return True


@lru_cache(maxsize=8)
def _fetch(name: str) -> Pair:
    """Rows without missing values from OpenML, checked against the shape that the papers' set has."""
    from sklearn.datasets import fetch_openml

    called, n_rows, n_columns, surplus = _OPENML[name]
    if not _reachable():
        raise DataNotAvailable(
            name, "not in the folder CONSILIENCE_DATA, and OpenML is out of reach"
        )
    try:
        found = fetch_openml(called, version=1, as_frame=True, parser="pandas", n_retries=1)
    except (OSError, ValueError) as error:
        raise DataNotAvailable(name, f"OpenML: {error}") from error
    frame = found.data.drop(columns=list(surplus), errors="ignore")
    complete = frame.notna().all(axis=1)
    frame, classes = frame[complete], np.asarray(found.target[complete].astype(str))
    columns = [
        column.cat.codes if column.dtype == "category" else column
        for column in (frame[label] for label in frame)
    ]
    X = np.column_stack(columns).astype(float)
    if X.shape != (n_rows, n_columns):
        raise DataNotAvailable(
            name, f"OpenML has {X.shape} rows and columns, not {(n_rows, n_columns)}"
        )
    return X, classes
