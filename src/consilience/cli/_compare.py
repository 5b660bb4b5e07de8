"""How similar two labellings are."""

import click

from consilience.cli._input_file import InputFile
from consilience.cli._match import match, read_labelling
from consilience.cli._options import Reading, label_file, speaking
from consilience.cli._outcome import agreement
from consilience.cli._output import Output, table
from consilience.cli._verb import Verb


@click.command(cls=Verb)
@click.argument("labels", type=InputFile())
@click.argument("truth", type=InputFile())
@click.option(
    "--column",
    metavar="COLUMN",
    help="Column of LABELS. Default: the only one, or the one "
    "called consensus, cluster, label, class, truth or target.",
)
@click.option("--truth-column", metavar="COLUMN", help="Column of TRUTH; found in the same way.")
@label_file
@speaking
def compare(
    *,
    labels: str,
    truth: str,
    column: str | None,
    truth_column: str | None,
    reading: Reading,
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
    how = {"id": reading.id, "header": reading.header, "delimiter": reading.delimiter}
    with output.working("Reading"):
        first = read_labelling(labels, column, "--column", **how)
        second = read_labelling(truth, truth_column, "--truth-column", **how)
    output.note(*first.notes, *second.notes)
    here, there, notes = match(
        (labels, first.ids, len(first.labels)), (truth, second.ids, len(second.labels))
    )
    output.note(*notes)
    with output.working("Comparing"):
        figures = agreement(first.labels[here], second.labels[there])
    rows = [(name, f"{value:.4f}") for name, value in figures.items()]
    output.answer(
        table({"measure": "left", "value": "right"}, rows),
        {**figures, "n_matched": len(here), "columns": [first.column, second.column]},
    )
