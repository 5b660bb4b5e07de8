"""Fourteen methods, three criteria, two generators."""

from pathlib import Path

from experiments.harness import Result
from experiments.nguyen2007.claims import claims, worked_example
from experiments.nguyen2007.measure import CRITERIA, FULL, QUICK, measure
from experiments.nguyen2007.picture import rank_picture
from experiments.nguyen2007.sets import sets_at_hand
from experiments.nguyen2007.tables import (
    criterion_table,
    rank_table,
    similarity_table,
    starts_table,
)


def run(*, full: bool, out: Path) -> Result:
    """Run the protocol on the sets at hand."""
    sets, missing = sets_at_hand()
    cases = [case for data in sets for case in measure(data, FULL if full else QUICK)]
    example = similarity_table()
    return Result(
        claims=[*claims(cases), worked_example(example)],
        tables=[
            rank_table(cases),
            *(criterion_table(cases, criterion) for criterion in CRITERIA),
            starts_table(cases),
            example,
        ],
        figures=[rank_picture(out / "mean_ranks.png", cases)],
        missing=missing,
    )
