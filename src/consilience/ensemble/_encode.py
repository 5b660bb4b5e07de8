"""Encode labels of any kind: 0 = missing, c + 1 = cluster c in order of first appearance."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from consilience._utils._types import Array
from consilience.exceptions import InvalidLabelsError
from consilience.incidence import Layout, cut, first_rows, relabelled, threaded

# Maximum size of the table that maps labels to codes; larger ranges are sorted instead.
LOOKUP_LIMIT = 2**25
_ROWS = 4_096
# Rows that a thread counts at a time.
_PIECE = 1 << 17
_SPARE_PLACES = 1_000


class Encoded(NamedTuple):
    """Codes of a label matrix, and for every member the label behind each of its clusters."""

    codes: Array
    values: tuple[Array, ...]


def encode_matrix(labels: Array) -> Encoded:
    """Encode an (n, r) array of integers, whole floats, booleans, text or objects.

    Raises
    ------
    InvalidLabelsError
        Where a cell is not a label; the message names its row and member.
    """
    if labels.dtype.kind in "iufb":
        return encode_integers(labels)
    return stack([encode_column(labels[:, j], f"member {j}") for j in range(labels.shape[1])])


def encode_integers(labels: Array, where: str | None = None) -> Encoded:
    """Encode numbers; negative one and NaN are missing."""
    n_rows, n_members = labels.shape
    highest = np.full(n_members, -1, dtype=np.int64)
    for start, block in _integer_blocks(labels, where):
        if block.size and block.min() < -1:
            row, member = np.argwhere(block < -1)[0]
            raise _negative(int(block[row, member]), start + row, where or f"member {member}")
        highest = np.maximum(highest, block.max(axis=0, initial=-1))
    # In Python's integers, because labels may be very large.
    n_possible = [int(label) + 1 for label in highest]
    if sum(n_possible) > LOOKUP_LIMIT:
        return stack([_encode_sparse(labels[:, j]) for j in range(n_members)])
    return _encode_by_lookup(labels, n_possible, min(n_rows, max(n_possible)))


def encode_column(column: Any, where: str, *, categorical: bool = False) -> Encoded:
    """Encode one member given as a NumPy vector, a sequence, or an Arrow array.

    A `categorical` column may hold anything, -1 included; only null and NaN are missing. Arrow's
    dictionary encoding numbers values by first appearance, which is the canonical order.
    """
    values = _as_arrow(column, where, categorical=categorical)
    if pa.types.is_null(values.type):
        return Encoded(np.zeros((len(values), 1), dtype=np.uint8), (np.empty(0, dtype=np.int64),))
    if pa.types.is_floating(values.type):
        values = _whole_numbers(values, where, categorical=categorical)
    if pa.types.is_integer(values.type):
        values = _signed(values, where)
        if not categorical:
            lowest = pc.min(values).as_py()
            if lowest is not None and lowest < -1:
                raise _negative(lowest, pc.index(values, pa.scalar(lowest)).as_py(), where)
            values = pc.if_else(pc.equal(values, -1), None, values)
    encoded = values.dictionary_encode()
    codes = pc.fill_null(pc.add(encoded.indices, 1), 0).to_numpy(zero_copy_only=False)
    dictionary = encoded.dictionary.to_numpy(zero_copy_only=False)
    return Encoded(codes.astype(code_dtype(len(dictionary)))[:, None], (np.array(dictionary),))


def stack(columns: list[Encoded]) -> Encoded:
    """Stack members as columns, in the smallest type that holds all of their codes."""
    values = tuple(value for column in columns for value in column.values)
    dtype = code_dtype(max((len(value) for value in values), default=0))
    codes = np.empty((len(columns[0].codes), len(values)), dtype=dtype)
    place = 0
    for column in columns:
        width = column.codes.shape[1]
        codes[:, place : place + width] = column.codes
        place += width
    return Encoded(codes, values)


def renumber(encoded: Encoded) -> Encoded:
    """Number clusters again by first appearance after rows were selected; empty ones disappear."""
    compact = encode_integers(encoded.codes.astype(np.int64) - 1)
    values = (old[new] for old, new in zip(encoded.values, compact.values, strict=True))
    return Encoded(compact.codes, tuple(values))


def own_clusters(encoded: Encoded) -> Encoded:
    """Turn every missing label into a cluster of its own, with an unused name."""
    labels = encoded.codes.astype(np.int64) - 1
    values = []
    for j, value in enumerate(encoded.values):
        alone = np.flatnonzero(labels[:, j] < 0)
        labels[alone, j] = len(value) + np.arange(len(alone))
        values.append(np.concatenate([value, _new_values(value, alone)]))
    return renumber(Encoded(labels + 1, tuple(values)))


def _new_values(value: Array, rows: Array) -> Array:
    if value.dtype.kind != "O":
        return np.asarray(value.max(initial=-1) + 1 + np.arange(len(rows)))
    prefix = "noise at row"
    while any(name.startswith(prefix) for name in value):
        prefix = f"_{prefix}"
    return np.array([f"{prefix} {row}" for row in rows], dtype=object)


def canonical_labels(labels: Array) -> tuple[Array, Array]:
    """Number non-negative labels by first appearance, leaving no gaps.

    Returns
    -------
    labels : array (n,) of int32
    order : array (K,)
        The given label behind each new one.

    Examples
    --------
    >>> import numpy as np
    >>> canonical_labels(np.array([7, 7, 2, 7, 0]))
    (array([0, 0, 1, 0, 2], dtype=int32), array([7, 2, 0]))
    """
    largest = int(labels.max()) if len(labels) else -1
    if largest > len(labels) + _SPARE_PLACES:  # too far apart for a table of all possible labels
        given, inverse = np.unique(labels, return_inverse=True)
        dense, order = canonical_labels(inverse.reshape(-1))
        return dense, given[order]
    first = first_rows(labels, largest + 1)
    order = np.argsort(first, kind="stable")[: np.count_nonzero(first < len(labels))]
    rank = np.zeros(largest + 1, dtype=np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    return relabelled(labels, rank), order.astype(labels.dtype)


def count_known(codes: Array, layout: Layout) -> Array:
    """Return the number of objects that every member labels."""
    from consilience._kernels._relabel import count_codes

    offsets = layout.starts[:-1] + np.arange(layout.n_members)

    def piece(rows: tuple[int, int]) -> Array:
        part = np.zeros(layout.n_columns + layout.n_members, dtype=np.int64)
        count_codes(codes[slice(*rows)], offsets, part)
        return part

    counts = np.zeros(layout.n_columns + layout.n_members, dtype=np.int64)
    for part in threaded(piece, cut(0, len(codes), _PIECE)):
        counts += part
    known: Array = len(codes) - counts[offsets]
    return known


def code_dtype(n_clusters: int) -> Any:
    """Return the smallest unsigned type that holds the codes 0..n_clusters."""
    return np.min_scalar_type(n_clusters)


def _encode_by_lookup(labels: Array, n_possible: list[int], most_clusters: int) -> Encoded:
    from consilience._kernels._relabel import encode_rows

    n_rows, n_members = labels.shape
    first = np.concatenate([[0], np.cumsum(n_possible)]).astype(np.int64)
    lookup = np.zeros(first[-1], dtype=np.int64)
    values = np.zeros(first[-1], dtype=np.int64)
    n_clusters = np.zeros(n_members, dtype=np.int64)
    codes = np.empty((n_rows, n_members), dtype=code_dtype(most_clusters))
    for start, block in _integer_blocks(labels):
        encode_rows(block, first, lookup, n_clusters, codes[start : start + len(block)], values)
    smallest = code_dtype(int(n_clusters.max(initial=0)))
    behind = tuple(
        values[low : low + count].copy() for low, count in zip(first, n_clusters, strict=False)
    )
    return Encoded(codes.astype(smallest, copy=False), behind)


def _encode_sparse(column: Array) -> Encoded:
    """Encode one member whose labels are too far apart for a lookup table."""
    given, inverse = np.unique(_integer_column(column), return_inverse=True)
    dense = inverse - np.count_nonzero(given < 0)
    encoded = encode_integers(np.maximum(dense, -1)[:, None])
    return Encoded(encoded.codes, (given[given >= 0][encoded.values[0]],))


def _integer_blocks(labels: Array, where: str | None = None) -> Iterator[tuple[int, Array]]:
    """Yield (first row, int64 block); NaN becomes -1, fractions raise an error."""
    for start in range(0, len(labels), _ROWS):
        block = labels[start : start + _ROWS]
        if block.dtype.kind == "f":
            block = block.astype(np.float64, copy=False)
            known = ~np.isnan(block)
            whole = np.isfinite(block) & (np.trunc(block) == block) & (np.abs(block) < 2**53)
            if not np.all(whole | ~known):
                row, member = np.argwhere(known & ~whole)[0]
                raise InvalidLabelsError(
                    f"Label {block[row, member]} of object {start + row} in "
                    f"{where or f'member {member}'}: labels must be whole numbers, text, or missing "
                    "(-1, NaN, None). If these are features, cluster them first."
                )
            block = np.where(known, block, -1)
        elif block.dtype.kind == "u" and block.size and int(block.max()) > np.iinfo(np.int64).max:
            row, member = np.argwhere(block == block.max())[0]
            raise _too_large(block[row, member], start + row, where or f"member {member}")
        yield start, np.ascontiguousarray(block, dtype=np.int64)


def _integer_column(column: Array, where: str | None = None) -> Array:
    """Return one member as integers; NaN becomes -1."""
    parts = [block[:, 0] for _, block in _integer_blocks(column[:, None], where)]
    return np.concatenate([np.empty(0, dtype=np.int64), *parts])


def _as_arrow(column: Any, where: str, *, categorical: bool) -> Any:
    """Return an Arrow array of integers, floats or text; raise an error for other types."""
    if isinstance(column, np.ndarray) and column.dtype.kind in ("O", "T"):
        column = column.tolist()
    try:
        # from_pandas: None, NaN and pandas' NA all mean missing.
        is_arrow = isinstance(column, pa.Array | pa.ChunkedArray)
        values = column if is_arrow else pa.array(column, from_pandas=True)
        if isinstance(values, pa.ChunkedArray):
            values = (
                pa.concat_arrays(values.chunks) if values.num_chunks else values.combine_chunks()
            )
        if pa.types.is_dictionary(values.type):
            values = values.dictionary_decode()
        if pa.types.is_binary(values.type) or pa.types.is_large_binary(values.type):
            values = pc.cast(values, pa.large_string())
    except OverflowError:
        raise InvalidLabelsError(
            f"The labels of {where} must fit a signed 64-bit integer. Pass such keys as text."
        ) from None
    except (pa.ArrowException, UnicodeDecodeError) as error:
        raise mixed_kinds(where, error) from None
    kind = values.type
    if pa.types.is_boolean(kind):
        return pc.cast(values, pa.int8())
    if pa.types.is_string(kind) or pa.types.is_large_string(kind) or kind == pa.string_view():
        return pc.cast(values, pa.large_string())
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_null(kind):
        return values
    if categorical and pa.types.is_duration(kind):
        return pc.cast(values, pa.int64())
    if categorical and (pa.types.is_temporal(kind) or pa.types.is_decimal(kind)):
        return pc.cast(values, pa.large_string())
    raise InvalidLabelsError(
        f"The labels of {where} are of type {kind}; a member holds whole numbers or text."
    )


def _whole_numbers(values: Any, where: str, *, categorical: bool) -> Any:
    """Return an Arrow integer array, NaN as null; categories that are not integers are unchanged."""
    floats = values.to_numpy(zero_copy_only=False).astype(np.float64)
    known = ~np.isnan(floats)
    if categorical and not np.all(np.trunc(floats[known]) == floats[known]):
        return pa.array(floats, mask=~known)
    return pa.array(_integer_column(floats, where), mask=~known)


def _signed(values: Any, where: str) -> Any:
    """Return an Arrow array of 64-bit integers."""
    if pa.types.is_uint64(values.type):
        highest = pc.max(values).as_py()
        if highest is not None and highest > np.iinfo(np.int64).max:
            row = pc.index(values, pa.scalar(highest, pa.uint64())).as_py()
            raise _too_large(highest, row, where)
    return pc.cast(values, pa.int64())


def mixed_kinds(where: str, error: Exception) -> InvalidLabelsError:
    """Return the error about a member that is neither whole numbers nor text."""
    return InvalidLabelsError(
        f"The labels of {where} are of mixed or unknown kinds ({error}); a member holds either "
        "whole numbers or text, with -1, NaN or None for missing."
    )


def _negative(label: int, row: int, where: str) -> InvalidLabelsError:
    return InvalidLabelsError(
        f"Label {label} of object {row} in {where}: labels are 0, 1, 2, ..., or -1 for missing. "
        "Replace other negative codes by -1."
    )


def _too_large(label: Any, row: int, where: str) -> InvalidLabelsError:
    return InvalidLabelsError(
        f"Label {label} of object {row} in {where}: labels must fit a signed 64-bit integer. "
        "Pass such keys as text."
    )
