"""Ways to make an ensemble, and to write it to a file."""

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Self, cast

import numpy as np

from consilience.ensemble import _join, _soft, _storage
from consilience.ensemble._outside import OutsideMemory
from consilience.ensemble._validation import as_table
from consilience.incidence import is_chunked

if TYPE_CHECKING:
    from consilience.ensemble._ensemble import Ensemble


class Constructors(OutsideMemory):
    """Constructors of ensembles from frames, memberships, labels and files."""

    # Defined by the ensemble.
    _fill: Callable[..., None]
    _require_a_label: Callable[..., None]

    @classmethod
    def from_frames(
        cls,
        frames: Any,
        *,
        id: str,  # noqa: A002 - the word users know
        weights: Any = None,
    ) -> Self:
        """Join several frames on an id column: every other column is a member.

        Parameters
        ----------
        frames : list of data frames, or dict of name -> data frame
            Objects that a frame does not list are missing in its members.
        id : str
            The id column, present in every frame, without repeats.
        weights : array (r,), optional
            Weights of the members.

        Examples
        --------
        >>> import pyarrow as pa
        >>> from consilience import Ensemble
        >>> a = pa.table({"id": ["x", "y"], "segment": [0, 1]})
        >>> b = pa.table({"id": ["y", "z"], "group": ["p", "q"]})
        >>> e = Ensemble.from_frames([a, b], id="id")
        >>> e.ids.tolist(), e.labels.tolist()
        (['x', 'y', 'z'], [[0, -1], [1, 0], [-1, 1]])
        """
        joined = _join.join_frames(frames, id)
        return cls._checked(
            codes=joined.encoded.codes,
            values=joined.encoded.values,
            names=joined.names,
            ids=joined.ids,
            weights=weights,
        )

    @classmethod
    def from_categorical(
        cls,
        frame: Any,
        *,
        id: str | None = None,  # noqa: A002
        weights: Any = None,
    ) -> Self:
        """Read every column of a frame as a clustering; any value is a category, only null is missing.

        Examples
        --------
        >>> import pyarrow as pa
        >>> from consilience import Ensemble
        >>> Ensemble.from_categorical(pa.table({"colour": ["red", "blue", "red"], "size": [-1, 1, -1]}))
        Ensemble(3 objects, 2 members, 4 base clusters)
        """
        table = _join.read_categorical(frame, id)
        return cls._checked(
            codes=table.encoded.codes,
            values=table.encoded.values,
            names=table.names,
            ids=table.ids,
            weights=weights,
        )

    @classmethod
    def from_memberships(
        cls,
        memberships: Sequence[Any],
        *,
        weights: Any = None,
        names: Sequence[str] | None = None,
        ids: Any = None,
    ) -> Self:
        """Read soft clusterings: one (n, K_j) matrix per member, rows summing to one.

        A row of zeros or NaN means that the member does not label the object; a label vector may be
        given instead of a matrix.

        Examples
        --------
        >>> from consilience import Ensemble
        >>> e = Ensemble.from_memberships([[[0.9, 0.1], [0.2, 0.8]], [[1.0, 0.0], [0.5, 0.5]]])
        >>> e
        Ensemble(2 objects, 2 soft members, 4 base clusters)
        """
        matrix, n_clusters = _soft.stack_memberships(memberships)
        return cls._checked(
            memberships=matrix,
            values=tuple(np.arange(k) for k in n_clusters),
            names=names,
            ids=ids,
            weights=weights,
        )

    @classmethod
    def from_labels(cls, labels: Any) -> "Ensemble":
        """Return an Ensemble unchanged, and create one from any other input."""
        if is_chunked(labels):
            return cls.from_dask(labels)
        made: Any = cls
        return cast("Ensemble", labels if isinstance(labels, Constructors) else made(labels))

    @classmethod
    def from_new_rows(cls, labels: Any) -> "Ensemble":
        """Do the same for new rows, whose labels may all be missing."""
        if isinstance(labels, Constructors):
            return cast("Ensemble", labels)
        table = as_table(labels)
        made = cls._build(codes=table.encoded.codes, values=table.encoded.values, names=table.names)
        return cast("Ensemble", made)

    @classmethod
    def from_parquet(cls, path: str | os.PathLike[str], *, id: _storage.IdColumn = None) -> Self:  # noqa: A002
        """Read a Parquet file written by `to_parquet`, or any with one column per member.

        Parameters
        ----------
        path : path
            The file.
        id : str, False or None
            The id column; None: the one that `to_parquet` wrote, else found as by the command; False:
            none.
        """
        return cls._checked(**_storage.read(path, id))

    def to_parquet(self: Any, path: str | os.PathLike[str], *, overwrite: bool = False) -> None:
        """Write a Parquet file: a row per object, a column per member, missing as null.

        Ids are stored as a column, other properties in the metadata. The name ends in .parquet or .pq.
        The file is written atomically.
        """
        _storage.write(self, path, overwrite=overwrite)

    # --- inside ----------------------------------------------------------------------------------

    @classmethod
    def _build(cls, **parts: Any) -> Self:
        ensemble = object.__new__(cls)
        ensemble._fill(**parts)
        return ensemble

    @classmethod
    def _checked(cls, **parts: Any) -> Self:
        ensemble = cls._build(**parts)
        cls._require_a_label(ensemble)
        return ensemble
