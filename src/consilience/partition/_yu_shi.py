"""Discretisation of a spectral embedding by rotation [yu2003]_."""

from functools import partial

import numpy as np

from consilience._utils._types import Array
from consilience.incidence import StepResult, argmax_step, unit_rows
from consilience.incidence.internals import BLOCK_ROWS
from consilience.partition._row_kmeans import EmbeddedRows, written_rows

# Maximum number of entries of rows that are stored instead of gathered in every sweep, if they are in
# one block, so that the order of summation stays the same.
_FEW_NUMBERS = 2**23


def yu_shi(rows: EmbeddedRows, *, max_iter: int = 100, tol: float = 1e-12) -> Array:
    """Rotate the unit rows to be as close as possible to cluster indicators; deterministic.

    Alternates Y = one-hot of the row argmax of X R with R = V U', from the singular vectors of
    Y' X = U Omega V'; the trace of Omega never decreases. The result may have fewer than K labels.
    """
    swept = _written_if_few(rows)
    rotation = _first_rotation(rows, swept)
    previous = -np.inf
    for _ in range(max_iter):
        step = partial(_cross_step, rotation=rotation)
        cross = swept.sweep(step, (rows.H.row_weight,)).sums[0]
        left, values, right = np.linalg.svd(cross)
        if abs(values.sum() - previous) < tol * max(1.0, abs(previous)):
            break
        previous = values.sum()
        rotation = right.T @ left.T
    labels: Array | None = swept.sweep(partial(_rotated_step, rotation=rotation)).labels
    assert labels is not None  # noqa: S101 - the step labels every row
    return labels


def _written_if_few(rows: EmbeddedRows) -> EmbeddedRows:
    """Return bitwise identical rows, stored as an array if there are few of them."""
    n_rows = rows.H.n_rows
    if n_rows > BLOCK_ROWS or n_rows * rows.table.shape[1] > _FEW_NUMBERS:
        return rows
    return written_rows(rows.written(), rows.H.row_weight)._replace(unit=False)


def _first_rotation(rows: EmbeddedRows, swept: EmbeddedRows) -> Array:
    """Choose nearly orthogonal rows: row 0, then the least similar to those chosen.

    `swept` are the same rows, for sweeps.
    """
    n_vectors = rows.table.shape[1]
    rotation = np.zeros((n_vectors, n_vectors))
    likeness = np.zeros(rows.H.n_rows)
    place = 0
    for k in range(n_vectors):
        rotation[:, k] = unit_rows(rows.H.dense_rows([place]) @ rows.table)[0]
        step = partial(_likeness_step, direction=rotation[:, k])
        likeness += swept.sweep(step).per_row()
        place = int(np.argmin(likeness))
    return rotation


def _cross_step(points: Array, weight: Array | None, *, rotation: Array) -> StepResult:
    labels = (points @ rotation).argmax(axis=1)
    indicator = np.eye(rotation.shape[1])[labels]
    if weight is not None:
        indicator *= weight[:, None]
    return StepResult(sums=(indicator.T @ points,))


def _rotated_step(points: Array, *, rotation: Array) -> StepResult:
    return argmax_step(points @ rotation)


def _likeness_step(points: Array, *, direction: Array) -> StepResult:
    return StepResult(values=np.abs(points @ direction))
