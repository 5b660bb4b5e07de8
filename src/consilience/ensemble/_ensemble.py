"""The ensemble: r clusterings of the same n objects."""

import hashlib
import os
from collections.abc import Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Any, ClassVar, Literal, Self

import numpy as np

from consilience._utils._types import Array
from consilience.ensemble import _cluster_tables, _grow, _join, _shown, _storage
from consilience.ensemble._encode import Encoded, count_known, own_clusters, renumber
from consilience.ensemble._profiles import Profiles, count_distinct, merge_rows
from consilience.ensemble._validation import (
    as_table,
    check_ids,
    check_names,
    default_names,
    hard_labels,
    stack_memberships,
)
from consilience.ensemble._weights import check_member_weights, check_sample_weight, scaled_weights
from consilience.exceptions import InvalidInputError, InvalidLabelsError
from consilience.incidence import (
    ArraySource,
    HardBlocks,
    Incidence,
    Layout,
    SoftBlocks,
    is_chunked,
)


class Ensemble:
    """Many clusterings of the same objects: validated, canonical, immutable.

    Parameters
    ----------
    labels : array (n, r), list of r label vectors, or data frame
        Integers or text; -1, NaN, None and null mean that the member does not label the object. In an
        array every row is an object and every column a member; in a list every entry is a member.
        Data frames may be pandas, polars or pyarrow.
    weights : array (r,), optional
        Weights of the members; not negative, default 1. Only their ratios matter. A member of weight 0
        is ignored.
    names : sequence of str, optional
        Names of the members; default the columns of the frame, else "member_0", ...
    ids : array (n,), optional
        Distinct names of the objects.
    noise : {"missing", "own"}, default "missing"
        What -1 means: the member does not label the object, or the object is a cluster of its own.

    Attributes
    ----------
    n_samples, n_members : int
        n and r.
    n_clusters : array (r,)
        Number of clusters K_j of every member; 0 for a member without labels.
    n_base_clusters : int
        t, the sum of all K_j.
    labels : array (n, r) of int32
        Canonical labels: 0, 1, ... by first appearance in every member, -1 = missing.
    values : tuple of arrays
        For every member, the given label behind each canonical one.
    weights, given_weights : array (r,)
        Weights of the members: scaled so that positive weights have mean one, and as given.
    incidence : Incidence
        The operator H, which all consensus functions use.
    cluster_tables : mapping of str to tuple of arrays
        Tables with a row per cluster, see `with_cluster_tables`; empty unless given.

    Examples
    --------
    >>> from consilience import Ensemble
    >>> e = Ensemble([[1, 1, 2, 2], ["a", "a", "b", None]], names=["north", "south"])
    >>> e
    Ensemble(4 objects, 2 members, 4 base clusters, 12.5 % missing)
    >>> e.labels.tolist()
    [[0, 0], [0, 0], [1, 1], [1, -1]]
    >>> e.values[1].tolist()
    ['a', 'b']
    """

    _codes: Array | None = None
    _memberships: Array | None = None
    values: tuple[Array, ...]
    names: tuple[str, ...]
    ids: Array | None = None
    weights: Array
    given_weights: Array
    sample_weight: Array | None
    provenance: Mapping[str, object]
    cluster_tables: Mapping[str, tuple[Array | None, ...]]

    def __init__(
        self,
        labels: Any,
        *,
        weights: Any = None,
        names: Sequence[str] | None = None,
        ids: Any = None,
        noise: Literal["missing", "own"] = "missing",
    ) -> None:
        if isinstance(labels, Ensemble):
            raise InvalidInputError(
                "This is an Ensemble already; use select, append, with_weights or with_ids to change it."
            )
        if noise not in ("missing", "own"):
            raise InvalidInputError(f"noise must be 'missing' or 'own'; got {noise!r}.")
        table = as_table(labels)
        encoded = own_clusters(table.encoded) if noise == "own" else table.encoded
        self._fill(
            codes=encoded.codes,
            values=encoded.values,
            names=table.names if names is None else names,
            ids=ids,
            weights=weights,
        )
        self._require_a_label()

    # --- constructors ----------------------------------------------------------------------------

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
        return cls._checked(weights=weights, **_join.join_frames(frames, id))

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
        return cls._checked(weights=weights, **_join.read_categorical(frame, id))

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
        matrix, n_clusters = stack_memberships(memberships)
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
        if isinstance(labels, Ensemble):
            return labels
        if is_chunked(labels):
            return cls.from_dask(labels)
        return cls(labels)

    @classmethod
    def from_new_rows(cls, labels: Any) -> "Ensemble":
        """Do the same for new rows, whose labels may all be missing."""
        if isinstance(labels, Ensemble):
            return labels
        table = as_table(labels)
        return cls._build(codes=table.encoded.codes, values=table.encoded.values, names=table.names)

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

    def to_parquet(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> None:
        """Write a Parquet file: a row per object, a column per member, missing as null.

        Ids are stored as a column, other properties in the metadata. The name ends in .parquet or .pq.
        The file is written atomically.
        """
        _storage.write(self, path, overwrite=overwrite)

    @classmethod
    def from_dask(
        cls, labels: Any, *, weights: Any = None, names: Sequence[str] | None = None
    ) -> "Ensemble":
        """Read a dask array (n, r) or frame, which is never loaded as a whole.

        Every function with linear cost accepts it, with the same result as in memory. The workers of
        the current distributed client do the computations, if there is one.
        """
        from consilience.ensemble._chunked_ensemble import ChunkedEnsemble

        return ChunkedEnsemble.of_dask(labels, weights, names)

    @classmethod
    def from_large_file(
        cls,
        path: str | os.PathLike[str],
        *,
        id: _storage.IdColumn = None,  # noqa: A002
        weights: Any = None,
    ) -> "Ensemble":
        """Read an NPY file, a Parquet file or a folder of Parquet parts larger than memory.

        A column per member, except `id`, which is found by its name (id, index, row, ..._id) unless it
        is given or False. Codes stay in memory if they take a quarter of `memory_limit` at most; else
        they are read for every step, those of Parquet from a temporary copy.
        """
        from consilience.ensemble._open import open_ensemble

        return open_ensemble(path, id, weights)

    # --- properties ------------------------------------------------------------------------------

    is_chunked: ClassVar[bool] = False  # whether labels are outside memory

    @property
    def is_soft(self) -> bool:
        """Whether members are memberships instead of labels."""
        return self._memberships is not None

    @property
    def n_samples(self) -> int:
        """Return n."""
        return len(self._matrix)

    @property
    def n_members(self) -> int:
        """Return r."""
        return len(self.values)

    @property
    def n_clusters(self) -> Array:
        """Return K_j of every member."""
        return self.layout.n_clusters

    @property
    def n_base_clusters(self) -> int:
        """Return t."""
        return self.layout.n_columns

    @cached_property
    def column_weights(self) -> Array:
        """Return the weight of the member of every base cluster, (t,)."""
        return self.weights[self.layout.member_of]

    @property
    def counted_weights(self) -> Array:
        """Return the weights of the members, (r,); 0 for members without labels."""
        return self.weights * (self.n_clusters > 0)

    @cached_property
    def layout(self) -> Layout:
        """Return which base cluster belongs to which member."""
        return Layout([len(value) for value in self.values])

    @cached_property
    def incidence(self) -> Incidence:
        """Return the operator H."""
        blocks = SoftBlocks(self.layout) if self.is_soft else HardBlocks(self.layout)
        return Incidence(ArraySource(self._matrix), blocks, self.sample_weight)

    @property
    def codes(self) -> Array:
        """Return the (n, r) internal codes: 0 = missing, canonical label + 1; smallest unsigned type."""
        if self._codes is None:
            raise InvalidInputError("A soft ensemble has memberships, not codes.")
        return self._codes

    @property
    def memberships(self) -> Array:
        """Return the (n, t) memberships of a soft ensemble."""
        if self._memberships is None:
            raise InvalidInputError("This ensemble has labels, not memberships.")
        return self._memberships

    @cached_property
    def labels(self) -> Array:
        """Return the (n, r) canonical labels, -1 = missing; the most likely ones of soft members."""
        if self._memberships is not None:
            labels = hard_labels(self._memberships, self.layout)
        else:
            labels = self.codes.astype(np.int32)
            labels -= 1
        labels.setflags(write=False)
        return labels

    @cached_property
    def n_observed(self) -> Array:
        """Return the number of objects that every member labels."""
        observed = (
            np.asarray(np.count_nonzero(self.labels >= 0, axis=0))
            if self.is_soft
            else count_known(self.codes, self.layout)
        )
        observed.setflags(write=False)
        return observed

    @property
    def is_named(self) -> bool:
        """Whether names of the members were given."""
        return self.names != default_names(self.n_members)

    @property
    def has_missing(self) -> bool:
        """Whether any label is missing."""
        return bool(np.any(self.n_observed < self.n_samples))

    @cached_property
    def n_profiles(self) -> int:
        """Return the number of distinct rows of a hard ensemble."""
        return count_distinct(self.codes)

    @cached_property
    def fingerprint(self) -> str:
        """Return a hash of the labels (by canonical name) and the member weights."""
        digest = hashlib.blake2b(digest_size=16)
        digest.update(np.asarray(self.n_clusters, dtype="<i8").tobytes())
        digest.update(np.asarray(self.weights, dtype="<f8").tobytes())
        digest.update(self.incidence.digests().tobytes())
        return digest.hexdigest()

    def __len__(self) -> int:
        """Return the number of objects."""
        return self.n_samples

    __repr__ = _shown.ensemble_text
    _repr_html_ = _shown.ensemble_html

    # --- other ensembles made from it ------------------------------------------------------------

    def select(self, members: Any) -> Self:
        """Keep some members, given by position, name, or a mask."""
        chosen = _grow.member_positions(members, self.names)
        columns = np.concatenate(
            [np.arange(self.layout.n_columns)[self.layout.columns(j)] for j in chosen]
        )
        return self._with(
            codes=None if self._codes is None else np.ascontiguousarray(self._codes[:, chosen]),
            memberships=None if self._memberships is None else self._memberships[:, columns],
            values=tuple(self.values[j] for j in chosen),
            names=tuple(self.names[j] for j in chosen),
            weights=self.given_weights[chosen],
            cluster_tables=_cluster_tables.select_members(self.cluster_tables, chosen),
        )

    def take(self, objects: Any) -> "Ensemble":
        """Keep some objects, given by position, slice or mask; base clusters left empty disappear."""
        rows = _grow.row_positions(objects, self.n_samples)
        kept: dict[str, Any] = {
            "ids": None if self.ids is None else self.ids[rows],
            "sample_weight": None if self.sample_weight is None else self.sample_weight[rows],
        }
        if self._memberships is not None:
            return self._with(memberships=self._memberships[rows], **kept)
        places = tuple(np.arange(len(value)) for value in self.values)
        encoded = renumber(Encoded(self.codes[rows], places))
        return self._with(
            codes=encoded.codes,
            values=tuple(
                value[used] for value, used in zip(self.values, encoded.values, strict=True)
            ),
            cluster_tables=_cluster_tables.take_clusters(self.cluster_tables, encoded.values),
            **kept,
        )

    def rows_of(self, ids: Any) -> Array:
        """Return the positions of objects given by id; an unknown id is an error."""
        if self.ids is None:
            raise InvalidInputError("This ensemble has no object ids; pass ids= when making it.")
        return _join.positions(self.ids, ids)

    def append(self, members: Any, *, weights: Any = None, names: Any = None) -> Self:
        """Add members: an Ensemble, or any input that Ensemble accepts.

        If both have object ids they are aligned by id, and the ids must be the same.
        """
        return self._with(**_grow.append_members(self, members, weights, names))

    def append_objects(self, objects: Any, *, ids: Any = None) -> Self:
        """Add objects: rows with a label of every member, named like the labels of this ensemble."""
        return self._with(**_grow.append_objects(self, objects, ids))

    def encode(self, labels: Any) -> tuple[Self, Array]:
        """Encode new rows by the labels of this ensemble.

        Returns
        -------
        ensemble : Ensemble
            The rows; its members have the same base clusters as this ensemble, used or not.
        n_unseen : array (r,)
            Number of labels of every member that do not occur in this ensemble; they count as missing.
        """
        parts, n_unseen = _grow.encode_new(self, labels)
        return self._with(**parts), n_unseen

    def with_weights(self, weights: Any) -> Self:
        """Give the members other weights; only their ratios matter."""
        return self._with(weights=weights)

    def without_objects(self) -> "Ensemble":
        """Keep the members (names, weights, known labels) and drop the objects."""
        return self.with_rows(self._matrix[:0].copy(), None)

    def with_ids(self, ids: Any) -> Self:
        """Give the objects other ids."""
        return self._with(ids=ids)

    def with_sample_weight(self, weight: Any) -> Self:
        """Set the weights of the objects; None = equal weights."""
        return self._with(
            sample_weight=None if weight is None else check_sample_weight(weight, self.n_samples)
        )

    def with_provenance(self, provenance: Mapping[str, object]) -> Self:
        """Attach the provenance of the ensemble; it is saved with it."""
        return self._with(provenance=provenance)

    def with_cluster_tables(self, **tables: Any) -> Self:
        """Attach tables with a row per cluster, such as centres or feature weights.

        Parameters
        ----------
        **tables : sequence of arrays
            By name. One array per member, its rows in the order of the member's canonical clusters,
            that of `values`; None for a member without the table. None instead of the sequence removes
            a table; other tables are kept.

        Notes
        -----
        Rows are kept aligned with the clusters when members or objects are selected or added. A table
        is dropped if it would become incomplete: when members without it are appended, or objects with
        new clusters.

        Examples
        --------
        >>> e = Ensemble([["b", "b", "a"], ["x", "y", "y"]])
        >>> e = e.with_cluster_tables(centres=[[[0.5], [2.0]], None])
        >>> e.take([2]).cluster_tables["centres"][0].tolist()
        [[2.0]]
        """
        kept = {name: table for name, table in self.cluster_tables.items() if name not in tables}
        given = {name: table for name, table in tables.items() if table is not None}
        checked = _cluster_tables.checked_tables(given, self.n_clusters)
        return self._with(cluster_tables={**kept, **checked})

    def profiles(self, *, apart: Array | None = None) -> Profiles:
        """Merge identical rows of a hard ensemble (an exact reduction for most methods).

        Objects marked by the mask `apart` keep rows of their own.
        """
        return merge_rows(self, apart)

    def with_rows(self, stored: Array, sample_weight: Array | None) -> "Ensemble":
        """Return an ensemble of the same members with other rows, given as codes or memberships."""
        matrix = "memberships" if self.is_soft else "codes"
        return self._with(ids=None, sample_weight=sample_weight, **{matrix: stored})

    def with_array_labels(self) -> Self:
        """Return an ensemble for which label vectors are plain arrays: this one."""
        return self

    def labels_as_given(self, labels: Array) -> Any:
        """Return a label vector in the container type of the given labels."""
        return np.asarray(labels)

    def further_labels_as_given(self, labels: Array) -> Any:
        """Return an additional label vector, which may remain outside memory until it is used."""
        return np.asarray(labels)

    # --- inside ----------------------------------------------------------------------------------

    def __getstate__(self) -> dict[str, Any]:
        return self._parts()

    def __setstate__(self, parts: dict[str, Any]) -> None:
        self._fill(**parts)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(
            f"An Ensemble does not change; {name!r} cannot be set. Use select, append, with_weights, ..."
        )

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"An Ensemble does not change; {name!r} cannot be deleted.")

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

    @property
    def _matrix(self) -> Array:
        matrix = self._codes if self._memberships is None else self._memberships
        assert matrix is not None  # noqa: S101 - one of the two always exists
        return matrix

    def _with(self, **changes: Any) -> Self:
        return self._build(**{**self._parts(), **changes})

    def _fill(
        self,
        *,
        values: tuple[Array, ...],
        names: Any = None,
        ids: Any = None,
        weights: Any = None,
        sample_weight: Array | None = None,
        provenance: Mapping[str, object] | None = None,
        cluster_tables: Mapping[str, tuple[Array | None, ...]] | None = None,
        **rows: Any,
    ) -> None:
        """Set all attributes; `rows` holds codes, memberships, or the source of a subclass."""
        self.__dict__.update({f"_{name}": part for name, part in rows.items()})
        n_members = len(values)
        given_weights = check_member_weights(weights, n_members)
        self.__dict__.update(
            values=values,
            ids=None if ids is None else check_ids(ids, self.n_samples),
            names=default_names(n_members) if names is None else check_names(names, n_members),
            weights=scaled_weights(given_weights),
            given_weights=given_weights,
            sample_weight=sample_weight,
            provenance=MappingProxyType(dict(provenance or {})),
            cluster_tables=MappingProxyType(dict(cluster_tables or {})),
        )
        arrays = (*rows.values(), self.weights, given_weights, self.ids, sample_weight, *values)
        for array in arrays:
            if isinstance(array, np.ndarray):
                array.setflags(write=False)

    def _require_a_label(self) -> None:
        if not self.n_observed.any():
            raise InvalidLabelsError("Every label is missing; an ensemble needs at least one.")

    def _rows(self) -> dict[str, Any]:
        """Return the container of the labels."""
        return {"codes": self._codes, "memberships": self._memberships}

    def _parts(self) -> dict[str, Any]:
        return {
            **self._rows(),
            "values": self.values,
            "names": self.names,
            "ids": self.ids,
            "weights": self.given_weights,
            "sample_weight": self.sample_weight,
            "provenance": dict(self.provenance),
            "cluster_tables": dict(self.cluster_tables),
        }
