"""How many clusters a table has."""

import math
from typing import Any

import click

from consilience.cli._input_file import InputFile
from consilience.cli._inputs import read_data, read_ensemble
from consilience.cli._number_of_clusters import NumberOfClusters
from consilience.cli._options import Reading, Running, data_file, running, scaling_or_auto, speaking
from consilience.cli._outcome import spoken_doubts
from consilience.cli._output import Output, table
from consilience.cli._verb import Verb


@click.command(name="choose-k", cls=Verb)
@click.argument("data", type=InputFile())
@click.option(
    "--k",
    "-k",
    "candidates",
    type=NumberOfClusters(smallest=2),
    default="auto",
    show_default=True,
    help="Candidates: 2:12, or 2,4,8; auto is 2 to 30, and more if they are separated.",
)
@click.option(
    "--sample",
    "max_samples",
    type=click.IntRange(10),
    default=2000,
    show_default=True,
    help="Rows to work on, drawn at random; the file may be larger than memory.",
)
@click.option(
    "--labels",
    "of_labels",
    is_flag=True,
    help="The columns of the file are clusterings, not data.",
)
@scaling_or_auto
@data_file
@running
@speaking
def choose_k(
    *,
    data: str,
    candidates: Any,
    max_samples: int,
    of_labels: bool,
    scaling: str,
    reading: Reading,
    running: Running,
    output: Output,
) -> None:
    """Choose the number of clusters; the answer may be one, or unsure.

    Several views of the table are clustered. Clusters that are separated from the rest in all of them,
    or in all of one scaling, are the answer; otherwise the smallest number on which the views agree
    nearly as well as on any is.
    The columns: score (agreement and support together), information that two views share, support by
    members, p-value of the weakest border, and pairs of rows on which the views disagree.

    Examples
    --------
      consilience choose-k data.csv
      consilience choose-k data.csv --k 2:12
      consilience choose-k data.parquet --k 2,3,5,8 --sample 5000 --json
      consilience choose-k members.csv --labels
    """
    from consilience.diagnose import choose_k as choose
    from consilience.diagnose.internals import doubts_about_k

    given: Any
    if of_labels:
        reading.refuse_transpose("with --labels")
        given = read_ensemble(data, reading, output)
    else:
        given = read_data(
            data, reading, output, max_samples=2 * max_samples, random_state=running.random_state
        ).values
    choice = choose(
        given,
        candidates=_candidates(candidates),
        scaling=None if scaling == "none" else scaling,
        max_samples=max_samples,
        random_state=running.random_state,
        n_jobs=running.n_jobs,
        verbose=output.verbose,
    )
    names = ("k", "score", "shared", "support", "border p", "ambiguous pairs")
    rows = [
        (
            row.n_clusters,
            f"{row.score:.2f}",
            f"{row.agreement:.0%}",
            f"{row.support:.2f}",
            "" if math.isnan(row.seam) else f"{row.seam:.2g}",
            f"{row.pac:.1%}",
            _mark(row.n_clusters, choice),
        )
        for row in choice.table
    ]
    doubts = doubts_about_k(choice)
    edge = (
        f"\n{choice.n_clusters} is the largest number that was tried; there may be more."
        if choice.at_the_edge
        else ""
    )
    facts = {
        "n_clusters": choice.n_clusters,
        "answer": choice.answer,
        "sentence": choice.sentence,
        "at_the_edge": choice.at_the_edge,
        "doubts": spoken_doubts([doubt.as_dict() for doubt in doubts]),
        "table": [row._asdict() for row in choice.table],
        "merges": [] if choice.tree is None else [step._asdict() for step in choice.tree.merges],
    }
    shown = table({**dict.fromkeys(names, "right"), "": "left"}, rows) + "\n\n" if rows else ""
    steps = [] if choice.tree is None else choice.tree.sentences(choice.n_clusters)
    merged = "\n\nThe last merges, and the next:\n  " + "\n  ".join(steps) if steps else ""
    output.answer(f"{shown}{choice.sentence}{edge}{merged}", facts)


def _mark(n_clusters: int, choice: Any) -> str:
    if n_clusters != choice.n_clusters:
        return ""
    return "<- best guess" if choice.answer == "unsure" else "<- chosen"


def _candidates(given: Any) -> Any:
    if given == "auto":
        return None
    if isinstance(given, tuple):
        return range(given[0], given[1] + 1)
    return given if isinstance(given, list) else [given]
