"""A vector on the GPU with an entry per row."""

from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from consilience._utils._types import Array

# Maximum number of labels that fit one byte.
_BYTE_LABELS = 256


def label_dtype(n_labels: int) -> Any:
    """Return the type of labels on the GPU: one byte if possible."""
    return np.uint8 if n_labels <= _BYTE_LABELS else np.int32


class DeviceVector(NDArrayOperatorsMixin):
    """Labels on the GPU, one byte each if possible; used like a vector of int32.

    The verbs of H and the functions of `_row_vectors` use it on the GPU. All other NumPy operations
    work on a copy in host memory.

    Parameters
    ----------
    data : array on the GPU, (n,)
        The labels.
    n_labels : int
        Labels are smaller than this.
    """

    ndim = 1

    def __init__(self, data: Any, n_labels: int) -> None:
        self.data = data
        self.n_labels = n_labels

    @property
    def shape(self) -> tuple[int]:
        """Return (n,)."""
        return (len(self),)

    @property
    def size(self) -> int:
        """Return n."""
        return len(self)

    @property
    def dtype(self) -> np.dtype[Any]:
        """Return the type of the vector as seen by NumPy."""
        return np.dtype(np.int32)

    def __len__(self) -> int:
        return int(self.data.shape[0])

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:  # noqa: FBT001
        from consilience.incidence._row_vectors import widened

        return widened(self).astype(np.int32 if dtype is None else dtype, copy=False)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        here = [np.asarray(value) if isinstance(value, DeviceVector) else value for value in inputs]
        return getattr(ufunc, method)(*here, **options)

    def __getitem__(self, rows: Any) -> Any:
        from consilience.incidence._cuda import values_at

        if isinstance(rows, np.ndarray) and rows.ndim == 1 and rows.dtype.kind in "iu":
            return values_at(self, rows)
        return np.asarray(self)[rows]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(np.asarray(self), name)

    def __reduce__(self) -> tuple[Any, ...]:
        return np.asarray, (np.asarray(self),)

    def max(self, initial: int = -1) -> int:
        """Return the largest label that occurs."""
        from consilience.incidence._row_vectors import label_sizes

        used = np.flatnonzero(label_sizes(self, self.n_labels))
        return max(initial, int(used[-1])) if len(used) else initial
