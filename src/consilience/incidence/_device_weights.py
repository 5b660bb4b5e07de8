"""Weights of rows on the GPU, as whole numbers: their sums are the same in any order."""

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from consilience.incidence._device_rows import DeviceRows

Array = np.ndarray[Any, Any]

# Sums of whole numbers stay below 2^62.
_BITS = 61


def power_within(total: float) -> float:
    """Return the largest power of two whose product with a total stays below 2^61."""
    return float(2.0 ** (_BITS - np.ceil(np.log2(max(total, 1e-300)))))


def weights_there(rows: "DeviceRows", weight: Array | None) -> tuple[Any, float]:
    """Return weights as int64 on the GPU, and what one of their units is worth; none are empty."""
    from consilience._kernels import _device

    if weight is None:
        return _device.upload(np.empty(0, dtype=np.int64)), 1.0
    if rows.kept_weight is not None and rows.kept_weight[0] is weight:
        return rows.kept_weight[1:]
    if np.issubdtype(weight.dtype, np.integer):
        there, unit = _device.upload(weight.astype(np.int64, copy=False)), 1.0
    else:
        power = power_within(float(weight.sum()))
        there, unit = _device.upload(np.rint(weight * power).astype(np.int64)), 1 / power
    rows.kept_weight = (weight, there, unit)
    return there, unit
