"""From a table to an ensemble of clusterings."""

from pathlib import Path
from typing import Any

import click

from consilience._utils._words import plural
from consilience.cli import _options as options
from consilience.cli._inputs import object_ids, read_data
from consilience.cli._methods_by_name import generator_of_members, make_method
from consilience.cli._output import Output
from consilience.exceptions import InvalidInputError


@click.command(cls=options.Verb)
@click.argument("data", type=options.InputFile())
@click.option(
    "--out", required=True, type=options.FileName(), help="Write the ensemble: a .parquet file."
)
@click.option(
    "--method",
    metavar="NAME",
    default="kmeans-restarts",
    help="Generator; see consilience methods.",
)
@click.option(
    "--members",
    "n_members",
    type=click.IntRange(1),
    default=50,
    help="Clusterings to make.",
)
@click.option(
    "-k",
    "--clusters",
    "n_clusters",
    type=options.NumberOfClusters(for_members=True),
    default=None,
    help="Clusters of a member, or a range such as 5:20 to draw from. Default: the method's.",
)
@click.option(
    "--resume",
    is_flag=True,
    help="Save finished members in FILE.members, and continue from there if they exist.",
)
@click.option(
    "--scaling",
    type=click.Choice(["standard", "max", "common", "none"]),
    default="standard",
    help="Divide every column by its standard deviation or its largest value, all columns by one "
    "number, or leave them.",
)
@options.parameter
@options.data_file
@options.running
@options.force
@options.speaking
def generate(  # noqa: PLR0913 - one argument per option
    *,
    data: str,
    out: str,
    method: str,
    n_members: int,
    n_clusters: Any,
    resume: bool,
    scaling: str,
    parameters: tuple[str, ...],
    reading: options.Reading,
    running: options.Running,
    force: bool,
    output: Output,
) -> None:
    """Cluster a table many times, and save all the clusterings as one ensemble.

    The ensemble is a Parquet file with a row per object and a column per member, which pandas, polars,
    DuckDB, Spark and R read too. With --resume an interrupted run is continued: repeat the
    same command. --members may then be larger, to add members, or smaller, to use the first ones.

    Examples
    --------
      consilience generate data.csv --out e.parquet
      consilience generate data.parquet --method random-projection --members 200 --out e.parquet --resume
      consilience generate data.csv --clusters 5:20 --param n_init=3 --out e.parquet --jobs 4
    """
    from consilience.tables import check_output

    if Path(out).suffix.lower() not in (".parquet", ".pq"):
        raise InvalidInputError(f"{out}: ensembles are written to .parquet; choose such a name.")
    check_output(out, overwrite=force, inputs=[data])
    folder = Path(f"{out}.members")
    generator = make_method(
        generator_of_members(method),
        parameters,
        n_members=n_members,
        n_clusters=n_clusters,
        scaling=None if scaling == "none" else scaling,
        random_state=running.random_state,
        n_jobs=running.n_jobs,
        verbose=output.verbose,
        checkpoint=folder if resume else None,
    )
    table = read_data(data, reading, output)
    saved = sorted(folder.glob("member_*.npz")) if resume else []
    if saved:
        kept = f"; the first {n_members} are used" if len(saved) > n_members else ""
        output.note(f"{folder}: {plural(len(saved), 'member')} of an earlier run{kept}.")
    ids, _ = object_ids(table)
    ensemble = generator.fit(table.values).ensemble_.with_ids(ids)
    ensemble.to_parquet(out, overwrite=force)
    if resume and len(saved) <= ensemble.n_members:
        for file in [*folder.glob("member_*.npz"), folder / "manifest.json"]:
            file.unlink(missing_ok=True)
        if not any(folder.iterdir()):
            folder.rmdir()
    facts = {
        "out": out,
        "n_samples": ensemble.n_samples,
        "n_members": ensemble.n_members,
        "n_base_clusters": ensemble.n_base_clusters,
        "n_clusters": ensemble.n_clusters,
        "fingerprint": ensemble.fingerprint,
    }
    output.answer(f"{ensemble!r}\nEnsemble:  {out}", facts)
