"""How similar two labellings are."""

import click

from consilience.cli import _options as options
from consilience.cli._inputs import read_labelling
from consilience.cli._outcome import agreement
from consilience.cli._output import Output, table


@click.command(cls=options.Verb)
@click.argument("labels", type=options.InputFile())
@click.argument("truth", type=options.InputFile())
@click.option(
    "--column",
    metavar="COLUMN",
    help="Column of LABELS. Default: the only one, or the one "
    "called consensus, cluster, label, class, truth or target.",
)
@click.option("--truth-column", metavar="COLUMN", help="Column of TRUTH; found in the same way.")
@options.label_file
@options.speaking
def compare(
    *,
    labels: str,
    truth: str,
    column: str | None,
    truth_column: str | None,
    reading: options.Reading,
    output: Output,
) -> None:
    """Compare two labellings of the same objects: NMI, ARI, accuracy, purity, Rand.

    Objects are matched by id if both files have ids, else row by row. All figures are 1 for equal
    clusterings, whatever the clusters are called; ARI is about 0 for unrelated ones, the others are not.
    Accuracy names clusters by classes in the best way, one to one; purity gives every cluster its most
    frequent class.

    Examples
    --------
      consilience compare labels.csv truth.csv
      consilience compare labels.csv data.csv --truth-column species --json
      consilience compare a.parquet b.parquet --id customer_id
    """
    from consilience.tables.internals import Side, match_rows

    with output.working("Reading"):
        first = read_labelling(labels, column, "--column", reading, output)
        second = read_labelling(truth, truth_column, "--truth-column", reading, output)
    here, there, notes = match_rows(
        Side(labels, first.ids, len(first.labels)), Side(truth, second.ids, len(second.labels))
    )
    output.note(*notes)
    with output.working("Comparing"):
        figures = agreement(first.labels[here], second.labels[there])
    rows = [(name, f"{value:.4f}") for name, value in figures.items()]
    output.answer(
        table({"measure": "left", "value": "right"}, rows),
        {**figures, "n_matched": len(here), "columns": [first.column, second.column]},
    )
