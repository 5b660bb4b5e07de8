"""Fourteen methods, three criteria, two generators, and the example of figure 1."""

from dataclasses import replace
from pathlib import Path

from experiments.harness import Result, claims_of
from experiments.harness._binary_pieces import BinaryPieces
from experiments.nguyen2007.claims import entries
from experiments.nguyen2007.example import recover, recovery_table, similarity_table
from experiments.nguyen2007.measure import CRITERIA, FULL, QUICK, measure
from experiments.nguyen2007.picture import rank_picture, result_picture
from experiments.nguyen2007.sets import sets_at_hand
from experiments.nguyen2007.tables import criterion_table, rank_table, starts_table


def run(*, full: bool, out: Path) -> Result:
    """Run the protocol on the sets at hand."""
    sets, missing = sets_at_hand()
    pieces = BinaryPieces("nguyen2007" if full else None)
    cases = [case for data in sets for case in measure(data, FULL if full else QUICK, pieces)]
    example, recovery = similarity_table(), recover()
    command = f"make reproduce PAPER=nguyen2007{' FULL=1' if full else ''}"
    found = entries(sets, cases, example, recovery, command)
    return Result(
        # The page shows tables and figures that have a verdict beside the claims.
        claims=claims_of(replace(entry, kind="claim") for entry in found),
        tables=[
            rank_table(cases),
            *(criterion_table(cases, criterion) for criterion in CRITERIA),
            starts_table(cases),
            example,
            recovery_table(recovery),
        ],
        figures=[
            result_picture(out / "figure02_results.png", cases),
            rank_picture(out / "mean_ranks.png", cases),
        ],
        missing=missing,
        audit=found,
        seconds=pieces.seconds,
    )
