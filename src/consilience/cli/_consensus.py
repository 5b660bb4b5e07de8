"""From a saved ensemble to one clustering."""

import click

from consilience.cli._in_chunks import (
    at_cluster,
    check_targets,
    finish_in_chunks,
    is_large,
    open_members,
)
from consilience.cli._input_file import InputFile
from consilience.cli._inputs import read_ensemble
from consilience.cli._knowledge import Knowledge, constraints
from consilience.cli._options import (
    Reading,
    Running,
    consensus_method,
    dask_cluster,
    fixed_k,
    force,
    label_file,
    labels_out,
    page_out,
    parameter,
    running,
    speaking,
)
from consilience.cli._outcome import Objects, Targets, finish
from consilience.cli._output import Output
from consilience.cli._run_consensus import run_consensus
from consilience.cli._verb import Verb


@click.command(cls=Verb)
@click.argument("ensemble", type=InputFile())
@fixed_k
@consensus_method
@labels_out
@page_out
@constraints
@parameter
@label_file
@dask_cluster
@running
@force
@speaking
def consensus(  # noqa: PLR0913 - one argument per option
    *,
    ensemble: str,
    n_clusters: int | None,
    method: str | None,
    knowledge: Knowledge,
    out: str | None,
    page: str | None,
    parameters: tuple[str, ...],
    reading: Reading,
    dask: str | None,
    running: Running,
    force: bool,
    output: Output,
) -> None:
    """Combine the members of an ensemble by a consensus function of your choice.

    ENSEMBLE is what consilience generate wrote, or any table with a row per object and a column per
    clustering. NPY and Parquet files that are larger than memory, and folders of Parquet parts, are read
    in pieces; --out is then a folder of parts too.

    Examples
    --------
      consilience generate data.csv --out e.parquet
      consilience consensus e.parquet --method hbgf -k 8 --out labels.csv
      consilience consensus e.parquet --method hac --param linkage=average
      consilience consensus e.parquet --method gwca -k 8 --report report.html --json
      consilience consensus e.parquet -k 8 --must-link pairs.csv --param enforce=true
      consilience consensus parts --method kmcf -k 8 --dask local --out consensus.parts
    """
    targets = Targets(out, page, force)
    if dask is not None or is_large(ensemble):
        check_targets(targets)
        knowledge.refuse("on labels that are read in pieces")
        with at_cluster(dask, output), output.working("Combining"):
            pieces, chunks = open_members(ensemble, reading, output)
            fitted = run_consensus(chunks, method, n_clusters, parameters, running, output)
            finish_in_chunks(fitted, chunks, pieces, targets, output)
        return
    targets.check([ensemble, *knowledge.files])
    members = read_ensemble(ensemble, reading, output)
    with output.working("Combining"):
        function = run_consensus(
            members, method, n_clusters, parameters, running, output, knowledge
        )
    rows = range(1, members.n_samples + 1)
    ids, name = (rows, "row") if members.ids is None else (members.ids, reading.id_column or "id")
    objects = Objects(ids, name, constrained=bool(knowledge.files))
    finish(function, objects, targets, output, inputs=[ensemble], ensemble=members)
