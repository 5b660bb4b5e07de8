"""A page about an ensemble and its consensus."""

from dataclasses import replace
from typing import Any

import click

from consilience._utils._words import plural
from consilience.cli import _options as options
from consilience.cli._inputs import read_data, read_labelling, read_members
from consilience.cli._outcome import check_page, command_line, data_title, spoken_doubts
from consilience.cli._output import Output
from consilience.exceptions import InvalidInputError


@click.command(cls=options.Verb)
@click.argument("ensemble", type=options.InputFile())
@click.option(
    "--labels", required=True, type=options.InputFile(), help="The labels of the consensus."
)
@click.option("--out", required=True, type=options.FileName(), help="The page, one .html file.")
@click.option("--column", metavar="COLUMN", help="Column of the labels. Default: found.")
@click.option(
    "--data",
    type=options.InputFile(),
    help="The measurements, to find those that define the clusters.",
)
@click.option(
    "--transpose",
    is_flag=True,
    help="The file of --data has a row per feature and a column per object.",
)
@click.option("--title", metavar="TEXT", help="Title of the page. Default: the name of the file.")
@options.label_file
@options.force
@options.speaking
def report(  # noqa: PLR0913 - one argument per option
    *,
    ensemble: str,
    labels: str,
    out: str,
    column: str | None,
    data: str | None,
    transpose: bool,
    title: str | None,
    reading: options.Reading,
    force: bool,
    output: Output,
) -> None:
    """Write one HTML page about an ensemble and its consensus, in a single file.

    The page needs no network and no other file. Labels are matched with the objects of the ensemble by
    id if both have ids, else row by row.

    Examples
    --------
      consilience report e.parquet --labels consensus.csv --out report.html
      consilience report e.parquet --labels consensus.csv --data data.csv --out report.html --force
    """
    from consilience.tables import check_output

    if transpose and data is None:
        raise click.UsageError("--transpose says how --data is read; give --data or leave it out.")
    inputs = [path for path in (ensemble, labels, data) if path is not None]
    check_page(out)
    check_output(out, overwrite=force, inputs=inputs)
    import consilience
    from consilience.tables.internals import Side, match_rows

    members = read_members([ensemble], replace(reading, drop=()), output)
    this = Side(ensemble, members.ids, members.n_samples)

    def rows_of(path: str, ids: Any, n_rows: int) -> Any:
        """Return the rows of another file in the order of the ensemble; all objects must be there."""
        here, there, notes = match_rows(this, Side(path, ids, n_rows))
        if len(here) < this.n_rows:
            raise InvalidInputError(
                f"{path} lacks {this.n_rows - len(here)} of the {plural(this.n_rows, 'object')} of "
                "the ensemble."
            )
        output.note(*notes)
        return there

    given = read_labelling(labels, column, "--column", reading, output)
    rows = rows_of(labels, given.ids, len(given.labels))
    X = names = None
    if data is not None:
        if transpose:
            # --id names the objects of the ensemble, which are columns of this file.
            reading = replace(reading, transpose=True, id_column=None)
        table = read_data(data, reading, output)
        X, names = table.values[rows_of(data, table.ids, len(table.rows))], table.columns
    with output.working("Writing the report"):
        page = consilience.report(
            members,
            out,
            labels=given.labels[rows],
            X=X,
            feature_names=names,
            command=command_line(),
            title=data_title([ensemble]) if title is None else title,
            overwrite=force,
        )
    verdict = page.summary["verdict"]
    text = "\n".join([f"{verdict['headline']}.", *verdict["sentences"], f"Report:  {out}"])
    doubts = spoken_doubts(page.summary["doubts"])
    output.answer(text, {"out": out, "verdict": verdict, "doubts": doubts})
