"""How many clusters a table has."""

from typing import Any

import click

from consilience.cli._inputs import read_data
from consilience.cli._number_of_clusters import NumberOfClusters
from consilience.cli._options import Reading, Running, data_file, running, scaling, speaking
from consilience.cli._verb import Verb
from consilience.cli._voice import Voice, table


@click.command(name="choose-k", cls=Verb)
@click.argument("data", type=click.Path())
@click.option(
    "--k",
    "-k",
    "candidates",
    type=NumberOfClusters(smallest=2),
    default="auto",
    show_default=True,
    help="Candidates: 2:12, or 2,4,8; auto is 2 to 10.",
)
@click.option(
    "--null",
    "n_null",
    type=click.IntRange(0),
    default=10,
    show_default=True,
    help="Data sets without clusters to compare with; 0 is faster.",
)
@click.option(
    "--sample",
    "max_rows",
    type=click.IntRange(10),
    default=2000,
    show_default=True,
    help="Rows to work on, drawn at random; the file may be larger than memory.",
)
@scaling
@data_file
@running
@speaking
def choose_k(
    *,
    data: str,
    candidates: Any,
    n_null: int,
    max_rows: int,
    scaling: str,
    reading: Reading,
    running: Running,
    voice: Voice,
) -> None:
    """Choose the number of clusters of a table; the answer may be one.

    The choice is the largest k at which the data are thinner between every two clusters than inside
    them. The table shows what speaks for every candidate: how surely all clusters are separated, how
    many pairs of objects are ambiguous (PAC), and how many would be in data without clusters.

    Examples
    --------
      consilience choose-k data.csv
      consilience choose-k data.csv --k 2:12 --null 0
      consilience choose-k data.parquet --k 2,3,5,8 --sample 5000 --json
    """
    from consilience.diagnose import choose_k as choose
    from consilience.generate._scaling import Scaling

    numbers = read_data(
        data, reading, voice, max_rows=max_rows, random_state=running.random_state
    ).values
    if scaling != "none":
        numbers = Scaling.fit(numbers, scaling).apply(numbers)
    with voice.working("Choosing the number of clusters"):
        choice = choose(
            numbers,
            candidates=_candidates(candidates),
            n_null=n_null,
            max_samples=max_rows,
            random_state=running.random_state,
            n_jobs=running.n_jobs,
        )
    null = ("without clusters", "p-value") if n_null else ()
    columns = dict.fromkeys(("k", "separation p", "ambiguous pairs", *null), "right")
    rows = [
        (
            row.n_clusters,
            f"{row.separation:.2g}",
            f"{row.pac:.1%}",
            *((f"{row.null_pac:.1%}", f"{row.p_value:.2g}") if n_null else ()),
            "<- chosen" if row.n_clusters == choice.n_clusters else "",
        )
        for row in choice.table
    ]
    edge = (
        f"\n{choice.n_clusters} is the largest number that was tried; there may be more."
        if choice.at_the_edge
        else ""
    )
    facts = {
        "n_clusters": choice.n_clusters,
        "sentence": choice.sentence,
        "at_the_edge": choice.at_the_edge,
        "table": [row._asdict() for row in choice.table],
    }
    voice.answer(f"{table({**columns, '': 'left'}, rows)}\n\n{choice.sentence}{edge}", facts)


def _candidates(given: Any) -> Any:
    if given == "auto":
        return None
    if isinstance(given, tuple):
        return range(given[0], given[1] + 1)
    return given if isinstance(given, list) else [given]
