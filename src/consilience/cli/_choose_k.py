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
    help="Candidates: 2:12, or 2,4,8; auto is 2 to 45.",
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

    The table is clustered in several ways. The number is chosen whose best clustering is found in
    other ways too and has thin borders. The columns: score (gain less border cost), gain, border
    cost, smallest cluster, pairs of rows on which the clusterings disagree, and why a number was not
    chosen.

    Examples
    --------
      consilience choose-k data.csv
      consilience choose-k data.csv --k 2:12
      consilience choose-k data.parquet --k 2,3,5,8 --sample 5000 --json
      consilience choose-k members.csv --labels
    """
    from consilience.answer import choose_k as choose

    given: Any
    if of_labels:
        reading.refuse_transpose("with --labels")
        if scaling != "auto":
            raise click.UsageError("--scaling has no meaning with --labels.")
        given = read_members([data], reading, output)
    else:
        given = read_data(
            data, reading, output, max_samples=max_samples, random_state=running.random_state
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
    names = ("k", "score", "gain", "border cost", "smallest", "ambiguous pairs")
    rows = [
        (
            row.n_clusters,
            f"{row.score:.2f}",
            f"{row.gain:.2f}",
            f"{row.border_cost:.2f}",
            f"{row.smallest:.1%}",
            f"{row.pac:.1%}",
            f"<- {row.why}" if row.n_clusters == choice.n_clusters else row.why,
        )
        for row in choice.table
    ]
    spoken = spoken_doubts([doubt.as_dict() for doubt in choice.doubts])
    facts = {
        "n_clusters": choice.n_clusters,
        "answer": choice.answer,
        "probability": choice.probability,
        "sentence": choice.sentence,
        "doubts": spoken,
        "table": [row._asdict() for row in choice.table],
    }
    shown = table({**dict.fromkeys(names, "right"), "": "left"}, rows) + "\n\n" if rows else ""
    doubts = "".join(f"\n{doubt['sentence']}" for doubt in spoken)
    output.answer(f"{shown}{choice.sentence}{doubts}", facts)


def _candidates(given: Any) -> Any:
    if given == "auto":
        return None
    if isinstance(given, tuple):
        return range(given[0], given[1] + 1)
    return given if isinstance(given, list) else [given]
