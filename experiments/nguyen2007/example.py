"""Figure 1: six objects, four clusterings, and the two clusters that they are said to hide."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from consilience import Ensemble
from consilience.consensus import IPC, IPVC, IVC
from consilience.metrics import KnownClasses, ari, consensus_rand
from experiments.harness import Entry, Found, Rule, Table, judged, printed, quietly
from experiments.nguyen2007.measure import METHODS, PROPOSED

Array = np.ndarray[Any, Any]

_ITERATIVE: dict[str, type] = {"IVC": IVC, "IPVC": IPVC, "IPC": IPC}
# Methods that see objects through their similarities alone.
SIMILARITY = ("HAC", "FC", "CSPA")
_TRUTH = np.array([0, 0, 0, 1, 1, 1])
_RANDOM_STARTS = 100


@dataclass(frozen=True)
class Recovery:
    """What becomes of the six objects.

    clusters   by the name of a method and of its choice among starts: labels
    distances  the same: consensus Rand distance
    share      of single random starts that end in the true clusters, for IVC, IPVC and IPC
    truth      consensus Rand distance of the true clusters
    stable     whether a start at the true clusters stays there, for IVC, IPVC and IPC
    """

    clusters: dict[str, Array]
    distances: dict[str, float]
    share: dict[str, float]
    truth: float
    stable: dict[str, bool]

    def recovers(self, name: str) -> bool:
        """Whether these are the true clusters."""
        return bool(ari(self.clusters[name], _TRUTH) == 1)


def members() -> Array:
    """Return the labels of figure 1, six objects by four clusterings."""
    rows = printed("nguyen2007", "figure01_labels")
    objects = [name for name in rows[0] if name != "clustering"]
    return np.array([[row[name] for row in rows] for name in objects])


def recover() -> Recovery:
    """Fit all methods; the iterative ones from members and from random partitions."""
    ensemble = Ensemble.from_labels(members())
    known = KnownClasses(_TRUTH, "rand")
    with quietly():
        found = {name: make(2).fit(ensemble).labels_ for name, make in METHODS.items()}
        for name in PROPOSED:
            for init in ("members", "random_partition"):
                for rule, criterion in (("rand", "rand"), ("known classes", known)):
                    how = {"init": init, "criterion": criterion, "n_init": 100, "random_state": 0}
                    label = f"{name}, {init.replace('_', ' ')}, {rule}"
                    found[label] = _ITERATIVE[name](2, **how).fit(ensemble).labels_
        share = {name: _share(_ITERATIVE[name], ensemble) for name in PROPOSED}
    distances = {name: consensus_rand(labels, ensemble) for name, labels in found.items()}
    with quietly():
        stable = {
            name: bool(ari(kind(2, init=_TRUTH).fit(ensemble).labels_, _TRUTH) == 1)
            for name, kind in _ITERATIVE.items()
        }
    return Recovery(found, distances, share, consensus_rand(_TRUTH, ensemble), stable)


def _share(function: type, ensemble: Ensemble) -> float:
    ends = [
        function(2, init="random_partition", n_init=1, random_state=seed).fit(ensemble).labels_
        for seed in range(_RANDOM_STARTS)
    ]
    return float(np.mean([ari(labels, _TRUTH) == 1 for labels in ends]))


def recovery_entries(found: Recovery) -> list[Entry]:
    """The sentences about figure 1."""
    by_classes = {
        name: found.recovers(f"{name}, random partition, known classes") for name in PROPOSED
    }
    shares = ", ".join(f"{name} {100 * share:.0f} %" for name, share in found.share.items())
    best = min(found.distances.values())
    missed = {name: not found.recovers(name) for name in SIMILARITY}
    return [
        judged(
            "claim-recovery",
            "4",
            '"an EM-like approach" "can recover the ground-truth partition since it is a local minimum '
            'in the EM process"',
            Rule(
                "a start at the true clusters stays there; some random start ends there: IVC, IPVC, IPC"
            ),
            Found(
                sum(found.stable.values()) + sum(by_classes.values()),
                2 * len(PROPOSED),
                f"of {_RANDOM_STARTS} single random starts {shares} end there",
            ),
            why="Which start to keep needs the classes: the consensus Rand distance of the true "
            f"clusters is {found.truth:.3f}, and {best:.3f} is possible.",
        ),
        judged(
            "claim-similarity-misses",
            "4",
            '"similarity-based clustering algorithms will not be able recover the ground-truth '
            'partition"',
            Rule("not recovered: HAC, FC, CSPA"),
            Found(sum(missed.values()), len(missed)),
        ),
    ]


def recovery_table(found: Recovery) -> Table:
    """Clusters of the six objects by all methods."""
    rows = [
        {
            "method": name,
            "clusters": " ".join(str(label) for label in labels),
            "consensus Rand": found.distances[name],
            "recovered": "yes" if found.recovers(name) else "no",
        }
        for name, labels in found.clusters.items()
    ]
    note = (
        "Clusters of x1 to x6; the true ones are 0 0 0 1 1 1, with a consensus Rand distance of "
        f"{found.truth:.3f}. The last rows name the starts and the choice among them."
    )
    return Table("figure01_recovery", "Figure 1: recovery of the true clusters", rows, note)


def similarity_table() -> Table:
    """Figure 1: similarities of six objects under four clusterings."""
    labels = members()
    theirs = {row["object"]: row for row in printed("nguyen2007", "figure01_similarity")}
    objects, rows = list(theirs), []
    for i, first in enumerate(objects[:-1]):
        row: dict[str, Any] = {"object": first}
        for j, second in enumerate(objects[1:], start=1):
            row[second] = float(np.mean(labels[i] == labels[j])) if j > i else None
            row[f"{second} (printed)"] = theirs[first][second]
        rows.append(row)
    return Table("figure01_similarity", "Figure 1: similarity of six objects", rows, digits=2)


def similarity_entry(table: Table) -> Entry:
    """Figure 1, entry by entry."""
    pairs = [
        (value, row[f"{name} (printed)"])
        for row in table.rows
        for name, value in row.items()
        if f"{name} (printed)" in row and value is not None
    ]
    same = sum(ours == theirs for ours, theirs in pairs)
    return judged(
        "figure01",
        "figure 1",
        "Four clusterings of six objects, and their similarity matrix",
        Rule("entries equal to the printed ones"),
        Found(same, len(pairs)),
        printed="the matrix, beside ours in the tables",
    )
