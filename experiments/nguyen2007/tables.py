"""Tables of ranks, of every criterion, and of the starts."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from experiments.harness import Table
from experiments.nguyen2007.measure import CRITERIA, METHODS, N_STARTS, PROPOSED, Case

Array = np.ndarray[Any, Any]


def mean_ranks(cases: Sequence[Case], *, own: bool = False) -> Array:
    """Return the mean ranks over all ensembles, (14, 3)."""
    return np.asarray(np.mean([case.ranks(own=own) for case in cases], axis=0))


def rank_table(cases: Sequence[Case]) -> Table:
    """Mean ranks of the methods, the best by consensus Rand distance first."""
    ranks, own, names = mean_ranks(cases), mean_ranks(cases, own=True), list(METHODS)
    rows = [
        {
            "method": names[k],
            **{name: float(ranks[k, c]) for c, name in enumerate(CRITERIA)},
            "all three": float(ranks[k].mean()),
            "compactness, own start": float(own[k, 1]),
            "accuracy, start by classes": float(own[k, 2]),
        }
        for k in np.argsort(ranks[:, 0], kind="stable")
    ]
    note = (
        "1 is the best of fourteen. BEST is the best member by each criterion; by accuracy it sees the "
        "classes. IVC, IPVC and IPC keep the start of smallest consensus Rand distance; in the last two "
        "columns the most compact start, and the one that agrees best with the known classes."
    )
    title = f"Mean ranks over {len(cases)} ensembles"
    return Table("mean_ranks", title, rows, note, digits=1)


def criterion_table(cases: Sequence[Case], criterion: str) -> Table:
    """One criterion: methods by sets and generators, means over the ensembles."""
    column = CRITERIA.index(criterion)
    kinds = list(dict.fromkeys((case.data, case.generator) for case in cases))
    rows: list[dict[str, Any]] = [{"method": name} for name in [*METHODS, "mean member"]]
    chosen = "by classes" if criterion == "accuracy" else "own start"
    own_rows: list[dict[str, Any]] = [{"method": f"{name}, {chosen}"} for name in PROPOSED]
    for kind in kinds:
        here = [case for case in cases if (case.data, case.generator) == kind]
        values = np.mean([case.scores[:, column] for case in here], axis=0)
        member = np.mean([case.member_scores[column] for case in here])
        for row, value in zip(rows, [*values, member], strict=True):
            row[", ".join(kind)] = float(value)
        own = np.mean([case.own_starts[:, column] for case in here], axis=0)
        if column:
            for row, value in zip(own_rows, own, strict=True):
                row[", ".join(kind)] = float(value)
    better = "larger" if criterion == "accuracy" else "smaller"
    name = criterion.lower().replace(" ", "_")
    title = f"{criterion[0].upper()}{criterion[1:]}: {better} is better"
    rows += own_rows if column else []
    return Table(name, title, rows, "The paper prints no figures.", digits=4)


def members_table(cases: Sequence[Case]) -> Table:
    """Figure 2: accuracy of the members."""
    rows = [
        {
            "set": case.data,
            "generator": case.generator,
            "mean accuracy": float(case.member_scores[2]),
            "standard deviation": float(case.member_spread[2]),
        }
        for case in cases
    ]
    note = "The paper prints no figures."
    return Table("figure02_members", "Accuracy (purity) of the members", rows, note)


def starts_table(cases: Sequence[Case]) -> Table:
    """What the starts of the three methods ended in."""
    rows = []
    for case in cases:
        for name in PROPOSED:
            distinct, smallest, mean, rounds = case.starts[name]
            random = case.random_starts[name]
            rows.append(
                {
                    "ensemble": f"{case.data}, {case.generator}",
                    "method": name,
                    "clusters": int(case.n_clusters[list(METHODS).index(name)]),
                    "distinct results": distinct,
                    "smallest Rand distance": smallest,
                    "mean Rand distance": mean,
                    "most rounds": rounds,
                    "distinct, random starts": random[0],
                    "smallest, random starts": random[1],
                    "mean, random starts": random[2],
                    "most rounds, random starts": random[3],
                }
            )
    note = "Starts are members, or random partitions."
    return Table("starts", f"Results of {N_STARTS} starts", rows, note, digits=4)
