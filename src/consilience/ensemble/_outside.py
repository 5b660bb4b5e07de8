"""Constructors of ensembles for labels that are not in the memory of this process."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from consilience.ensemble._ensemble import Ensemble
    from consilience.ensemble._storage import IdColumn


class OutsideMemory:
    """Constructors of ensembles from a dask collection or files, without reading all labels."""

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
        id: "IdColumn" = None,  # noqa: A002
        weights: Any = None,
    ) -> "Ensemble":
        """Read an NPY file, a Parquet file or a folder of Parquet parts larger than memory.

        A column per member, except `id`, which is found by its name (id, index, row, ..._id) unless it
        is given or False. Codes stay in memory if they take a quarter of `memory_limit` at most; else
        they are read for every step, those of Parquet from a temporary copy.
        """
        from consilience.ensemble._open import open_ensemble

        return open_ensemble(path, id, weights)
