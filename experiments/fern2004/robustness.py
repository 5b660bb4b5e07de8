"""Section 5.2: other numbers of dimensions and clusters; section 3.2: other principal axes."""

from dataclasses import dataclass, replace

import numpy as np

from consilience.consensus import HBGF
from consilience.diagnose import compare_functions, diversity_quality
from experiments.fern2004.measure import make_ensemble
from experiments.fern2004.sets import LabelledSet

USUAL = "as in the paper"
SUBSAMPLE_AXES = "axes of the subsample"
# Factors of the number of dimensions and of the number of clusters of a member.
SETTINGS = {
    USUAL: (1.0, 1.0),
    "half the dimensions": (0.5, 1.0),
    "twice the dimensions": (2.0, 1.0),
    "two thirds of the clusters": (1.0, 2 / 3),
    "four thirds of the clusters": (1.0, 4 / 3),
}
# Both drawn for every member, between the settings above.
DRAWN = "both drawn for every member"
CONSTRUCTORS = ("RP", "PCASS")


@dataclass(frozen=True)
class Sizes:
    """Members of an ensemble, and how many ensembles there are."""

    n_members: int
    n_ensembles: int


QUICK = Sizes(20, 2)
FULL = Sizes(50, 3)


@dataclass(frozen=True)
class Tried:
    """What ensembles of one setting end in.

    data, constructor, setting  names
    n_components, n_clusters    of a member; a range where they are drawn
    nmi                         mean NMI of HBGF with the classes
    diversity                   mean NMI between members of the first ensemble
    """

    data: str
    constructor: str
    setting: str
    n_components: int | tuple[int, int]
    n_clusters: int | tuple[int, int]
    nmi: float
    diversity: float


def try_settings(data: LabelledSet, sizes: Sizes) -> list[Tried]:
    """Run all settings on one set."""
    tried = []
    for constructor in CONSTRUCTORS:
        for setting, (dimensions, clusters) in SETTINGS.items():
            changed = replace(
                data,
                n_components=min(round(dimensions * data.n_components + 0.01), data.X.shape[1]),
                n_clusters=round(clusters * data.n_clusters),
            )
            tried.append(_try(changed, constructor, setting, sizes))
        width, k = data.n_components, data.n_clusters
        ranges = replace(
            data,
            n_components=(round(0.5 * width + 0.01), min(2 * width, data.X.shape[1])),
            n_clusters=(round(2 / 3 * k), round(4 / 3 * k)),
        )
        tried.append(_try(ranges, constructor, DRAWN, sizes))
    tried.append(_try(data, "PCASS", SUBSAMPLE_AXES, sizes, axes="subsample"))
    return tried


def _try(data: LabelledSet, constructor: str, setting: str, sizes: Sizes, **options: str) -> Tried:
    rng = np.random.default_rng(0)
    ensembles = [
        make_ensemble(data, constructor, sizes.n_members, rng, **options)
        for _ in range(sizes.n_ensembles)
    ]
    found = compare_functions(
        ensembles, {"HBGF": HBGF(data.n_classes)}, data.y, random_state=0, verbose=0
    )
    return Tried(
        data.name,
        constructor,
        setting,
        data.n_components,
        data.n_clusters,
        float(found.nmi.mean()),
        diversity_quality(ensembles[0], data.y).mean_nmi,
    )
