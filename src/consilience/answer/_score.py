"""The score of a clustering: what other kinds of clustering also find, less what its borders cost.

    T    = gain - B / sqrt(d) cost
    gain = mean over the better half of the other kinds of  max over their members Q of [ I - a VI ]
    cost = sum over the clusters of  -p log p  times what the border of the cluster costs

I is the information that the clustering shares with Q beyond chance, VI what either has and the other
lacks, in nats; p is the share of a cluster, d the intrinsic dimension. a and B are `_settings.Weights`.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from consilience._utils._types import Array
from consilience.answer._borders import Links, cluster_costs, entropy_shares
from consilience.answer._candidates import Candidates
from consilience.answer._members import KIND_NAMES, Member
from consilience.answer._settings import Weights


class Scored(NamedTuple):
    """A candidate and its score.

    member    the clustering
    score     T
    gain      what other kinds of clustering also find, in nats
    cost      what the borders cost, B / sqrt(d) times their sum
    borders   (k,) what the border of every cluster costs, 0 to 1
    smallest  size of the smallest cluster
    """

    member: Member
    score: float
    gain: float
    cost: float
    borders: Array
    smallest: int

    @property
    def labels(self) -> Array:
        """Return the labels of the judged rows."""
        return self.member.labels

    @property
    def n_clusters(self) -> int:
        """Return the number of clusters."""
        return len(self.borders)


def gains(candidates: Candidates, voters: Candidates, weights: Weights) -> Array:
    """Return the gain of every candidate."""
    from consilience._kernels._shared_information import best_support

    if len(candidates.labels) == 0 or len(voters.labels) == 0:
        return np.zeros(len(candidates.labels))
    n_kinds = len(KIND_NAMES)
    best = best_support(
        candidates.labels, candidates.n_clusters, candidates.kind,
        voters.labels, voters.n_clusters, voters.kind, n_kinds, weights.unshared,
    )  # fmt: skip
    found = np.zeros(len(best))
    for place, row in enumerate(best):
        others = np.sort(row[np.isfinite(row)])[::-1]
        if len(others):
            found[place] = others[: int(np.ceil(weights.kinds * len(others)))].mean()
    return found


def best_candidate(
    candidates: Candidates,
    gained: Array,
    graphs: Sequence[Links],
    dimension: float,
    weights: Weights,
    least_size: float,
) -> Scored | None:
    """Return the candidate with the largest score; None if there are no candidates.

    Candidates with a cluster of less than `least_size` rows count only if all have one. Borders take
    most of the time, so candidates are judged in the order of their gain until none can win any more.
    """
    if len(gained) == 0:
        return None
    smallest = candidates.smallest()
    large = smallest >= least_size
    places = np.flatnonzero(large if large.any() else smallest > 0)
    best = None
    for place in places[np.argsort(-gained[places], kind="stable")]:
        if best is not None and gained[place] <= best.score:
            break
        labels = candidates.labels[place]
        borders = cluster_costs(labels, graphs) if graphs else np.zeros(labels.max() + 1)
        cost = weights.border / np.sqrt(dimension) * float(entropy_shares(labels) @ borders)
        score = float(gained[place]) - cost
        if best is None or score > best.score:
            member, gain = candidates.members[place], float(gained[place])
            best = Scored(member, score, gain, cost, borders, int(smallest[place]))
    return best
