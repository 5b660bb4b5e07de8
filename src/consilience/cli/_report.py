"""A page about an ensemble and its consensus."""

from dataclasses import replace
from typing import Any

import click

from consilience.cli._input_file import FileName, InputFile
from consilience.cli._inputs import read_data, read_ensemble
from consilience.cli._match import match, read_labelling
from consilience.cli._options import Reading, force, label_file, speaking
from consilience.cli._outcome import check_page, command_line, data_title, spoken_doubts
from consilience.cli._output import Output
from consilience.cli._verb import Verb
from consilience.exceptions import InvalidInputError


@click.command(cls=Verb)
@click.argument("ensemble", type=InputFile())
@click.option(
    "--labels",
    required=True,
    type=InputFile(),
    metavar="FILE",
    help="The labels of the consensus.",
)
@click.option(
    "--out", required=True, type=FileName(), metavar="FILE", help="The page, one .html file."
)
@click.option("--column", metavar="COLUMN", help="Column of the labels. Default: found.")
@click.option(
    "--data",
    type=InputFile(),
    metavar="FILE",
    help="The measurements, to find those that define the clusters.",
)
@click.option(
    "--transpose",
    is_flag=True,
    help="The file of --data has a row per feature and a column per object; the column that names "
    "the features is found.",
)
@click.option("--title", metavar="TEXT", help="Title of the page. Default: the name of the file.")
@label_file
@force
@speaking
def report(  # noqa: PLR0913 - one argument per option
    *,
    ensemble: str,
    labels: str,
    out: str,
    column: str | None,
    data: str | None,
    transpose: bool,
    title: str | None,
    reading: Reading,
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

    members = read_ensemble(ensemble, replace(reading, drop=()), output)
    given = read_labelling(
        labels,
        column,
        "--column",
        id=reading.id,
        header=reading.header,
        delimiter=reading.delimiter,
    )
    output.note(*given.notes)
    this = (ensemble, members.ids, members.n_samples)
    rows = _all(this, (labels, given.ids, len(given.labels)), output)
    X = names = None
    if data is not None:
        # --id names the objects of the ensemble and the labels, which are columns of a transposed file.
        turned = replace(reading, transpose=True, id_column=None)
        table = read_data(data, turned if transpose else reading, output)
        place = _all(this, (data, table.ids, len(table.rows)), output)
        X, names = table.values[place], table.columns
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


def _all(members: tuple[str, Any, int], other: tuple[str, Any, int], output: Output) -> Any:
    """Return the rows of another file that belong to the objects of the ensemble; all must be there."""
    from consilience._utils._words import plural

    here, there, notes = match(members, other)
    path, n_samples = other[0], members[2]
    if len(here) < n_samples:
        raise InvalidInputError(
            f"{path} lacks {n_samples - len(here)} of the {plural(n_samples, 'object')} of the ensemble."
        )
    output.note(*notes)
    return there
