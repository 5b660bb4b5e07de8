"""Ensembles of one set by one constructor, and what four consensus functions make of them."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.decomposition import PCA

from consilience.consensus import CBGF, HBGF, IBGF, KMCF
from consilience.diagnose import (
    DiversityQuality,
    FunctionComparison,
    compare_functions,
    diversity_quality,
)
from consilience.generate import KMeansRestarts, PCASubsample, ProjectedPCA, RandomProjection
from experiments.fern2004.sets import LabelledSet

Array = np.ndarray[Any, Any]

# Principal axes with scores as they are, and with scores of unit variance: the paper does not say.
UNIT = ", unit variance"
CONSTRUCTORS: dict[str, tuple[type, dict[str, Any]]] = {
    "RP": (RandomProjection, {}),
    "PCASS": (PCASubsample, {}),
    "RPPCA": (ProjectedPCA, {}),
    f"PCASS{UNIT}": (PCASubsample, {"whiten": True}),
    f"RPPCA{UNIT}": (ProjectedPCA, {"whiten": True}),
}
FUNCTIONS: dict[str, type] = {"IBGF": IBGF, "CBGF": CBGF, "HBGF": HBGF, "KMCF": KMCF}
# Members behind table 4, figure 3, and the point of ensemble size 1.
CLOUD_MEMBERS = 50


@dataclass(frozen=True)
class Plan:
    """Sizes of the ensembles, and how many there are of each."""

    sizes: tuple[int, ...]
    n_ensembles: int


QUICK = Plan((10, 30, 60), 4)
FULL = Plan(tuple(range(10, 101, 10)), 10)


@dataclass(frozen=True, eq=False)
class Measurement:
    """One set under one constructor.

    cloud       diversity and quality of 50 members
    sizes       (e,) members of every ensemble
    comparison  NMI, SNMI and improvement rates, a row per ensemble, a column per function
    one_start   the same for KMCF alone, with one run of k-means from random rows
    """

    cloud: DiversityQuality
    sizes: Array
    comparison: FunctionComparison
    one_start: FunctionComparison

    def improvement(self, *, one_start: bool = False) -> dict[str, Array]:
        """Return the improvement rates of every function, one per ensemble.

        KMCF has its usual ten careful starts, or one random start.
        """
        columns = self.comparison.improvement.T
        rates = dict(zip(self.comparison.functions, columns, strict=True))
        return {**rates, "KMCF": self.one_start.improvement[:, 0]} if one_start else rates

    def curve(self, values: Array) -> tuple[list[int], list[float]]:
        """Return ensemble sizes, 1 first, and mean values; size 1 is the mean quality of a member."""
        sizes = np.unique(self.sizes)
        means = [float(values[self.sizes == size].mean()) for size in sizes]
        return [1, *sizes.tolist()], [self.cloud.mean_quality, *means]


def measure(data: LabelledSet, constructor: str, plan: Plan) -> Measurement:
    """Make the cloud and the ensembles of a plan, and fit all functions to all ensembles."""
    rng = np.random.default_rng(0)
    cloud = diversity_quality(make_ensemble(data, constructor, CLOUD_MEMBERS, rng), data.y)
    sizes = np.repeat(plan.sizes, plan.n_ensembles)
    ensembles = [make_ensemble(data, constructor, int(size), rng) for size in sizes]
    functions = {name: function(data.n_classes) for name, function in FUNCTIONS.items()}
    plain = {"KMCF": KMCF(data.n_classes, init="random_rows", n_init=1)}
    return Measurement(
        cloud,
        sizes,
        compare_functions(ensembles, functions, data.y, random_state=0, verbose=0),
        compare_functions(ensembles, plain, data.y, random_state=0, verbose=0),
    )


def baseline(data: LabelledSet) -> float:
    """Return the mean NMI of 50 runs of k-means after PCA, with as many clusters as classes."""
    axes = PCA(data.n_components, random_state=0).fit_transform(data.X)
    runs = KMeansRestarts(
        n_members=50,
        n_clusters=data.n_classes,
        tol=0.0,
        max_iter=1000,
        random_state=0,
        verbose=0,
    )
    return diversity_quality(runs.fit(axes).ensemble_, data.y).mean_quality


def make_ensemble(
    data: LabelledSet, constructor: str, size: int, rng: np.random.Generator, **options: Any
) -> Any:
    """Return an ensemble; every member is one run of k-means, until no label changes."""
    kind, own = CONSTRUCTORS[constructor]
    generator = kind(
        n_members=size,
        n_clusters=data.n_clusters,
        n_components=data.n_components,
        tol=0.0,
        max_iter=1000,
        random_state=rng,
        verbose=0,
        **own,
        **options,
    )
    return generator.fit(data.X).ensemble_
