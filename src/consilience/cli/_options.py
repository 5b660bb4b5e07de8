"""Types of values, and options that several verbs share; a group of options is passed as one object."""

import inspect
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any, BinaryIO, Literal

import click

from consilience.cli._output import Output, know_as

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

# What the copy of standard input is called in messages.
_STDIN = "standard input"
# The first bytes of binary formats; gzip is recognised by the reader of text files.
_SUFFIXES = {
    b"PAR1": ".parquet",
    b"\x93NUMPY": ".npy",
    b"PK\x03\x04": ".npz",
    b"\x89HDF": ".h5ad",
}


def as_help(docstring: str) -> str:
    """Return a docstring as click wants it: its examples marked, so that they are not wrapped."""
    return inspect.cleandoc(docstring).replace("\nExamples\n--------\n", "\n\b\nExamples:\n")


class Verb(click.Command):
    """One verb of the command; its docstring is its help."""

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        settings["help"] = as_help(settings["help"])
        settings["short_help"] = settings["help"].splitlines()[0]  # whole, not cut by click
        settings["context_settings"] = {"show_default": True}
        super().__init__(*arguments, **settings)


class FileName(click.Path):
    """The name of a file."""

    def __init__(self) -> None:
        super().__init__()
        self.name = "file"

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        """Refuse names that no file can have."""
        if not value or "\0" in str(value):
            self.fail(f"{value!r} is not the name of a file.", param, ctx)
        return super().convert(value, param, ctx)


class InputFile(FileName):
    """The name of a file; - is standard input, which is kept in a file while the command runs."""

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        """Return the name of a file that can be read more than once."""
        if value != "-" or ctx is None or ctx.resilient_parsing:
            return super().convert(value, param, ctx)
        if _STDIN in ctx.meta:
            self.fail("- is standard input, which can be read only once.", param, ctx)
        ctx.meta[_STDIN] = True
        return ctx.with_resource(_kept(sys.stdin.buffer))


@contextmanager
def _kept(stream: BinaryIO) -> Iterator[str]:
    """Copy a stream into a file whose suffix says what it is."""
    if sys.stdin.isatty():
        click.echo("Reading standard input; end it with Ctrl-D.", err=True)
    with tempfile.TemporaryDirectory(prefix="consilience-") as folder:
        file = Path(folder) / "stdin"
        try:
            with file.open("wb") as copy:
                shutil.copyfileobj(stream, copy)
        except OSError as error:
            raise OSError(error.errno, error.strerror, f"{_STDIN}, kept in {file}") from None
        with file.open("rb") as copy:
            start = copy.read(8)
        suffix = next((s for magic, s in _SUFFIXES.items() if start.startswith(magic)), ".csv")
        named = file.rename(file.with_suffix(suffix))
        know_as(str(named), _STDIN)
        yield str(named)


class NumberOfClusters(click.ParamType):  # type: ignore[type-arg]
    """A number; a range such as 2:12, which becomes a pair; for a consensus also a list, or auto."""

    name = "K"

    def __init__(self, *, for_members: bool = False, smallest: int = 1) -> None:
        self.for_members = for_members
        self.smallest = smallest

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        """Return an int, a pair, a list or "auto"."""
        if not isinstance(value, str) or (value == "auto" and not self.for_members):
            return value
        marks = ":" if self.for_members else ":,"
        mark = next((mark for mark in marks if mark in value), None)
        parts = [part.strip() for part in (value.split(mark) if mark else [value])]
        numbers = [int(part) for part in parts if part.isascii() and part.isdigit()]
        allowed = len(numbers) == len(parts) and min(numbers) >= (2 if mark else self.smallest)
        if mark == ":":
            allowed = allowed and len(numbers) == 2 and numbers[0] <= numbers[1]
        if not allowed:
            more = "" if self.for_members else ", a list such as 2,4,8, or auto"
            self.fail(
                f"{value!r} is no number of clusters; give a number from {self.smallest}, a range "
                f"such as 2:12{more}.",
                param,
                ctx,
            )
        if mark is None:
            return numbers[0]
        return tuple(numbers) if mark == ":" else numbers


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
        """Refuse options that contradict each other."""
        if self.no_id and self.id_column is not None:
            raise click.UsageError("--id and --no-id contradict each other.")
        named = [self.id_column, self.label_column, *dict.fromkeys(self.drop)]
        for column in named:
            if column is not None and named.count(column) > 1:
                raise click.UsageError(
                    f"Two of --id, --label-column and --drop name the column {column}; name it once."
                )

    @property
    def id(self) -> str | Literal[False] | None:
        """Return the id column, False for none, None to look for it."""
        return False if self.no_id else self.id_column

    def refuse_transpose(self, situation: str) -> None:
        """Refuse --transpose where rows must be objects."""
        if self.transpose:
            raise click.UsageError(
                f"--transpose cannot be used {situation}; leave one of them out."
            )

    def of_labels(self) -> dict[str, Any]:
        """Return what `read_labels` and `read_label_table` take."""
        return {"id": self.id, "header": self.header, "delimiter": self.delimiter}

    def of_numbers(self) -> dict[str, Any]:
        """Return what `read_table` and `read_blocks` take."""
        return {
            **self.of_labels(),
            "drop": self.drop,
            "label_column": self.label_column,
            "missing": self.missing,
            "representation": self.representation,
        }


@dataclass(frozen=True)
class Running:
    """The seed, and how many cores may be used."""

    random_state: int | None
    n_jobs: int | None

    def __post_init__(self) -> None:
        """Let row blocks run on as many threads as there may be jobs."""
        if self.n_jobs == 0:
            raise click.UsageError("--jobs must be a number of cores other than 0; -1 means all.")
        if self.n_jobs is not None:
            import consilience

            consilience.set_config(n_threads=self.n_jobs if self.n_jobs > 0 else None)


def group_of_options(name: str, make: Callable[..., Any], *options: Decorator) -> Decorator:
    """Return a decorator that adds options to a verb and passes them as one object."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def verb(**given: Any) -> Any:
            picked = {key: given.pop(key) for key in keys}
            return function(**{name: make(**picked)}, **given)

        n_before = len(getattr(verb, "__click_params__", []))
        for option in reversed(options):
            option(verb)
        keys = [parameter.name for parameter in verb.__click_params__[n_before:]]  # type: ignore[attr-defined]
        return verb

    return decorate


_LABEL_FILE = (
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
        help="Whether the first line of a text file holds names. Default: found by the lines below.",
    ),
    click.option(
        "--delimiter", metavar="CHAR", help="Separator of a text file. Default: found (, ; tab |)."
    ),
)
label_file = group_of_options("reading", Reading, *_LABEL_FILE)
data_file = group_of_options(
    "reading",
    Reading,
    *_LABEL_FILE,
    click.option(
        "--label-column",
        metavar="COLUMN",
        help="Column with known classes: not clustered, but compared with the result.",
    ),
    click.option(
        "--missing",
        type=click.Choice(["error", "drop"]),
        default="error",
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
        help="Rows are features, columns are objects, as in genes x samples; --id names the features.",
    ),
)
running = group_of_options(
    "running",
    Running,
    click.option(
        "--seed",
        "random_state",
        type=click.IntRange(0, 2**32 - 1),
        default=0,
        help="Seed of all random numbers; the same seed gives the same result.",
    ),
    click.option(
        "--jobs",
        "n_jobs",
        type=int,
        metavar="N",
        help="Cores to use, -1 for all; the result does not depend on it.",
    ),
)


def speaking(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add --json and --quiet, and pass an Output that prints warnings."""

    @wraps(function)
    def verb(*, output: Output, **given: Any) -> Any:
        with output.listening():
            return function(output=output, **given)

    return group_of_options(
        "output",
        Output,
        click.option(
            "--json", "as_json", is_flag=True, help="Print one JSON object instead of sentences."
        ),
        click.option(
            "-q",
            "--quiet",
            is_flag=True,
            help="Print only the result: no notes, progress bars or warnings.",
        ),
    )(verb)


force = click.option("--force", is_flag=True, help="Replace output files that exist.")

parameter = click.option(
    "--param",
    "parameters",
    multiple=True,
    metavar="NAME=VALUE",
    help="A parameter of the method, as in Python, that has no option of its own; repeatable.",
)

scaling_or_auto = click.option(
    "--scaling",
    type=click.Choice(["auto", "standard", "max", "common", "counts", "log-counts", "none"]),
    default="auto",
    help="Divide every column by its standard deviation or its largest value, all columns by one "
    "number, weigh counts, or leave them; auto tries what suits the data.",
)

dask_cluster = click.option(
    "--dask",
    "dask",
    metavar="ADDRESS",
    help="Work on a Dask cluster: tcp://host:port of its scheduler, or local to start workers here. The "
    "file is read in pieces by the workers, and --out is a folder of Parquet parts.",
)
