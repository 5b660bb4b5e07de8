"""Rows of labels on the GPU, and the positions of their base clusters in tables."""

from typing import Any, NamedTuple

import numpy as np

from consilience._utils._types import Array
from consilience.exceptions import InvalidLabelsError, MissingExtraError
from consilience.incidence._hard import HardBlocks
from consilience.incidence._layout import Layout

# Maximum number of possible labels of all members; tables have a row for each.
_MOST_PLACES = 1 << 22


class Survey(NamedTuple):
    """Labels that occur in every member.

    values    per member, the given label behind each canonical one: by first appearance
    n_known   (r,) rows that every member labels
    """

    values: tuple[Array, ...]
    n_known: Array


class DeviceRows:
    """Labels on the GPU as they were given, never copied or encoded.

    A padded table has a row ("place") for every label that a member may have. The mapping from places
    to base clusters is applied to the tables, so the labels need not be encoded.

    Parameters
    ----------
    matrix : array (n, r) on the GPU, C-contiguous
        Integers.
    shift : int
        Added to a label before the table lookup: 1 if the missing label -1 may occur.
    offsets : array (r + 1,)
        The first place of every member, and the total number of places.
    canonical : array (places,)
        The code behind every place: 0 = missing or unused, c + 1 = base cluster c of the member.
    """

    def __init__(self, matrix: Any, shift: int, offsets: Array, canonical: Array) -> None:
        from consilience._kernels._device import upload
        from consilience._kernels._device_codes import Codes

        self.matrix = matrix
        self.codes = Codes.of(matrix, shift)
        self.offsets = np.asarray(offsets, dtype=np.int32)
        self.canonical = np.asarray(canonical, dtype=np.int32)
        self.offsets_there = upload(self.offsets)
        self.canonical_there = upload(self.canonical)
        member = np.repeat(np.arange(len(offsets) - 1), np.diff(self.offsets))
        used = np.flatnonzero(self.canonical)
        # By member, and inside a member by code: the order of base clusters.
        self.places = used[np.lexsort((self.canonical[used], member[used]))]
        # Cache of the last weights, because most verbs use the same ones.
        self.kept_weight: tuple[Array, Any, float] | None = None
        # Number of rows at every place, computed on demand.
        self.place_sizes: Array | None = None

    @classmethod
    def of_codes(cls, codes: Array, layout: Layout) -> "DeviceRows":
        """Copy codes to the GPU."""
        from consilience._kernels._device import upload

        sizes = layout.n_clusters + 1
        offsets = np.concatenate([[0], np.cumsum(sizes)])
        return cls(upload(codes), 0, offsets, np.concatenate([np.arange(size) for size in sizes]))

    @classmethod
    def of_labels(cls, labels: Any) -> tuple["DeviceRows", Survey]:
        """Use labels of another library without a copy; -1 is missing."""
        from consilience._kernels import _device
        from consilience._kernels._device_rows import survey_first, survey_range

        matrix = _as_matrix(labels)
        n_rows, width = matrix.shape
        flat = matrix.reshape(n_rows * width)
        grid = max(_device.n_blocks(flat.size), -(-width // _device.THREADS)), _device.THREADS
        lowest = _device.upload(np.full(width, 2**62))
        highest = _device.upload(np.full(width, -(2**62)))
        survey_range[grid](flat, width, lowest, highest)
        low, high = _device.download(lowest), _device.download(highest)
        if low.min(initial=0) < -1:
            raise InvalidLabelsError(
                f"Label {low.min()} in member {int(low.argmin())}: labels are 0, 1, 2, ..., or -1 for "
                "missing. Replace other negative codes by -1."
            )
        shift = int(low.min(initial=0) < 0)
        sizes = np.maximum(high, -1) + 1 + shift
        if sizes.sum() > _MOST_PLACES:
            raise InvalidLabelsError(
                f"Labels on the GPU must be numbered 0, 1, 2, ... without large gaps; the largest of "
                f"member {int(high.argmax())} is {high.max()}."
            )
        offsets = np.concatenate([[0], np.cumsum(sizes)])
        first = _device.upload(np.full(offsets[-1], n_rows, dtype=np.int64))
        n_missing = _device.zeros(width, np.int64)
        starts = _device.upload(offsets.astype(np.int32))
        survey_first[grid](flat, width, starts, shift, first, n_missing)
        places, canonical, values = _device.download(first), np.zeros(offsets[-1], np.int32), []
        for j in range(width):
            own = places[offsets[j] + shift : offsets[j + 1]]
            order = np.argsort(own, kind="stable")[: np.count_nonzero(own < n_rows)]
            canonical[offsets[j] + shift + order] = np.arange(1, len(order) + 1)
            values.append(order)
        known = n_rows - _device.download(n_missing)
        return cls(matrix, shift, offsets, canonical), Survey(tuple(values), known)

    @property
    def n_rows(self) -> int:
        """Return n."""
        return int(self.matrix.shape[0])

    @property
    def width(self) -> int:
        """Return r."""
        return int(self.matrix.shape[1])

    @property
    def n_places(self) -> int:
        """Return the number of rows of a padded table."""
        return len(self.canonical)

    def padded(self, table: Array) -> Array:
        """Arrange a (t, ...) table by places; unused places are zero."""
        padded = np.zeros((self.n_places, *table.shape[1:]), dtype=table.dtype)
        padded[self.places] = table
        return padded

    def in_blocks(self, table: Array, blocks: HardBlocks) -> Array:
        """Convert a (places, ...) table to the padded format of the CPU engine."""
        out = np.zeros((blocks.n_padded, *table.shape[1:]), dtype=table.dtype)
        out[blocks.padded_rows] = table[self.places]
        return out

    def read(self, start: int, stop: int) -> Array:
        """Copy codes of rows to the host."""
        from consilience._kernels._device import download

        if stop <= start:
            return np.empty((0, self.width), dtype=self._code_dtype)
        return self._encoded(download(self.matrix[start:stop]))

    def pick(self, chosen: Array) -> Array:
        """Copy codes of a few rows, given by position, to the host."""
        return self._encoded(self.take(chosen).host_labels()) if len(chosen) else self.read(0, 0)

    def host_labels(self) -> Array:
        """Copy the labels to the host as they were given."""
        from consilience._kernels._device import download

        return download(self.matrix)

    def take(self, chosen: Array) -> "DeviceRows":
        """Copy some rows, given by position, to new memory on the GPU."""
        from consilience._kernels import _device
        from consilience._kernels._device_rows import take_rows

        flat = self.matrix.reshape(self.n_rows * self.width)
        out = _device.empty(len(chosen) * self.width, self.matrix.dtype)
        if len(chosen):
            rows = _device.upload(np.asarray(chosen, dtype=np.int64))
            grid = _device.n_blocks(out.size), _device.THREADS
            take_rows[grid](flat, self.width, rows, out)
        matrix = out.reshape((len(chosen), self.width))
        return DeviceRows(matrix, self.codes.shift, self.offsets, self.canonical)

    def select(self, columns: Array) -> "DeviceRows":
        """Copy some members to new memory on the GPU."""
        from consilience._kernels import _device
        from consilience._kernels._device_rows import take_columns

        flat = self.matrix.reshape(self.n_rows * self.width)
        out = _device.empty(self.n_rows * len(columns), self.matrix.dtype)
        chosen = _device.upload(np.asarray(columns, dtype=np.int64))
        grid = _device.n_blocks(max(1, out.size)), _device.THREADS
        take_columns[grid](flat, self.width, chosen, out)
        sizes = np.diff(self.offsets)[columns]
        parts = [self.canonical[self.offsets[j] : self.offsets[j + 1]] for j in columns]
        offsets = np.concatenate([[0], np.cumsum(sizes)])
        matrix = out.reshape((self.n_rows, len(columns)))
        return DeviceRows(matrix, self.codes.shift, offsets, np.concatenate(parts))

    @property
    def _code_dtype(self) -> Any:
        return np.min_scalar_type(int(self.canonical.max(initial=0)))

    def _encoded(self, labels: Array) -> Array:
        """Return the codes of labels in host memory."""
        places = labels.astype(np.int64) + self.codes.shift + self.offsets[:-1]
        codes: Array = self.canonical.astype(self._code_dtype)[places]
        return codes


def _as_matrix(labels: Any) -> Any:
    """Return a C-contiguous (n, r) array of integers on the GPU without copying it."""
    from consilience._kernels import _device

    if not _device.SIMULATED and not hasattr(labels, "__cuda_array_interface__"):
        labels = _from_dlpack(labels)
    if len(labels.shape) != 2:
        raise InvalidLabelsError(
            f"Expected 2D array, objects x members; got an array on the GPU of shape {labels.shape}."
        )
    matrix = _device.wrap(labels)
    if matrix.dtype.kind not in "iu":
        raise InvalidLabelsError(
            f"Labels on the GPU must be whole numbers, -1 for missing; got type {matrix.dtype}."
        )
    if not matrix.size:
        raise InvalidLabelsError("The array on the GPU has no labels.")
    contiguous = getattr(matrix, "is_c_contiguous", None)
    if contiguous is not None and not contiguous():
        raise InvalidLabelsError(
            "Labels on the GPU must be C-contiguous, row after row; make a copy that is "
            "(cupy.ascontiguousarray)."
        )
    return matrix


def _from_dlpack(labels: Any) -> Any:
    from importlib import import_module

    from consilience._utils._optional import is_available

    if not is_available("cupy"):
        raise MissingExtraError(
            "A DLPack array on the GPU needs the package cupy, which is not installed; run pip install "
            "cupy-cuda12x."
        )
    return import_module("cupy").from_dlpack(labels)
