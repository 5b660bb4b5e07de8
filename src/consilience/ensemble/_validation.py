"""Validation of all input of ensembles."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from consilience._utils._plain_numbers import require_plain_numbers
from consilience._utils._types import Array
from consilience.ensemble._encode import (
    Encoded,
    encode_column,
    encode_integers,
    encode_matrix,
    mixed_kinds,
    stack,
)
from consilience.exceptions import InvalidInputError, InvalidLabelsError
from consilience.incidence import Layout

# Tolerance for the sums of rows; sufficient for posteriors in single precision.
_TOLERANCE = 1e-3


class Table(NamedTuple):
    """Validated input; `names` is None if the input had no names."""

    encoded: Encoded
    names: tuple[str, ...] | None


def as_table(labels: Any) -> Table:
    """Read an array (objects x members), a list of label vectors, or a data frame."""
    if isinstance(labels, list | tuple):
        return Table(_from_vectors(labels), None)
    if not isinstance(labels, np.ndarray):
        frame = as_frame(labels)
        if frame is not None:
            check_frame_shape(frame, "A data frame")
            names = tuple(str(name) for name in frame.columns)
            return Table(frame_columns(frame.iter_columns()), names)
        labels = _to_array(labels)
    return Table(_from_array(labels), None)


def as_label_vector(labels: Any, what: str = "labels") -> Encoded:
    """Read one labelling: a vector of whole numbers or text, missing as in an ensemble."""
    if isinstance(labels, list | tuple):
        return encode_column(labels, what)
    if not isinstance(labels, np.ndarray):
        series = as_series(labels)
        if series is not None:
            return encode_column(series_values(series, what), what)
        labels = _to_array(labels)
    if labels.ndim != 1:
        raise InvalidLabelsError(
            f"{what} must be one label per object; got an array of shape {labels.shape}."
        )
    labels = _plain_array(labels, what)
    if labels.dtype.kind in "iufb":
        return encode_integers(labels[:, None], what)
    return encode_column(labels, what)


def as_frame(table: Any) -> Any:
    """Return a narwhals frame for pandas, polars and pyarrow tables; None for anything else."""
    import narwhals.stable.v2 as nw
    from narwhals.exceptions import NarwhalsError

    try:
        frame: Any = nw.from_native(table, pass_through=True)
    except NarwhalsError as error:
        words = " ".join(str(error).split())
        raise InvalidLabelsError(f"The data frame cannot be read: {words}") from None
    if isinstance(frame, nw.LazyFrame):
        raise InvalidInputError(
            f"{type(table).__module__}.{type(table).__name__} is lazy; call collect() (polars) or "
            "compute() (dask) first."
        )
    return frame if isinstance(frame, nw.DataFrame) else None


def as_series(values: Any) -> Any:
    """Return a narwhals series for a column of a data frame; None for anything else."""
    import narwhals.stable.v2 as nw

    series: Any = nw.from_native(values, series_only=True, pass_through=True)
    return series if isinstance(series, nw.Series) else None


def series_values(series: Any, where: str) -> Any:
    """Return the Arrow array of a column."""
    try:
        return series.to_arrow()
    except (pa.ArrowException, OverflowError) as error:
        raise mixed_kinds(where, error) from None


def frame_columns(columns: Iterable[Any], where: str = "", *, categorical: bool = False) -> Encoded:
    """Encode columns of a narwhals frame; `where` names the column in errors."""
    encoded = []
    for series in columns:
        what = f"column {series.name!r}{where}"
        values = series_values(series, what)
        encoded.append(encode_column(values, what, categorical=categorical))
    return stack(encoded)


def check_names(names: Any, n_members: int) -> tuple[str, ...]:
    """Return distinct names, one per member."""
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise InvalidInputError(f"names must be a list of {n_members} names; got {names!r}.")
    result = tuple(str(name) for name in names)
    if len(result) != n_members:
        raise InvalidInputError(
            f"names must hold {n_members} entries, one per member; got {len(result)}."
        )
    repeated = [name for name, count in Counter(result).items() if count > 1]
    if repeated:
        raise InvalidInputError(f"names must be distinct; {repeated[0]!r} occurs twice.")
    return result


def default_names(n_members: int) -> tuple[str, ...]:
    """Return names for members that have none."""
    return tuple(f"member_{j}" for j in range(n_members))


def check_ids(ids: Any, n_samples: int, where: str = "ids") -> Array:
    """Return distinct ids, one per object, as integers or text."""
    if isinstance(ids, str) or np.isscalar(ids):
        raise InvalidInputError(f"{where} must be a list of {n_samples} ids; got {ids!r}.")
    if not isinstance(ids, np.ndarray | list | tuple):
        series = as_series(ids)
        ids = ids if series is None else series_values(series, where)
    encoded = encode_column(ids, where, categorical=True)
    codes, values = encoded.codes[:, 0], encoded.values[0]
    if len(codes) != n_samples:
        raise InvalidInputError(
            f"{where} must hold {n_samples} entries, one per object; got {len(codes)}."
        )
    if np.any(codes == 0):
        row = int(np.flatnonzero(codes == 0)[0])
        raise InvalidInputError(f"{where} has no value at row {row}; every object needs one.")
    if len(values) != len(codes):
        first = np.unique(codes, return_index=True)[1]
        row = int(np.setdiff1d(np.arange(len(codes)), first)[0])
        repeated = values[[codes[row] - 1]].tolist()[0]
        raise InvalidInputError(
            f"{where} must be distinct; {repeated!r} occurs again at row {row}."
        )
    if values.dtype.kind == "f":
        raise InvalidInputError(f"{where} must be whole numbers or text; got {values.tolist()[0]}.")
    result: Array = values[codes - 1]
    return result


def as_numbers(given: Any, what: str, allowed: str, shape: tuple[int, ...]) -> Array:
    """Return an array of numbers of a given shape."""
    require_plain_numbers(given, what)
    try:
        array = np.asarray(given)
    except ValueError as error:
        raise InvalidInputError(f"{what} must be {allowed}; got a ragged list ({error}).") from None
    if array.dtype.kind not in "iufb" or array.shape != shape:
        raise InvalidInputError(
            f"{what} must be {allowed}; got an array of type {array.dtype} and shape {array.shape}."
        )
    return array


def _from_array(labels: Array) -> Encoded:
    labels = _plain_array(labels, "the array")
    if labels.ndim != 2:
        raise InvalidLabelsError(
            "Expected 2D array, objects x members; got an array of shape "
            f"{labels.shape}. Reshape your data, or pass a list of label vectors, one per member."
        )
    for axis, what in ((1, "feature"), (0, "sample")):
        if not labels.shape[axis]:
            raise InvalidLabelsError(
                f"Found array with 0 {what}(s) (shape={labels.shape}) while a minimum of 1 is required: "
                "every row is an object, every column a member of the ensemble."
            )
    return encode_matrix(labels)


def _plain_array(labels: Array, where: str) -> Array:
    """Reject arrays that cannot hold labels; turn masked cells into missing labels, bytes into text."""
    if labels.dtype.kind == "c":
        raise InvalidLabelsError(
            "Complex data not supported: labels are whole numbers or text, -1 for missing."
        )
    if labels.dtype.kind not in "iufbUSOT" or labels.dtype.names is not None:
        raise InvalidLabelsError(
            f"The labels of {where} are of type {labels.dtype}; a member holds whole numbers or text."
        )
    if isinstance(labels, np.ma.MaskedArray):
        kind = labels.dtype.kind
        wide: Any = {"i": np.int64, "u": np.int64, "b": np.int64, "f": np.float64}.get(kind, object)
        missing: Any = {"O": None, "U": None, "S": None, "T": None}.get(kind, -1)
        labels = np.ma.filled(labels.astype(wide), missing)
    if labels.dtype.kind == "S":
        try:
            return np.char.decode(labels, "utf-8")
        except UnicodeDecodeError as error:
            raise InvalidLabelsError(
                f"Labels given as bytes must be text in UTF-8: {error}"
            ) from None
    return labels


def _from_vectors(vectors: Sequence[Any]) -> Encoded:
    if not vectors:
        raise InvalidLabelsError(
            "An empty list holds no members; pass at least one label vector, or an (n, r) array."
        )
    columns = []
    for j, vector in enumerate(vectors):
        if np.isscalar(vector) or vector is None:
            raise InvalidLabelsError(
                f"A list must hold label vectors, one per member; entry {j} is {vector!r}. "
                "Wrap a single labelling in a list, or pass an (n, r) array."
            )
        columns.append(as_label_vector(vector, f"member {j}"))
    _require_equal_index(vectors)
    lengths = [len(column.codes) for column in columns]
    for j, length in enumerate(lengths):
        if length != lengths[0]:
            raise InvalidLabelsError(
                f"Members must label the same objects: member 0 has {lengths[0]} labels, member {j} "
                f"has {length}. Use -1 for objects that a member does not label."
            )
    if lengths[0] < 1:
        raise InvalidLabelsError("The label vectors are empty; at least one object is needed.")
    return stack(columns)


def _require_equal_index(vectors: Sequence[Any]) -> None:
    """Reject pandas series with different indices."""
    known: tuple[int, Any] | None = None
    for j, vector in enumerate(vectors):
        series = None if isinstance(vector, list | tuple | np.ndarray) else as_series(vector)
        if series is None or not series.implementation.is_pandas_like():
            continue
        index = series.to_native().index
        if known is None:
            known = (j, index)
        elif len(index) == len(known[1]) and not index.equals(known[1]):
            raise InvalidLabelsError(
                f"member {j} has another index than member {known[0]}, so its rows are other objects or "
                "in another order; join members by id with Ensemble.from_frames, or pass "
                "series.to_numpy() if the rows belong together."
            )


def check_frame_shape(frame: Any, where: str) -> None:
    """Reject frames without rows or columns."""
    if frame.shape[1] < 1 or frame.shape[0] < 1:
        raise InvalidLabelsError(
            f"{where} of shape {frame.shape} holds no labels; one row per object and one column per "
            "member are needed."
        )


def _to_array(labels: Any) -> Array:
    if hasattr(labels, "dask"):
        raise InvalidInputError(
            "A dask collection is not read into memory here; use Ensemble.from_dask(labels), or pass it "
            "directly to a consensus function."
        )
    if hasattr(labels, "__cuda_array_interface__"):
        raise InvalidInputError(
            "The labels are in the memory of a GPU; copy them to main memory first, as labels.get() "
            "(CuPy) or labels.cpu() (PyTorch) does."
        )
    if hasattr(labels, "toarray"):
        raise InvalidInputError(
            "A sparse matrix cannot be a label matrix, since 0 is a label; pass a dense (n, r) array."
        )
    return np.asarray(labels)


# --- memberships ---------------------------------------------------------------------------------


def stack_memberships(memberships: Any) -> tuple[Array, list[int]]:
    """Validate every member and stack them as columns; float32 if all are, else float64."""
    if isinstance(memberships, np.ndarray) and memberships.ndim == 2:
        raise InvalidLabelsError(
            "from_memberships takes a list of matrices, one (n, K_j) matrix per member; got one array "
            f"of shape {memberships.shape}. Wrap it in a list."
        )
    matrices = [_check_member(given, j) for j, given in enumerate(memberships)]
    if not matrices:
        raise InvalidLabelsError("An empty list holds no members; pass at least one matrix.")
    for j, matrix in enumerate(matrices):
        if len(matrix) != len(matrices[0]):
            raise InvalidLabelsError(
                f"Members must describe the same objects: member 0 has {len(matrices[0])} rows, "
                f"member {j} has {len(matrix)}."
            )
    return np.ascontiguousarray(np.hstack(matrices)), [matrix.shape[1] for matrix in matrices]


def hard_labels(memberships: Array, layout: Layout) -> Array:
    """Return the most likely label of every member, -1 where it does not label the object."""
    labels = np.full((len(memberships), layout.n_members), -1, dtype=np.int32)
    for j in range(layout.n_members):
        part = memberships[:, layout.columns(j)]
        if part.shape[1]:
            labels[:, j] = np.where(part.sum(axis=1) > 0, part.argmax(axis=1), -1)
    return labels


def _check_member(given: Any, j: int) -> Array:
    if isinstance(given, np.ma.MaskedArray) and given.ndim == 2 and given.dtype.kind in "iufb":
        given = np.ma.filled(given.astype(np.float64), np.nan)
    try:
        array = np.asarray(given)
    except ValueError as error:
        raise InvalidLabelsError(
            f"Member {j} must be an (n, K) matrix of memberships; got a ragged list ({error})."
        ) from None
    if array.ndim == 1:
        return _one_hot(given, j)
    if array.ndim != 2 or array.dtype.kind not in "iufb" or 0 in array.shape:
        raise InvalidLabelsError(
            f"Member {j} must be an (n, K) matrix of memberships, of one object and one cluster at "
            f"least; got an array of type {array.dtype} and shape {array.shape}."
        )
    matrix = array if array.dtype == np.float32 else array.astype(np.float64)
    unknown = np.isnan(matrix).all(axis=1) | (matrix == 0).all(axis=1)
    matrix = np.where(unknown[:, None], 0, matrix)
    bad = ~(np.isfinite(matrix) & (matrix >= 0)).all(axis=1)
    sums = matrix.sum(axis=1)
    bad |= ~unknown & ~(np.abs(sums - 1) <= _TOLERANCE)
    if bad.any():
        row = int(np.flatnonzero(bad)[0])
        raise InvalidLabelsError(
            f"Memberships of object {row} in member {j} are {matrix[row].tolist()}; they must be "
            "numbers from 0 to 1 that sum to 1, or all zero (or NaN) if the member does not label it."
        )
    # Normalised again, so that rows sum to one in spite of rounding.
    normalised: Array = matrix / np.where(unknown, 1, sums)[:, None]
    return normalised


def _one_hot(labels: Any, j: int) -> Array:
    encoded = as_label_vector(labels, f"member {j}")
    codes, n_clusters = encoded.codes[:, 0], len(encoded.values[0])
    return np.asarray(np.eye(n_clusters + 1, dtype=np.float32)[codes][:, 1:])
