"""Row weights on the GPU as integers."""

from typing import TYPE_CHECKING, Any

import numpy as np

from consilience._utils._types import Array
from consilience.incidence._whole_weights import whole_weights

if TYPE_CHECKING:
    from consilience.incidence._device_rows import DeviceRows


def weights_there(rows: "DeviceRows", weight: Array | None) -> tuple[Any, float]:
    """Return weights as int64 on the GPU, and the value of one unit; None becomes an empty vector."""
    from consilience._kernels import _device

    if weight is None:
        return _device.upload(np.empty(0, dtype=np.int64)), 1.0
    if rows.kept_weight is not None and rows.kept_weight[0] is weight:
        return rows.kept_weight[1:]
    whole, unit = whole_weights(weight)
    assert whole is not None  # noqa: S101 - there are weights
    there = _device.upload(whole.astype(np.int64, copy=False))
    rows.kept_weight = (weight, there, 1.0 if unit is None else unit)
    return rows.kept_weight[1:]
