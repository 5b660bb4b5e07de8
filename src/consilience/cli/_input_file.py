"""A file to read, or - for standard input."""

import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import click

from consilience.cli._flag_words import rename

_NAME = "standard input"
_READ = "consilience.standard_input"
# The first bytes of binary formats; gzip is recognised by the reader of text files.
_SUFFIXES = {
    b"PAR1": ".parquet",
    b"\x93NUMPY": ".npy",
    b"PK\x03\x04": ".npz",
    b"\x89HDF": ".h5ad",
}


class FileName(click.Path):
    """The name of a file."""

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
        if _READ in ctx.meta:
            self.fail("- is standard input, which can be read only once.", param, ctx)
        ctx.meta[_READ] = True
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
            raise OSError(error.errno, error.strerror, f"{_NAME}, kept in {file}") from None
        with file.open("rb") as copy:
            start = copy.read(8)
        suffix = next((s for magic, s in _SUFFIXES.items() if start.startswith(magic)), ".csv")
        named = file.rename(file.with_suffix(suffix))
        rename(str(named), _NAME)
        yield str(named)
