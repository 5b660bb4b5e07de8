"""The data sets on which answers are judged, by suite.

made      254 generated sets with and without clusters (made_sets.py)
normals   two normal clusters 2 to 5 standard deviations apart, in 1 to 128 columns, 2,000 rows
referee   the public benchmark gagolews/clustering-data-v1: a folder with <battery>/<set>.data.gz
real      labelled tables of benchmarks/quality
"""

import os
from pathlib import Path
from typing import NamedTuple

import numpy as np
from benchmarks.judge.made_sets import made_sets
from benchmarks.quality import sets
from sklearn.metrics import (
    adjusted_mutual_info_score,
    adjusted_rand_score,
    normalized_mutual_info_score,
)

# Rows of a real table that are used, and rows beyond which a set of the referee is left out.
REAL_ROWS = 2000
REFEREE_ROWS = 10_000
COLUMNS = (1, 2, 4, 8, 16, 32, 64, 128)
SCORES = (adjusted_rand_score, adjusted_mutual_info_score, normalized_mutual_info_score)


class Case(NamedTuple):
    """Rows, and one or several references; a label below zero is noise and is left out."""

    suite: str
    name: str
    X: np.ndarray
    references: list

    def numbers(self):
        """Return the numbers of clusters of the references."""
        return sorted({_number(labels) for labels in self.references})

    def scores(self, answers):
        """Return the largest ARI, AMI and NMI over the references, rows of noise left out.

        `answers` has labels for numbers of clusters, each compared with references of that number, or
        for "auto", compared with all. Labels below zero are one cluster.
        """
        scores = []
        for labels in self.references:
            answer = answers.get("auto", answers.get(_number(labels)))
            if answer is not None:
                a, b = labels[labels >= 0], answer[labels >= 0]
                scores.append([score(a, b) for score in SCORES])
        return np.max(scores, axis=0)


def _number(labels):
    return len(np.unique(labels[labels >= 0]))


def cases(suite, *, folder=None, half="all"):
    """Yield the cases of a suite."""
    yield from {"made": _made, "normals": _normals, "referee": _referee, "real": _real}[suite](
        folder, half
    )


def _made(folder, half):  # noqa: ARG001
    for made in made_sets(half):
        yield Case("made", made.name, made.X, made.references)


def _normals(folder, half):  # noqa: ARG001
    for apart in (2, 3, 4, 5):
        for wide in (1, 2):
            for d in COLUMNS:
                rng = np.random.default_rng([apart, wide, d])
                y = np.repeat([0, 1], 1000)
                # The distance is in standard deviations of the mean spread, along a random direction.
                spread = np.where(y == 0, 1.0, wide)[:, None]
                way = rng.standard_normal(d)
                shift = apart * (1 + wide) / 2 * way / np.linalg.norm(way)
                X = spread * rng.standard_normal((2000, d)) + y[:, None] * shift
                yield Case("normals", f"{apart} sd, spread 1 : {wide}, {d} columns", X, [y])
    for d in (5, 10):
        rng = np.random.default_rng([5, d])
        y = np.repeat([0, 1], 1000)
        X = rng.standard_normal((2000, d))
        X[:, 0] += 5 * y
        yield Case("normals", f"5 sd in one of {d} columns", X, [y])


def _referee(folder, half):  # noqa: ARG001
    folder = folder or Path(os.environ["CONSILIENCE_DATA"]).parent / "referee" / "data"
    yield from referee(folder)


def referee(folder, rows=REFEREE_ROWS):
    """Yield the sets of the public benchmark in a folder that have at most so many rows."""
    for path in sorted(Path(folder).glob("*/*.data.gz")):
        X = np.loadtxt(path, ndmin=2)
        if len(X) > rows:
            continue
        stem = path.name.removesuffix(".data.gz")
        files = sorted(path.parent.glob(f"{stem}.labels*.gz"))
        # There, 0 is noise and clusters are numbered from 1.
        references = [np.loadtxt(file, dtype=int) - 1 for file in files]
        yield Case("referee", f"{path.parent.name}/{stem}", X, references)


def _real(folder, half):  # noqa: ARG001
    for name in sets.chosen("all"):
        X, y = sets.load(name, REAL_ROWS, seed=0)
        yield Case("real", name, X, [y])
