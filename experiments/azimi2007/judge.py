"""Sentences of the paper, each with the rule that decides; tables and figures are in `prints`."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from experiments.azimi2007.measure import (
    RAW,
    RIVALS,
    STEPS,
    TEN,
    Errors,
    column,
    rival,
)
from experiments.azimi2007.measure import SCALED as LARGEST
from experiments.azimi2007.prints import (
    F3,
    NO_NUMBERS,
    SCALED,
    SLACK,
    Curves,
    as_printed,
    averaged,
    both_ends,
    by_start,
    judge_prints,
    largest_rise,
    mean,
    reading,
)
from experiments.harness import MOST, Entry, Found, Rule, judged, unjudged

# Tables by set.
Tables = Mapping[str, Curves]
USUALLY = "The word is usually: more than half."


def judge(
    data: Mapping[str, Any],
    ours: Mapping[str, Errors],
    alone: Mapping[str, Mapping[str, float]],
) -> list[Entry]:
    """All lines for the sets at hand."""
    theirs = {called: as_printed(called) for called in ours}

    def tables(start: str) -> Tables:
        return {called: reading(errors, start) for called, errors in ours.items()}

    def line(identity: str, where: str, quote: str, rule: Rule, count: Any, why: str = "") -> Entry:
        return judged(
            identity,
            where,
            quote,
            rule,
            by_start(lambda start: count(tables(start))),
            printed=count(theirs),
            beside={TEN: count(tables(TEN))},
            why=why,
        )

    return [
        *judge_prints(data, ours),
        line(
            "claim-iris",
            "table 3",
            "Iris: 4 for seven of ten H",
            Rule("f3 errs on 4.0 % of Iris for more than half of the H from 10 on"),
            _four_per_cent,
            SCALED,
        ),
        line(
            "claim-rivals",
            "4.1",
            '"the proposed method has usually an appropriate accuracy in common data sets"',
            Rule("error of f3 at most the mean error of the three others, set by set", need=MOST),
            _appropriate,
            f"{USUALLY} What is appropriate is our reading.",
        ),
        line(
            "claim-thyroid",
            "table 5",
            "Thyroid: CSPA and HGPA err more than twice as often as f3",
            Rule("mean error over H above twice that of f3: CSPA, HGPA"),
            _thyroid,
            "A reading of the table; the text does not say it.",
        ),
        _better_starts(ours),
        _variation(ours),
        line(
            "claim-more-members",
            "6",
            'more partitions "do not decrease the accuracy"',
            Rule(
                f"error of f3 at the three largest H at most {SLACK} points above that at the three "
                "smallest, set by set"
            ),
            _more_members,
        ),
        line(
            "claim-between-10-and-20",
            "4.1",
            '"when the number of partitions is between 10 and 20, we can usually obtain the best '
            'results"',
            Rule("the smallest error of a column lies at H = 10, 15 or 20", need=MOST),
            _between,
            f"{USUALLY} 16 columns of four tables.",
        ),
        line(
            "claim-few-members",
            "4.1",
            '"H-independent compared with the others methods"',
            Rule("f3 moves less over H, from 10 on, than another function, set by set", need=MOST),
            _independent,
            "The printed figures pass in 7 of 12; the earlier rule (few members suffice) they fail.",
        ),
        _variance(ours),
        _variance_members(ours),
        _same_steps(ours),
        _new_features(ours, alone),
        unjudged(
            "claim-cost",
            "5",
            "Time complexity of the method and of others",
            "not run",
            "Stated by argument, not by experiment; the path costs k^2 d, not k!, and starts k draws.",
        ),
    ]


def _four_per_cent(tables: Tables) -> Found:
    errors = [error for n, error in tables.get("Iris", {F3: {}})[F3].items() if n >= 10]
    if not errors:
        return Found(0, 0)
    hits = sum(abs(error - 4) < 0.05 for error in errors)
    words = f"{hits} of {len(errors)} values of H; median {np.median(errors):.1f} %"
    return Found(int(2 * hits > len(errors)), 1, words)


def _appropriate(tables: Tables) -> Found:
    parts = {
        called: (mean(table[F3]), float(np.mean([mean(table[name]) for name in RIVALS])))
        for called, table in tables.items()
    }
    words = ", ".join(f"{c} {own:.1f} against {other:.1f}" for c, (own, other) in parts.items())
    return Found(sum(own <= other for own, other in parts.values()), len(parts), words)


def _thyroid(tables: Tables) -> Found:
    if "Thyroid" not in tables:
        return Found(0, 0)
    table = {name: mean(curve) for name, curve in tables["Thyroid"].items()}
    words = ", ".join(f"{name} {table[name]:.1f}" for name in ("CSPA", "HGPA", F3))
    return Found(sum(table[name] > 2 * table[F3] for name in ("CSPA", "HGPA")), 2, words)


def _more_members(tables: Tables) -> Found:
    ends = {called: both_ends(table[F3]) for called, table in tables.items()}
    words = ", ".join(f"{c} {first:.1f} to {last:.1f}" for c, (first, last) in ends.items())
    return Found(sum(last <= first + SLACK for first, last in ends.values()), len(ends), words)


def _between(tables: Tables) -> Found:
    inside, of = [], 0
    for called, table in tables.items():
        for name, curve in table.items():
            smallest = min(curve.values())
            best = [n for n, error in curve.items() if error <= smallest + 1e-9]
            of += 1
            if any(10 <= n <= 20 for n in best):
                inside.append(f"{called} {name}")
    return Found(len(inside), of, ", ".join(inside))


def _independent(tables: Tables) -> Found:
    holds, words = 0, []
    for called, table in tables.items():
        moves = {name: _move(curve) for name, curve in table.items()}
        holds += sum(moves[F3] < moves[name] for name in RIVALS)
        words.append(f"{called} {', '.join(f'{name} {move:.1f}' for name, move in moves.items())}")
    return Found(holds, len(RIVALS) * len(tables), "; ".join(words))


def _move(curve: Mapping[int, float]) -> float:
    values = [error for n, error in curve.items() if n >= 10]
    return max(values) - min(values)


def _deviation(errors: Mapping[int, Any]) -> float:
    """Standard deviation over ensembles, mean over numbers of members."""
    return float(np.mean([np.std(values) for values in errors.values()]))


def _better_starts(ours: Mapping[str, Errors]) -> Entry:
    def count(start: str) -> Found:
        gaps = {
            (called, step): mean(averaged(errors[column(step, "intelligent", start)]))
            - mean(averaged(errors[column(step, "simple", start)]))
            for called, errors in ours.items()
            for step in STEPS
        }
        words = ", ".join(
            f"{called} {np.mean([gaps[called, step] for step in STEPS]):+.1f}" for called in ours
        )
        return Found(sum(gap < 0 for gap in gaps.values()), len(gaps), f"points {words}")

    return judged(
        "claim-intelligent",
        "4.1, figures 2 to 5",
        '"the intelligent k-means has a better behavior than simple k-means"',
        Rule("mean error over H smaller after intelligent k-means, a set and a step", need=0.75),
        by_start(count),
        beside={TEN: count(TEN)},
        why=NO_NUMBERS,
    )


def _variation(ours: Mapping[str, Errors]) -> Entry:
    """Figure 5: Soybean."""

    def count(start: str) -> Found:
        if "Soybean" not in ours:
            return Found(0, 0)
        rises = {
            members: [
                largest_rise(averaged(ours["Soybean"][column(step, members, start)]))
                for step in STEPS
            ]
            for members in ("simple", "intelligent")
        }
        holds = sum(b < a for a, b in zip(rises["simple"], rises["intelligent"], strict=True))
        words = "; ".join(
            f"{members} {', '.join(f'{rise:+.1f}' for rise in of_steps)}"
            for members, of_steps in rises.items()
        )
        return Found(holds, len(STEPS), f"largest rises of f1, f2, f3: {words}")

    return judged(
        "claim-soybean-variation",
        "4.1, figure 5",
        'Soybean: simple k-means has "unexpected variations"; with the intelligent one they "can not be '
        'seen"',
        Rule("largest rise to the next H smaller after intelligent k-means, step by step"),
        by_start(count),
        beside={TEN: count(TEN)},
        why=NO_NUMBERS,
    )


def _variance(ours: Mapping[str, Errors]) -> Entry:
    def count(start: str) -> Found:
        holds, words = 0, []
        for called, errors in ours.items():
            own = _deviation(errors[column(F3, start=start)])
            others = {name: _deviation(errors[rival(name)]) for name in RIVALS}
            holds += sum(own < other for other in others.values())
            rest = ", ".join(f"{name} {value:.1f}" for name, value in others.items())
            words.append(f"{called} f3 {own:.1f}, {rest}")
        return Found(holds, len(RIVALS) * len(ours), "; ".join(words))

    return judged(
        "claim-variance",
        "4.1",
        '"The error variance value of the proposed method is usually less than the other methods"',
        Rule(
            "standard deviation over ensembles, mean over H, below another function's, set by set",
            need=MOST,
        ),
        by_start(count),
        beside={TEN: count(TEN)},
        why=f"{USUALLY} No deviations are printed.",
    )


def _variance_members(ours: Mapping[str, Errors]) -> Entry:
    def count(start: str) -> Found:
        gaps = [
            _deviation(errors[column(step, "intelligent", start)])
            - _deviation(errors[column(step, "simple", start)])
            for errors in ours.values()
            for step in STEPS
        ]
        return Found(sum(gap <= 0 for gap in gaps), len(gaps), f"mean {np.mean(gaps):+.1f} points")

    return judged(
        "claim-variance-members",
        "4.1",
        'the intelligent k-means has a "better behavior": less variation between ensembles',
        Rule(
            "standard deviation over ensembles, mean over H, not larger after intelligent k-means, a "
            "set and a step",
            need=0.75,
        ),
        by_start(count),
        beside={TEN: count(TEN)},
        why="Our reading of the sentence; no deviations are printed.",
    )


def _same_steps(ours: Mapping[str, Errors]) -> Entry:
    def count(start: str) -> Found:
        gaps = {}
        for called, errors in ours.items():
            for members in ("simple", "intelligent"):
                levels = [mean(averaged(errors[column(step, members, start)])) for step in STEPS]
                gaps[f"{called} {members}"] = max(levels) - min(levels)
        words = ", ".join(f"{name} {gap:.1f}" for name, gap in gaps.items())
        return Found(sum(gap <= 2 * SLACK for gap in gaps.values()), len(gaps), words)

    return judged(
        "claim-same-steps",
        "4.1",
        '"All of the three functions have approximately the same quality"',
        Rule(
            f"means over H of f1, f2 and f3 at most {2 * SLACK:.0f} point apart, a set and a kind of "
            "members"
        ),
        by_start(count),
        beside={TEN: count(TEN)},
        why=NO_NUMBERS,
    )


def _new_features(ours: Mapping[str, Errors], alone: Mapping[str, Mapping[str, float]]) -> Entry:
    def count(start: str) -> Found:
        holds, words = 0, []
        for called, errors in ours.items():
            own = mean(averaged(errors[column(F3, start=start)]))
            holds += sum(own < error for error in alone[called].values())
            words.append(
                f"{called} {own:.1f}, pure {alone[called][RAW]:.1f}, normalised "
                f"{alone[called][LARGEST]:.1f}"
            )
        return Found(holds, 2 * len(ours), "; ".join(words))

    return judged(
        "claim-new-features",
        "abstract",
        'a feature space "significantly better than pure or normalized feature space"',
        Rule("f3 errs less than k-means on pure data, and on normalised data, set by set"),
        by_start(count),
        beside={TEN: count(TEN)},
        why="Nothing is printed for k-means alone. Normalised: divided by the largest value.",
    )
