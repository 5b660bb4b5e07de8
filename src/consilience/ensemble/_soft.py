"""Combine soft clusterings into one (n, t) matrix."""

from typing import Any

import numpy as np

from consilience._utils._types import Array
from consilience.ensemble._validation import as_label_vector
from consilience.exceptions import InvalidLabelsError
from consilience.incidence import Layout

# Tolerance for the sums of rows; sufficient for posteriors in single precision.
_TOLERANCE = 1e-3


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
