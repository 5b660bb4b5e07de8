"""From several clusterings of the same objects to one."""

from typing import Any

import click

from consilience.cli import _options as options
from consilience.cli._in_chunks import (
    at_cluster,
    check_targets,
    finish_in_chunks,
    is_large,
    open_members,
)
from consilience.cli._inputs import read_members
from consilience.cli._knowledge import Knowledge, constraints
from consilience.cli._methods_by_name import make_function, set_n_clusters
from consilience.cli._outcome import Objects, Targets, finish, in_order, targets
from consilience.cli._output import Output


@click.command(cls=options.Verb)
@click.argument("files", type=options.InputFile(), nargs=-1, required=True)
@click.option(
    "-k",
    "n_clusters",
    type=click.IntRange(1),
    help="Clusters wanted; only BALLS, BEST and HAC find a number themselves.",
)
@click.option(
    "--method",
    metavar="NAME",
    help="Consensus function; see consilience methods. Default: Concord, or GWCA with constraints.",
)
@options.parameter
@targets
@constraints
@options.label_file
@options.dask_cluster
@options.running
@options.speaking
def combine(  # noqa: PLR0913 - one argument per option
    *,
    files: tuple[str, ...],
    n_clusters: int | None,
    method: str | None,
    parameters: tuple[str, ...],
    targets: Targets,
    knowledge: Knowledge,
    reading: options.Reading,
    dask: str | None,
    running: options.Running,
    output: Output,
) -> None:
    """Combine existing clusterings; no measurements are needed.

    FILES are what consilience generate wrote, or tables in which every column but the id column is a
    clustering: numbers or words, empty or -1 where an object was not clustered. Several files are joined
    by id; an object that a file does not list is missing there, which is normal. Files without ids are
    joined row by row. A file with categorical columns is clustered in the same way. One NPY or Parquet
    file that is larger than memory, or a folder of Parquet parts, is read in pieces; --out is then a
    folder of parts too.

    Examples
    --------
      consilience combine a.csv b.csv c.csv --id customer_id -k 5 --out consensus.csv
      consilience combine segments.csv -k 4 --method hbgf --report report.html
      consilience combine survey.csv --drop comments -k 6 --out groups.csv
      consilience combine segments.csv -k 4 --must-link pairs.csv --partial-labels known.csv
      cut -d, -f1-9 segments.csv | consilience combine - -k 4
      consilience generate data.csv --out e.parquet
      consilience combine e.parquet --method hac --param linkage=average --json
      consilience combine parts --method kmcf -k 8 --dask local --out consensus.parts
    """

    def fitted(members: Any) -> Any:
        function = make_function(
            method,
            parameters,
            knowledge,
            random_state=running.random_state,
            verbose=output.verbose,
        )
        set_n_clusters(function, n_clusters)
        known = knowledge.of_ensemble(members, function, n_clusters, output)
        return function.fit(members, **known)

    if dask is not None and len(files) > 1:
        raise click.UsageError("--dask reads one file, or a folder of Parquet parts; give one.")
    if dask is not None or (len(files) == 1 and is_large(files[0])):
        check_targets(targets)
        knowledge.refuse("on labels that are read in pieces")
        with at_cluster(dask, output), output.working("Combining"):
            pieces, chunks = open_members(files[0], reading, output)
            finish_in_chunks(fitted(chunks), chunks, pieces, targets, output)
        return
    targets.check([*files, *knowledge.files])
    members = read_members(files, reading, output)
    if len(files) > 1 and not in_order(members.ids):
        targets.require_place_for_ids("files that are joined by id have no common order")
    with output.working("Combining"):
        function = fitted(members)
    rows = range(1, members.n_samples + 1)
    ids, name = (rows, "row") if members.ids is None else (members.ids, reading.id_column or "id")
    objects = Objects(ids, name, constrained=bool(knowledge.files))
    finish(function, objects, targets, output, inputs=files, ensemble=members)
