"""From several clusterings of the same objects to one."""

import click

from consilience.cli._inputs import join
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
from consilience.cli._outcome import Objects, Targets, finish
from consilience.cli._run_consensus import run_consensus
from consilience.cli._verb import Verb
from consilience.cli._voice import Voice


@click.command(cls=Verb)
@click.argument("files", type=click.Path(), nargs=-1, required=True)
@fixed_k
@labels_out
@page_out
@consensus_method
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
    method: str,
    parameters: tuple[str, ...],
    reading: Reading,
    running: Running,
    force: bool,
    voice: Voice,
) -> None:
    """Combine clusterings that others made; no measurements are needed.

    Every column of every file but the id column is a clustering: numbers or words, empty or -1 where an
    object was not clustered. Files are joined by id; an object that a file does not list is missing
    there, which is normal. Files without ids are joined row by row. A single file with categorical
    columns is clustered in the same way: every column is a clustering.

    Examples
    --------
      consilience combine a.csv b.csv c.csv --id customer_id -k 5 --out consensus.csv
      consilience combine segments.csv -k 4 --method hbgf --report report.html
      consilience combine survey.csv --drop comments -k 6 --out groups.csv
    """
    targets = Targets(out, page, force)
    targets.check(files)
    ensemble = join(files, reading, voice)
    with voice.working("Combining"):
        function = run_consensus(ensemble, method, n_clusters, parameters, running)
    name = reading.id_column or "id"
    finish(function, Objects(ensemble.ids, name), targets, voice, inputs=files, ensemble=ensemble)
