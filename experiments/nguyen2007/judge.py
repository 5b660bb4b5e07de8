"""Tables, figures and sentences of the paper, each with the rule that decides."""

from collections.abc import Mapping, Sequence

import numpy as np
from scipy.stats import spearmanr

from experiments.harness import MOST, Entry, Found, Rule, Table, judged, printed, unjudged
from experiments.nguyen2007.example import Recovery, recovery_entries, similarity_entry
from experiments.nguyen2007.measure import (
    CRITERIA,
    GENERATORS,
    METHODS,
    N_STARTS,
    PROPOSED,
    SIGNS,
    Case,
)
from experiments.nguyen2007.sets import LabelledSet

NAMES = list(METHODS)
OTHERS = [name for name in METHODS if name not in PROPOSED]
GRAPHS = ("CSPA", "HGPA", "MCLA")
ROUNDS = 40
NO_NUMBERS = (
    "Figure 3 has no numbers that can be read. Two of the paper's four sets, with other rows; DIGITS, "
    "which the paper does not have, is beside."
)
OWN_BEST = f"Of {N_STARTS} starts the best by the criterion in use is kept (section 4)."


def judge(
    sets: Sequence[LabelledSet], cases: Sequence[Case], example: Table, recovery: Recovery
) -> list[Entry]:
    """All lines; DIGITS is shown beside, and judges nothing."""
    inside = [case for case in cases if case.data != "DIGITS"]
    outside = [case for case in cases if case.data == "DIGITS"]

    def line(
        identity: str,
        where: str,
        quote: str,
        rule: Rule,
        count,
        *,
        printed: str = "",
        why: str = "",
    ) -> Entry:
        if not inside:
            return unjudged(identity, where, quote, "no data", "None of the sets is at hand.")
        return judged(
            identity,
            where,
            quote,
            rule,
            count(inside),
            printed=printed,
            beside={"DIGITS": count(outside)} if outside else None,
            why=f"{why} {NO_NUMBERS}".strip(),
        )

    return [
        _sizes(sets),
        similarity_entry(example),
        *recovery_entries(recovery),
        line(
            "figure02",
            "figure 2, 7",
            'Zipf: "tend to spread out from low accuracy to high accuracy"; k-means: "usually '
            'concentrate on the high range"',
            Rule(
                "standard deviation of the members' accuracy larger by Zipf; mean larger by k-means"
            ),
            _spreads,
            why="How much wider is not printed.",
        ),
        unjudged(
            "figure03",
            "figure 3",
            "Fourteen methods by the three criteria",
            "no data",
            "No numbers can be read; the sentences about it are judged below, ours is in the pictures.",
        ),
        *(
            line(
                f"claim-{criterion.lower().replace(' ', '-')}",
                "8",
                f'by {criterion}: "usually are equal to, and often better than, other algorithms"',
                Rule(
                    "each of the three at least as good as another method in three quarters of the "
                    "ensembles and methods, and better in half; three methods, two parts"
                ),
                lambda found, k=k: _as_good(found, k),
                why=OWN_BEST + (" For accuracy this looks at the classes." if k == 2 else ""),
            )
            for k, criterion in enumerate(CRITERIA)
        ),
        line(
            "claim-comparable",
            "8",
            '"The three new algorithms perform comparably to each other"',
            Rule("mean scores of the three at most 5 % apart, criterion by criterion"),
            _comparable,
            why="5 % is ours. IPVC and IPC make the same choices, since the distance of one is a linear "
            f"function of the similarity of the other. {OWN_BEST}",
        ),
        line(
            "claim-graphs",
            "8",
            '"the graph-based approach tends to have the worst performance compared to others"',
            Rule(
                "mean rank of CSPA, HGPA and MCLA together above that of the other existing methods, "
                "criterion by criterion"
            ),
            _graphs,
        ),
        _hgpa(inside, outside),
        line(
            "claim-none-consistent",
            "8",
            '"none of the existing algorithms consistently produce results as good as the new methods"',
            Rule(
                "no existing method is at least as good as the worst of the three in all ensembles and "
                "criteria: eleven methods"
            ),
            _consistent,
            why=OWN_BEST,
        ),
        line(
            "claim-similar-ensembles",
            "8",
            '"the results under the two ensemble distributions" are "very similar"',
            Rule(
                "rank correlation of the fourteen methods between the generators above 0.7, a set and a "
                "criterion"
            ),
            _similar,
            why="0.7 is ours.",
        ),
        line(
            "claim-member-starts",
            "8",
            '"better initializations usually lead to better results", members before random partitions',
            Rule(
                "mean consensus Rand distance of the distinct results smaller from members, an ensemble "
                "and a method",
                need=MOST,
            ),
            _member_starts,
            why="The word is usually: more than half.",
        ),
        line(
            "claim-few-rounds",
            "9",
            '"the algorithms always terminate with less than 40 iterations"',
            Rule(f"most rounds of any start from a member below {ROUNDS}, method by method"),
            _rounds,
            printed=f"fewer than {ROUNDS}",
        ),
        *(
            unjudged(
                f"claim-set-{name.lower()}",
                "table 1",
                f"All results on {name}",
                "no data",
                "No public copy was found.",
            )
            for name in ("Australia", "Bergmark")
        ),
        unjudged(
            "claim-hac-ccsvd",
            "8",
            "A sentence about HAC and CCSVD",
            "not run",
            "Its verb is lost in the text at hand.",
        ),
        unjudged(
            "claim-space",
            "9",
            "Space complexities of IVC, IPVC and IPC",
            "not run",
            "Stated by argument, not by experiment.",
        ),
    ]


def _sizes(sets: Sequence[LabelledSet]) -> Entry:
    theirs = {row["dataset"]: row for row in printed("nguyen2007", "table01_datasets")}
    same, of, text = 0, 0, []
    for data in (data for data in sets if data.name in theirs):
        row = theirs[data.name]
        ours = (data.X.shape[1], len(data.y), len(np.unique(data.y)))
        known = (row["features"], row["cases"], row["classes"])
        same += sum(a == b for a, b in zip(ours, known, strict=True))
        of += len(known)
        text.append(f"{data.name} {'/'.join(map(str, ours))}, printed {'/'.join(map(str, known))}")
    return unjudged(
        "table01",
        "table 1",
        "Features, cases and classes of four sets",
        "no data",
        "The rows of Covertype and the letters are not named; Australia and Bergmark cannot be had.",
        ours=f"{same} of {of}: {'; '.join(text)}",
    )


def _own(case: Case) -> np.ndarray:
    """Scores (14, 3) with the best start by the criterion in use; small is good."""
    scores = case.scores.copy()
    scores[[NAMES.index(name) for name in PROPOSED]] = case.own_starts
    return np.asarray(np.round(scores * SIGNS, 9))


def _spreads(cases: Sequence[Case]) -> Found:
    holds, words = 0, []
    for name in dict.fromkeys(case.data for case in cases):
        both = {case.generator: case for case in cases if case.data == name}
        plain, zipf = both["k-means"], both["Zipf"]
        holds += zipf.member_spread[2] > plain.member_spread[2]
        holds += plain.member_scores[2] > zipf.member_scores[2]
        words.append(
            f"{name} deviation {zipf.member_spread[2]:.3f} and {plain.member_spread[2]:.3f}, mean "
            f"{zipf.member_scores[2]:.3f} and {plain.member_scores[2]:.3f}"
        )
    return Found(int(holds), 2 * len(words), f"Zipf and k-means: {'; '.join(words)}")


def _as_good(cases: Sequence[Case], k: int) -> Found:
    holds, words = 0, []
    for name in PROPOSED:
        own = [_own(case)[NAMES.index(name), k] for case in cases]
        rest = [_own(case)[[NAMES.index(other) for other in OTHERS], k] for case in cases]
        equal = float(np.mean([one <= others for one, others in zip(own, rest, strict=True)]))
        better = float(np.mean([one < others for one, others in zip(own, rest, strict=True)]))
        holds += (equal >= 0.75) + (better >= 0.5)
        words.append(f"{name} {equal:.0%} and {better:.0%}")
    return Found(holds, 2 * len(PROPOSED), f"at least as good, better: {', '.join(words)}")


def _comparable(cases: Sequence[Case]) -> Found:
    scores = np.abs(np.mean([_own(case) for case in cases], axis=0))
    three = scores[[NAMES.index(name) for name in PROPOSED]]
    gaps = (three.max(axis=0) - three.min(axis=0)) / three.min(axis=0)
    words = ", ".join(f"{name} {gap:.1%}" for name, gap in zip(CRITERIA, gaps, strict=True))
    return Found(int((gaps <= 0.05).sum()), len(CRITERIA), words)


def _mean_ranks(cases: Sequence[Case]) -> np.ndarray:
    return np.asarray(np.mean([case.ranks(own=True) for case in cases], axis=0))


def _graphs(cases: Sequence[Case]) -> Found:
    ranks = _mean_ranks(cases)
    graphs = ranks[[NAMES.index(name) for name in GRAPHS]].mean(axis=0)
    rest = ranks[[NAMES.index(name) for name in OTHERS if name not in GRAPHS]].mean(axis=0)
    words = ", ".join(
        f"{c} {a:.1f}/{b:.1f}" for c, a, b in zip(CRITERIA, graphs, rest, strict=True)
    )
    return Found(int((graphs > rest).sum()), len(CRITERIA), f"mean ranks graphs/others {words}")


def _hgpa(inside: Sequence[Case], outside: Sequence[Case]) -> Entry:
    """Two readings of a word."""
    where, quote = "8", '"especially the HyperGraph Partitioning Algorithm (HGPA)"'
    if not inside:
        return unjudged("claim-hgpa", where, quote, "no data", "None of the sets is at hand.")

    def count(cases: Sequence[Case], among: Sequence[str]) -> Found:
        ranks = _mean_ranks(cases)
        holds, words = 0, []
        for k, criterion in enumerate(CRITERIA):
            own = ranks[NAMES.index("HGPA"), k]
            others = {name: ranks[NAMES.index(name), k] for name in among if name != "HGPA"}
            worst = max(others, key=lambda name, others=others: others[name])
            holds += own > others[worst]
            words.append(f"{criterion} {own:.1f}, next {worst} {others[worst]:.1f}")
        return Found(int(holds), len(CRITERIA), "; ".join(words))

    return judged(
        "claim-hgpa",
        where,
        quote,
        Rule("HGPA has the largest mean rank, criterion by criterion"),
        {"of the graph methods": count(inside, GRAPHS), "of all fourteen": count(inside, NAMES)},
        beside={"DIGITS, of all fourteen": count(outside, NAMES)} if outside else None,
        why=f"The sentence can be read both ways. {NO_NUMBERS}",
    )


def _consistent(cases: Sequence[Case]) -> Found:
    scores = np.array([_own(case) for case in cases])
    worst = scores[:, [NAMES.index(name) for name in PROPOSED]].max(axis=1)
    shares = {name: float(np.mean(scores[:, NAMES.index(name)] <= worst)) for name in OTHERS}
    words = ", ".join(f"{name} {share:.0%}" for name, share in shares.items())
    return Found(sum(share < 1 for share in shares.values()), len(OTHERS), f"as good in {words}")


def _similar(cases: Sequence[Case]) -> Found:
    holds, words = 0, []
    for name in dict.fromkeys(case.data for case in cases):
        first, second = (
            next(c for c in cases if (c.data, c.generator) == (name, kind)).ranks(own=True)
            for kind in GENERATORS
        )
        found = [
            float(spearmanr(first[:, k], second[:, k]).statistic) for k in range(len(CRITERIA))
        ]
        holds += sum(value > 0.7 for value in found)
        words.append(f"{name} {', '.join(f'{value:.2f}' for value in found)}")
    return Found(holds, len(CRITERIA) * len(words), "; ".join(words))


def _member_starts(cases: Sequence[Case]) -> Found:
    pairs = [(case.starts[m][2], case.random_starts[m][2]) for case in cases for m in PROPOSED]
    means = np.mean(pairs, axis=0)
    words = f"means {means[0]:.4f} and {means[1]:.4f}"
    return Found(sum(members < random for members, random in pairs), len(pairs), words)


def _rounds(cases: Sequence[Case]) -> Found:
    rounds: Mapping[str, int] = {n: max(case.starts[n][3] for case in cases) for n in PROPOSED}
    words = ", ".join(f"{name} {value}" for name, value in rounds.items())
    return Found(sum(value < ROUNDS for value in rounds.values()), len(rounds), words)
