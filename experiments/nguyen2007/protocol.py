"""Fourteen methods, three criteria, two generators, and the example of figure 1."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from experiments.harness import BinaryPieces, Result, Table, headline
from experiments.nguyen2007.example import recover, recovery_table, similarity_table
from experiments.nguyen2007.judge import judge
from experiments.nguyen2007.measure import CRITERIA, FULL, METHODS, QUICK, Case, measure
from experiments.nguyen2007.picture import rank_picture, result_picture
from experiments.nguyen2007.sets import sets_at_hand
from experiments.nguyen2007.tables import (
    criterion_table,
    mean_ranks,
    members_table,
    rank_table,
    starts_table,
)

# Title, note and digits of the headline.
HEADLINE = (
    "Figure 3: mean rank among fourteen",
    (
        "Over three criteria, two sets of the paper and two generators, the best start by the criterion "
        "in use; 1 is best. Figure 3 of the paper has no numbers that can be read; the text says that "
        "IVC, IPVC and IPC are usually as good as the others or better, and HGPA tends to be the worst."
    ),
    1,
)


def run(*, full: bool, out: Path) -> Result:
    """Run the protocol on the sets at hand."""
    sets, missing = sets_at_hand()
    pieces = BinaryPieces("nguyen2007" if full else None)
    cases = [case for data in sets for case in measure(data, FULL if full else QUICK, pieces)]
    example, recovery = similarity_table(), recover()
    return Result(
        judge(sets, cases, example, recovery),
        [
            rank_table(cases),
            *(criterion_table(cases, criterion) for criterion in CRITERIA),
            members_table(cases),
            starts_table(cases),
            example,
            recovery_table(recovery),
        ],
        top(cases),
        [
            result_picture(out / "figure03_results.png", cases),
            rank_picture(out / "mean_ranks.png", cases),
        ],
        missing,
        pieces.seconds,
    )


def top(cases: Sequence[Case]) -> Table:
    """Mean ranks over everything; nothing is printed."""
    inside = [case for case in cases if case.data != "DIGITS"] or list(cases)
    ranks = mean_ranks(inside, own=True).mean(axis=1)
    names = list(METHODS)
    return headline(
        HEADLINE, [(names[k], None, float(ranks[k])) for k in np.argsort(ranks, kind="stable")]
    )
