"""Fourteen methods on one ensemble, by three criteria."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
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
from consilience.metrics import KnownClasses, compactness, consensus_rand
from experiments.harness import Pieces, quietly
from experiments.nguyen2007.sets import LabelledSet

Array = np.ndarray[Any, Any]

GENERATORS: dict[str, type] = {"k-means": KMeansRestarts, "Zipf": FeatureWeightedKMeans}
CRITERIA = ("consensus Rand", "compactness", "accuracy")
# Times these, small scores are good.
SIGNS = np.array([1.0, 1.0, -1.0])
PROPOSED = ("IVC", "IPVC", "IPC")
N_STARTS = 100

METHODS: dict[str, Callable[[int], Any]] = {
    "IVC": lambda k: IVC(k, n_init=N_STARTS, random_state=0),
    "IPVC": lambda k: IPVC(k, n_init=N_STARTS, random_state=0),
    "IPC": lambda k: IPC(k, n_init=N_STARTS, random_state=0),
    "HAC": lambda k: HAC(k, linkage="average"),
    "FC": FC,
    "CSPA": lambda k: CSPA(k, partitioner="metis", random_state=0),
    "HGPA": lambda k: HGPA(k, partitioner="hypergraph", random_state=0),
    "MCLA": lambda k: MCLA(k, partitioner="metis", random_state=0),
    "QMI": lambda k: KMCF(k, random_state=0),
    "EM": lambda k: MultinomialMixture(k, random_state=0),
    "CCC": CCC,
    "CCU": CCU,
    "CCSVD": lambda k: CCSVD(k, random_state=0),
    "BEST": BEST,
}


RANDOM_STARTS: dict[str, Callable[[int], Any]] = {
    "IVC": lambda k: IVC(k, init="random_partition", n_init=N_STARTS, random_state=0),
    "IPVC": lambda k: IPVC(k, init="random_partition", n_init=N_STARTS, random_state=0),
    "IPC": lambda k: IPC(k, init="random_partition", n_init=N_STARTS, random_state=0),
}


@dataclass(frozen=True)
class Plan:
    """Members of an ensemble, and ensembles for every set and generator."""

    n_members: int
    n_ensembles: int


QUICK = Plan(100, 1)
FULL = Plan(200, 1)


@dataclass(frozen=True, eq=False)
class Case:
    """One ensemble.

    data, generator  names of the set and of the generator
    scores           (14, 3) methods by criteria: Rand distance and compactness, small is good, and
                     accuracy, large is good
    member_scores    (3,) mean over the members
    member_spread    (3,) their standard deviation
    n_clusters       (14,) clusters that came out
    own_starts       (3, 3) IVC, IPVC and IPC by criteria: the best start by each criterion, which for
                     accuracy looks at the known classes
    starts           for IVC, IPVC and IPC: distinct results, the smallest and the mean consensus Rand
                     distance of these, and most rounds
    random_starts    the same from random partitions
    """

    data: str
    generator: str
    scores: Array
    member_scores: Array
    member_spread: Array
    n_clusters: Array
    own_starts: Array
    starts: dict[str, tuple[int, float, float, int]]
    random_starts: dict[str, tuple[int, float, float, int]]

    def ranks(self, *, own: bool = False) -> Array:
        """Return the ranks of the methods, (14, 3); 1 is best, equals share the mean of theirs.

        IVC, IPVC and IPC keep the start of smallest consensus Rand distance, or for every criterion
        their own best start.
        """
        scores = self.scores.copy()
        if own:
            scores[[list(METHODS).index(name) for name in PROPOSED]] = self.own_starts
        return _ranks(scores * SIGNS)

    @property
    def unselected_ranks(self) -> Array:
        """Return the ranks by consensus Rand distance with the mean of all starts for the best one."""
        scores = self.scores[:, 0].copy()
        for name, (_, _, mean, _) in self.starts.items():
            scores[list(METHODS).index(name)] = mean
        return _ranks(scores)


def ensembles(data: LabelledSet, generator: str, plan: Plan) -> Iterator[Ensemble]:
    """Make the ensembles of a set by one generator; every member is k-means until no label changes."""
    rng = np.random.default_rng(0)
    for _ in range(plan.n_ensembles):
        members = GENERATORS[generator](
            n_members=plan.n_members,
            n_clusters=data.n_clusters,
            scaling=None,
            tol=0.0,
            max_iter=1000,
            random_state=rng,
            verbose=0,
        )
        yield members.fit(data.X).ensemble_


def measure(data: LabelledSet, plan: Plan, pieces: Pieces) -> list[Case]:
    """Fit every method to all ensembles of a set."""
    return [
        pieces.get(
            f"{data.name} {generator} {number}", partial(one_case, data, generator, ensemble)
        )
        for generator in GENERATORS
        for number, ensemble in enumerate(ensembles(data, generator, plan))
    ]


def _ranks(losses: Array) -> Array:
    # Sums in another order differ in the last digits.
    return np.asarray(rankdata(np.round(losses, 9), axis=0))


def one_case(data: LabelledSet, generator: str, ensemble: Ensemble) -> Case:
    """Fit every method to one ensemble, and the three proposed ones from random partitions too."""
    with quietly():
        fitted = {name: make(data.n_clusters).fit(ensemble) for name, make in METHODS.items()}
        random = {name: make(data.n_clusters).fit(ensemble) for name, make in RANDOM_STARTS.items()}
    scores = np.array([_scores(one.labels_, data, ensemble) for one in fitted.values()])
    members = np.array([_scores(labels, data, ensemble) for labels in ensemble.labels.T])
    # The best member is another one for every criterion.
    scores[list(METHODS).index("BEST")] = _best(members)
    return Case(
        data.name,
        generator,
        scores,
        members.mean(axis=0),
        members.std(axis=0),
        np.array([len(np.unique(one.labels_)) for one in fitted.values()]),
        np.array([_best(_of_starts(fitted[name], data, ensemble)) for name in PROPOSED]),
        {name: _starts(fitted[name].solutions_) for name in PROPOSED},
        {name: _starts(random[name].solutions_) for name in PROPOSED},
    )


def _of_starts(one: Any, data: LabelledSet, ensemble: Ensemble) -> Array:
    return np.array([_scores(solution.labels, data, ensemble) for solution in one.solutions_])


def _best(scores: Array) -> Array:
    return np.asarray((scores * SIGNS).min(axis=0) * SIGNS)


def _scores(labels: Array, data: LabelledSet, ensemble: Ensemble) -> list[float]:
    return [
        consensus_rand(labels, ensemble),
        compactness(data.X, labels),
        KnownClasses(data.y, "purity")(labels),
    ]


def _starts(solutions: Sequence[Any]) -> tuple[int, float, float, int]:
    distances = [solution.criterion for solution in solutions]
    rounds = max(solution.n_iter for solution in solutions)
    return len(solutions), min(distances), float(np.mean(distances)), rounds
