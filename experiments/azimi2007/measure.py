"""One set: errors of all functions on new ensembles of every size."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from consilience.consensus import CSPA, HAC, HGPA, Labelling
from consilience.generate import IntelligentKMeans, KMeansRestarts
from consilience.metrics import error_rate
from experiments.harness import Pieces, quietly

STEPS = {"f1": "inverse", "f2": "distance", "f3": "relative"}
GENERATORS = {"intelligent": IntelligentKMeans, "simple": KMeansRestarts}
# The last k-means of Labelling. In the paper it is run once, and the path starts at v_0, read as the
# run's own first cluster: from objects drawn at random, or from rows of different numbers. Ours: ten
# starts, and the path from the cluster of the first object.
PLAIN, DISTINCT, TEN = "plain start", "distinct start", "ten starts"
STARTS: dict[str, dict[str, Any]] = {
    PLAIN: {"init": "random_objects", "n_init": 1, "path_start": "first_cluster"},
    DISTINCT: {"init": "random_rows", "n_init": 1, "path_start": "first_cluster"},
    TEN: {"init": "k-means++", "n_init": 10, "path_start": "first_object"},
}
ONE_RUN = (PLAIN, DISTINCT)
RIVALS = ("CAL", "CSPA", "HGPA")
# What the rivals combine; the paper does not say. The second was tried after printed figures were seen.
SAME, OTHERS = "the same members", "simple k-means on raw data"
SOURCES = (SAME, OTHERS)
RAW = "k-means, features as given"
SCALED = "k-means, features by largest value"

# Errors in per cent of every ensemble, by column and number of members.
Errors = dict[str, dict[int, list[float]]]


def column(step: str, members: str = "intelligent", start: str = PLAIN) -> str:
    """The name of a column of Labelling."""
    return f"{step}, {members}, {start}"


def rival(name: str, source: str = SAME) -> str:
    """The name of a column of another function."""
    return f"{name}, {source}"


def single(members: str) -> str:
    """The name of the column with the mean error of a member."""
    return f"a member, {members}"


def spread(members: str) -> str:
    """The name of the column with the standard deviation of the errors of the members."""
    return f"deviation of members, {members}"


def rivals(n_clusters: int) -> dict[str, Callable[[], Any]]:
    """The functions of others by their names in the tables."""
    return {
        "CAL": lambda: HAC(n_clusters, linkage="average"),
        "CSPA": lambda: CSPA(n_clusters, partitioner="metis", random_state=0),
        "HGPA": lambda: HGPA(n_clusters, partitioner="hypergraph", random_state=0),
    }


def labelling(n_clusters: int, step: str, start: str, seed: int) -> Labelling:
    """Labelling with one of the three steps and one of the two starts."""
    return Labelling(n_clusters, labelling_function=STEPS[step], random_state=seed, **STARTS[start])


def make_members(
    members: str, X: Any, n_clusters: int, n_members: int, seed: int, scaling: str | None = "max"
) -> Any:
    """A new ensemble; the seed decides everything. Runs end when no label changes."""
    made = GENERATORS[members](
        n_members=n_members,
        n_clusters=n_clusters,
        scaling=scaling,
        tol=0,
        random_state=seed,
        verbose=0,
    )
    with quietly():
        return made.fit(X).ensemble_


def score(function: Any, ensemble: Any, y: Any) -> float:
    """Error in per cent."""
    return 100 * error_rate(function.fit(ensemble).labels_, y)


def labelling_error(X: Any, y: Any, *, n_members: int, seed: int) -> float:
    """Error in per cent of Labelling with f3 on one new ensemble by intelligent k-means."""
    n_clusters = len(np.unique(y))
    ensemble = make_members("intelligent", X, n_clusters, n_members, seed)
    with quietly():
        return score(labelling(n_clusters, "f3", TEN, 0), ensemble, y)


def one_ensemble(X: Any, y: Any, n_members: int, seed: int) -> dict[str, float]:
    """Every column for one ensemble by intelligent k-means, and for others by simple k-means."""
    n_clusters, found = len(np.unique(y)), {}
    for members in GENERATORS:
        ensemble = make_members(members, X, n_clusters, n_members, seed)
        with quietly():
            for start in STARTS:
                for step in STEPS:
                    function = labelling(n_clusters, step, start, seed)
                    found[column(step, members, start)] = score(function, ensemble, y)
            source, combined = SAME, ensemble
            if members == "simple":
                source = OTHERS
                combined = make_members(members, X, n_clusters, n_members, seed, scaling=None)
            for name, make in rivals(n_clusters).items():
                found[rival(name, source)] = score(make(), combined, y)
        errors = [100 * error_rate(labels, y) for labels in ensemble.labels.T]
        found[single(members)] = float(np.mean(errors))
        found[spread(members)] = float(np.std(errors))
    return found


def measure(
    called: str, X: Any, y: Any, sizes: Iterable[int], n_runs: int, pieces: Pieces
) -> Errors:
    """Every column for every number of members; one seed per ensemble, different for every size."""
    found: Errors = defaultdict(dict)
    for n_members in sizes:
        seeds = [1000 * n_members + run_number for run_number in range(n_runs)]
        runs = pieces.get(
            f"{called}_{n_members}",
            lambda seeds=seeds, n=n_members: [one_ensemble(X, y, n, seed) for seed in seeds],
        )
        for name in runs[0]:
            found[name][n_members] = [run[name] for run in runs]
    return found


def on_the_data(X: Any, y: Any, n_runs: int) -> dict[str, float]:
    """Mean error of k-means on the data themselves, from random rows."""
    found = {}
    for name, scaling in ((RAW, None), (SCALED, "max")):
        made = KMeansRestarts(
            n_members=n_runs,
            n_clusters=len(np.unique(y)),
            scaling=scaling,
            tol=0,
            random_state=0,
            verbose=0,
        )
        with quietly():
            labels = made.fit(X).ensemble_.labels
        found[name] = float(np.mean([100 * error_rate(member, y) for member in labels.T]))
    return found
