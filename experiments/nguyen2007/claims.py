"""What the paper says, judged by rules."""

from collections.abc import Sequence

import numpy as np

from experiments.harness import Claim, Table, verdict
from experiments.nguyen2007.measure import CRITERIA, METHODS, PROPOSED, Case
from experiments.nguyen2007.tables import mean_ranks

# "Among the best": at most so many methods have a smaller mean rank.
_BETTER_ALLOWED = 4
_ROUNDS = 40


def claims(cases: Sequence[Case]) -> list[Claim]:
    """Judge all claims."""
    return [*(among_the_best(cases, criterion) for criterion in CRITERIA), few_rounds(cases)]


def among_the_best(cases: Sequence[Case], criterion: str) -> Claim:
    """Places of the three methods by mean rank, and how often they are at least as good as others."""
    column, names = CRITERIA.index(criterion), list(METHODS)
    ranks = mean_ranks(cases)[:, column].round(9)
    place = {name: 1 + int((ranks < ranks[names.index(name)]).sum()) for name in PROPOSED}
    holds = sum(value <= 1 + _BETTER_ALLOWED for value in place.values())
    each = ", ".join(
        f"{m} place {place[m]} (mean rank {ranks[names.index(m)]:.1f})" for m in PROPOSED
    )
    first = names[int(np.argmin(ranks))]
    return Claim(
        f"IVC, IPVC and IPC are as good as, and often better than, eleven others by {criterion}.",
        verdict(holds, len(PROPOSED)),
        f"Over {len(cases)} ensembles: {each}; the best mean rank, {ranks.min():.1f}, has {first}; at "
        f"least as good as the others in {100 * _share(cases, column):.0f} % of all comparisons. Rule: "
        f"all three among the first {1 + _BETTER_ALLOWED} of 14, reproduced; none, not."
        + (_without_selection(cases) if column == 0 else ""),
    )


def _without_selection(cases: Sequence[Case]) -> str:
    """Say what choosing the best start by the criterion itself is worth."""
    ranks, names = np.mean([case.unselected_ranks for case in cases], axis=0), list(METHODS)
    each = ", ".join(f"{name} {ranks[names.index(name)]:.1f}" for name in PROPOSED)
    return (
        " The best of 100 starts is chosen by this very criterion; with the mean of the distinct "
        f"results in its place, mean ranks are {each}."
    )


def few_rounds(cases: Sequence[Case]) -> Claim:
    """Rounds until nothing changes."""
    rounds = {name: max(case.starts[name][3] for case in cases) for name in PROPOSED}
    return Claim(
        f"The three methods stop after fewer than {_ROUNDS} rounds.",
        verdict(sum(value < _ROUNDS for value in rounds.values()), len(rounds)),
        f"Most rounds of any start: {', '.join(f'{name} {value}' for name, value in rounds.items())}.",
    )


def worked_example(table: Table) -> Claim:
    """Figure 1, entry by entry."""
    pairs = [
        (value, row[f"{name} (printed)"])
        for row in table.rows
        for name, value in row.items()
        if f"{name} (printed)" in row and value is not None
    ]
    same = sum(ours == theirs for ours, theirs in pairs)
    return Claim(
        "The similarity matrix of six objects under four clusterings (figure 1).",
        verdict(same, len(pairs)),
        f"{same} of {len(pairs)} entries are equal to the printed ones.",
    )


def _share(cases: Sequence[Case], column: int) -> float:
    """Share of pairs of a proposed and another method in which the first ranks no worse."""
    proposed = np.isin(list(METHODS), PROPOSED)
    wins = [
        case.ranks[proposed, column][:, None] <= case.ranks[~proposed, column] for case in cases
    ]
    return float(np.mean(wins))
