"""One set in one unit of the features: LAC for every 1/h, and all functions on its runs."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from consilience import Ensemble
from consilience.consensus import CSPA, HGPA, MCLA, WBPA, WSPA
from consilience.datasets import make_two_gaussians
from consilience.generate import LACSweep
from consilience.metrics import error_rate, nmi
from experiments.harness import quietly

INVERSE_H = tuple(range(1, 13))
METHODS = ("WSPA", "CSPA", "MCLA", "WBPA")
FUNCTIONS: dict[str, Any] = {"WSPA": WSPA, "CSPA": CSPA, "MCLA": MCLA, "WBPA": WBPA, "HGPA": HGPA}
# How every function cuts its graph: the paper ran METIS on all (sections 4.1, 4.2 and 6).
MAIN, SEARCH = "METIS", "our own search for WBPA"
ENGINES = {
    MAIN: dict.fromkeys(METHODS, "metis"),
    SEARCH: {**dict.fromkeys(METHODS, "metis"), "WBPA": "balanced"},
    "spectral": dict.fromkeys(METHODS, "spectral"),
}
CUTS = (
    ("HGPA", "hypergraph"),
    *sorted({cut for engine in ENGINES.values() for cut in engine.items()}),
)
STANDARD, COMMON = "standardised", "by largest deviation"
SCALINGS = {STANDARD: "standard", COMMON: None, "by largest value": "max", "as given": None}
# The weights printed in section 5 need features divided by about this number; no rule gives it.
NUMBER = 5.5
FITTED = f"divided by {NUMBER}"


class Score(NamedTuple):
    """Agreement with the classes."""

    nmi: float
    error: float


class Measured(NamedTuple):
    """One set in one unit, by start."""

    consensus: list[dict[str, Score]]  # by function and cut, see `cut_name`
    runs: list[list[Score]]  # of LAC, by 1/h

    def mean(self, method: str, engine: str = MAIN) -> Score:
        """Of a function over the starts."""
        name = cut_name(method, ENGINES[engine].get(method, "hypergraph"))
        return Score(*np.mean([start[name] for start in self.consensus], axis=0))

    def by_inverse_h(self) -> list[Score]:
        """LAC's means over the starts."""
        return [Score(*values) for values in np.mean(self.runs, axis=0)]

    def lac(self, what: Any) -> Score:
        """Largest, smallest or mean value over 1/h (`np.max`, ...), mean over the starts."""
        return Score(*np.mean([what(start, axis=0) for start in self.runs], axis=0))


# By unit, then by set.
Found = Mapping[str, Mapping[str, Measured]]


def cut_name(method: str, partitioner: str) -> str:
    """A function with the partitioner of its graph."""
    return f"{method} {partitioner}"


def score(labels: Any, y: Any) -> Score:
    """NMI, and error in per cent."""
    return Score(nmi(labels, y), 100 * error_rate(labels, y))


def in_unit(X: Any, unit: str) -> Any:
    """The rows as the generator is given them; it scales them further if it can."""
    if unit == FITTED:
        return X / NUMBER
    return X / X.std(axis=0).max() if unit == COMMON else X


def one_start(
    X: Any, y: Any, unit: str, start: int, cuts: Iterable[tuple[str, str]]
) -> dict[str, Any]:
    """The scores of the consensus functions, and of LAC by 1/h, as lists."""
    n_clusters = len(np.unique(y))
    with quietly():
        sweep = LACSweep(
            n_clusters=n_clusters,
            inverse_h=INVERSE_H,
            scaling=SCALINGS.get(unit),
            ties="random",
            random_state=start,
            verbose=0,
        )
        soft = sweep.fit(in_unit(X, unit)).ensemble_
        hard = Ensemble(soft.labels)
        found = {}
        for method, partitioner in cuts:
            function = FUNCTIONS[method](n_clusters, partitioner=partitioner, random_state=0)
            labels = function.fit(soft if method in ("WSPA", "WBPA") else hard).labels_
            found[cut_name(method, partitioner)] = list(score(labels, y))
    return {"consensus": found, "runs": [list(score(labels, y)) for labels in soft.labels.T]}


def measure(
    X: Any,
    y: Any,
    unit: str,
    starts: Iterable[int],
    cuts: Iterable[tuple[str, str]] = CUTS,
) -> list[dict[str, Any]]:
    """Every start."""
    return [one_start(X, y, unit, start, cuts) for start in starts]


def measure_draws(unit: str, draws: Iterable[int]) -> list[dict[str, Any]]:
    """New draws of Two-Gaussian, one start each."""
    return [one_start(*make_two_gaussians(random_state=seed), unit, 0, CUTS) for seed in draws]


def as_measured(starts: list[dict[str, Any]]) -> Measured:
    """Lists, as they come from a file, with names."""
    return Measured(
        [{name: Score(*s) for name, s in start["consensus"].items()} for start in starts],
        [[Score(*s) for s in start["runs"]] for start in starts],
    )
