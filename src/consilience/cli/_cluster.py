"""From a table to labels, a verdict and a page."""

from typing import Any

import click

from consilience.cli import _options as options
from consilience.cli._in_chunks import at_cluster, check_targets, finish_in_chunks, open_data
from consilience.cli._inputs import label_all, object_ids, read_data
from consilience.cli._knowledge import Knowledge, constraints
from consilience.cli._methods_by_name import generator_of_members, make_function
from consilience.cli._outcome import Objects, Targets, finish, targets
from consilience.cli._output import Output


@click.command(cls=options.Verb)
@click.argument("data", type=options.InputFile())
@click.option(
    "-k",
    "n_clusters",
    type=options.NumberOfClusters(),
    default="auto",
    help="Clusters: a number, candidates such as 2:12 or 2,4,8, or auto (up to 45; may be one).",
)
@targets
@click.option(
    "--method",
    metavar="NAME",
    help="Consensus function; see consilience methods. Default: the members vote for the clusters that "
    "score best; GWCA with constraints.",
)
@click.option(
    "--generator",
    metavar="NAME",
    help="How the data are clustered many times; see consilience methods. Default: several are tried.",
)
@click.option(
    "--members",
    "n_members",
    type=click.IntRange(2),
    default=30,
    help="Clusterings to combine.",
)
@click.option(
    "--sample",
    "max_samples",
    type=click.IntRange(10),
    metavar="N",
    help="Cluster N random rows and label all others by these clusters; for files larger than memory.",
)
@options.scaling_or_auto
@constraints
@options.parameter
@options.data_file
@options.dask_cluster
@options.running
@options.speaking
def cluster(  # noqa: PLR0913 - one argument per option
    *,
    data: str,
    n_clusters: Any,
    method: str | None,
    generator: str | None,
    n_members: int,
    max_samples: int | None,
    scaling: str,
    parameters: tuple[str, ...],
    dask: str | None,
    targets: Targets,
    knowledge: Knowledge,
    reading: options.Reading,
    running: options.Running,
    output: Output,
) -> None:
    """Cluster a table of numbers many times, combine the results, and report their confidence.

    DATA is CSV, TSV (also .gz), Parquet, NPY, NPZ or H5AD, one row per object, or one column per object
    with --transpose. Separator, header and id column are found and reported; every other column must
    hold numbers, or be named with --drop or --label-column. A missing cell is refused unless --missing
    drop leaves its row out.

    Examples
    --------
      consilience cluster data.csv
      consilience cluster data.csv -k auto --out labels.csv --report report.html
      consilience cluster survey.tsv -k 2:6 --id person --drop city --missing drop --out groups.tsv
      consilience cluster iris.csv -k 3 --label-column species --json
      consilience cluster iris.csv -k 3 --drop species --must-link pairs.csv --param enforce=true
      zcat old.csv.gz | consilience cluster - --out labels.csv
      consilience cluster large.csv --sample 20000 --out labels.parquet
      consilience cluster genes_x_samples.tsv --transpose --id gene --out labels.csv
      consilience cluster cells.h5ad --rep X_pca --out clustered.h5ad
      consilience cluster parts -k 8 --dask local --out labels.parts
    """
    for option, given in (("--dask", dask), ("--sample", max_samples)):
        if given is not None:
            knowledge.refuse(f"with {option}")
            reading.refuse_transpose(f"with {option}")
    if dask is None:
        targets.check([data, *knowledge.files])
    else:
        check_targets(targets)
    if reading.missing == "drop" and not reading.transpose:
        targets.require_place_for_ids("--missing drop may leave rows out")
    from consilience.answer import ConsensusClustering

    function = None
    if method is not None or parameters:
        function = make_function(method, parameters, knowledge)
    if generator is not None:
        generator_of_members(generator)
    model = ConsensusClustering(
        n_clusters,
        generator=generator,
        consensus=function,
        n_members=n_members,
        scaling=None if scaling == "none" else scaling,
        random_state=running.random_state,
        n_jobs=running.n_jobs,
        verbose=output.verbose,
    )
    if dask is not None:
        with at_cluster(dask, output):
            pieces, chunks = open_data(data, reading, output)
            model.fit(chunks)
            finish_in_chunks(model, model.ensemble_, pieces, targets, output)
        return
    table = read_data(
        data, reading, output, max_samples=max_samples, random_state=running.random_state
    )
    ids, id_column = object_ids(table)
    model.fit(table.values, **knowledge.of_rows(ids, function, n_clusters, output))
    everything = None
    if len(table.rows) == max_samples and max_samples < table.n_rows:
        everything = label_all(data, reading, model, output)
        output.note("The verdict is about the sample; all rows are labelled by its clusters.")
    objects = Objects(
        ids,
        id_column,
        table.values,
        table.columns,
        table.labels,
        everything,
        constrained=bool(knowledge.files),
    )
    finish(model, objects, targets, output, inputs=[data])
