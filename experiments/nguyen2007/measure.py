"""Fourteen methods on one ensemble, by three criteria."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import rankdata

from consilience import Ensemble
from consilience.consensus import (
    BEST,
    CCC,
    CCSVD,
    CCU,
    CSPA,
    FC,
    HAC,
    HGPA,
    IPC,
    IPVC,
    IVC,
    KMCF,
    MCLA,
    MultinomialMixture,
)
from consilience.generate import FeatureWeightedKMeans, KMeansRestarts
from consilience.metrics import compactness, consensus_rand, purity
from experiments.harness import quietly
from experiments.nguyen2007.sets import LabelledSet

Array = np.ndarray[Any, Any]

GENERATORS: dict[str, type] = {"k-means": KMeansRestarts, "Zipf": FeatureWeightedKMeans}
CRITERIA = ("consensus Rand", "compactness", "accuracy")
PROPOSED = ("IVC", "IPVC", "IPC")
_STARTS = 100

METHODS: dict[str, Callable[[int], Any]] = {
    "IVC": lambda k: IVC(k, n_init=_STARTS, random_state=0),
    "IPVC": lambda k: IPVC(k, n_init=_STARTS, random_state=0),
    "IPC": lambda k: IPC(k, n_init=_STARTS, random_state=0),
    "HAC": lambda k: HAC(k, linkage="average"),
    "FC": FC,
    "CSPA": lambda k: CSPA(k, random_state=0),
    "HGPA": lambda k: HGPA(k, random_state=0),
    "MCLA": lambda k: MCLA(k, partitioner="balanced", random_state=0),
    "QMI": lambda k: KMCF(k, random_state=0),
    "EM": lambda k: MultinomialMixture(k, random_state=0),
    "CCC": CCC,
    "CCU": CCU,
    "CCSVD": lambda k: CCSVD(k, random_state=0),
    "BEST": BEST,
}


@dataclass(frozen=True)
class Plan:
    """Members of an ensemble, and ensembles for every set and generator."""

    n_members: int
    n_ensembles: int


QUICK = Plan(100, 1)
FULL = Plan(200, 5)


@dataclass(frozen=True, eq=False)
class Case:
    """One ensemble.

    data, generator  names of the set and of the generator
    scores           (14, 3) methods by criteria: Rand distance and compactness, small is good, and
                     accuracy, large is good
    member_scores    (3,) mean over the members
    n_clusters       (14,) clusters that came out
    starts           for IVC, IPVC and IPC: distinct results, the smallest and the mean consensus Rand
                     distance of these, and most rounds
    """

    data: str
    generator: str
    scores: Array
    member_scores: Array
    n_clusters: Array
    starts: dict[str, tuple[int, float, float, int]]

    @property
    def ranks(self) -> Array:
        """Return the ranks of the methods, (14, 3); 1 is best, equals share the mean of theirs."""
        return _ranks(self.scores * np.array([1.0, 1.0, -1.0]))

    @property
    def unselected_ranks(self) -> Array:
        """Return the ranks by consensus Rand distance with the mean of all starts for the best one."""
        scores = self.scores[:, 0].copy()
        for name, (_, _, mean, _) in self.starts.items():
            scores[list(METHODS).index(name)] = mean
        return _ranks(scores)


def measure(
    data: LabelledSet, plan: Plan, *, generators: Sequence[str] = tuple(GENERATORS)
) -> list[Case]:
    """Make the ensembles of a set and fit every method to each."""
    cases = []
    for generator in generators:
        rng = np.random.default_rng(0)
        for _ in range(plan.n_ensembles):
            members = GENERATORS[generator](
                n_members=plan.n_members,
                n_clusters=data.n_clusters,
                scaling=None,
                random_state=rng,
                verbose=0,
            )
            cases.append(_case(data, generator, members.fit(data.X).ensemble_))
    return cases


def _ranks(losses: Array) -> Array:
    # Sums in another order differ in the last digits.
    return np.asarray(rankdata(np.round(losses, 9), axis=0))


def _case(data: LabelledSet, generator: str, ensemble: Ensemble) -> Case:
    with quietly():
        fitted = {name: make(data.n_clusters).fit(ensemble) for name, make in METHODS.items()}
    scores = np.array([_scores(one.labels_, data, ensemble) for one in fitted.values()])
    members = np.array([_scores(labels, data, ensemble) for labels in ensemble.labels.T])
    # The best member is another one for every criterion.
    best = [members[:, 0].min(), members[:, 1].min(), members[:, 2].max()]
    scores[list(METHODS).index("BEST")] = best
    return Case(
        data.name,
        generator,
        scores,
        members.mean(axis=0),
        np.array([len(np.unique(one.labels_)) for one in fitted.values()]),
        {name: _starts(fitted[name].solutions_) for name in PROPOSED},
    )


def _scores(labels: Array, data: LabelledSet, ensemble: Ensemble) -> list[float]:
    return [
        consensus_rand(labels, ensemble),
        compactness(data.X, labels),
        purity(labels, data.y),
    ]


def _starts(solutions: Sequence[Any]) -> tuple[int, float, float, int]:
    distances = [solution.criterion for solution in solutions]
    rounds = max(solution.n_iter for solution in solutions)
    return len(solutions), min(distances), float(np.mean(distances)), rounds
