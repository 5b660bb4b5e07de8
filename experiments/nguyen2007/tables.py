"""Tables of ranks, of every criterion, of the starts, and figure 1."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from experiments.harness import Table, printed
from experiments.nguyen2007.measure import CRITERIA, METHODS, PROPOSED, Case

Array = np.ndarray[Any, Any]


def mean_ranks(cases: Sequence[Case]) -> Array:
    """Return the mean ranks over all ensembles, (14, 3)."""
    return np.asarray(np.mean([case.ranks for case in cases], axis=0))


def rank_table(cases: Sequence[Case]) -> Table:
    """Mean ranks of the methods, the best by consensus Rand distance first."""
    ranks, names = mean_ranks(cases), list(METHODS)
    rows = [
        {
            "method": names[k],
            **{name: float(ranks[k, c]) for c, name in enumerate(CRITERIA)},
            "all three": float(ranks[k].mean()),
        }
        for k in np.argsort(ranks[:, 0], kind="stable")
    ]
    note = (
        "1 is the best of fourteen. BEST is the best member by each criterion; by accuracy it sees the "
        "classes."
    )
    title = f"Mean ranks over {len(cases)} ensembles"
    return Table("mean_ranks", title, rows, note, digits=1)


def criterion_table(cases: Sequence[Case], criterion: str) -> Table:
    """One criterion: methods by sets and generators, means over the ensembles."""
    column = CRITERIA.index(criterion)
    kinds = list(dict.fromkeys((case.data, case.generator) for case in cases))
    rows: list[dict[str, Any]] = [{"method": name} for name in [*METHODS, "mean member"]]
    for kind in kinds:
        here = [case for case in cases if (case.data, case.generator) == kind]
        values = np.mean([case.scores[:, column] for case in here], axis=0)
        member = np.mean([case.member_scores[column] for case in here])
        for row, value in zip(rows, [*values, member], strict=True):
            row[", ".join(kind)] = float(value)
    better = "larger" if criterion == "accuracy" else "smaller"
    name = criterion.lower().replace(" ", "_")
    title = f"{criterion[0].upper()}{criterion[1:]}: {better} is better"
    return Table(name, title, rows, "The paper prints no figures.", digits=4)


def starts_table(cases: Sequence[Case]) -> Table:
    """What the starts of the three methods ended in."""
    rows = []
    for case in cases:
        for name in PROPOSED:
            distinct, smallest, mean, rounds = case.starts[name]
            rows.append(
                {
                    "ensemble": f"{case.data}, {case.generator}",
                    "method": name,
                    "clusters": int(case.n_clusters[list(METHODS).index(name)]),
                    "distinct results": distinct,
                    "smallest Rand distance": smallest,
                    "mean Rand distance": mean,
                    "most rounds": rounds,
                }
            )
    return Table("starts", "Results of 100 starts", rows, digits=4)


def similarity_table() -> Table:
    """Figure 1: similarities of six objects under four clusterings."""
    members = printed("nguyen2007", "figure01_labels")
    objects = [name for name in members[0] if name != "clustering"]
    labels = np.array([[member[name] for member in members] for name in objects])
    theirs = {row["object"]: row for row in printed("nguyen2007", "figure01_similarity")}
    rows = []
    for i, first in enumerate(objects[:-1]):
        row: dict[str, Any] = {"object": first}
        for j, second in enumerate(objects[1:], start=1):
            row[second] = float(np.mean(labels[i] == labels[j])) if j > i else None
            row[f"{second} (printed)"] = theirs[first][second]
        rows.append(row)
    return Table("figure01_similarity", "Figure 1: similarity of six objects", rows, digits=2)
