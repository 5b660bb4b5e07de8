"""The sets of the paper that can be had."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from experiments.harness import DataNotAvailable, load, printed

Array = np.ndarray[Any, Any]

_WITHOUT_COPY = {
    "Australia": "part of an environmental database, no public copy found",
    "Bergmark": "word counts of a web crawl, no public copy found",
}
_STAND_IN = {
    "Covertype": "the paper's own 1000 rows; ours are others of the same data",
    "Letters": "the paper's own letters and rows; ours are others of the same data",
}
# Rows and letters of Letters, which the paper does not name.
_LETTERS, _LETTER_ROWS = 7, 514


@dataclass(frozen=True, eq=False)
class LabelledSet:
    """A set and the number of clusters that the paper asks for.

    name        as in the paper
    X, y        standardised features, and classes
    n_clusters  of the members and of the consensus
    """

    name: str
    X: Array
    y: Array
    n_clusters: int


def sets_at_hand() -> tuple[list[LabelledSet], list[str]]:
    """Return the paper's sets and DIGITS, and a line for every set that is missing or stood in for."""
    found, missing = [], []
    for row in printed("nguyen2007", "table01_datasets"):
        name = row["dataset"]
        if name in _WITHOUT_COPY:
            missing.append(f"{name}: {_WITHOUT_COPY[name]}")
            continue
        try:
            X, y = load("covertype_1000_s0") if name == "Covertype" else _letters()
        except DataNotAvailable as absent:
            missing.append(f"{name}: {absent.reason}")
            continue
        missing.append(f"{name}: {_STAND_IN[name]}")
        found.append(LabelledSet(name, standardised(X), y, row["clusters"]))
    return [*found, digits()], missing


def digits() -> LabelledSet:
    """Return scikit-learn's digits, which the paper does not have."""
    X, y = load("digits")
    return LabelledSet("DIGITS", standardised(X), y, 10)


def standardised(X: Array) -> Array:
    """Bring every column to mean 0 and variance 1, constant ones to 0."""
    spread = X.std(axis=0)
    return np.asarray((X - X.mean(axis=0)) / np.where(spread > 0, spread, 1.0))


def _letters() -> tuple[Array, Array]:
    X, y = load("isolet")
    rng = np.random.default_rng(0)
    rows = np.flatnonzero(np.isin(y, rng.choice(np.unique(y), _LETTERS, replace=False)))
    rows = np.sort(rng.choice(rows, _LETTER_ROWS, replace=False))
    return X[rows], y[rows]
