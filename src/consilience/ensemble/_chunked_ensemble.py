"""An ensemble whose labels are outside memory: in a dask collection, or in files."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Self

import numpy as np

from consilience._utils._memory import memory_limit, require_memory
from consilience._utils._types import Array
from consilience.ensemble import _cluster_tables, _grow
from consilience.ensemble._ensemble import Ensemble
from consilience.ensemble._profiles import Profiles, bytes_merged, weight_of_groups
from consilience.ensemble._recode import Recoder, merge_surveys, survey_piece
from consilience.exceptions import InvalidLabelsError, UnsupportedInputError
from consilience.incidence import (
    BlockSource,
    HardBlocks,
    Incidence,
    widened_rows,
)
from consilience.incidence.chunked_internals import (
    column_names,
    on_pieces,
    row_chunks,
    stripes_of,
    wrap,
)

# For more objects than this, the number of distinct rows is estimated from a sample of hashes.
_COUNTED_ROWS = 2**20
# Identical rows are merged only if the share of distinct rows is at most this.
_MERGE_BELOW = 0.5


class ChunkedEnsemble(Ensemble):
    """Works like an Ensemble for every function with linear cost; has no `labels` and no `codes`.

    Made by `Ensemble.from_dask` and `Ensemble.from_large_file`. Rows are read a stripe at a time, by
    threads or by the workers of a cluster. Vectors with an entry per object (labels of the consensus,
    weights) are in memory.
    """

    is_chunked = True
    _source: BlockSource
    _known: Array
    _chunks: tuple[int, ...] | None

    @classmethod
    def from_parts(cls, parts: dict[str, Any]) -> Self:
        """Create an ensemble from its parts."""
        return cls._checked(**parts)

    @classmethod
    def of_dask(cls, data: Any, weights: Any, names: Sequence[str] | None) -> Self:
        """Read a dask array (n, r) or frame: once to see which labels occur, once to encode them."""
        if data.ndim != 2:
            raise InvalidLabelsError(
                "Expected 2D array, objects x members; got a dask collection with "
                f"{data.ndim} dimension(s)."
            )
        pieces = on_pieces(survey_piece, data)
        lengths = [piece.n_rows for piece in pieces]
        survey = merge_surveys(pieces)
        recoder = Recoder(survey.values)
        source = stripes_of(
            data,
            recode_piece,
            recoder,
            lengths=lengths,
            width=len(survey.values),
            dtype=recoder.dtype,
        )
        return cls._checked(
            source=source,
            values=survey.values,
            names=column_names(data) if names is None else names,
            weights=weights,
            known=survey.n_observed,
            chunks=row_chunks(data) or tuple(lengths),
        )

    # --- properties ------------------------------------------------------------------------------

    @property
    def n_samples(self) -> int:
        """Return n."""
        return self._source.n_rows

    @property
    def codes(self) -> Array:
        """Raise an error: they are not in memory."""
        raise UnsupportedInputError(
            "This needs all labels in memory, and they are read in chunks; use take(rows) for some of "
            "them, or a consensus function with linear cost."
        )

    @property
    def labels(self) -> Array:
        """Raise an error: they are not in memory."""
        return self.codes

    @property
    def n_observed(self) -> Array:
        """Return the number of objects that every member labels."""
        return self._known

    @cached_property
    def incidence(self) -> Incidence:
        """Return the operator H."""
        return Incidence(self._source, HardBlocks(self.layout), self.sample_weight)

    @cached_property
    def n_profiles(self) -> int:
        """Return the number of distinct rows; estimated where there are very many."""
        one_in = 1
        while self.n_samples > one_in * _COUNTED_ROWS:
            one_in *= 2
        n_distinct = one_in * len(self.incidence.distinct_hashes(one_in))
        if one_in > 1 and n_distinct <= _MERGE_BELOW * self.n_samples:
            return len(self.incidence.distinct_hashes(1))
        return min(n_distinct, self.n_samples)

    # --- other ensembles made from it ------------------------------------------------------------

    def select(self, members: Any) -> Self:
        """Keep some members, given by position, name, or a mask."""
        chosen = _grow.member_positions(members, self.names)
        return self._with(
            source=self._source.select(np.asarray(chosen)),
            values=tuple(self.values[j] for j in chosen),
            names=tuple(self.names[j] for j in chosen),
            weights=self.given_weights[chosen],
            known=self._known[chosen],
            cluster_tables=_cluster_tables.select_members(self.cluster_tables, chosen),
        )

    def take(self, objects: Any) -> Ensemble:
        """Keep some objects, in the order they have: in memory if they fit, else in chunks as before.

        In chunks, base clusters left empty stay.
        """
        rows = np.unique(_grow.row_positions(objects, self.n_samples))
        kept = None if self.sample_weight is None else self.sample_weight[rows]
        ids = None if self.ids is None else self.ids[rows]
        n_bytes = len(rows) * self.n_members * np.dtype(self._dtype).itemsize
        if n_bytes > memory_limit() // 4:
            source = self._source.take(rows)
            sizes = Incidence(source, HardBlocks(self.layout)).sizes
            known = self.layout.sum_by_member(sizes)
            return self._with(source=source, ids=ids, sample_weight=kept, known=known, chunks=None)
        stored = self.with_rows(self.incidence.picked_rows(rows), kept)
        taken = stored.take(np.arange(len(rows)))
        return taken if ids is None else taken.with_ids(ids)

    def without_objects(self) -> Ensemble:
        """Keep the members (names, weights, known labels) and drop the objects."""
        return self.with_rows(np.zeros((0, self.n_members), dtype=self._dtype), None)

    def profiles(self, *, apart: Array | None = None) -> Profiles:
        """Merge identical rows into an ensemble in memory, exactly."""
        if apart is not None and apart.any():
            raise UnsupportedInputError(
                "Constraints on pairs of objects need the labels in memory; these are read in chunks."
            )
        hashes = np.sort(self.incidence.distinct_hashes(1))
        require_memory(
            bytes_merged(len(hashes), self.n_samples, self.n_members),
            f"Merging the {len(hashes)} distinct rows of {self.n_samples} objects",
            "Increase the limit, or use a function that does not merge rows.",
        )
        place = self.incidence.places(hashes)
        first = np.full(len(hashes), self.n_samples)
        np.minimum.at(first, place, np.arange(self.n_samples))
        rank = np.empty(len(first), dtype=np.int64)
        rank[np.argsort(first)] = np.arange(len(first))
        inverse = rank[place]
        is_first = np.zeros(self.n_samples, dtype=bool)
        is_first[first] = True
        codes = self.incidence.stored_rows(is_first)
        if self.incidence.differing_rows(codes, inverse):
            raise UnsupportedInputError(
                "Two different rows have the same 64-bit hash; drop or add a member and try again."
            )
        multiplicity = weight_of_groups(inverse, len(first), self.sample_weight)
        return Profiles(self.with_rows(codes, multiplicity), inverse, multiplicity)

    def with_rows(self, codes: Array, sample_weight: Array | None) -> Ensemble:
        """Return an ensemble in memory of the same members with other rows, given as codes."""
        where = self._rows()
        ensemble = Ensemble.__new__(Ensemble)
        parts = {name: part for name, part in self._parts().items() if name not in where}
        ensemble.__setstate__(
            {**parts, "codes": codes, "ids": None, "sample_weight": sample_weight}
        )
        return ensemble

    def with_array_labels(self) -> Self:
        """Return the same ensemble, for which label vectors are plain arrays.

        It is cached, so that the results of one fit about all rows (distinct rows, sizes of base
        clusters) can be used by the next.
        """
        return self if self._chunks is None else self._inside

    @cached_property
    def _inside(self) -> Self:
        return self._with(chunks=None)

    def labels_as_given(self, labels: Array) -> Any:
        """Return a label vector in the container type of the given labels."""
        if self._chunks is None:
            return widened_rows(labels)
        return wrap(labels, self._chunks)

    def further_labels_as_given(self, labels: Array) -> Any:
        """Return an additional label vector, which may remain outside memory until it is used."""
        return widened_rows(labels) if self._chunks is None else wrap(labels, self._chunks)

    # --- inside ----------------------------------------------------------------------------------

    @property
    def _dtype(self) -> Any:
        return Recoder(self.values).dtype

    def _rows(self) -> dict[str, Any]:
        return {"source": self._source, "known": self._known, "chunks": self._chunks}


def recode_piece(piece: Any, position: int, recoder: Recoder) -> Array:
    """Encode one piece on a worker."""
    return recoder(piece, position)
