"""The one gate: what is a legal ensemble, and what it says."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from consilience.ensemble._encode import Encoded, encode_column, encode_matrix, stack
from consilience.exceptions import InvalidInputError, InvalidLabelsError

Array = np.ndarray[Any, Any]


class Table(NamedTuple):
    """What the gate lets through; `names` is None where the input had none."""

    encoded: Encoded
    names: tuple[str, ...] | None


def as_table(labels: Any) -> Table:
    """Read an array (objects x members), a list of label vectors, or a data frame."""
    if isinstance(labels, list | tuple):
        return Table(_from_vectors(labels), None)
    if not isinstance(labels, np.ndarray):
        frame = as_frame(labels)
        if frame is not None:
            return _from_frame(frame)
        labels = _to_array(labels)
    return Table(_from_array(labels), None)


def as_label_vector(labels: Any, what: str = "labels") -> Encoded:
    """Read one labelling: a vector of whole numbers or text, missing as in an ensemble."""
    if not isinstance(labels, np.ndarray | list | tuple):
        import narwhals.stable.v2 as nw

        series: Any = nw.from_native(labels, series_only=True, pass_through=True)
        labels = series.to_arrow() if isinstance(series, nw.Series) else _to_array(labels)
    if isinstance(labels, np.ndarray):
        if labels.ndim != 1:
            raise InvalidLabelsError(
                f"{what} must be one label per object; got an array of shape {labels.shape}."
            )
        if labels.dtype.kind in "iufb":
            return _from_array(labels[:, None])
    return encode_column(labels, what)


def as_frame(table: Any) -> Any:
    """Return a narwhals frame for pandas, polars and pyarrow tables; None for anything else."""
    import narwhals.stable.v2 as nw

    frame: Any = nw.from_native(table, pass_through=True)
    if isinstance(frame, nw.LazyFrame):
        raise InvalidInputError(
            f"{type(table).__module__}.{type(table).__name__} is lazy; call collect() (polars) or "
            "compute() (dask) first."
        )
    return frame if isinstance(frame, nw.DataFrame) else None


def check_member_weights(weights: Any, n_members: int) -> Array:
    """Return finite, non-negative weights of which one at least is positive; default 1."""
    if weights is None:
        return np.ones(n_members)
    array = np.asarray(weights)
    if array.dtype.kind not in "iufb" or array.shape != (n_members,):
        raise InvalidInputError(
            f"weights must be {n_members} numbers, one per member; got {_shape_of(array)}."
        )
    array = array.astype(np.float64)
    if not np.all(np.isfinite(array) & (array >= 0)):
        member = int(np.flatnonzero(~(np.isfinite(array) & (array >= 0)))[0])
        raise InvalidInputError(
            f"weights[{member}] is {array[member]}; a member's weight must be finite and not negative."
        )
    if not np.any(array > 0):
        raise InvalidInputError("weights are all zero; at least one member must count.")
    return array


def check_sample_weight(weight: Any, n_samples: int) -> Array:
    """Return int64 weights if all are whole numbers (sums stay exact), else float64."""
    array = np.asarray(weight)
    if array.ndim == 0:
        array = np.full(n_samples, array)
    if array.dtype.kind not in "iufb" or array.shape != (n_samples,):
        raise InvalidInputError(
            f"sample_weight must be {n_samples} numbers, one per object; got {_shape_of(array)}."
        )
    bad = ~(np.isfinite(array) & (array >= 0))
    if bad.any():
        row = int(np.flatnonzero(bad)[0])
        raise InvalidInputError(
            f"sample_weight[{row}] is {array[row]}; weights must be finite and not negative."
        )
    if not np.any(array > 0):
        raise InvalidInputError("sample_weight is zero for every object; some must count.")
    whole = array.astype(np.int64)
    return whole if np.array_equal(whole, array) else array.astype(np.float64)


def check_names(names: Any, n_members: int) -> tuple[str, ...]:
    """Return distinct names, one per member."""
    result = tuple(str(name) for name in names)
    if len(result) != n_members:
        raise InvalidInputError(
            f"names must hold {n_members} entries, one per member; got {len(result)}."
        )
    repeated = _first_repeated(result)
    if repeated is not None:
        raise InvalidInputError(f"names must be distinct; {repeated!r} occurs twice.")
    return result


def check_ids(ids: Any, n_samples: int, where: str = "ids") -> Array:
    """Return distinct ids, one per object, as integers or text."""
    encoded = encode_column(_series_or_sequence(ids), where, negative_is_missing=False)
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
        raise InvalidInputError(
            f"{where} must be distinct; {values[codes[row] - 1]!r} occurs again at row {row}."
        )
    result: Array = values[codes - 1]
    return result


def _from_array(labels: Array) -> Encoded:
    if labels.dtype.kind == "c":
        raise InvalidLabelsError(
            "Complex data not supported: labels are whole numbers or text, -1 for missing."
        )
    if labels.dtype.kind not in "iufbUSO" or labels.dtype.names is not None:
        raise InvalidLabelsError(
            f"An array of type {labels.dtype} holds no labels; use whole numbers or text."
        )
    if labels.ndim != 2:
        raise InvalidLabelsError(
            "Expected 2D array, objects x members; got an array of shape "
            f"{labels.shape}. Reshape your data, or pass a list of label vectors, one per member."
        )
    if labels.shape[1] < 1:
        raise InvalidLabelsError(
            f"Found array with 0 feature(s) (shape={labels.shape}) while a minimum of 1 is required: "
            "every column is a member of the ensemble."
        )
    if labels.shape[0] < 1:
        raise InvalidLabelsError(
            f"Found array with 0 sample(s) (shape={labels.shape}) while a minimum of 1 is required."
        )
    if labels.dtype.kind == "S":
        labels = np.char.decode(labels, "utf-8")
    return encode_matrix(labels)


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
    lengths = [len(column.codes) for column in columns]
    for j, length in enumerate(lengths):
        if length != lengths[0]:
            raise InvalidLabelsError(
                f"Members must label the same objects: member 0 has {lengths[0]} labels, member {j} "
                f"has {length}. Use -1 for objects that a member does not know."
            )
    if lengths[0] < 1:
        raise InvalidLabelsError("The label vectors are empty; at least one object is needed.")
    return stack(columns)


def _from_frame(frame: Any) -> Table:
    if frame.shape[1] < 1 or frame.shape[0] < 1:
        raise InvalidLabelsError(
            f"A data frame of shape {frame.shape} holds no labels; one row per object and one column "
            "per member are needed."
        )
    return Table(frame_columns(frame), tuple(str(name) for name in frame.columns))


def frame_columns(frame: Any, *, negative_is_missing: bool = True) -> Encoded:
    """Encode every column of a narwhals frame."""
    columns = [
        encode_column(
            series.to_arrow(), f"column {series.name!r}", negative_is_missing=negative_is_missing
        )
        for series in frame.iter_columns()
    ]
    return stack(columns)


def _to_array(labels: Any) -> Array:
    if hasattr(labels, "dask"):
        raise InvalidInputError(
            "A dask collection is not read as a label matrix; call compute() first."
        )
    if hasattr(labels, "toarray"):
        raise InvalidInputError(
            "A sparse matrix cannot be a label matrix, since 0 is a label; pass a dense (n, r) array."
        )
    return np.asarray(labels)


def _series_or_sequence(values: Any) -> Any:
    if isinstance(values, np.ndarray | list | tuple):
        return values
    import narwhals.stable.v2 as nw

    series: Any = nw.from_native(values, series_only=True, pass_through=True)
    return series.to_arrow() if isinstance(series, nw.Series) else np.asarray(values)


def _first_repeated(names: Sequence[str]) -> str | None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None


def _shape_of(array: Array) -> str:
    return f"an array of type {array.dtype} and shape {array.shape}"
