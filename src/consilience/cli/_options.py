"""Options that several verbs share; each group is passed as one object."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, Literal

import click

from consilience.cli._input_file import FileName
from consilience.cli._output import Output

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


@dataclass(frozen=True)
class Reading:
    """How a table is read; see `consilience.tables.read_table`."""

    id_column: str | None = None
    no_id: bool = False
    drop: tuple[str, ...] = ()
    header: bool | None = None
    delimiter: str | None = None
    label_column: str | None = None
    missing: str = "error"
    representation: str | None = None
    transpose: bool = False

    def __post_init__(self) -> None:
        """Refuse columns that are to be used and left out."""
        for option, column in (("--id", self.id_column), ("--label-column", self.label_column)):
            if column is not None and column in self.drop:
                raise click.UsageError(
                    f"{option} {column} and --drop {column} contradict each other."
                )
        if self.label_column is not None and self.label_column == self.id_column:
            raise click.UsageError(
                f"--id {self.id_column} and --label-column {self.id_column} contradict each other."
            )

    @property
    def id(self) -> str | Literal[False] | None:
        """Return the id column, False for none, None to look for it."""
        if self.no_id and self.id_column is not None:
            raise click.UsageError("--id and --no-id contradict each other.")
        return False if self.no_id else self.id_column

    def refuse_transpose(self, situation: str) -> None:
        """Refuse --transpose where rows must be objects."""
        if self.transpose:
            raise click.UsageError(
                f"--transpose cannot be used {situation}; leave one of them out."
            )

    def as_arguments(self) -> dict[str, Any]:
        """Return what `read_table` and `read_blocks` take."""
        return {
            "id": self.id,
            "drop": self.drop,
            "label_column": self.label_column,
            "missing": self.missing,
            "header": self.header,
            "delimiter": self.delimiter,
            "representation": self.representation,
        }


@dataclass(frozen=True)
class Running:
    """The seed, and how many cores may be used."""

    random_state: int | None
    n_jobs: int | None


def group_of_options(
    name: str, make: Callable[..., Any], keys: tuple[str, ...], options: list[Any]
) -> Decorator:
    """Return a decorator that adds options to a verb and passes them as one object."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def verb(**given: Any) -> Any:
            picked = {key: given.pop(key) for key in keys}
            return function(**{name: make(**picked)}, **given)

        for option in reversed(options):
            option(verb)
        return verb

    return decorate


_LABEL_FILE = [
    click.option(
        "--id",
        "id_column",
        metavar="COLUMN",
        help="Column that names the objects. Default: one called id, index, row, ..._id, or else the "
        "first if it is text without repeats.",
    ),
    click.option("--no-id", is_flag=True, help="No column names the objects."),
    click.option("--drop", multiple=True, metavar="COLUMN", help="Leave a column out; repeatable."),
    click.option(
        "--header/--no-header",
        default=None,
        help="Whether the first line of a text file holds names. Default: decided by comparing it with "
        "the lines below.",
    ),
    click.option(
        "--delimiter", metavar="CHAR", help="Separator of a text file. Default: found (, ; tab |)."
    ),
]
_DATA_FILE = [
    click.option(
        "--label-column",
        metavar="COLUMN",
        help="Column with known classes: not clustered, but compared with the result.",
    ),
    click.option(
        "--missing",
        type=click.Choice(["error", "drop"]),
        default="error",
        show_default=True,
        help="Rows with a missing cell: refuse the file, or leave them out.",
    ),
    click.option(
        "--rep",
        "representation",
        metavar="KEY",
        help="For .h5ad: what to cluster, X or a key of obsm such as X_pca.",
    ),
    click.option(
        "--transpose",
        is_flag=True,
        help="Rows are features and columns are objects, as in tables of genes x samples; --id is then "
        "the column that names the features.",
    ),
]
_LABEL_KEYS = ("id_column", "no_id", "drop", "header", "delimiter")

label_file = group_of_options("reading", Reading, _LABEL_KEYS, _LABEL_FILE)
data_file = group_of_options(
    "reading",
    Reading,
    (*_LABEL_KEYS, "label_column", "missing", "representation", "transpose"),
    [*_LABEL_FILE, *_DATA_FILE],
)


def _running(random_state: int | None, n_jobs: int | None) -> Running:
    if n_jobs == 0:
        raise click.UsageError("--jobs must be a number of cores other than 0; -1 means all.")
    if n_jobs is not None:
        import consilience

        consilience.set_config(n_threads=n_jobs if n_jobs > 0 else None)
    return Running(random_state, n_jobs)


running = group_of_options(
    "running",
    _running,
    ("random_state", "n_jobs"),
    [
        click.option(
            "--seed",
            "random_state",
            type=click.IntRange(0, 2**32 - 1),
            default=0,
            show_default=True,
            help="Seed of all random numbers; the same seed gives the same result.",
        ),
        click.option(
            "--jobs",
            "n_jobs",
            type=int,
            default=None,
            metavar="N",
            help="Cores to use, -1 for all; the result does not depend on it.",
        ),
    ],
)

_SPEAKING = [
    click.option(
        "--json", "as_json", is_flag=True, help="Print one JSON object instead of sentences."
    ),
    click.option(
        "-q",
        "--quiet",
        is_flag=True,
        help="Print only the result: no notes, progress bars or warnings.",
    ),
]


def speaking(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add --json and --quiet, and pass a Output that prints warnings."""

    @wraps(function)
    def verb(**given: Any) -> Any:
        output = Output(as_json=given.pop("as_json"), quiet=given.pop("quiet"))
        with output.listening():
            return function(output=output, **given)

    for option in reversed(_SPEAKING):
        option(verb)
    return verb


force = click.option("--force", is_flag=True, help="Replace output files that exist.")

parameter = click.option(
    "--param",
    "parameters",
    multiple=True,
    metavar="NAME=VALUE",
    help="A parameter of the method, as in Python; repeatable. What has an option of its own, such as "
    "-k or --seed, is given by that option.",
)

scaling = click.option(
    "--scaling",
    type=click.Choice(["standard", "max", "common", "none"]),
    default="standard",
    show_default=True,
    help="Divide every column by its standard deviation or its largest value, all columns by one "
    "number, or leave them.",
)

scaling_or_auto = click.option(
    "--scaling",
    type=click.Choice(["auto", "standard", "max", "common", "counts", "log-counts", "none"]),
    default="auto",
    show_default=True,
    help="Divide every column by its standard deviation or its largest value, all columns by one "
    "number, weigh counts, or leave them; auto tries what suits the data.",
)

labels_out = click.option(
    "--out",
    type=FileName(),
    metavar="FILE",
    help="Write labels: .csv, .tsv (also .gz), .parquet, .npy or .npz; .h5ad if the data are.",
)

page_out = click.option(
    "--report",
    "page",
    type=FileName(),
    metavar="FILE",
    help="Write a report of all results in one .html file.",
)

dask_cluster = click.option(
    "--dask",
    "dask",
    metavar="ADDRESS",
    default=None,
    help="Work on a Dask cluster: tcp://host:port of its scheduler, or local to start workers here. The "
    "file is read in pieces by the workers, and --out is a folder of Parquet parts.",
)

consensus_method = click.option(
    "--method",
    metavar="NAME",
    default=None,
    help="Consensus function; see consilience methods. Default: Concord, or GWCA with constraints.",
)

view_method = click.option(
    "--method",
    metavar="NAME",
    default=None,
    help="Consensus function; see consilience methods. Default: the one of LWCL, LWGP and MCLA that "
    "does best if several views of the data are compared.",
)

fixed_k = click.option(
    "-k",
    "n_clusters",
    type=click.IntRange(1),
    default=None,
    help="Clusters wanted; only BALLS, BEST and HAC find a number themselves.",
)
