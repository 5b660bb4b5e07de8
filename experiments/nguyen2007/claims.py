"""What the paper says, judged by rules."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from experiments.harness import Entry, Table, printed, verdict
from experiments.nguyen2007.example import (
    SIMILARITY,
    Recovery,
    recovery_entry,
    similarity_entry,
)
from experiments.nguyen2007.measure import CRITERIA, METHODS, N_STARTS, PROPOSED, Case
from experiments.nguyen2007.sets import LabelledSet
from experiments.nguyen2007.tables import mean_ranks

# "Among the best": at most so many methods have a smaller mean rank.
_BETTER_ALLOWED = 4
_ROUNDS = 40
_MOST = "all, reproduced; more than half, partly"


def entries(
    sets: Sequence[LabelledSet],
    cases: Sequence[Case],
    example: Table,
    recovery: Recovery,
    command: str,
) -> list[Entry]:
    """Judge all tables, figures and claims."""
    judged = [
        sizes(sets),
        similarity_entry(example),
        recovery_entry(recovery),
        *(among_the_best(cases, criterion) for criterion in CRITERIA),
        *(among_the_best(cases, criterion, own=True) for criterion in CRITERIA[1:]),
        above_similarity_methods(cases),
        member_starts(cases),
        few_rounds(cases),
        two_methods(cases),
    ]
    return [*(replace(entry, command=command) for entry in judged), *_not_at_hand()]


def sizes(sets: Sequence[LabelledSet]) -> Entry:
    """Table 1."""
    theirs = {row["dataset"]: row for row in printed("nguyen2007", "table01_datasets")}
    same, of, text, there = 0, 0, [], []
    for data in (data for data in sets if data.name in theirs):
        row = theirs[data.name]
        ours = (data.X.shape[1], len(data.y), len(np.unique(data.y)))
        known = (row["features"], row["cases"], row["classes"])
        same += sum(a == b for a, b in zip(ours, known, strict=True))
        of += len(known)
        text.append(f"{data.name} {ours[0]} / {ours[1]} / {ours[2]}")
        there.append(f"{data.name} {known[0]} / {known[1]} / {known[2]}")
    return Entry(
        "table01",
        "table",
        "Features, cases and classes of the four sets (table 1)",
        "reproduced" if same == of else "partly" if 2 * same > of else "not",
        f"{same} of {of} as printed: {', '.join(text)}",
        printed=", ".join(there),
        rule=_MOST,
        remark="rows and letters are not those of the paper, which does not name them; Australia and "
        "Bergmark: no data",
    )


def among_the_best(cases: Sequence[Case], criterion: str, *, own: bool = False) -> Entry:
    """Places of the three methods by mean rank, and how often they are at least as good as others."""
    column, names = CRITERIA.index(criterion), list(METHODS)
    ranks = mean_ranks(cases, own=own)[:, column].round(9)
    place = {name: 1 + int((ranks < ranks[names.index(name)]).sum()) for name in PROPOSED}
    holds = sum(value <= 1 + _BETTER_ALLOWED for value in place.values())
    each = ", ".join(
        f"{m} place {place[m]} (mean rank {ranks[names.index(m)]:.1f})" for m in PROPOSED
    )
    share = 100 * _share(cases, column, own=own)
    chosen = f"; each of {N_STARTS} starts judged by {criterion} itself" if own else ""
    classes = " uses the known classes, and" if criterion == "accuracy" else ""
    return Entry(
        f"claim-{criterion.lower().replace(' ', '-')}{'-own-start' if own else ''}",
        "claim",
        f"IVC, IPVC and IPC are as good as, and often better than, eleven others by {criterion}{chosen}",
        verdict(holds, len(PROPOSED)),
        f"Over {len(cases)} ensembles: {each}; the best mean rank, {ranks.min():.1f}, has "
        f"{names[int(np.argmin(ranks))]}; at least as good as the others in {share:.0f} % of all "
        f"comparisons" + ("" if own or column else _without_selection(cases)),
        rule=f"all three among the first {1 + _BETTER_ALLOWED} of 14, reproduced; none, not",
        remark=f"this choice{classes} is the paper's: the best result by the criterion in use; the "
        "others have one result each"
        if own
        else "the start is chosen by consensus Rand distance, without classes",
    )


def _without_selection(cases: Sequence[Case]) -> str:
    """Say what choosing the best start by the criterion itself is worth."""
    ranks, names = np.mean([case.unselected_ranks for case in cases], axis=0), list(METHODS)
    each = ", ".join(f"{name} {ranks[names.index(name)]:.1f}" for name in PROPOSED)
    return f"; with the mean of the distinct results of all starts, mean ranks are {each}"


def above_similarity_methods(cases: Sequence[Case]) -> Entry:
    """EM-like methods against methods that see similarities alone."""
    ranks, names = mean_ranks(cases), list(METHODS)
    iterative = ranks[[names.index(name) for name in PROPOSED]].mean(axis=0)
    others = ranks[[names.index(name) for name in SIMILARITY]]
    holds = int((iterative < others).sum())
    text = [
        f"{criterion} {iterative[c]:.1f} against "
        + ", ".join(f"{name} {others[k, c]:.1f}" for k, name in enumerate(SIMILARITY))
        for c, criterion in enumerate(CRITERIA)
    ]
    return Entry(
        "claim-iterative-similarity",
        "claim",
        "Iterative, EM-like methods are more effective than methods based on similarities of objects "
        "alone",
        "reproduced" if holds == others.size else "partly" if 2 * holds > others.size else "not",
        f"In {holds} of {others.size} comparisons of mean ranks, IVC, IPVC and IPC together: "
        f"{'; '.join(text)}",
        rule=f"smaller mean rank than HAC, FC and CSPA by each criterion: {_MOST}",
        remark="which methods stand for similarity methods is our choice",
    )


def member_starts(cases: Sequence[Case]) -> Entry:
    """Members and random partitions as starts."""
    pairs = [(case.starts[m], case.random_starts[m]) for case in cases for m in PROPOSED]
    mean = sum(members[2] < random[2] for members, random in pairs)
    best = sum(members[1] < random[1] + 1e-9 for members, random in pairs)
    members, random = (
        {
            m: [float(np.mean([getattr(c, what)[m][k] for c in cases])) for k in (2, 1)]
            for m in PROPOSED
        }
        for what in ("starts", "random_starts")
    )
    each = "; ".join(
        f"{m} mean {members[m][0]:.4f} and {random[m][0]:.4f}, best {members[m][1]:.4f} and "
        f"{random[m][1]:.4f}"
        for m in PROPOSED
    )
    return Entry(
        "claim-member-starts",
        "claim",
        "Starts from members end in better clusterings than random starts",
        "reproduced" if mean == len(pairs) else "partly" if 2 * mean > len(pairs) else "not",
        f"The mean consensus Rand distance of the distinct results is smaller in {mean} of "
        f"{len(pairs)} cases, the best of {N_STARTS} starts no larger in {best}; over all ensembles, "
        f"from members and from random partitions: {each}",
        rule=f"smaller mean: {_MOST}",
    )


def few_rounds(cases: Sequence[Case]) -> Entry:
    """Rounds until nothing changes."""
    rounds = {name: max(case.starts[name][3] for case in cases) for name in PROPOSED}
    random = {name: max(case.random_starts[name][3] for case in cases) for name in PROPOSED}
    return Entry(
        "claim-few-rounds",
        "claim",
        f"The three methods stop after fewer than {_ROUNDS} rounds",
        verdict(sum(value < _ROUNDS for value in rounds.values()), len(rounds)),
        f"Most rounds of any start from a member: {_listed(rounds)}; from a random partition: "
        f"{_listed(random)}",
        printed=f"fewer than {_ROUNDS}",
        rule="all three methods, starts from members: reproduced; none, not",
    )


def two_methods(cases: Sequence[Case]) -> Entry:
    """IPVC and IPC."""
    one, other = (list(METHODS).index(name) for name in ("IPVC", "IPC"))
    differ = sum(not np.allclose(case.scores[one], case.scores[other]) for case in cases)
    return Entry(
        "claim-two-methods",
        "claim",
        "IPVC and IPC are two methods with results of their own",
        verdict(differ, len(cases)),
        f"They differ on {differ} of {len(cases)} ensembles",
        rule="on all, reproduced; on none, not",
        remark="the distance of one is a linear function of the similarity of the other, so both make "
        "the same choices",
    )


def _not_at_hand() -> list[Entry]:
    return [
        Entry(
            "figure02",
            "figure",
            "Results of the fourteen methods by the three criteria (figure 2)",
            "no data",
            remark="no numbers can be read from the picture; ours, results/full/figure02_results.png, "
            "shows the same quantities, and the claims about it are judged on their own",
        ),
        *(
            Entry(
                f"claim-set-{name.lower()}",
                "claim",
                f"All results on {name}",
                "no data",
                remark="no public copy was found",
            )
            for name in ("Australia", "Bergmark")
        ),
    ]


def _share(cases: Sequence[Case], column: int, *, own: bool) -> float:
    """Share of pairs of a proposed and another method in which the first ranks no worse."""
    proposed = np.isin(list(METHODS), PROPOSED)
    ranks = [case.ranks(own=own)[:, column] for case in cases]
    wins = [one[proposed][:, None] <= one[~proposed] for one in ranks]
    return float(np.mean(wins))


def _listed(rounds: dict[str, int]) -> str:
    return ", ".join(f"{name} {value}" for name, value in rounds.items())
