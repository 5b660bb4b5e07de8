"""Encode labels that are read in pieces: first collect the labels, then encode every piece."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from consilience._utils._types import Array
from consilience.ensemble._encode import LOOKUP_LIMIT, Encoded, code_dtype, encode_column, stack
from consilience.ensemble._storage import KEY
from consilience.ensemble._validation import as_table
from consilience.exceptions import InvalidLabelsError


class Survey(NamedTuple):
    """Summary of a piece: number of rows, labels of every member by first appearance, and counts."""

    n_rows: int
    values: tuple[Array, ...]
    n_observed: Array


def survey_piece(piece: Any, position: int) -> Survey:
    """Summarise one piece: an array or a data frame."""
    if not len(piece):
        return Survey(0, (), np.zeros(0, dtype=np.int64))
    encoded = _encode(piece, position)
    return Survey(
        len(encoded.codes), encoded.values, np.count_nonzero(encoded.codes, axis=0).astype(np.int64)
    )


def merge_surveys(surveys: Iterable[Survey]) -> Survey:
    """Combine the summaries of consecutive pieces; labels keep the order of first appearance."""
    full = [survey for survey in surveys if survey.n_rows]
    if not full:
        raise InvalidLabelsError("There are no rows; at least one object is needed.")
    values = []
    for j, pieces in enumerate(zip(*(survey.values for survey in full), strict=True)):
        known = list(dict.fromkeys(label for piece in pieces for label in piece.tolist()))
        is_text = {isinstance(label, str) for label in known}
        if len(is_text) > 1:
            raise InvalidLabelsError(
                f"Member {j} holds numbers in some rows and text in others; a member holds either."
            )
        is_whole = all(isinstance(label, int) for label in known)
        kind: Any = object if True in is_text else np.int64 if is_whole else np.float64
        values.append(np.array(known, dtype=kind))
    return Survey(
        sum(survey.n_rows for survey in full),
        tuple(values),
        np.sum([survey.n_observed for survey in full], axis=0),
    )


class Recoder:
    """Encodes pieces when all labels are known; picklable.

    Small integers are looked up in one table of all possible labels; other labels are encoded per
    piece and then translated.
    """

    def __init__(self, values: Sequence[Array]) -> None:
        self.values = tuple(values)
        self.dtype = np.dtype(code_dtype(max(len(value) for value in values)))
        self._first, self._size, self._lookup = _lookup_table(self.values, self.dtype)

    def __call__(self, piece: Any, position: int = 0) -> Array:
        """Return the codes of a piece, (rows, r)."""
        if not len(piece):
            return np.zeros((0, len(self.values)), dtype=self.dtype)
        is_whole = isinstance(piece, np.ndarray) and piece.dtype.kind in "iu"
        if is_whole and self._lookup is not None:
            from consilience._kernels._relabel import recode_rows

            codes = np.empty(piece.shape, dtype=self.dtype)
            recode_rows(np.ascontiguousarray(piece), self._first, self._size, self._lookup, codes)
            return codes
        encoded = _encode(piece, position)
        codes = np.empty(encoded.codes.shape, dtype=self.dtype)
        for j, (known, given) in enumerate(zip(self.values, encoded.values, strict=True)):
            place = {label: code for code, label in enumerate(known.tolist(), 1)}
            lookup = np.array([0, *(place[label] for label in given.tolist())], dtype=self.dtype)
            codes[:, j] = lookup[encoded.codes[:, j]]
        return codes


def _encode(piece: Any, position: int) -> Encoded:
    try:
        if KEY in (getattr(getattr(piece, "schema", None), "metadata", None) or {}):
            # Files written by this package use null for missing, so -1 is a label there.
            columns = zip(piece.column_names, piece.columns, strict=True)
            return stack([encode_column(c, f"column {n!r}", categorical=True) for n, c in columns])
        return as_table(piece).encoded
    except InvalidLabelsError as error:
        raise InvalidLabelsError(
            f"Chunk {position}, rows counted from its first: {error}"
        ) from None


def _lookup_table(values: tuple[Array, ...], dtype: Any) -> tuple[Array, Array, Array | None]:
    """Return the start and length of every member in the table, and the code of every possible label."""
    nothing = np.zeros(0, dtype=np.int64)
    # Categories of saved ensembles may be fractions or negative; they are looked up one by one.
    if any(value.dtype.kind not in "iu" or value.min(initial=0) < 0 for value in values):
        return nothing, nothing, None
    # In Python's integers, because labels may be very large.
    sizes = [int(value.max(initial=-1)) + 1 for value in values]
    if sum(sizes) > LOOKUP_LIMIT:
        return nothing, nothing, None
    first = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    lookup = np.zeros(first[-1], dtype=dtype)
    for start, value in zip(first, values, strict=False):
        lookup[start + value] = np.arange(1, len(value) + 1)
    return first[:-1], np.array(sizes, dtype=np.int64), lookup
