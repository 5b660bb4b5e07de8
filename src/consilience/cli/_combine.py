"""From several clusterings of the same objects to one."""

import click

from consilience.cli._input_file import InputFile
from consilience.cli._inputs import join
from consilience.cli._knowledge import Knowledge, constraints
from consilience.cli._options import (
    Reading,
    Running,
    consensus_method,
    fixed_k,
    force,
    label_file,
    labels_out,
    page_out,
    parameter,
    running,
    speaking,
)
from consilience.cli._outcome import Objects, Targets, finish, in_order
from consilience.cli._output import Output
from consilience.cli._run_consensus import run_consensus
from consilience.cli._verb import Verb


@click.command(cls=Verb)
@click.argument("files", type=InputFile(), nargs=-1, required=True)
@fixed_k
@labels_out
@page_out
@consensus_method
@constraints
@parameter
@label_file
@running
@force
@speaking
def combine(  # noqa: PLR0913 - one argument per option
    *,
    files: tuple[str, ...],
    n_clusters: int | None,
    out: str | None,
    page: str | None,
    method: str | None,
    knowledge: Knowledge,
    parameters: tuple[str, ...],
    reading: Reading,
    running: Running,
    force: bool,
    output: Output,
) -> None:
    """Combine existing clusterings; no measurements are needed.

    Every column of every file but the id column is a clustering: numbers or words, empty or -1 where an
    object was not clustered. Files are joined by id; an object that a file does not list is missing
    there, which is normal. Files without ids are joined row by row. A single file with categorical
    columns is clustered in the same way: every column is a clustering.

    Examples
    --------
      consilience combine a.csv b.csv c.csv --id customer_id -k 5 --out consensus.csv
      consilience combine segments.csv -k 4 --method hbgf --report report.html
      consilience combine survey.csv --drop comments -k 6 --out groups.csv
      consilience combine segments.csv -k 4 --must-link pairs.csv --partial-labels known.csv
      cut -d, -f1-9 segments.csv | consilience combine - -k 4
    """
    targets = Targets(out, page, force)
    targets.check([*files, *knowledge.files])
    ensemble = join(files, reading, output)
    if len(files) > 1 and not in_order(ensemble.ids):
        targets.require_place_for_ids("files that are joined by id have no common order")
    with output.working("Combining"):
        function = run_consensus(
            ensemble, method, n_clusters, parameters, running, output, knowledge
        )
    objects = Objects(ensemble.ids, reading.id_column or "id", constrained=bool(knowledge.files))
    finish(function, objects, targets, output, inputs=files, ensemble=ensemble)
