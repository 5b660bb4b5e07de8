"""Files larger than memory, which are read in pieces, by this process or by workers of a cluster."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from consilience._utils._words import plural
from consilience.cli._options import Reading
from consilience.cli._outcome import Targets, confidence_of, counted, spoken_doubts
from consilience.cli._output import Output
from consilience.exceptions import InvalidInputError

if TYPE_CHECKING:
    from consilience.ensemble import Ensemble
    from consilience.tables.internals import StoredTable

# Bytes per label while a whole file is read: text, codes, and the buffers of Arrow.
_BYTES_PER_CELL = 16


class Pieces(NamedTuple):
    """A file that is read in pieces, and which of its columns names the objects."""

    table: "StoredTable"
    id_column: str | None


@contextmanager
def at_cluster(address: str | None, output: Output) -> Iterator[None]:
    """Use a Dask cluster inside the context, if one is named."""
    if address is None:
        yield
        return
    from consilience.incidence import connect

    with output.working("Starting workers" if address == "local" else f"Connecting to {address}"):
        client = connect(address)
    cluster = getattr(client, "cluster", None)
    workers, threads = len(client.ncores()), sum(client.ncores().values())
    output.note(f"Dask: {plural(workers, 'worker')}, {plural(threads, 'thread')}.")
    try:
        with client.as_current():
            yield
    finally:
        client.close()
        if cluster is not None:
            cluster.close()


def is_large(path: str) -> bool:
    """Say whether labels are a folder of Parquet parts, or would not fit into memory as a whole."""
    from consilience._utils._memory import memory_limit
    from consilience.tables.internals import open_rows

    if Path(path).is_dir():
        return any(part.suffix.lower() in (".parquet", ".pq") for part in Path(path).iterdir())
    if Path(path).suffix.lower() not in (".npy", ".parquet", ".pq") or not Path(path).exists():
        return False
    rows = open_rows(path)
    return rows.n_rows * len(rows.names) * _BYTES_PER_CELL > memory_limit()


def open_pieces(path: str, reading: Reading, output: Output) -> Pieces:
    """Open a file, and find the id column by its name."""
    from consilience.tables.internals import is_id_name, open_rows

    table = open_rows(path)
    id_column = reading.id or None
    if reading.id is None:
        id_column = next((name for name in table.names if is_id_name(name)), None)
        if id_column is not None:
            output.note(f"{path}: column {id_column!r} names the objects (--no-id if it does not).")
    for name in (*reading.drop, id_column):
        if name is not None and name not in table.names:
            raise InvalidInputError(
                f"{path} has no column {name!r}; its columns are {', '.join(table.names)}."
            )
    return Pieces(table, id_column)


def open_members(path: str, reading: Reading, output: Output) -> "tuple[Pieces, Ensemble]":
    """Open a file of labels as an ensemble in chunks."""
    from consilience.ensemble.internals import open_ensemble

    pieces = open_pieces(path, reading, output)
    ensemble = open_ensemble(path, pieces.id_column or False, None, reading.drop)
    output.note(f"{path}: {ensemble!r}, read in pieces.")
    return pieces, ensemble


def open_data(path: str, reading: Reading, output: Output) -> tuple[Pieces, Any]:
    """Open a file of numbers as a dask array that the workers read."""
    from consilience.incidence import cut, from_ranges, stripe_rows
    from consilience.tables.internals import NumberRows

    pieces = open_pieces(path, reading, output)
    apart = {*reading.drop, reading.label_column, pieces.id_column}
    columns = [name for name in pieces.table.names if name not in apart]
    ranges = cut(0, pieces.table.n_rows, stripe_rows(8 * len(columns)))
    numbers = NumberRows(pieces.table, columns)
    size = f"{plural(pieces.table.n_rows, 'row')}, {plural(len(columns), 'column')}"
    output.note(f"{path}: {size}, read in pieces.")
    return pieces, from_ranges(numbers, ranges, width=len(columns), dtype=float)


def finish_in_chunks(
    result: Any, ensemble: Any, pieces: Pieces, targets: Targets, output: Output
) -> None:
    """Write the labels and give the answer."""
    import numpy as np

    from consilience.consensus.internals import listed_doubts
    from consilience.tables.internals import write_label_parts

    labels = np.asarray(result.labels_)
    confidence = np.asarray(confidence_of(result, ensemble))
    if targets.out is not None:
        write_label_parts(
            targets.out,
            labels,
            confidence,
            table=pieces.table,
            id_column=pieces.id_column,
            provenance=dict(result.provenance_),
            overwrite=targets.force,
        )
    facts = {
        **counted(result, labels, confidence),
        "doubts": spoken_doubts([doubt.as_dict() for doubt in result.doubts_]),
        "out": targets.out,
    }
    sizes = [str(size) for size in sorted(facts["sizes"], reverse=True)]
    shown = ", ".join(sizes[:8]) + (", ..." if len(sizes) > 8 else "")
    below = plural(int(np.count_nonzero(confidence < 0.5)), "object")
    found = f"{plural(len(sizes), 'cluster')} of {shown} objects"
    lines = [f"{found}; mean confidence {facts['mean_confidence']:.2f}, {below} below 0.50."]
    if result.doubts_:
        lines.append(listed_doubts([doubt.clause for doubt in result.doubts_]))
    if targets.out is not None:
        lines.append(f"Labels:  {targets.out} (a folder of Parquet parts)")
    output.answer("\n".join(lines), facts)


def check_targets(targets: Targets) -> None:
    """Refuse outputs that cannot be made in chunks."""
    from consilience.tables.internals import check_parts_folder

    if targets.page is not None:
        raise InvalidInputError(
            "--report needs objects and members in memory; take a sample of the rows "
            "for it, or leave it out."
        )
    if targets.out is not None:
        check_parts_folder(targets.out, overwrite=targets.force)
