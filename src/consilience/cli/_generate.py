"""From a table to an ensemble of clusterings."""

from pathlib import Path
from typing import Any

import click

from consilience.cli._input_file import FileName, InputFile
from consilience.cli._inputs import object_ids, read_data
from consilience.cli._number_of_clusters import NumberOfClusters
from consilience.cli._options import (
    Reading,
    Running,
    data_file,
    force,
    parameter,
    running,
    scaling,
    speaking,
)
from consilience.cli._output import Output
from consilience.cli._verb import Verb
from consilience.exceptions import InvalidInputError


@click.command(cls=Verb)
@click.argument("data", type=InputFile())
@click.option(
    "--out",
    required=True,
    type=FileName(),
    metavar="FILE",
    help="Write the ensemble: a .parquet file.",
)
@click.option(
    "--method",
    metavar="NAME",
    default="kmeans-restarts",
    show_default=True,
    help="Generator; see consilience methods.",
)
@click.option(
    "--members",
    "n_members",
    type=click.IntRange(1),
    default=50,
    show_default=True,
    help="Clusterings to make.",
)
@click.option(
    "-k",
    "--clusters",
    "n_clusters",
    type=NumberOfClusters(auto=False),
    default=None,
    help="Clusters of a member, or a range such as 5:20 to draw from. Default: the method's.",
)
@click.option(
    "--resume",
    is_flag=True,
    help="Save finished members in FILE.members, and continue from there if they exist.",
)
@scaling
@parameter
@data_file
@running
@force
@speaking
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
    reading: Reading,
    running: Running,
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
    from consilience.cli._methods_by_name import make_method, require_members
    from consilience.generate.internals import generator_named

    if isinstance(n_clusters, list):
        raise InvalidInputError("--clusters takes a number or a range such as 5:20, not a list.")
    kind = generator_named(method)
    require_members(kind)
    folder = Path(f"{out}.members")
    generator = make_method(
        kind,
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
    if resume and folder.is_dir():
        output.note(_about_finished(folder, n_members))
    ids, _ = object_ids(table)
    ensemble = generator.fit(table.values).ensemble_.with_ids(ids)
    ensemble.to_parquet(out, overwrite=force)
    if resume and not _finished(folder)[ensemble.n_members :]:
        _remove(folder)
    facts = {
        "out": out,
        "n_samples": ensemble.n_samples,
        "n_members": ensemble.n_members,
        "n_base_clusters": ensemble.n_base_clusters,
        "n_clusters": ensemble.n_clusters,
        "fingerprint": ensemble.fingerprint,
    }
    output.answer(f"{ensemble!r}\nEnsemble:  {out}", facts)


def _finished(folder: Path) -> list[Path]:
    """Return the files of members, in their order."""
    return sorted(folder.glob("member_*.npz"))


def _about_finished(folder: Path, n_members: int) -> str:
    """Say how many members an interrupted run has saved, and which of them are used."""
    from consilience._utils._words import plural

    n_finished = len(_finished(folder))
    verb = "is" if n_finished == 1 else "are"
    said = f"{folder}: {plural(n_finished, 'member')} {verb} there already"
    if n_finished > n_members:
        return f"{said}; the first {n_members} are used, and the folder is kept."
    return f"{said}."


def _remove(folder: Path) -> None:
    """Remove only the files of the checkpoint, after the ensemble was written."""
    for file in [*_finished(folder), folder / "manifest.json"]:
        file.unlink(missing_ok=True)
    if not any(folder.iterdir()):
        folder.rmdir()
