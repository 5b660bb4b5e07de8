"""How many clusters a table has."""

from typing import Any

import click

from consilience.cli import _options as options
from consilience.cli._inputs import read_data, read_members
from consilience.cli._outcome import spoken_doubts
from consilience.cli._output import Output, table


@click.command(name="choose-k", cls=options.Verb)
@click.argument("data", type=options.InputFile())
@click.option(
    "--k",
    "-k",
    "candidates",
    type=options.NumberOfClusters(smallest=2),
    default="auto",
    help="Candidates: 2:12, or 2,4,8; auto is 2 to 30, and more if they are separated.",
)
@click.option(
    "--sample",
    "max_samples",
    type=click.IntRange(10),
    default=2000,
    help="Rows to work on, drawn at random; the file may be larger than memory.",
)
@click.option(
    "--labels",
    "of_labels",
    is_flag=True,
    help="The columns of the file are clusterings, not data.",
)
@options.scaling_or_auto
@options.data_file
@options.running
@options.speaking
def choose_k(
    *,
    data: str,
    candidates: Any,
    max_samples: int,
    of_labels: bool,
    scaling: str,
    reading: options.Reading,
    running: options.Running,
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
        if scaling != "auto":
            raise click.UsageError("--scaling has no meaning with --labels.")
        given = read_members([data], reading, output)
    else:
        given = read_data(
            data, reading, output, max_samples=2 * max_samples, random_state=running.random_state
        ).values
    if isinstance(candidates, tuple):
        candidates = range(candidates[0], candidates[1] + 1)
    elif isinstance(candidates, int):
        candidates = [candidates]
    choice = choose(
        given,
        candidates=None if candidates == "auto" else candidates,
        scaling=None if scaling == "none" else scaling,
        max_samples=max_samples,
        random_state=running.random_state,
        n_jobs=running.n_jobs,
        verbose=output.verbose,
    )
    steps = [] if choice.tree is None else choice.tree.sentences(choice.n_clusters)
    lines = [_table(choice), ""] if choice.table else []
    lines.append(choice.sentence)
    if choice.at_the_edge:
        lines.append(
            f"{choice.n_clusters} is the largest number that was tried; there may be more."
        )
    if steps:
        lines += ["", "The last merges, and the next:", *(f"  {step}" for step in steps)]
    facts = {
        "n_clusters": choice.n_clusters,
        "answer": choice.answer,
        "sentence": choice.sentence,
        "at_the_edge": choice.at_the_edge,
        "doubts": spoken_doubts([doubt.as_dict() for doubt in doubts_about_k(choice)]),
        "table": [row._asdict() for row in choice.table],
        "merges": [] if choice.tree is None else [step._asdict() for step in choice.tree.merges],
    }
    output.answer("\n".join(lines), facts)


def _table(choice: Any) -> str:
    """Return the evidence for every candidate; figures that were not computed are left empty."""
    figures = {
        "score": ("score", ".2f"),
        "shared": ("agreement", ".0%"),
        "support": ("support", ".2f"),
        "border p": ("seam", ".2g"),
        "ambiguous pairs": ("pac", ".1%"),
    }
    mark = "<- best guess" if choice.answer == "unsure" else "<- chosen"
    rows = [
        (
            row.n_clusters,
            *(format(getattr(row, name), form) for name, form in figures.values()),
            mark if row.n_clusters == choice.n_clusters else "",
        )
        for row in choice.table
    ]
    shown = [["" if str(cell).startswith("nan") else cell for cell in row] for row in rows]
    return table({**dict.fromkeys(("k", *figures), "right"), "": "left"}, shown)
